"""Files that no judgement of a design could be made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.document.validation_errors import SHOWN, InvalidDocumentError

from .checked_design import CheckedDesign

UNUSABLE = "unusable file"
FAILED = "failed check"
"""Titles of what keeps files from being judged; they stand in the place of a rule."""


@dataclass(frozen=True)
class FileProblem:
    """A problem that keeps a file from being judged, and its line."""

    line: int
    text: str


@dataclass(frozen=True)
class UncheckedFile:
    """A file that is no usable design, or on which the estimate failed."""

    file: str
    problems: tuple[FileProblem, ...]
    is_failure: bool = False
    """True if Keywright itself failed, and not the file."""

    @classmethod
    def of_error(cls, file: str, error: Exception, *, is_failure: bool = False) -> "UncheckedFile":
        """Return a file that an error kept from being judged, with the line of each of its first problems."""
        problems = [FileProblem(1, str(error))]
        if isinstance(error.__cause__, InvalidDocumentError):
            problems = [FileProblem(problem.line or 1, str(problem)) for problem in error.__cause__.problems[:SHOWN]]
        return cls(file, tuple(problems), is_failure)

    @property
    def title(self) -> str:
        """Return the kind of obstacle, in the place of a rule."""
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
