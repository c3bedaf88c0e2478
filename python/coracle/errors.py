"""What can go wrong. Memory that runs out is MemoryError, a wrong type TypeError, as everywhere in Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
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
        super().__init__("\n".join(str(p) for p in self.problems))

    def __reduce__(self) -> tuple[type[SceneError], tuple[list[Problem]]]:
        return SceneError, (self.problems,)


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
    return NameNotFound(f"there is no {what} {name!r}; {f'there are {there}' if there else f'the scene has no {what}'}")


_DICT = "<scene>"  # the name of a dict, instead of a file's
_LINE = re.compile(_DICT + r"(?::(\d+):\d+)?")


@contextmanager
def in_words_of_python(keys: Mapping[int, str] | None = None) -> Iterator[None]:
    """Errors name keys of a dict, not lines of text, and options as Python gives them, not as the command line does."""
    try:
        yield
    except SceneError as error:
        raise SceneError([Problem(_spoken(p.place, keys), _spoken(p.message, keys)) for p in error.problems]) from None
    except RunError as error:
        raise type(error)(_spoken(str(error), keys)) from None


_OPTIONS = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r"--set (?=\S+=)", "set: "),
        (r"--set\b", "set"),
        (r"--preset (\S+)", r"preset '\1'"),
        (r"--resume\b", "resume=True"),
        (r"--overwrite\b", "overwrite=True"),
        (r"--force-memory\b", "force_memory=True"),
        (r"(?<=with )-o\b", "out="),
        (r"--frame A:B", "frames="),
        (r"--(color|show|samples|size|range)\b", r"\1"),
    )
]


def _spoken(text: str, keys: Mapping[int, str] | None) -> str:
    if keys is not None:
        known = keys
        text = _LINE.sub(lambda found: known.get(int(found[1] or 0), "the scene"), text)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "coracle run" in line:  # a command to type
            continue
        for option, name in _OPTIONS:
            line = option.sub(name, line)
        lines[number] = line
    return "\n".join(lines)


def _place(file: str, line: int, column: int) -> str:
    return f"{file}:{line}:{column}" if line > 0 else file
