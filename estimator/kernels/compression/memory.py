"""Measurements by what was measured: in this process, bounded by bytes. A row of a database can hold them as well."""

from typing import Protocol

from estimator.results import Measurement
from estimator.results.memory import Memory


class Measurements(Protocol):
    """Where measurements are kept: by `Measurement.content`."""

    def __bool__(self) -> bool:
        """Whether there may be any; False saves asking what a table's content is."""

    @property
    def kept(self) -> int:
        """Goes up whenever a measurement is kept: what was computed before may now be computed better."""

    @property
    def contents(self) -> tuple[str, ...]:
        """The contents that were measured, in order."""

    def found(self, content: str) -> Measurement | None:
        """The measurement of this content, if it has been made. Never waits for one."""

    def keep(self, measurement: Measurement) -> None:
        """Remembers it."""


class InProcess:
    """Measurements that this process has made or been given."""

    def __init__(self, limit_bytes: int) -> None:
        self._memory: Memory[Measurement] = Memory(limit_bytes)
        self.kept = 0

    def __bool__(self) -> bool:
        return self.kept > 0

    @property
    def contents(self) -> tuple[str, ...]:
        """As `Measurements`."""
        return tuple(sorted(map(str, self._memory.keys)))

    def found(self, content: str) -> Measurement | None:
        """As `Measurements`."""
        return self._memory.found(content)

    def keep(self, measurement: Measurement) -> None:
        """As `Measurements`."""
        self._memory.get(measurement.content, lambda: measurement)
        self.kept += 1


MEASURED = InProcess(limit_bytes=4 << 20)
"""Of all documents that this process has seen: some five thousand tables."""
