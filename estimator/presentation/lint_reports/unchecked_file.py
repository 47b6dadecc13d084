"""Files that no judgement of a design could be made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .checked_design import CheckedDesign

UNUSABLE = "unusable file"
FAILED = "failed check"
"""Titles of what keeps files from being judged; they stand in the place of a rule."""


@dataclass(frozen=True)
class FileProblem:
    """A reason for which a file cannot be judged, and its line."""

    line: int
    text: str


@dataclass(frozen=True)
class UncheckedFile:
    """A file that is no usable design, or on which the estimate failed."""

    file: str
    problems: tuple[FileProblem, ...]
    is_failure: bool = False
    """True if Keywright itself failed, and not the file."""

    @property
    def title(self) -> str:
        """Return the words that stand in the place of a rule."""
        return FAILED if self.is_failure else UNUSABLE


def each_obstacle(
    designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile]
) -> Iterator[tuple[str, str, FileProblem]]:
    """Yield the file, the title and the problem of all that could not be judged: rules that failed, then files."""
    for design in designs:
        for sentence in design.failures:
            yield design.file, FAILED, FileProblem(1, sentence)
    for file in unchecked:
        for problem in file.problems:
            yield file.file, file.title, problem
