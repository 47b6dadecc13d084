"""Measurements of compression, by what was measured."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from estimator.results import Measurement


@dataclass(frozen=True, eq=False)
class Measurements:
    """The measurements that an estimate may use, by `Measurement.content`; none changes once it is here."""

    by_content: Mapping[str, Measurement] = field(default_factory=dict)

    @classmethod
    def of(cls, *measurements: Measurement) -> "Measurements":
        """Build them from single measurements."""
        return cls({measurement.content: measurement for measurement in measurements})

    def __bool__(self) -> bool:
        """Return True if there are any; False saves asking for the content of a table."""
        return bool(self.by_content)

    def __len__(self) -> int:
        return len(self.by_content)

    @property
    def contents(self) -> tuple[str, ...]:
        """The contents that were measured, in order."""
        return tuple(sorted(self.by_content))

    def find(self, content: str) -> Measurement | None:
        """Return the measurement of this content, if it has been made."""
        return self.by_content.get(content)
