"""Two different rows can have the same key.

**What** The value before a delimiter can contain it, or no delimiter separates values of different lengths.
**Why** Two different tuples produce the same key. One row overwrites the other, and readers cannot tell which tuple
it represents.
**Instead** Use a delimiter that no value contains, escape it in values, or give the values a fixed width.
**Fine when** Never, if both tuples can occur. Data is lost without notice.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_, TextList
from designer.wording import segment_label
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, Part, field_part, read_part, readings, time_part
from ..shared.fixes import encode_texts, set_safe_delimiters

SEPARATE = N_("Use a delimiter that no value contains")
ENCODE = N_("Percent-encode values that can contain their delimiter")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with ambiguous keys, with two tuples and the key that they share."""
    for rows in row_kinds(spec, estimate):
        witness = rows.facts.ambiguous if rows.facts else None
        segment = rows.segment(witness.segment) if witness else None
        if witness is None or segment is None:
            continue
        separate = set_safe_delimiters(rows)
        fix = separate or encode_texts(rows)
        yield Violation(
            at=segment.id,
            field="after",
            params={
                "table": rows.table.label,
                "segment": segment_label(spec, segment),
                "first": TextList(witness.first),
                "second": TextList(witness.second),
                "key": witness.first_key,
            },
            fix=fix,
            fix_label=SEPARATE if separate is not None else ENCODE if fix is not None else "",
        )


def _rooms(after: str, *rooms: str) -> Spec:
    """Build a design of readings by wing and room: `north-west` and `1`, or `north` and `west-1`."""
    wing = {"id": "wing", "name": "wing", "values": _room_list_field("north", "north-west", "south")}
    room = {"id": "room", "name": "room", "values": _room_list_field(*rooms)}
    return readings(
        field_part("wing", after),
        field_part("room", after),
        field_part("device", "#"),
        time_part(),
        per_second=100,
        fields=(wing, room, DEVICE),
        reads=(read_part(binds=("wing", "room", "device"), time={"days": 1 / 24}),),
    )


def _room_list_field(*values: str) -> Part:
    return {"kind": "enumeration", "items": [{"value": value} for value in values]}


RULE = Rule(
    code="K010",
    severity="error",
    message=N_(
        "In {table}, the different tuples ({first}) and ({second}) have the same key {key}. One row "
        "overwrites the other."
    ),
    check=check,
    bad=lambda: _rooms("-", "1", "2", "west-1"),
    good=lambda: _rooms("#", "1", "2", "west-1"),
    near_miss=lambda: _rooms("-", "1", "2", "3"),
)
