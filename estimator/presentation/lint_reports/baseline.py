"""Findings of an earlier run, so that only new ones are shown and fail."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from estimator.results import Finding

from .checked_design import CheckedDesign
from .fingerprints import Identity, identity
from .json_data import FORMAT

Baseline = dict[Identity, list[int]]
"""Ranks of the severities that were found, by what tells findings apart."""
RANKS = {"note": 0, "question": 1, "warning": 2, "error": 3}


def read_baseline(text: str) -> Baseline:
    """Return the findings of an earlier `lint --format json`.

    Raises
    ------
    ValueError
        If the text is something else.
    """
    data = json.loads(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT}")
    baseline: Baseline = {}
    try:
        for finding in data["findings"]:
            _add(baseline, finding["file"], finding)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a finding is not complete: {error}") from error
    return baseline


def _add(baseline: Baseline, file: str, finding: Mapping[str, Any]) -> None:
    what = identity(file, finding["rule"], finding["at"], finding["field"])
    baseline.setdefault(what, []).append(RANKS[finding["own_severity"] or finding["severity"]])
    for part in finding["under"]:
        _add(baseline, file, part)


def without_baseline(design: CheckedDesign, baseline: Baseline) -> CheckedDesign:
    """Return the design with the findings that the baseline does not have, or has at a lower severity.

    A cause with a new consequence, and a summary with a new part, is new. Accepted findings are never new.
    """
    remaining = {what: sorted(ranks) for what, ranks in baseline.items()}
    open_ = [finding for finding in design.findings if finding.ignored is None]
    new = tuple(finding for finding in open_ if _is_new(design, finding, remaining))
    return replace(design, findings=new, known=len(open_) - len(new))


def _is_new(design: CheckedDesign, finding: Finding, remaining: Baseline) -> bool:
    ranks = remaining.get(identity(design.file, finding.rule, finding.at, finding.field), [])
    rank = RANKS[finding.single_severity]
    # The lowest that covers it: a graver one is left for a graver finding.
    match = next((index for index, other in enumerate(ranks) if other >= rank), None)
    if match is not None:
        del ranks[match]
    return any([match is None, *(_is_new(design, part, remaining) for part in finding.under)])
