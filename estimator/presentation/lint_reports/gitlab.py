"""Findings as GitLab's Code Quality report, which it shows in merge requests.

Source: GitLab Docs, "Code Quality", section "Code Quality report format". Of two findings with one fingerprint
GitLab shows the first alone.
"""

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from designer.wording.printable import printable

from .checked_design import CheckedDesign, each_single, rule_text, sentence
from .fingerprints import fingerprint_of, fingerprints, identity
from .unchecked_file import UncheckedFile, each_obstacle

SEVERITIES = {"error": "critical", "warning": "major", "question": "info", "note": "info"}
MISSING = "missing inputs"
"""Stands in the place of a rule."""


def gitlab_report(designs: Sequence[CheckedDesign], unchecked: Sequence[UncheckedFile] = ()) -> str:
    """Return an object for each finding that is not accepted, each design that lacks inputs and all not checked."""
    open_ = [(design, finding) for design, finding in each_single(designs) if finding.ignored is None]
    report = [
        _issue(
            file,
            problem.line,
            problem.text,
            check_name=title,
            fingerprint=fingerprint_of(identity(file, title, problem.text, "")),
            severity="blocker",
        )
        for file, title, problem in each_obstacle(designs, unchecked)
    ]
    report += [
        _issue(
            design.file,
            design.line(finding),
            f"{design.place(finding)}: {sentence(finding)}",
            check_name=rule_text(finding),
            fingerprint=fingerprint,
            severity=SEVERITIES[finding.severity],
        )
        for (design, finding), fingerprint in zip(open_, fingerprints(open_), strict=True)
    ]
    report += [
        _issue(
            design.file,
            design.missing_line,
            f"{design.missing_text}: {' '.join(design.missing_reasons)}",
            check_name=MISSING,
            fingerprint=fingerprint_of(identity(design.file, MISSING, "", "")),
            severity="info",
        )
        for design in designs
        if design.missing
    ]
    return json.dumps(report, indent=1)


def _issue(file: str, line: int, description: str, **fields: str) -> dict[str, Any]:
    location = {"path": PurePath(file).as_posix(), "lines": {"begin": line}}
    return {"description": printable(description), **fields, "location": location}
