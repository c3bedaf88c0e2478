"""Scenes given as dicts, written as TOML with one key per line, so that the line of a mistake leads back to its key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


@contextmanager
def _finite(what: str) -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise ValueError(f"{what} contains itself, or is nested too deeply") from None


@_finite("the scene")
def text_of(scene: Mapping[str, Any]) -> tuple[str, dict[int, str]]:
    """The TOML of a scene, and the key that each line holds: "body[0].young"."""
    lines: list[str] = []
    keys: dict[int, str] = {}

    def add(line: str, key: str) -> None:
        lines.append(line)
        keys[len(lines)] = key

    def table(entries: Mapping[str, Any], header: str, path: str) -> None:
        tables = []
        for key, value in entries.items():
            if not isinstance(key, str):
                raise TypeError(f"{path or 'a scene'}: keys are words, not {key!r}")
            where = f"{path}.{key}" if path else key
            value = plain(value)
            entries_of = isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value)
            if isinstance(value, Mapping) or entries_of:
                tables.append((key, value, where))
            else:
                add(f"{_key(key)} = {value_text(value, where)}", where)
        for key, value, where in tables:
            name = f"{header}.{_key(key)}" if header else _key(key)
            for index, entry in enumerate(value) if isinstance(value, list) else [(None, value)]:
                place = where if index is None else f"{where}[{index}]"
                add(f"[{name}]" if index is None else f"[[{name}]]", place)
                table(entry, name, place)

    table(scene, "", "")
    return "\n".join(lines) + "\n", keys


@_finite("set")
def overrides(values: Mapping[str, Any] | None, path: str = "") -> list[tuple[str, str]]:
    """Paths and values as TOML: {"domain": {"resolution": 32}} and {"domain.resolution": 32} alike."""
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise TypeError(f"set must be a dict such as {{'domain.resolution': 32}}, not {type(values).__name__}")
    return list(_overrides(values, path))


def _overrides(values: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        where = f"{path}.{key}" if path else str(key)
        value = plain(value)
        if isinstance(value, Mapping):
            yield from _overrides(value, where)
        else:
            yield where, value_text(value, where)


def plain(value: Any) -> Any:
    """Numbers and arrays of NumPy as those of Python."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, tuple) else value


def value_text(value: Any, where: str) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        return _quoted(value, where)
    if isinstance(value, list):
        return "[" + ", ".join(value_text(v, f"{where}[{i}]") for i, v in enumerate(value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {value_text(v, f'{where}.{k}')}" for k, v in value.items()) + "}"
    if value is None:
        raise TypeError(f"{where}: None is no value of a scene; leave the key out to take its default")
    kind = type(value).__name__
    raise TypeError(f"{where}: a scene holds numbers, words, true or false, and lists of them, not {kind}")


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key, "a key")


def _quoted(text: str, where: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where}: {text!r} holds half a character; give valid Unicode") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
