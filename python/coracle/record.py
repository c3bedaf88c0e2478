"""What a step reports: a dict whose entries are attributes too."""

from __future__ import annotations

from typing import Any


class Record(dict[str, Any]):
    """Names and values of a line of stats.jsonl: `report.liquid.volume` is `report["liquid"]["volume"]`."""

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no {name!r}; there are {', '.join(self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]
