"""Effects of an element, shown where it is edited: bytes of a family, scans of a read, cluster cost."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from designer.document import Element, Spec
from designer.document.access import Read, Write
from designer.document.activity import Activity
from designer.document.base import walk
from designer.document.engines import description_of
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.instance import Cluster
from designer.document.key import AnySegment
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording.formatting import at_least
from estimator.engines import engine_of
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Bill, Estimate, TablePart

from . import labels as words

Origin = Literal["computed", "price"]


@dataclass(frozen=True)
class Effect:
    """One measured effect of an element: what, how much, and how it comes about."""

    name: str
    value: Text
    why: str
    origin: Origin = "computed"
    grave: bool = False


END = N_("computed for the end of the horizon")
PLANNED = N_("how the engine serves the read, computed from the key and the known fields")
BILLED = N_("bill lines of this item, at the prices of the price book")
KEYS = N_("computed from the key pattern")


def effects_of(spec: Spec, estimate: Estimate, at: str) -> tuple[Effect, ...]:
    """Return the effects of an element, the largest first; none where nothing is known."""
    if not at:
        return tuple(_design(estimate))
    element = spec.by_id.get(at)
    effects: list[Effect] = []
    for model, tell in TOLD.items():
        if isinstance(element, model):
            effects += tell(spec, estimate, element)
    if isinstance(element, AnySegment):
        effects += _segment(spec, estimate, element)
    if not isinstance(element, Cluster):  # whose money comes before what it stores: its card says the first two
        effects += _cost_effects(estimate.bill, at)
    return tuple(effects)


def _design(estimate: Estimate) -> Iterator[Effect]:
    sizes = [part.growth.physical_bytes[-1] for part in estimate.tables.values() if part.growth]
    if sizes:
        yield Effect(N_("stored"), _bytes(float(sum(sizes))), END)
    if estimate.bill is not None:
        bill = estimate.bill
        total = Text(at_least("{cost}", bill.open_lines), {"cost": bill.money(bill.total)})
        yield Effect(N_("cost per month"), total, BILLED, "price")


def _cost_effects(bill: Bill | None, at: str) -> Iterator[Effect]:
    """Yield the total of the element's bill lines; a lower bound if one has no price."""
    costs = [line.cost for line in bill.lines if line.at == at] if bill else []
    amounts = [cost for cost in costs if cost is not None]
    if bill is not None and amounts:
        cost = {"cost": bill.money(sum(amounts, Decimal()))}
        total = Text(at_least("{cost}", len(amounts) < len(costs)), cost)
        yield Effect(N_("cost per month"), total, BILLED, "price")


def _table(spec: Spec, estimate: Estimate, table: Table) -> Iterator[Effect]:
    grown = estimate.tables[table.id].growth
    if grown is not None:
        yield Effect(N_("rows"), Text("{rows}", {"rows": float(grown.rows[-1])}), END)
        yield Effect(N_("stored"), _bytes(float(grown.physical_bytes[-1])), END)
    traffic = estimate.tables[table.id].traffic
    if traffic is not None and engine_of(spec).HAS_NODES:
        busy = float(traffic.week_node_share.max())
        yield Effect(N_("busy at the peak"), Text("{busy_nodes}", {"busy_nodes": busy}), END)


def _kind(spec: Spec, estimate: Estimate, kind: RowKind) -> Iterator[Effect]:
    part = _part(spec, estimate, kind.id)
    facts, size = (part.keys.get(kind.id), part.sizes.get(kind.id)) if part else (None, None)
    if facts is not None:
        params = {"least_bytes": facts.bytes_min, "most_bytes": facts.bytes_max}
        same = facts.bytes_min == facts.bytes_max
        yield Effect(N_("key"), Text("{most_bytes}" if same else "{least_bytes} – {most_bytes}", params), KEYS)
    if size is not None:
        yield Effect(N_("rows"), Text("{rows}", {"rows": size.rows}), END)
        yield Effect(N_("per row"), _bytes(size.bytes_stored), description_of(spec).terms["stored row"])


def _segment(spec: Spec, estimate: Estimate, segment: Any) -> Iterator[Effect]:
    part = _part(spec, estimate, segment.id)
    for facts in part.keys.values() if part else ():
        for segment_facts in facts.segments:
            if segment_facts.id == segment.id:
                yield Effect(N_("size in key"), _bytes(segment_facts.bytes_typical), KEYS)
                yield Effect(N_("values"), Text("{distinct}", {"distinct": segment_facts.distinct}), KEYS)


def _family(spec: Spec, estimate: Estimate, family: Family) -> Iterator[Effect]:
    part = _part(spec, estimate, family.id)
    if part is None or part.growth is None:
        return
    yield from _stored_effects(spec, part, lambda column: column.family == family.id)
    grown = [growth for growth in part.growth.families if growth.family == family.id]
    total = sum(growth.bytes_by_cause.total for growth in part.growth.families)
    if total:
        own = sum(growth.bytes_by_cause.total for growth in grown)
        yield Effect(
            N_("share of table"),
            Text("{own_share}", {"own_share": own / total}),
            description_of(spec).terms["stored row"],
        )
    if surplus := sum(growth.surplus_bytes for growth in grown):
        why = N_("retained longer, or in more versions, than readers need")
        yield Effect(N_("not needed"), _bytes(surplus), why, grave=surplus > total / 10)


def _column(spec: Spec, estimate: Estimate, column: Column) -> Iterator[Effect]:
    part = _part(spec, estimate, column.id)
    if part is not None:
        yield from _stored_effects(spec, part, lambda size: size.column == column.id)
        for kind in part.sizes.values():
            for column_size in kind.columns:
                if column_size.column == column.id:
                    yield Effect(
                        N_("per cell"), _bytes(column_size.cell.total), description_of(spec).terms["stored row"]
                    )


def _stored_effects(spec: Spec, part: TablePart, mine: Callable[[Any], bool]) -> Iterator[Effect]:
    """Bytes that the mean stored row holds of it, in the row kinds that have it."""
    for kind in part.sizes.values():
        own = [column for column in kind.columns if mine(column)]
        if own:
            yield Effect(
                N_("per row"),
                _bytes(sum(c.cells_stored * c.cell.total for c in own)),
                description_of(spec).terms["stored row"],
            )


def _read(spec: Spec, estimate: Estimate, read: Read) -> Iterator[Effect]:
    part = _part(spec, estimate, read.id)
    for plan in part.reads if part else ():
        if plan.read == read.id:
            wasteful = plan.rows_scanned >= 1_000 and plan.rows_scanned > 10 * plan.rows_returned
            ranges = {"access": Text(words.ACCESS[plan.access]), "ranges": plan.ranges}
            access_text = Text("{access} × {ranges}" if plan.ranges > 1 else "{access}", ranges)
            yield Effect(N_("access path"), access_text, PLANNED, grave=plan.access == "scan")
            if not plan.has_actual_rows:
                continue
            rows = Text("{rows}", {"rows": plan.rows_to_scan})
            yield Effect(N_("rows scanned"), rows, PLANNED, grave=wasteful)
            yield Effect(N_("bytes scanned"), _bytes(plan.bytes_scanned), PLANNED)
            if plan.per_second is not None and engine_of(spec).HAS_NODES and not has_data_boost(spec, read):
                busy = {"busy_nodes": plan.per_second * plan.node_seconds}
                yield Effect(N_("nodes used"), Text("{busy_nodes}", busy), END)


def _write(spec: Spec, estimate: Estimate, write: Write) -> Iterator[Effect]:
    part = _part(spec, estimate, write.id)
    for load in part.traffic.writes if part and part.traffic else ():
        if load.write == write.id:
            yield Effect(N_("rows"), Text("{rate_per_second}", {"rate_per_second": load.rows_per_second}), END)
            yield Effect(
                N_("at the peak"), Text("{rate_per_second}", {"rate_per_second": load.peak_rows_per_second}), END
            )
            yield Effect(N_("per row"), _bytes(load.bytes_per_row), END)


def _activity(spec: Spec, estimate: Estimate, activity: Activity) -> Iterator[Effect]:
    ids = {write.id for _, kind in spec.row_kinds() for write in kind.writes if write.activity == activity.id}
    loads = [w for part in estimate.tables.values() if part.traffic for w in part.traffic.writes if w.write in ids]
    if loads:
        rate = {"rate_per_second": sum(load.rows_per_second for load in loads)}
        yield Effect(N_("rows written"), Text("{rate_per_second}", rate), END)


def _field(spec: Spec, estimate: Estimate, field: Field) -> Iterator[Effect]:
    for part in estimate.tables.values():
        for facts in part.keys.values():
            for segment_facts in facts.segments:
                segment = spec.by_id.get(segment_facts.id)
                if getattr(segment, "field", None) == field.id and getattr(segment, "kind", "") == "field":
                    yield Effect(N_("size in key"), _bytes(segment_facts.bytes_typical), KEYS)
                    return


def _cluster(spec: Spec, estimate: Estimate, cluster: Cluster) -> Iterator[Effect]:
    nodes = next((node for node in estimate.nodes if node.cluster == cluster.id), None)
    if nodes is None:
        yield from _cost_effects(estimate.bill, cluster.id)
    else:
        first, last = float(nodes.nodes_by_month[0]), float(nodes.nodes_by_month[-1])
        text = Text("{first} → {last}" if first != last else "{last}", {"first": first, "last": last})
        yield Effect(N_("nodes"), text, END, grave=nodes.short_from is not None)
        yield from _cost_effects(estimate.bill, cluster.id)
        full = float(nodes.storage_share_by_month[-1])
        yield Effect(N_("of its storage used"), Text("{full_share}", {"full_share": full}), END, grave=full > 0.7)


def _part(spec: Spec, estimate: Estimate, id: str) -> TablePart | None:  # noqa: A002
    """Return the computed part of the table that contains an element."""
    return estimate.tables.get(tables_by_element(spec).get(id, ""))


def tables_by_element(spec: Spec) -> Mapping[str, str]:
    """Return the table of each element by the element's id."""
    tables: Mapping[str, str] | None = spec.result_cache.get("tables_by_element")
    if tables is None:
        inside = ((part.id, table.id) for table in spec.tables for part in walk(table) if isinstance(part, Element))
        tables = spec.result_cache["tables_by_element"] = dict(inside)
    return tables


def _bytes(value: float) -> Text:
    return Text("{size_bytes}", {"size_bytes": value})


TOLD: Mapping[type[Any], Callable[[Spec, Estimate, Any], Iterator[Effect]]] = {
    Table: _table,
    RowKind: _kind,
    Family: _family,
    Column: _column,
    Read: _read,
    Write: _write,
    Activity: _activity,
    Field: _field,
    Cluster: _cluster,
}
