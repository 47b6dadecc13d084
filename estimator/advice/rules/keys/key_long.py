"""Row keys are long.

**What** A table's typical key is longer than 100 bytes.
**Why** Each cell (on Tablestore, each row) stores the key, keeps it in memory and sends it in responses.
Compression removes much of it on disk, but not in memory, in network traffic or from the row size limit.
**Instead** Shorten long segments: use fewer hash digits, an ID instead of a text, or a time without separators.
**Fine when** Rows are large, so the key is only a small part of them.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.edits import Edit
from designer.document.key import HashSegment, Segment, shows_time
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.engines import bigtable
from estimator.facts.buckets import PATTERNS
from estimator.facts.hashes import enough_digits, is_prefix
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.keys.patterns.time_buckets import is_chronological, pattern_resolution
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import DEVICE, Part, field_part, hash_part, read_part, readings, time_part

LIMIT = bigtable.LIMITS["key_bytes_recommended"]
KEY_SHARE_NOTE = 0.05
"""With less than a twentieth of the stored bytes in keys, shortening them saves nothing that anybody would notice."""

UNSIZED = N_(
    "The typical key of {table} is {typical_bytes}, longer than {limit_bytes}. {segment} takes {segment_bytes} of it."
)
SHORTEN = N_("Shorten {segment} to {shorter_bytes}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with long keys, at the longest segment."""
    for rows in row_kinds(spec, estimate):
        if rows.facts is None or rows.facts.bytes_typical <= LIMIT.value or not rows.segments:
            continue
        key_bytes, share = _stored_key_bytes(rows)
        if share is not None and share < KEY_SHARE_NOTE:
            continue
        segment, facts = max(rows.segments, key=lambda pair: pair[1].bytes_typical)
        fix, saved = _shorten_edit(rows, segment)
        # A fix that leaves the key too long would not remove the finding.
        if rows.facts.bytes_typical - saved > LIMIT.value:
            fix = None
        yield Violation(
            at=segment.id,
            params={
                "table": rows.table.label,
                "typical_bytes": rows.facts.bytes_typical,
                "limit_bytes": LIMIT.value,
                "segment": segment_label(spec, segment),
                "segment_bytes": facts.bytes_typical,
                "key_share": share,
                "key_bytes": key_bytes,
                "shorter_bytes": facts.bytes_typical - saved,
            },
            message="" if share is not None else UNSIZED,
            effect=share,
            fix=fix,
            fix_label=SHORTEN if fix is not None else "",
            about=rows.load_subject_ids,
            cause=segment.id,
        )


def _stored_key_bytes(rows: RowKindFacts) -> tuple[float | None, float | None]:
    """Bytes of keys in the stored cells, before compression, and their share of all; None while that is not known."""
    growth = rows.part.growth if rows.part else None
    families = [f for f in growth.families if f.row_kind == rows.kind.id] if growth else []
    total = sum(f.bytes_by_cause.total for f in families)
    keys = sum(f.bytes_by_cause.key for f in families)
    return (keys, keys / total) if total > 0 else (None, None)


def _shorten_edit(rows: RowKindFacts, segment: Segment) -> tuple[Edit | None, float]:
    """Return the lossless edit of a prefix hash's digits or time separators, and the bytes it saves."""
    if isinstance(segment, HashSegment) and is_prefix(rows, segment):
        digits = enough_digits(1, segment.form)
        return change(segment, "digits", digits), float(max(segment.digits - digits, 0))
    if shows_time(segment) and is_chronological(segment.pattern):
        pattern: str | None = PATTERNS.get(pattern_resolution(segment.pattern))
        if pattern is not None and len(pattern) < len(segment.pattern):  # no directive is left out: signs are
            return change(segment, "pattern", pattern), float(len(segment.pattern) - len(pattern))
    return None, 0.0


def _requests(digits: int) -> Spec:
    """Build a design of requests by user and request id, spread by a hash."""
    request = {**DEVICE, "id": "request", "name": "request_id", "values": {"kind": "random", "min": 44, "max": 44}}
    hash_: Part = {**hash_part("device", digits=digits, after="#"), "algorithm": "sha256"}
    reads = (read_part(binds=("device", "request"), time={"days": 1 / 24}),)
    return readings(
        hash_,
        field_part("device", "#"),
        field_part("request", "#"),
        time_part(),
        fields=(DEVICE, request),
        per_second=100,
        reads=reads,
    )


RULE = Rule(
    code="K003",
    severity="note",
    message=N_(
        "The typical key of {table} is {typical_bytes}, longer than {limit_bytes}. {segment} takes "
        "{segment_bytes} of it. Keys take {key_share} of the stored bytes: {key_bytes} before "
        "compression."
    ),
    check=check,
    bad=lambda: _requests(64),
    good=lambda: _requests(4),
    near_miss=lambda: _requests(34),
    under=("K023",),
)
