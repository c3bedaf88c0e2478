"""Checks of what users give, with errors that say what to give instead."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Optional, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")


def there(value: Optional[T], name: str) -> T:
    if value is None:
        raise AttributeError(f"the fluid of this scene has no {name}")
    return value


def numbers(value: ArrayLike, name: str) -> NDArray[np.float64]:
    try:
        given = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if given.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, not {given.dtype}")
    return np.asarray(given, dtype=np.float64, order="C")


def rows(value: ArrayLike, name: str) -> NDArray[np.float64]:
    given = numbers(value, name)
    if given.ndim != 2 or given.shape[1] != 3 or not len(given):
        raise ValueError(f"{name} must have three columns and a row per node, not the shape {given.shape}")
    return given


def vector(value: ArrayLike, name: str) -> list[float]:
    given = numbers(value, name)
    if given.shape != (3,):
        raise ValueError(f"{name} must have three components, not the shape {given.shape}")
    return [float(component) for component in given]


def number(value: float, name: str, least: float | None = None) -> float:
    given = numbers(value, name)
    if given.shape != ():
        raise ValueError(f"{name} must be one number, not the shape {given.shape}")
    if least is not None and not given >= least:
        raise ValueError(f"{name} must be at least {least}, not {given}")
    return float(given)


def whole(value: int, name: str, least: int = -(2**31), most: int = 2**31 - 1) -> int:
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, not {value!r}")
    given = value.__index__()
    if not least <= given <= most:
        raise ValueError(f"{name} must be between {least} and {most}, not {given}")
    return given


def threads(value: int) -> int:
    return whole(value, "threads", 0, 4096)


def word(value: str, name: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a word, not {type(value).__name__}")
    return value


def path(value: str | os.PathLike[str], name: str) -> str:
    try:
        given = os.fsdecode(os.fspath(value))
    except TypeError:
        raise TypeError(f"{name} must be a path, not {type(value).__name__}") from None
    if "\0" in given:
        raise ValueError(f"{name} holds a zero byte: {given!r}")
    return given


def function(value: Callable[..., Any] | None, name: str) -> None:
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, not {type(value).__name__}")
