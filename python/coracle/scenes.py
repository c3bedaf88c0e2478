"""Scenes: the name of a shipped one, a file, or a dict with the names of scene files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

from . import _core, _toml
from .errors import Problem, SceneError

SceneLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]

_DICT = "scene"  # instead of a file's name


class ShippedScene(NamedTuple):
    """A scene that comes with coracle."""

    name: str
    title: str
    presets: list[str]


def scenes() -> list[ShippedScene]:
    """The scenes that come with coracle."""
    return [ShippedScene(*scene) for scene in _core.shipped_scenes()]


def schema() -> dict[str, Any]:
    """The JSON schema of scene files: every option with its type, range, unit and meaning."""
    answer: dict[str, Any] = json.loads(_core.scene_schema())
    return answer


def open_scene(scene: SceneLike, preset: str | None, changes: Mapping[str, Any] | None) -> tuple[_core.Scene, str]:
    """The scene, read and checked, and its file; no file for a dict."""
    if preset is not None and not isinstance(preset, str):
        raise TypeError(f"preset must be a word, not {type(preset).__name__}")
    overrides = _toml.overrides(changes)
    if isinstance(scene, (str, os.PathLike)):
        file = _core.find_scene(os.fspath(scene))
        return _core.load_scene(file, overrides, preset or ""), file
    if not isinstance(scene, Mapping):
        raise TypeError(f"a scene is a name, a file or a dict, not {type(scene).__name__}")
    text, keys = _toml.text_of(scene)
    try:
        return _core.parse_scene(text, _DICT, overrides, preset or ""), ""
    except SceneError as error:
        raise SceneError(_by_key(error, keys)) from None


def _by_key(error: SceneError, keys: dict[int, str]) -> list[Problem]:
    """The problems of a dict, each at its key instead of a line of text."""
    found = []
    for problem, line in zip(error.problems, error.lines):
        inside = line > 0 and problem.place.startswith(_DICT + ":")
        found.append(Problem(keys.get(line, _DICT), problem.message) if inside else problem)
    return found
