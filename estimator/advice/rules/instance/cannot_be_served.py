"""A design requires more than the engine is known to serve in total.

**What** The bytes, requests or load of a table, or of all tables together, exceed the largest published figures of
the whole service. No nodes and no bill are computed from such a design.
**Why** No single design can receive more than the whole service provides. A rate or a count is usually wrong by a
factor of a thousand or more: a rate per day entered as a rate per second, or a scan that reads the whole table.
**Instead** Check the rates and counts of the named write or read. For a scan, add fields that its caller knows.
**Fine when** Never: the figures would not be meaningful.
**Source** https://cloud.google.com/blog/topics/developers-practitioners/how-big-cloud-bigtable (read 2026-11-23)
https://en.wikipedia.org/wiki/Bigtable (read 2026-11-23)
https://help.aliyun.com/en/oss/user-guide/tablestore (read 2026-11-23)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, Refusal

from ..shared import BOTH, Rule, Violation
from ..shared.examples import design, field_part, time_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per table, and one for the tables together."""
    parts = estimate.tables.values()
    doubtful = (part.refused_if_skewed for part in parts)  # the figures are of an even distribution then
    for reason in (*(reason for part in parts for reason in part.because), *doubtful, *estimate.because):
        if isinstance(reason, Refusal):
            cause = reason.at or _heaviest(spec, estimate)
            yield Violation(at=reason.at, params=reason.params, message=reason.message, about=(cause,))


def _heaviest(spec: Spec, estimate: Estimate) -> str:
    """Return the id of the read that takes most node time of all, or nothing if writes take more."""
    parts = estimate.tables.values()
    writing = sum(w.peak_rows_per_second * w.node_seconds_per_row for p in parts if p.traffic for w in p.traffic.writes)
    reads = [
        ((plan.per_second or 0.0) * plan.node_seconds, plan.read)
        for part in parts
        for plan in part.reads
        if not has_data_boost(spec, spec.find(plan.read))
    ]
    busy, read = max(reads, default=(0.0, ""))
    return read if busy > writing else ""


def _writes(per_second: float) -> Spec:
    return design(field_part("device", "#"), time_part(), per_second=per_second)


RULE = Rule(
    code="I026",
    severity="error",
    message=N_("The tables together need more than {capacity}: this cannot be served."),
    check=check,
    bad=lambda: _writes(1e12),
    good=lambda: _writes(5_000),
    near_miss=lambda: _writes(1e6),
    engines=BOTH,
    under=("K009", "K015", "Q001", "Q002"),
)
