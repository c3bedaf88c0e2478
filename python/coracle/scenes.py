"""Scenes: the name of a shipped one, a file, or a dict with the names of scene files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

from . import _core, _toml
from ._checks import path, word
from .errors import _DICT, in_words_of_python

SceneLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]


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


class OpenScene(NamedTuple):
    """A scene that was read and checked."""

    core: _core.Scene
    file: str  # "": it came as a dict
    keys: dict[int, str] | None  # of a dict: the key that a line of its text holds


def open_scene(scene: SceneLike, preset: str | None, changes: Mapping[str, Any] | None) -> OpenScene:
    chosen = "" if preset is None else word(preset, "preset")
    overrides = _toml.overrides(changes)
    if isinstance(scene, (str, os.PathLike)):
        with in_words_of_python():
            file = _core.find_scene(path(scene, "scene"))
            return OpenScene(_core.load_scene(file, overrides, chosen), file, None)
    if not isinstance(scene, Mapping):
        raise TypeError(f"a scene is a name, a file or a dict, not {type(scene).__name__}")
    text, keys = _toml.text_of(scene)
    with in_words_of_python(keys):
        return OpenScene(_core.parse_scene(text, _DICT, overrides, chosen), "", keys)
