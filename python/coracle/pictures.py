"""Pictures and charts, which a notebook shows by itself."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _toml

_COLORS = ["none", "speed", "pressure", "von_mises", "film"]
_SHOWN = ["surfaces", "particles", "cut_cells", "tets"]


class Picture:
    """A picture: `rgb` has rows from the top, of pixels, of three bytes (sRGB)."""

    def __init__(self, rgb: NDArray[np.uint8]) -> None:
        self.rgb = rgb

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a .png file."""
        if not os.fspath(file).endswith(".png"):
            raise ValueError(f"{os.fspath(file)}: give a name that ends in .png")
        _core.write_png(os.fspath(file), self.rgb)

    def __array__(self, dtype: Any = None) -> NDArray[Any]:
        return self.rgb if dtype is None else self.rgb.astype(dtype)

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
    out: str | None,
    frames: list[int],
    size: tuple[int, int] | None,
    samples: int,
    color: str | None,
    show: str | None,
    range: tuple[float, float] | None,
    changes: Mapping[str, Any] | None,
    final: bool,
    threads: int,
) -> Picture | None:
    if out is not None and not out.endswith((".png", ".mp4", "/")):
        raise ValueError(f"{out}: give a name that ends in .png, in .mp4, or in / for a folder of pictures")
    if len(frames) != 1 and (out is None or out.endswith(".png")):
        raise ValueError(f"one picture cannot show {len(frames)} frames; give a folder/ or a .mp4 file as out")
    if size is not None and not (len(size) == 2 and all(0 < side <= 16384 for side in size)):
        raise ValueError(f"size must be (width, height) in pixels, each from 1 to 16384, not {size}")
    if not 0 <= samples <= 65536:
        raise ValueError(f"samples must be between 1 and 65536, or 0 for the usual number, not {samples}")
    if range is not None and not range[0] < range[1]:
        raise ValueError(f"range must be two numbers, the lower first, not {range}")
    rgb = _core.render(
        folder, out or "", frames, size or (0, 0), samples, _choice("color", color, _COLORS),
        _choice("show", show, _SHOWN), range, _toml.overrides(changes), final, threads,
    )
    return None if rgb is None else Picture(rgb)


def _choice(option: str, word: str | None, words: Sequence[str]) -> int:
    if word is None:
        return 0
    if word not in words:
        raise ValueError(f"{option} must be one of {', '.join(words)}, not {word!r}")
    return words.index(word)
