"""Names of findings that stay the same while figures, lines and wording change."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from estimator.results import Finding

from .checked_design import CheckedDesign

Identity = tuple[str, str, str, str]
"""File, rule, element and field of a finding."""


def identity(file: str, rule: str, at: str, field: str) -> Identity:
    """Return what tells findings apart; the file as its path is written on every system."""
    return PurePath(file).as_posix(), rule, at, field


def fingerprints(pairs: Iterable[tuple[CheckedDesign, Finding]]) -> Iterator[str]:
    """Yield a fingerprint for each finding, different from all others."""
    counts: Counter[Identity] = Counter()
    for design, finding in pairs:
        what = identity(design.file, finding.rule, finding.at, finding.field)
        counts[what] += 1
        yield fingerprint_of(what, counts[what])


def fingerprint_of(what: Identity, number: int = 1) -> str:
    """Return the fingerprint of the first or a further one of what is otherwise alike."""
    return hashlib.sha256("\0".join((*what, str(number))).encode()).hexdigest()[:32]
