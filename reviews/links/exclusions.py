"""Contents that a link can hide."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Exclusions:
    """Hidden contents: money, and the values that form real keys."""

    cost: bool = False
    samples: bool = False

    def __bool__(self) -> bool:
        return self.cost or self.samples

    def covers(self, other: "Exclusions") -> bool:
        """Return whether these exclusions include all of the other's."""
        return (self.cost or not other.cost) and (self.samples or not other.samples)
