"""Findings as GitLab's Code Quality report, which it shows in merge requests.

Source: GitLab Docs, "Code Quality", section "Code Quality report format". Of two findings with one fingerprint
GitLab shows the first alone.
"""

import json
from collections.abc import Sequence
from pathlib import PurePath

from designer.wording.printable import printable

from .checked_design import CheckedDesign, each_single, rule_text, sentence
from .fingerprints import fingerprints

SEVERITIES = {"error": "critical", "warning": "major", "question": "info", "note": "info"}


def gitlab_report(designs: Sequence[CheckedDesign]) -> str:
    """Return an object for each finding that is not accepted."""
    open_ = [(design, finding) for design, finding in each_single(designs) if finding.ignored is None]
    report = [
        {
            "description": printable(f"{design.place(finding)}: {sentence(finding)}"),
            "check_name": rule_text(finding),
            "fingerprint": fingerprint,
            "severity": SEVERITIES[finding.single_severity],
            "location": {"path": PurePath(design.file).as_posix(), "lines": {"begin": design.line(finding)}},
        }
        for (design, finding), fingerprint in zip(open_, fingerprints(open_), strict=True)
    ]
    return json.dumps(report, indent=1)
