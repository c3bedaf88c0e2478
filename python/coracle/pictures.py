"""Pictures and charts, which a notebook shows by itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _checks, _core, _toml

_COLORS = ["none", "speed", "pressure", "von_mises", "film"]
_SHOWN = ["surfaces", "particles", "cut_cells", "tets"]


class Picture:
    """A picture: `rgb` has rows from the top, of pixels, of three bytes (sRGB)."""

    def __init__(self, rgb: NDArray[np.uint8]) -> None:
        is_bytes = isinstance(rgb, np.ndarray) and rgb.dtype == np.uint8
        if not is_bytes or rgb.ndim != 3 or rgb.shape[2] != 3 or rgb.size == 0:
            raise ValueError("a picture is an array of bytes (uint8) of the shape (height, width, 3)")
        self.rgb = rgb

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a .png file."""
        name = _checks.path(file, "file")
        if not name.endswith(".png"):
            raise ValueError(f"{name}: give a name that ends in .png")
        _core.write_png(name, self.rgb)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.rgb if dtype is None else self.rgb.astype(dtype, copy=False)
        return array.copy() if copy else array

    def _repr_png_(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "picture.png")
            self.save(file)
            with open(file, "rb") as png:
                return png.read()

    def __repr__(self) -> str:
        height, width = self.rgb.shape[:2]
        return f"<coracle.Picture: {width} x {height}>"


class Plot:
    """Charts on a page: `svg` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<coracle.Plot>"


def render(
    folder: str,
    out: str,
    frames: list[int],
    size: tuple[int, int] | None,
    samples: int,
    color: str | None,
    show: str | None,
    range: tuple[float, float] | None,
    changes: Mapping[str, Any] | None,
    final: bool,
    threads: int,
) -> NDArray[np.uint8] | None:
    """The pixels of one frame; with `out`, pictures of all in files, and nothing."""
    return _core.render(
        folder, out, frames, _size(size), _checks.whole(samples, "samples", 0, 65536),
        _choice("color", color, _COLORS), _choice("show", show, _SHOWN), _range(range), _toml.overrides(changes),
        bool(final), _checks.threads(threads),
    )


def _size(size: Any) -> tuple[int, int]:
    if size is None:
        return 0, 0
    try:
        width, height = size
    except (TypeError, ValueError):
        raise ValueError(f"size must be (width, height) in pixels, not {size!r}") from None
    return _checks.whole(width, "the width", 1, 16384), _checks.whole(height, "the height", 1, 16384)


def _range(range: Any) -> tuple[float, float] | None:
    if range is None:
        return None
    try:
        low, high = range
    except (TypeError, ValueError):
        low = high = 0.0
    if not _checks.number(low, "range") < _checks.number(high, "range"):
        raise ValueError(f"range must be two numbers, the lower first, not {range!r}")
    return float(low), float(high)


def _choice(option: str, word: str | None, words: Sequence[str]) -> int:
    if word is None:
        return 0
    if word not in words:
        raise ValueError(f"{option} must be one of {', '.join(words)}, not {word!r}")
    return words.index(word)
