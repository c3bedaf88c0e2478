"""A simulation that a program drives step by step."""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from numpy.typing import ArrayLike, NDArray

from . import _checks, _core
from ._checks import there
from .errors import RunError, in_words_of_python, not_found
from .record import Record
from .scenes import OpenScene, SceneLike, open_scene

Array = NDArray[Any]
Log = Callable[[str], None]

_log = logging.getLogger("coracle")


def to_logging(line: str) -> None:
    """Warnings and notes of the library go to the logger "coracle"."""
    warning = line.startswith("warning: ")
    _log.log(logging.WARNING if warning else logging.INFO, "%s", line.removeprefix("warning: "))


def _size(text: Callable[[], str]) -> str:
    """For reprs: nothing while another thread steps."""
    try:
        return text()
    except RuntimeError:
        return ""


@dataclass(frozen=True, eq=False)
class Frame:
    """A frame that has just been finished."""

    number: int
    time: float  #: s
    steps: list[Record] = field(repr=False)  #: what its steps reported


@dataclass(frozen=True, eq=False)
class Grid:
    """Cubic cells; cell (i, j, k) begins at origin + dx (i, j, k)."""

    origin: Array  #: m
    dx: float  #: m
    cells: tuple[int, int, int]


class _Named(Mapping[str, Any]):
    """Bodies or solids by name, in the scene's order."""

    def __init__(self, what: str, names: list[str], make: Callable[[int, str], Any]) -> None:
        self._what, self._names, self._make = what, names, make

    def __getitem__(self, name: str) -> Any:
        if not isinstance(name, str) or name not in self._names:
            raise not_found(self._what, name, self._names)
        return self._make(self._names.index(name), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._names

    def __getattr__(self, name: str) -> NoReturn:
        hint = f": names stand in brackets, [{name!r}]" if name in self.__dict__.get("_names", []) else ""
        raise AttributeError(f"there is no attribute {name!r}{hint}")

    def _ipython_key_completions_(self) -> list[str]:
        return self._names

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self._names) or 'none'}>"


class _Part:
    """A body or a solid of a simulation."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        self._core, self._index, self.name = core, index, name

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._core is other._core and self._index == other._index  # type: ignore

    def __hash__(self) -> int:
        return hash((id(self._core), self._index))


class Body(_Part):
    """A body that moves by forces. Its arrays have a row per node."""

    def _array(self, what: str) -> Array:
        return self._core.body(self._index, what)

    @property
    def x(self) -> Array:
        """Places, m."""
        return self._array("x")

    @property
    def v(self) -> Array:
        """Velocities, m/s."""
        return self._array("v")

    @property
    def stress(self) -> Array:
        """Von Mises stress, Pa; computed anew at every access."""
        return self._array("stress")

    @property
    def force(self) -> Array:
        """What set_force has set, N; no rows: nothing."""
        return self._array("force")

    @property
    def rest(self) -> Array:
        """Places at rest, m. This and what follows never changes."""
        return self._array("rest")

    @property
    def mass(self) -> Array:
        """kg."""
        return self._array("mass")

    @property
    def tris(self) -> Array:
        """Triangles of its surface, as nodes, counter-clockwise seen from outside."""
        return self._array("tris")

    @property
    def segments(self) -> Array:
        """Segments of ropes, as nodes."""
        return self._array("segments")

    @property
    def elements(self) -> Array:
        """Its elements, as nodes: tetrahedra with four or ten, triangles of sheets, segments of ropes."""
        return self._array("elements")

    @property
    def muscles(self) -> list[str]:
        """The names of its muscles."""
        return self._core.muscle_names(self._index)

    @property
    def center(self) -> Array:
        """Centre of mass, m."""
        mass = self.mass
        center: Array = mass @ self.x / mass.sum()
        return center

    def __repr__(self) -> str:
        size = _size(lambda: f": {len(self.rest)} nodes, {len(self.elements)} elements")
        return f"<coracle.Body {self.name!r}{size}>"


class Solid(_Part):
    """A solid whose motion is given. Its arrays have a row per vertex."""

    @property
    def x(self) -> Array:
        """Places, m."""
        return self._core.solid(self._index, "x")

    @property
    def v(self) -> Array:
        """Velocities, m/s."""
        return self._core.solid(self._index, "v")

    @property
    def tris(self) -> Array:
        """Triangles, as vertices."""
        return self._core.solid(self._index, "tris")

    def __repr__(self) -> str:
        return f"<coracle.Solid {self.name!r}{_size(lambda: f': {len(self.x)} vertices')}>"


class Particles:
    """The particles of a liquid. Their order changes from step to step."""

    def __init__(self, core: _core.Simulation) -> None:
        self._core = core

    def _array(self, what: str) -> Array:
        return there(self._core.particles(what), f"particles.{what}" if what == "kind" else "particles")

    @property
    def x(self) -> Array:
        """Places, m."""
        return self._array("x")

    @property
    def v(self) -> Array:
        """Velocities, m/s."""
        return self._array("v")

    @property
    def kind(self) -> Array:
        """Which liquid: 0 is that of [liquid], then those of [[liquid.kind]]. Method proxy."""
        return self._array("kind")

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return f"<coracle.Particles{_size(lambda: f': {len(self)}')}>"


class Simulation:
    """A scene that is simulated step by step.

    `scene` is the name of a shipped scene, a file or folder, or a dict with the names of scene files. `preset` is one
    of its presets. `set` changes single options, such as {"domain.resolution": 32}. Results do not depend on `threads`;
    0 means all cores. `force_memory` starts it even if the memory seems too small. `log` gets warnings and notes;
    without it, they go to the logger "coracle".

    Arrays share memory with the state until the next step or the next set_... call. One that is held longer keeps its
    values. All arrays are read-only.
    """

    def __init__(
        self,
        scene: SceneLike,
        *,
        preset: str | None = None,
        set: Mapping[str, Any] | None = None,
        threads: int = 0,
        force_memory: bool = False,
        log: Log | None = None,
    ) -> None:
        self._begin(open_scene(scene, preset, set), "", threads, force_memory, log)

    def _begin(self, scene: OpenScene, checkpoint: str, threads: int, force_memory: bool, log: Log | None) -> None:
        _checks.function(log, "log")
        with in_words_of_python(scene.keys):
            self._core = _core.Simulation(scene.core, checkpoint, _checks.threads(threads), bool(force_memory))
        self._log = log or to_logging
        for line in self._core.take_messages():
            self._log(line)

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a simulation cannot be copied: save it, and go on from the file by coracle.resume")

    # ---- Time

    def step(self) -> Record:
        """Advance by one step, and return its report: the names of stats.jsonl, and `probes`.

        The program chooses the length, so that steps end at the ends of frames.
        """
        report: Record = self._core.step()
        for note in report.notes:
            self._log(f"step {report.step}: {note}")
        return report

    def frame(self) -> Frame:
        """Steps to the end of the next frame."""
        number = self._core.frame
        steps = []
        while self._core.frame == number:
            steps.append(self.step())
        return Frame(self._core.frame, self._core.time, steps)

    def frames(self, count: int | None = None) -> Iterator[Frame]:
        """The scene's frames that are left, at most `count`; each is simulated when the loop asks for it."""
        last = None if count is None else self._core.frame + _checks.whole(count, "count", 0)

        def left() -> Iterator[Frame]:
            while not self._core.done and (last is None or self._core.frame < last):
                yield self.frame()

        return left()  # so that a wrong count is refused here, and not in the loop

    @property
    def time(self) -> float:
        """s."""
        return self._core.time

    @property
    def frame_number(self) -> int:
        """Frames finished."""
        return self._core.frame

    @property
    def steps(self) -> int:
        """Steps finished."""
        return self._core.steps

    @property
    def done(self) -> bool:
        """Whether all frames of the scene are finished."""
        return self._core.done

    @property
    def scene(self) -> dict[str, Any]:
        """The scene with every default, as its file would say it."""
        return tomllib.loads(self._core.scene.to_toml())

    # ---- State

    @property
    def bodies(self) -> Mapping[str, Body]:
        """Bodies by name."""
        return _Named("body", self._core.body_names, lambda index, name: Body(self._core, index, name))

    @property
    def solids(self) -> Mapping[str, Solid]:
        """Solids and inflows by name."""
        return _Named("solid", self._core.solid_names, lambda index, name: Solid(self._core, index, name))

    @property
    def particles(self) -> Particles:
        """Particles of the liquid."""
        there(self._core.particles("x"), "particles")
        return Particles(self._core)

    @property
    def grid(self) -> Grid:
        """The grid of the fluid."""
        return Grid(*there(self._core.grid(), "grid"))

    @property
    def pressure(self) -> Array:
        """Pa at cell centres, indexed [i, j, k]; zero outside the fluid."""
        return self._field("pressure")

    @property
    def velocity(self) -> tuple[Array, Array, Array]:
        """m/s: components along x, y, z, each at the centres of the faces that it crosses."""
        return self._field("u0", "velocity"), self._field("u1"), self._field("u2")

    @property
    def smoke(self) -> Array:
        """Density of smoke at cell centres; 1 is dense."""
        return self._field("smoke")

    @property
    def temperature(self) -> Array:
        """K above the surroundings, at cell centres."""
        return self._field("temperature")

    @property
    def film(self) -> dict[str, Array]:
        """Thickness of the liquid on solids, m per vertex, by name; method skinned. Computed at every access."""
        return self._core.film()

    @property
    def probe_names(self) -> list[str]:
        """Names of the probes in a step's report."""
        return self._core.probe_columns()

    def _field(self, what: str, name: str = "") -> Array:
        return there(self._core.field(what), name or what)

    # ---- What may be set between steps; it holds until it is set again

    def set_force(self, body: str, force: ArrayLike | None) -> None:
        """Force on a body, N, a row per node; None: none."""
        self._core.set_force(_checks.word(body, "body"), None if force is None else _checks.rows(force, "force"))

    def set_flow(self, inflow: str, velocity: ArrayLike) -> None:
        """Velocity of an inflow or a jet, m/s."""
        self._core.set_flow(_checks.word(inflow, "inflow"), _checks.vector(velocity, "velocity"))

    def move_hold(self, body: str, hold: int, way: ArrayLike, seconds: float) -> None:
        """Move the nodes of a hold of the body, counted from 0, by `way` (m) within `seconds`.

        This is added to the motions that the scene gives it.
        """
        self._core.move_hold(
            _checks.word(body, "body"), _checks.whole(hold, "hold"), _checks.vector(way, "way"),
            _checks.number(seconds, "seconds"),
        )

    def set_activation(self, body: str, muscle: str, value: float | None) -> None:
        """Activation of a muscle, 0 to 1, instead of its waveform; None: by its waveform again."""
        given = None if value is None else _checks.number(value, "activation")
        self._core.set_activation(_checks.word(body, "body"), _checks.word(muscle, "muscle"), given)

    # ---- Files

    def write_frame(self, folder: str | os.PathLike[str]) -> None:
        """Write the present state into folder/frames, as a run does at the end of a frame."""
        self._core.write_frame(_checks.path(folder, "folder"))

    def save(self, file: str | os.PathLike[str]) -> None:
        """Write a checkpoint, for coracle.resume."""
        self._core.save(_checks.path(file, "file"))

    def __repr__(self) -> str:
        try:
            title, time, frame = self._core.scene.title, self._core.time, self._core.frame
        except RuntimeError:  # another thread is stepping
            return "<coracle.Simulation, in a step>"
        return f"<coracle.Simulation {title!r}: frame {frame}, {time:.4g} s>"


def resume(
    checkpoint: str | os.PathLike[str], *, threads: int = 0, force_memory: bool = False, log: Log | None = None
) -> Simulation:
    """Go on from a checkpoint, to the same bits. `checkpoint` is its file, or a run's folder: then its newest one."""
    file = _checks.path(checkpoint, "checkpoint")
    with in_words_of_python():
        if not os.path.exists(file):
            raise RunError(f"{file}: there is no such file or folder")
        if os.path.isdir(file):
            _core.require_run(file)
            newest = _core.newest_checkpoint(file)
            if newest is None:
                raise RunError(f"{file} has no checkpoint that can be read")
            file = newest
        scene = OpenScene(_core.scene_of_checkpoint(file), file, None)
    simulation = Simulation.__new__(Simulation)
    simulation._begin(scene, file, threads, force_memory, log)
    return simulation
