"""Interface of a run of segments, independent of the draw that decides it."""

from typing import Protocol

from estimator.kernels.keys.rendering.texts import Texts
from estimator.results.arrays import Bytes, Ints


class SegmentGroup(Protocol):
    """Neighbouring segments that one component decides."""

    @property
    def part(self) -> tuple[int, int]:
        """Draw that decides the run."""

    @property
    def size(self) -> int:
        """Number of ranks."""

    def ranks(self, draws: Ints) -> Ints:
        """Return the rank 0…size-1 of each draw."""

    def texts(self, ranks: Ints) -> Texts:
        """Return the run's text at each rank."""

    @property
    def width(self) -> int:
        """Bytes of the longest text."""

    @property
    def has_varying_length(self) -> bool:
        """Texts are of different lengths."""

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """Write the texts into columns from `at` on of uint8 (n, width); their lengths where those differ."""

    def locate(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """Return the number of ranks with a text below `rest`, and the number of bytes matched.

        The bytes match if `rest` begins with the next rank's text; otherwise the number is -1.
        """


def write_texts(texts: Texts, out: Bytes, at: int) -> Ints | None:
    """Texts into columns from `at` on; their lengths where those differ."""
    out[:, at : at + texts.data.shape[1]] = texts.data
    return None if texts.is_fixed else texts.length
