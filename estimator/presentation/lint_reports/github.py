"""Findings as GitHub's workflow commands, which it shows beside the lines of a pull request.

Source: GitHub Docs, "Workflow commands for GitHub Actions"; escaped is what `packages/core/src/command.ts` of
actions/toolkit escapes.
"""

from collections.abc import Iterator, Sequence

from designer.wording.printable import printable

from .checked_design import CheckedDesign, each_single, rule_text, sentence
from .unchecked_file import UncheckedFile, each_obstacle

LEVELS = {"error": "error", "warning": "warning", "question": "notice", "note": "notice"}


def github_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return a command for each finding that is not accepted, each design that lacks inputs and all not checked."""
    return "\n".join(_commands(designs, unchecked))


def _commands(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile]) -> Iterator[str]:
    # First, as GitHub shows ten errors of a step.
    for file, title, problem in each_obstacle(designs, unchecked):
        yield _command("error", file, problem.line, title, problem.text)
    for design, finding in each_single(designs):
        if finding.ignored is None:
            message = f"{design.place(finding)}: {sentence(finding)}"
            yield _command(LEVELS[finding.severity], design.file, design.line(finding), rule_text(finding), message)
    for design in designs:
        if design.missing:
            message = f"{design.missing_text}: {' '.join(design.missing_reasons)}"
            yield _command("notice", design.file, design.missing_line, "missing inputs", message)


def _command(level: str, file: str, line: int, title: str, message: str) -> str:
    return f"::{level} file={_property(file)},line={line},title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
