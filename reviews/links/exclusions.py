"""What a link can leave out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Hides:
    """What is left out: money, and the values that real keys are made of."""

    cost: bool = False
    samples: bool = False

    def __bool__(self) -> bool:
        return self.cost or self.samples

    def covers(self, other: "Hides") -> bool:
        """Whether it leaves out at least what the other does."""
        return (self.cost or not other.cost) and (self.samples or not other.samples)
