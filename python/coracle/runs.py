"""Whole runs: start one, and read what it left."""

from __future__ import annotations

import json
import os
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _checks, _core
from .errors import RunError, in_words_of_python, not_found
from .pictures import Picture, Plot, render
from .record import Record
from .scenes import SceneLike, open_scene
from .simulation import Array, Grid, Log, to_logging

T = TypeVar("T")


def run(
    scene: SceneLike,
    out: str | os.PathLike[str] | None = None,
    *,
    preset: str | None = None,
    set: Mapping[str, Any] | None = None,
    resume: bool = False,
    overwrite: bool = False,
    threads: int = 0,
    checkpoint_minutes: float = 0,
    force_memory: bool = False,
    on_step: Callable[[Record], object] | None = None,
    progress: bool | None = None,
    log: Log | None = None,
) -> Run:
    """Simulate a scene into a folder, as `coracle run` does, and return what it left.

    `out` is runs/NAME unless given. `resume` continues an earlier run, `overwrite` replaces it. `on_step` gets the
    report of every step. `progress` shows a line on the screen; without it, only on a terminal and in a notebook.
    Ctrl-C, or an exception in `on_step`, stops the run after its step with a checkpoint, and is then raised.
    """
    _checks.function(on_step, "on_step")
    _checks.function(log, "log")
    opened = open_scene(scene, preset, set)
    if out is None and not opened.file:
        raise ValueError("a scene that is a dict needs a folder to run in: give out=...")
    folder = os.path.join("runs", _name_of(opened.file)) if out is None else _checks.path(out, "out")
    folder = os.path.abspath(folder)
    line = _ProgressLine(opened.core) if _wants_progress(progress) else None

    def step_done(report: Record) -> None:
        if line:
            line.show(report)
        if on_step:
            on_step(report)

    try:
        with in_words_of_python(opened.keys):
            _core.run(
                opened.core, opened.file, folder, bool(resume), bool(overwrite), bool(force_memory),
                _checks.number(checkpoint_minutes, "checkpoint_minutes", 0), _checks.threads(threads), step_done,
                log or to_logging,
            )
    except KeyboardInterrupt as stop:
        stop.add_note(f"stopped with a checkpoint in {folder}; to continue: the same call with resume=True")
        raise
    finally:
        if line:
            line.end()
    return Run(folder)


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface, or points without triangles. A row per vertex."""

    x: Array  #: m
    tris: Array  #: vertices, counter-clockwise seen from outside
    v: Array | None  #: m/s
    fields: dict[str, Array]  #: such as von_mises (Pa), pressure (Pa), film (m)

    def __repr__(self) -> str:
        return f"<coracle.Mesh: {len(self.x)} vertices, {len(self.tris)} triangles>"


class Expectation(NamedTuple):
    """What the scene expects of a run, and what came out."""

    claim: str
    verdict: str  # pass, fail or not_reached
    measured: float
    bound: str


class Run:
    """What a run left in its folder. The run may still be going; every access looks at what is there now."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.path.abspath(_checks.path(folder, "folder"))
        _core.require_run(self.folder)

    # ---- Figures over time

    @property
    def stats(self) -> NDArray[np.void]:
        """Every number of stats.jsonl as a structured array, a row per step.

        Names are those of expect.toml: run.stats["liquid.volume"], run.stats["bodies.beam.center.x"].
        """
        rows = [dict(_numbers_in(line)) for line in _lines(self._path("stats.jsonl"))]
        columns = dict.fromkeys(name for row in rows for name in row)
        return _table(rows, list(columns) or ["step", "time"])

    @property
    def probes(self) -> NDArray[np.void]:
        """What the probes measured, a row per step: run.probes["tip_x"]."""
        file = self._path("probes.csv")
        if not os.path.exists(file):
            return _table([], ["step", "time"])
        with open(file, encoding="utf-8", errors="replace", newline="") as text:
            lines = text.read().split("\n")[:-1]  # without an unfinished last line
        columns = lines[0].split(",") if lines else ["step", "time"]
        return _table([_probe_row(file, n, columns, line) for n, line in enumerate(lines[1:], 2)], columns)

    @property
    def expectations(self) -> list[Expectation]:
        """What expect.toml asks of the run, and whether it holds."""
        _core.require_run(self.folder)
        return [Expectation(*e) for e in _core.judge(self.folder)]

    def plot(self, file: str | os.PathLike[str] | None = None) -> Plot:
        """Charts of probes, energies, volume, solver and times.

        A notebook shows them; `file` is a .svg, .png or .csv file to write.
        """
        with in_words_of_python():
            if file is not None:
                name = _checks.path(file, "file")
                if not name.endswith((".svg", ".png", ".csv")):
                    raise ValueError(f"{name}: give a name that ends in .svg, .png or .csv")
                _core.plot(self.folder, name)
            return Plot(_core.plot(self.folder, ""))

    # ---- The scene

    @property
    def scene(self) -> dict[str, Any]:
        """The scene as it was run, with every default."""
        with open(self._path("scene.toml"), "rb") as file:
            return tomllib.load(file)

    @property
    def title(self) -> str:
        """The scene's title."""
        return str(self.scene.get("title", ""))

    @property
    def going(self) -> bool:
        """Whether a process is writing to it now."""
        _core.require_run(self.folder)
        return _core.is_being_written(self.folder)

    # ---- Frames. A negative frame counts from the last one.

    @property
    def frames(self) -> list[int]:
        """The frames on disk."""
        return _core.Replay(self.folder).frames

    def surface(self, frame: int = -1) -> Mesh:
        """The liquid's surface."""
        return self._mesh(frame, _core.Replay.liquid)

    def drops(self, frame: int = -1) -> Mesh:
        """Single drops outside the surface: points."""
        return self._mesh(frame, _core.Replay.drops)

    def body(self, name: str, frame: int = -1) -> Mesh:
        """The surface of a body, with von Mises stress and the fluid's pressure."""
        return self._mesh(frame, lambda replay, number: replay.body(_index("body", name, replay.bodies), number))

    def solid(self, name: str, frame: int = -1) -> Mesh:
        """The surface of a solid."""
        return self._mesh(frame, lambda replay, number: replay.solid(_index("solid", name, replay.solids), number))

    def particles(self, frame: int = -1) -> Mesh:
        """The liquid's particles, if the scene has output.particles = true."""
        return self._mesh(frame, _core.Replay.particles)

    def smoke(self, frame: int = -1) -> Array:
        """Density of smoke at the centres of the cells of `grid`, indexed [i, j, k]."""
        values = self._read(frame, _core.Replay.smoke)
        if values.size == 0:
            raise AttributeError("the run kept no smoke")
        return values

    @property
    def grid(self) -> Grid:
        """The cells of the domain."""
        return Grid(*_core.Replay(self.folder).grid)

    def time(self, frame: int = -1) -> float:
        """The time of a frame, s."""
        replay = _core.Replay(self.folder)
        return self._number(replay, frame) / replay.scene.fps

    def render(
        self,
        frame: int = -1,
        *,
        size: tuple[int, int] | None = None,
        samples: int = 0,
        color: str | None = None,
        show: str | None = None,
        range: tuple[float, float] | None = None,
        set: Mapping[str, Any] | None = None,
        final: bool = False,
        threads: int = 0,
    ) -> Picture:
        """The picture of a frame.

        `color` is speed, pressure, von_mises or film, with the `range` of its colours; `show` is particles, cut_cells
        or tets. `set` changes the camera or the look, such as {"camera.fov": 40}. `final` means the size and the
        samples for a final picture.
        """
        with in_words_of_python():
            number = self._number(_core.Replay(self.folder), frame)
            rgb = render(self.folder, "", [number], size, samples, color, show, range, set, final, threads)
            assert rgb is not None
            return Picture(rgb)

    def film(
        self,
        out: str | os.PathLike[str],
        frames: Sequence[int] | None = None,
        *,
        size: tuple[int, int] | None = None,
        samples: int = 0,
        color: str | None = None,
        show: str | None = None,
        range: tuple[float, float] | None = None,
        set: Mapping[str, Any] | None = None,
        final: bool = False,
        threads: int = 0,
    ) -> None:
        """Pictures of all frames, or of some: a film, out.mp4, or a folder of .png files. Options as of render()."""
        name = _checks.path(out, "out")
        if not name.endswith(".mp4"):
            if os.path.splitext(name)[1]:
                raise ValueError(f"{name}: give a name that ends in .mp4, or a folder")
            name = name.rstrip("/") + "/"
        with in_words_of_python():
            replay = _core.Replay(self.folder)
            numbers = [self._number(replay, f) for f in (replay.frames if frames is None else frames)]
            if not numbers:
                raise ValueError("give at least one frame")
            render(self.folder, name, numbers, size, samples, color, show, range, set, final, threads)

    def __repr__(self) -> str:
        return f"<coracle.Run {self.folder!r}>"

    # ---- Reading

    def _path(self, name: str) -> str:
        _core.require_run(self.folder)
        return os.path.join(self.folder, name)

    def _number(self, replay: _core.Replay, frame: int) -> int:
        frame = _checks.whole(frame, "frame")
        there = replay.frames
        if not there:
            raise RunError(f"{self.folder} has no frames yet")
        if frame < 0 and -frame <= len(there):
            return there[frame]
        if frame not in there:
            raise IndexError(f"{self.folder} has no frame {frame}; it has {there[0]} to {there[-1]}")
        return frame

    def _read(self, frame: int, part: Callable[[_core.Replay, int], T]) -> T:
        with in_words_of_python():
            replay = _core.Replay(self.folder)
            return part(replay, self._number(replay, frame))

    def _mesh(self, frame: int, part: Callable[[_core.Replay, int], dict[str, Any]]) -> Mesh:
        return Mesh(**self._read(frame, part))


def _index(what: str, name: str, names: list[str]) -> int:
    if not isinstance(name, str) or name not in names:
        raise not_found(what, name, names)
    return names.index(name)


# ---- Lines of stats.jsonl


def _lines(file: str) -> Iterator[dict[str, Any]]:
    if not os.path.exists(file):
        return
    with open(file, encoding="utf-8", errors="replace") as text:
        for number, line in enumerate(text, 1):
            try:
                step = json.loads(line)
            except json.JSONDecodeError:
                if not line.endswith("\n"):  # a run that was killed, or is going on, leaves an unfinished line
                    return
                raise RunError(f"{file}:{number}: the line is damaged") from None
            if isinstance(step, dict):
                yield step


def _probe_row(file: str, number: int, columns: Sequence[str], line: str) -> dict[str, float]:
    try:
        values = [float(value) for value in line.split(",")]
        if len(values) == len(columns):
            return {name: int(v) if name == "step" else v for name, v in zip(columns, values)}
    except ValueError:
        pass
    raise RunError(f"{file}:{number}: the line is damaged")


def _numbers_in(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """Paths and numbers; null is a number that is not finite."""
    if isinstance(value, bool) or isinstance(value, str):
        return
    if value is None or isinstance(value, (int, float)):
        yield path, np.nan if value is None else value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from _numbers_in(entry, f"{path}.{key}" if path else key)
    elif len(value) == 3 and all(v is None or isinstance(v, (int, float)) for v in value):
        for axis, entry in zip("xyz", value):
            yield from _numbers_in(entry, f"{path}.{axis}")
    else:
        for index, entry in enumerate(value):
            name = entry.get("name", index) if isinstance(entry, dict) else index
            yield from _numbers_in(entry, f"{path}.{name}")


class Table(np.ndarray[Any, np.dtype[np.void]]):
    """A structured array that says which columns there are when one is asked for that is not."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str) or self.dtype.names is None:
            return super().__getitem__(key)
        if key not in self.dtype.names:
            if len(self) == 0:
                raise not_found("column", key, ["none yet: no step is finished"])
            raise not_found("column", key, _near(key, self.dtype.names))
        return super().__getitem__(key).view(np.ndarray)


def _near(key: str, names: Sequence[str]) -> Sequence[str]:
    """Columns of the same table of the report, or all if there are none."""
    head = key.split(".")[0]
    return [name for name in names if name.split(".")[0] == head] or names


def _table(rows: Sequence[Mapping[str, float]], columns: Sequence[str]) -> NDArray[np.void]:
    """Columns of whole numbers are int64; a missing value is not a number."""
    values = [[row.get(name, np.nan) for row in rows] for name in columns]
    kinds = [
        np.int64 if name in ("step", "frame") or (rows and all(isinstance(v, int) for v in column)) else np.float64
        for name, column in zip(columns, values)
    ]
    table = np.zeros(len(rows), dtype=list(zip(columns, kinds)))
    for name, column in zip(columns, values):
        table[name] = column
    return table.view(Table)


# ---- Progress


def _name_of(file: str) -> str:
    """The name of a scene: its folder's, or its file's."""
    folder, name = os.path.split(os.path.abspath(file))
    return os.path.basename(folder) if name == "scene.toml" else os.path.splitext(name)[0]


def _wants_progress(asked: bool | None) -> bool:
    return asked if asked is not None else sys.stderr.isatty() or "ipykernel" in sys.modules


class _ProgressLine:
    """A line that is written over at most ten times a second."""

    def __init__(self, scene: _core.Scene) -> None:
        self._frames = scene.frames
        self._fps = scene.fps
        self._start = self._shown = time.monotonic()
        self._first: float | None = None
        self._width = 0

    def show(self, report: Record) -> None:
        now = time.monotonic()
        share = report.time * self._fps / self._frames
        if self._first is None:
            self._first = share - report.dt * self._fps / self._frames
        if now - self._shown < 0.1 and share < 1:
            return
        self._shown = now
        done = share - self._first
        left = (now - self._start) * (1 - share) / done if done > 0 else 0
        text = f"frame {report.frame}/{self._frames}  step {report.step}  {report.time:.3f} s  about {left:.0f} s left"
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)

    def end(self) -> None:
        if self._width:
            print(file=sys.stderr)
