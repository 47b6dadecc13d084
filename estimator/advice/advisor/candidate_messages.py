"""Sentences about a candidate: why it is one, and what has to change with it."""

from collections.abc import Iterator, Mapping

from designer.document import Spec
from designer.document.key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, segment_fields
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import bucket_name

from .readers import changed_reads, finest_time
from .results import Measures, ReadService

NOTICED = 1.5
"""Figures that differ by less are not worth a word."""

FEW_ROWS = 10.0
"""Up to here it does not matter how many rows a read scans."""
MATTERS = 0.1
"""A load that cannot be spread and is below a tenth of what warns is not worth a word either."""

SPREAD = N_(
    "spreads writes over {fronts} append points: the busiest drops from {before_factor} to "
    "{after_factor} the warning threshold"
)
BECOMES: Mapping[str, str] = {
    "point": N_("“{read}” becomes a point read"),
    "multi_point": N_("“{read}” becomes {ranges} point reads"),
    "range": N_("“{read}” becomes a range read"),
    "multi_range": N_("“{read}” becomes {ranges} range reads"),
    "prefix": N_("“{read}” becomes a prefix read"),
    "scan": N_("“{read}” becomes a full scan"),
}
STAYS: Mapping[str, str] = {
    "point": N_("“{read}” stays a point read"),
    "multi_point": N_("“{read}” stays multiple point reads"),
    "range": N_("“{read}” stays a range read"),
    "multi_range": N_("“{read}” stays multiple range reads"),
    "prefix": N_("“{read}” stays a prefix read"),
    "scan": N_("“{read}” stays a full scan"),
}
_RANK = ("point", "range", "prefix", "multi_point", "multi_range", "scan")


def benefits(present: Measures, then: Measures) -> tuple[Text, ...]:
    """Return the candidate's effects on writes, reads, rows and findings, the most important first."""
    return (*_heat(present, then), *_reads(present, then), *_rows(present, then), *_findings(present, then))


def _heat(present: Measures, then: Measures) -> Iterator[Text]:
    before, after = present.burden, then.burden
    if before is None or after is None or max(before, after) < MATTERS:
        return
    params = {"after_factor": after, "before_factor": before}
    if before > NOTICED * after:
        if then.fronts and then.fronts >= 2:
            yield Text(SPREAD, params | {"fronts": round(then.fronts)})
        else:
            yield Text(
                N_("lowers the load that cannot be split from {before_factor} to {after_factor} the warning threshold"),
                params,
            )
    elif after > NOTICED * before:
        yield Text(N_("raises the hottest load from {before_factor} to {after_factor} the warning threshold"), params)


def _reads(present: Measures, then: Measures) -> Iterator[Text]:
    was = {service.read: service for service in present.reads}
    stays = True
    for service in sorted(then.reads, key=lambda read: -(read.per_second or 0.0)):
        old = was.get(service.read)
        params = {"read": service.name, "ranges": round(service.ranges)}
        if old is None:
            continue
        if old.access != service.access or max(old.ranges, service.ranges) > NOTICED * min(old.ranges, service.ranges):
            yield Text(BECOMES[service.access], params)
        elif old.waste_factor > NOTICED * service.waste_factor and service.rows_scanned < old.rows_scanned:
            yield Text(
                N_("“{read}” scans only {rows} rows instead of {old_rows}"),
                {"read": service.name, "rows": round(service.rows_scanned, 1), "old_rows": round(old.rows_scanned, 1)},
            )
        elif stays:
            stays = False
            yield Text(STAYS[service.access], params)


def _rows(present: Measures, then: Measures) -> Iterator[Text]:
    before, after = present.largest_bytes, then.largest_bytes
    noticed = (
        # Below half of what is advised nobody minds how large a row is.
        before and after and max(before, after) > present.small_bytes and not 1 / NOTICED < after / before < NOTICED
    )
    if noticed:
        row, value = (
            N_("the largest row changes from {before_bytes} to {after_bytes}"),
            N_("the largest partition key value changes from {before_bytes} to {after_bytes}"),
        )
        yield Text(value if then.partitioned else row, {"after_bytes": after, "before_bytes": before})


def _findings(present: Measures, then: Measures) -> Iterator[Text]:
    remaining, had = [rule for rule, _ in then.remaining], [rule for rule, _ in present.remaining]
    gone = tuple(dict.fromkeys(rule for rule in had if rule not in remaining))
    new = tuple(dict.fromkeys(rule for rule in remaining if rule not in had))
    if gone:
        yield Text(N_("removes {rules}"), {"rules": gone})
    if new:
        yield Text(N_("adds {rules} instead") if gone else N_("but adds {rules}"), {"rules": new})


# --- what makes it unsafe ------------------------------------------------------------------------------------


def required_changes(
    spec: Spec, table: Table, kind: RowKind, changed: RowKind, present: Measures, then: Measures
) -> tuple[Text, ...]:
    """Return the changes needed besides the key: to stored rows, row contents, binds and request rates."""
    return (
        *_stored_row_changes(table),
        *_row_identity_changes(spec, kind, changed),
        *_readers(spec, kind, changed, present, then),
    )


def _stored_row_changes(table: Table) -> Iterator[Text]:
    if table.history_months or table.rows_stored or table.gib_stored:
        yield Text(N_("all stored rows must be rewritten with the new key"))


def _row_identity_changes(spec: Spec, kind: RowKind, changed: RowKind) -> Iterator[Text]:
    new = [f for f in _key_fields(changed) if f not in _key_fields(kind, hashed=True)]
    lost = [f for f in _key_fields(kind) if f not in _key_fields(changed, hashed=True)]
    if new:
        yield Text(N_("writers must also supply {fields}"), {"fields": _names(spec, new)})
    if lost:
        yield Text(
            N_("the key no longer includes {fields}; its replacement must identify the same row"),
            {"fields": _names(spec, lost)},
        )
    before, after = finest_time(kind), finest_time(changed)
    if after is not None and (before is None or before.bucket != after.bucket):
        yield Text(N_("a row holds one {resolution} of events"), {"resolution": bucket_name(after.bucket)})


def _key_fields(kind: RowKind, *, hashed: bool = False) -> dict[str, None]:
    kinds = (FieldSegment, HashSegment) if hashed else (FieldSegment,)
    return dict.fromkeys(f for s in kind.segments if isinstance(s, kinds) for f in segment_fields(s))


def _names(spec: Spec, fields: list[str]) -> tuple[str, ...]:
    return tuple(spec.find(field).name or field for field in fields)


def _readers(spec: Spec, kind: RowKind, changed: RowKind, present: Measures, then: Measures) -> Iterator[Text]:
    for _, read in changed_reads(kind, changed):
        days = read.time.days if read.time else 0.0
        yield Text(N_("“{read}” must specify a time range of {span_days}"), {"read": read.label, "span_days": days})
    was = {service.read: service for service in present.reads}
    for service in then.reads:
        old = was.get(service.read)
        if old is None:
            continue
        lacking = _unknown_fields(spec, changed, service)
        if _is_worse(old, service):
            params = {"read": service.name, "rows": round(service.rows_scanned), "old_rows": round(old.rows_scanned)}
            if service.access == "multi_range" and service.ranges > NOTICED * old.ranges:
                yield Text(
                    N_("“{read}” needs {ranges} requests instead of {old_ranges}"),
                    params | {"ranges": round(service.ranges), "old_ranges": round(old.ranges)},
                )
            elif lacking:
                yield Text(
                    N_("“{read}” scans {rows} rows instead of {old_rows}, unless it specifies {fields}"),
                    params | {"fields": _names(spec, lacking)},
                )
            else:
                yield Text(N_("“{read}” scans {rows} rows instead of {old_rows}"), params)


def _is_worse(old: ReadService, new: ReadService) -> bool:
    return (
        new.rows_scanned > NOTICED * max(old.rows_scanned, FEW_ROWS)
        or new.ranges > NOTICED * old.ranges
        or _RANK.index(new.access) > max(_RANK.index(old.access), 2)
    )


def _unknown_fields(spec: Spec, kind: RowKind, service: ReadService) -> list[str]:
    """Fields at which the read's knowledge of the new key ends: what stands before the last part that it knows."""
    read = next(read for read in kind.reads if read.id == service.read)
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    order = [field for s in kind.segments if isinstance(s, FieldSegment | DerivedSegment | HashSegment | SaltSegment)
             for field in segment_fields(s)]  # fmt: skip
    last = max((n for n, field in enumerate(order) if field in known_fields), default=-1)
    return list(dict.fromkeys(field for field in order[: last + 1] if field not in known_fields))
