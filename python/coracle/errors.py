"""What can go wrong. Memory that runs out is MemoryError, a wrong type TypeError, as everywhere in Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Problem(NamedTuple):
    """One mistake in a scene: where it is, and what is wrong."""

    place: str  # "scene.toml:12:3", the key of a dict such as "body[0].young", or the value of `set`
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class SceneError(ValueError):
    """A scene that is wrong. `problems` lists every mistake, not only the first."""

    def __init__(self, problems: Iterable[Problem | tuple[str, int, int, str]]) -> None:
        self.problems = [p if isinstance(p, Problem) else Problem(_place(*p[:3]), p[3]) for p in problems]
        self.lines = [0 if isinstance(p, Problem) else p[1] for p in problems]  # in a file; 0: none
        super().__init__("\n".join(str(p) for p in self.problems))


class RunError(RuntimeError):
    """Something outside the scene is in the way: a file, a folder, the disk."""


class StepError(RunError):
    """A step fails even at the smallest step length. The state is as before the step."""


class InternalError(RuntimeError):
    """A bug in coracle: please report it."""


class NameNotFound(KeyError):
    """There is no body, solid, muscle or field of this name; the message lists those that exist."""

    def __str__(self) -> str:
        return str(self.args[0])


def not_found(what: str, name: object, names: Iterable[str]) -> NameNotFound:
    there = ", ".join(names)
    return NameNotFound(f"there is no {what} {name!r}; " + (f"there are {there}" if there else f"the scene has no {what}"))


def _place(file: str, line: int, column: int) -> str:
    return f"{file}:{line}:{column}" if line > 0 else file
