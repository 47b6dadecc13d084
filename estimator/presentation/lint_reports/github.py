"""Findings as GitHub's workflow commands, which it shows beside the lines of a pull request.

Source: GitHub Docs, "Workflow commands for GitHub Actions"; escaped is what `packages/core/src/command.ts` of
actions/toolkit escapes.
"""

from collections.abc import Sequence

from designer.wording.printable import printable

from .checked_design import CheckedDesign, each_single, rule_text, sentence

LEVELS = {"error": "error", "warning": "warning", "question": "notice", "note": "notice"}


def github_report(designs: Sequence[CheckedDesign]) -> str:
    """Return a command for each finding that is not accepted."""
    return "\n".join(
        f"::{LEVELS[finding.single_severity]} file={_property(design.file)},line={design.line(finding)},"
        f"title={_property(rule_text(finding))}::{_data(f'{design.place(finding)}: {sentence(finding)}')}"
        for design, finding in each_single(designs)
        if finding.ignored is None
    )


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
