"""A key contains raw bytes.

**What** A key segment is binary: a number or a time as 8 bytes, or an unencoded field of bytes.
**Why** People look at keys to diagnose problems. Key Visualizer, logs and the command line show raw bytes as
escapes, which hides the hot device or day. Raw bytes can also contain zero bytes and delimiters.
**Instead** Write numbers as zero-padded decimal text, which keeps their order. Encode bytes in an order-preserving
encoding such as hexadecimal.
**Fine when** Only programs read the keys, and the few bytes matter more.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.edits import Edit
from designer.document.encodings import Descending
from designer.document.key import (
    BigEndian,
    FieldSegment,
    HashSegment,
    Offset,
    Segment,
    TimeSegment,
    Transform,
    ZeroPad,
    as_bytes,
)
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import all_of, change
from ..shared.examples import DEVICE, Part, design, field_part, read_part, time_part

READABLE = N_("Write {segment} as decimal text")
DIGITS = N_("Write {segment} as hexadecimal digits")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per segment of raw bytes."""
    for rows in row_kinds(spec, estimate):
        for segment, facts in rows.segments:
            if not _is_raw(spec, segment) or rows.facts is None:
                continue
            size = facts.bytes_typical - len(as_bytes(segment.after))
            fix = _readable_edit(rows, segment)
            yield Violation(
                at=segment.id,
                params={
                    "table": rows.table.label,
                    "segment": segment_label(spec, segment),
                    "raw_bytes": size,
                    "raw_share": size / max(rows.facts.bytes_typical, 1.0),
                    "key": rows.facts.samples[0] if rows.facts.samples else b"",
                },
                effect=size,
                fix=fix,
                fix_label=_fix_label(segment) if fix is not None else "",
            )


def _fix_label(segment: Segment) -> str:
    hashed = isinstance(segment, TimeSegment) and segment.hash is not None
    return DIGITS if hashed or isinstance(segment, HashSegment) else READABLE


def _is_raw(spec: Spec, segment: Segment) -> bool:
    if isinstance(segment, TimeSegment):
        return segment.raw or (segment.hash is not None and segment.hash_form == "raw")
    if isinstance(segment, HashSegment):
        return segment.form == "raw"
    transforms = getattr(segment, "transforms", ())
    if any(isinstance(t, BigEndian) for t in transforms):
        return True
    return isinstance(segment, FieldSegment) and effective_value(spec, spec.find(segment.field), "kind") == "bytes"


def _readable_edit(rows: RowKindFacts, segment: Segment) -> Edit | None:
    """Decimal text that sorts as the bytes did; None for bytes, for which there is no encoding to choose here."""
    if isinstance(segment, TimeSegment) and segment.hash is not None:
        # A byte is two hexadecimal digits, so the number of hash values stays the same.
        return all_of([change(segment, "hash_form", "hex"), change(segment, "hash_digits", 2 * segment.hash_digits)])
    if isinstance(segment, TimeSegment):
        return change(segment, "raw", False)
    if isinstance(segment, HashSegment):
        return all_of([change(segment, "form", "hex"), change(segment, "digits", 2 * segment.digits)])
    if (
        not isinstance(segment, FieldSegment)
        or effective_value(rows.spec, rows.spec.find(segment.field), "kind") != "integer"
    ):
        return None
    if not all(isinstance(t, Offset | Descending | BigEndian) for t in segment.transforms):
        return None
    # The width is that of the largest number in so many bytes: 8 bytes hold up to 2^64 − 1, which has 20 digits.
    length = next(t.length for t in segment.transforms if isinstance(t, BigEndian))
    remaining = [t for t in segment.transforms if not isinstance(t, BigEndian)]
    transforms: tuple[Transform, ...] = (*remaining, ZeroPad(width=len(str(2 ** (8 * length) - 1))))
    return change(segment, "transforms", transforms)


def _meters(*transforms: Part) -> Spec:
    """Build a design of readings of numbered meters."""
    meter = {
        **DEVICE,
        "id": "meter",
        "name": "meter",
        "kind": "integer",
        "values": {"kind": "range", "min": 1, "max": 1_000},
    }
    reads = (read_part(binds=("meter",), time={"days": 1 / 24}),)
    pace = {"arrival": {"kind": "every", "seconds": 10, "field": "meter"}}
    return design(
        field_part("meter", "#", *transforms),
        time_part(),
        fields=(meter,),
        per_second=100,
        reads=reads,
        activity=pace,
    )


RULE = Rule(
    code="K019",
    severity="note",
    message=N_(
        "The key of {table} contains {segment} as {raw_bytes} of raw bytes, {raw_share} of the key. "
        "People and tools see {key}."
    ),
    check=check,
    bad=lambda: _meters({"kind": "big_endian", "length": 4}),
    good=lambda: _meters({"kind": "pad", "width": 4}),
    near_miss=lambda: _meters({"kind": "pad", "width": 4}, {"kind": "reverse_digits"}),
    engines=BIGTABLE,
)
