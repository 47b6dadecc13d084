"""Row keys contain characters that tools handle badly.

**What** Literals, delimiters or values in the key contain characters other than letters, digits and - _ # : / . ,
**Why** The engine accepts any byte. But blanks, quotes, bars, zero bytes and non-ASCII letters need escapes on
command lines, in URLs and in exports. Row key filters, which are regular expressions, also need them. Missing
escapes cause errors.
**Instead** Use only letters, digits and - _ # : / . , in delimiters and codes
**Fine when** The values come from outside, such as titles, and keys are never typed by hand.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://github.com/google/skills, Bigtable, schema_design.md (2026-08-21) (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.key import (
    DIRECTIVE,
    BigEndian,
    DerivedSegment,
    FieldSegment,
    LiteralSegment,
    Segment,
    TimeSegment,
    as_bytes,
    as_text,
)
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.facts.alphabets import value_bytes
from estimator.facts.reading import row_kinds
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, readings, time_part

USUAL = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_#:/.,")
SHOWN = 6
"""Characters that are named; more say nothing more."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind, at the first segment with such characters."""
    for rows in row_kinds(spec, estimate):
        odd = [(segment, odd_bytes) for segment in rows.kind.segments if (odd_bytes := _bytes(spec, segment) - USUAL)]
        if not odd:
            continue
        characters = sorted(set().union(*(odd_bytes for _, odd_bytes in odd)))
        more = ("…",) if len(characters) > SHOWN else ()
        yield Violation(
            at=odd[0][0].id,
            params={
                "table": rows.table.label,
                "characters": " ".join((*(_byte_text(byte) for byte in characters[:SHOWN]), *more)),
                "segments": tuple(segment_label(spec, segment) for segment, _ in odd),
            },
            effect=float(len(characters)),
        )


def _bytes(spec: Spec, segment: Segment) -> frozenset[int]:
    """Bytes that can stand in it; none for raw bytes, which another rule is about."""
    after = frozenset(as_bytes(segment.after))
    match segment:
        case LiteralSegment():
            return after | frozenset(as_bytes(segment.text))
        case TimeSegment(hash=None):
            return after | frozenset(DIRECTIVE.sub("", segment.pattern).encode())
        case FieldSegment() | DerivedSegment():
            raw = any(isinstance(t, BigEndian) for t in segment.transforms)
            if raw or effective_value(spec, spec.find(segment.field), "kind") == "bytes":
                return after
    return after | (value_bytes(spec, segment) or frozenset())  # bytes that are not known are not odd


def _byte_text(byte: int) -> str:
    return "␣" if byte == ord(" ") else as_text(bytes([byte]))


def _by_device(after: str) -> Spec:
    return readings(field_part("device", after), time_part(), per_second=100)


RULE = Rule(
    code="K024",
    severity="note",
    message=N_(
        "Keys of {table} contain the characters {characters} (in or after {segments}). You must escape "
        "them on command lines, in URLs and in row key filters."
    ),
    check=check,
    bad=lambda: _by_device("|"),
    good=lambda: _by_device("#"),
    near_miss=lambda: _by_device(","),
    engines=BIGTABLE,
)
