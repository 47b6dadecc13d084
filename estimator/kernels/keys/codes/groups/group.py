"""What a run of segments can do, whatever decides it."""

from typing import Protocol

from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Bytes, Ints


class Run(Protocol):
    """Neighbouring segments that one component decides."""

    @property
    def part(self) -> tuple[int, int]:
        """Which draw decides it."""

    @property
    def size(self) -> int:
        """How many ranks there are."""

    def ranks(self, drawn: Ints) -> Ints:
        """The rank 0…size-1 of each draw."""

    def texts(self, ranks: Ints) -> Texts:
        """The run's text at each rank."""

    @property
    def width(self) -> int:
        """Bytes of the longest text."""

    @property
    def varies(self) -> bool:
        """Texts are of different lengths."""

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """Write the texts into columns from `at` on of uint8 (n, width); their lengths where those differ."""

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """How many ranks have a text below `rest`; bytes that match if the next one's begins it, else -1."""


def written(texts: Texts, out: Bytes, at: int) -> Ints | None:
    """Texts into columns from `at` on; their lengths where those differ."""
    out[:, at : at + texts.data.shape[1]] = texts.data
    return None if texts.is_fixed else texts.length
