"""A delimiter sorts after characters that the preceding value can contain.

**What** The delimiter byte sorts at or above bytes of the preceding values. These values differ in length, and a
read covers several of them.
**Why** Keys then sort differently from their values: `a1001:` comes before `a100:`. A range over values returns
rows outside the range and misses others.
**Instead** Use a delimiter that sorts before all characters of the values, such as `,` or `#` before letters and
digits.
**Fine when** The values have a fixed width, or every read specifies the exact value. A prefix that includes its
delimiter is always contiguous.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_, TextList
from designer.wording import segment_label
from estimator.facts.alphabets import clear_delimiter
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate, Witness

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, TENANT, field_part, read_part, readings, time_part
from ..shared.fixes import set_delimiter

CHANGE = N_("Use {delimiter} after {segment}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per delimiter that breaks the order in which a read scans values."""
    for rows in row_kinds(spec, estimate):
        for witness in rows.facts.disordered if rows.facts else ():
            readers = [read for read, plan in rows.reads if plan.open_at == witness.segment]
            if readers:
                yield from _find_violations(rows, witness, readers[0].label)


def _find_violations(rows: RowKindFacts, witness: Witness, reader: str) -> Iterator[Violation]:
    segment = rows.segment(witness.segment)
    if segment is None:
        return
    delimiter = clear_delimiter(rows.spec, segment, below=True)
    yield Violation(
        at=segment.id,
        field="after",
        params={
            "table": rows.table.label,
            "segment": segment_label(rows.spec, segment),
            "read": reader,
            "first": TextList(witness.first),
            "second": TextList(witness.second),
            "first_key": witness.first_key,
            "second_key": witness.second_key,
            "delimiter": delimiter or "",
        },
        fix=set_delimiter(segment, delimiter) if delimiter else None,
        fix_label=CHANGE if delimiter else "",
        cause=segment.id,
    )


def _devices(after: str, *binds: str) -> Spec:
    """Devices a100 to a1099 of tenants."""
    device = {**DEVICE, "values": {"kind": "pattern", "text": "a{n}", "start": 100}}
    return readings(
        field_part("tenant", "#"),
        field_part("device", after),
        time_part(),
        per_second=100,
        fields=(TENANT, device),
        reads=(read_part(binds=binds, time={"days": 1 / 24}, rate_per_second=1e-3, latency="batch"),),
    )


RULE = Rule(
    code="K011",
    severity="warning",
    message=N_(
        "In {table}, the tuple ({first}) comes before ({second}), but the key {second_key} sorts before "
        "{first_key}. {read} covers several values of {segment} and returns them out of order."
    ),
    check=check,
    bad=lambda: _devices(":", "tenant"),
    good=lambda: _devices(",", "tenant"),
    near_miss=lambda: _devices(":", "tenant", "device"),
    under=("K009",),
)
