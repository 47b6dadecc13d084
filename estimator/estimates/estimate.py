"""A document → its estimate: each table on its own, then the instance that holds them.

Pure functions. `estimate` remembers the parts of tables by the hash of exactly what they depend on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from designer.document import Model, Spec, fingerprint
from designer.document.access import Read, Write
from designer.document.activity import Activity
from designer.document.engines import description_of
from designer.document.fits import Fits, FittedValue
from designer.document.popularity import Uniform
from designer.document.table import RowKind, Table
from designer.document.table_periods import is_period, with_periods
from designer.document.texts import N_, Text
from designer.memory import Cache
from designer.wording import speaking_label
from estimator.engines import engine_of
from estimator.facts.default_skew import assumed_skew_fields
from estimator.kernels import growth
from estimator.kernels import pricing as cost
from estimator.kernels.capacity.placement import placements
from estimator.kernels.capacity.refusals import HALF, growth_refusal, refused_part, traffic_refusal
from estimator.kernels.compression.measurements import Measurements
from estimator.kernels.compression.table_content import table_content
from estimator.kernels.keys import KeyPattern, NotComputableError, compile_pattern, key_summary
from estimator.kernels.traffic import plan_reads, table_traffic, with_courses
from estimator.kernels.traffic.operations import write_flows
from estimator.price_books.collection import PriceBooks
from estimator.results import (
    CapacityUnits,
    Estimate,
    Measurement,
    NoKeyError,
    ReadPlan,
    Refusal,
    RowKindSize,
    TableGrowth,
    TablePart,
    TableTraffic,
    UnknownReason,
)
from estimator.results.grain import FULL, Grain

from .calibration import calibrate
from .context import Context
from .fits import with_fits
from .table_inputs import needed_parts, table_inputs

Reason = TypeVar("Reason", bound=UnknownReason)
JOINED_COLUMNS = N_(
    "“{table}” has primary key columns, which only Tablestore has: here they are joined into one row key. For "
    "Tablestore, set the engine of the design."
)
PARTS, CONTENTS = "parts of tables", "contents of tables"
"""What a cache holds: parts by the tables' inputs; and contents that compression is measured of, empty if not known."""


def estimate(spec: Spec, context: Context) -> Estimate:
    """Everything computed from a document; tables whose inputs have been seen before are not computed again.

    Compression that has been measured of what a table stores is used; it is never waited for. What other inputs would
    do is computed where it is shown (`what_if`).
    """
    spec = with_fits(spec, context.cache)
    parts = {table.id: table_part(spec, table, context) for table in spec.tables}
    return instance_estimate(spec, parts, context.price_books)


def table_part(spec: Spec, table: Table, context: Context, *, grain: Grain = FULL) -> TablePart:
    """Return the part of one table, cached or new; an estimate's own may be calibrated on top."""
    spec, cache = with_fits(spec, context.cache), context.cache
    key = part_key(spec, table, context)
    part = cache.get(PARTS, (*key, grain), lambda: _served_part(spec, table, key[1], grain, cache))
    return _with__present_names(spec, part)


def _served_part(spec: Spec, table: Table, measured: Measurement | None, grain: Grain, cache: Cache) -> TablePart:
    """Return the part of a table; with even distributions if it is an assumed skew alone that nothing can serve."""
    part = table_estimate(spec, table, measured, grain=grain, cache=cache)
    # A guess must not refuse a design (decision 75): if only the assumed skew makes the table impossible, the table is
    # computed with even distributions, and the part says so.
    refused, skewed = refused_part(part), _assumed_skews(spec, table)
    if refused is None and skewed and part.traffic is not None:
        refused = traffic_refusal(spec, part.traffic, part.reads, busy=HALF)
    if refused is None or not skewed:
        return part
    even = {(name, "popularity"): FittedValue(Uniform(), Text("")) for name in skewed}
    fits = Fits({**spec.fits.values, **even}, spec.fits.outcomes)
    other = table_estimate(spec.with_fits(fits), table, measured, grain=grain, cache=cache)
    return part if refused_part(other) is not None else replace(other, refused_if_skewed=refused, assumed_even=skewed)


def _assumed_skews(spec: Spec, table: Table) -> tuple[str, ...]:
    """Return the fields of a table's keys whose skew is assumed."""
    needed = needed_parts(spec, table)
    return tuple(
        field.id for field in assumed_skew_fields(spec) if field.id in needed and not spec.has_known_skew(field)
    )


def part_key(spec: Spec, table: Table, context: Context) -> tuple[str, Measurement | None]:
    """Return what the numbers of one table's part depend on, of a document with its fits."""
    inputs = table_inputs(spec, table)
    return inputs, _measurement(spec, table, inputs, context.measurements, context.cache)


def _with__present_names(spec: Spec, part: TablePart) -> TablePart:
    """Return a part whose sentences have the names that elements have now: its numbers do not depend on names."""
    because = tuple(_with_present_name(spec, reason) for reason in part.because)
    refused = part.refused_if_skewed
    if refused is not None:
        part = replace(part, refused_if_skewed=_with_present_name(spec, refused))
    reads = tuple(
        plan if plan.refused is None else replace(plan, refused=_with_present_name(spec, plan.refused))
        for plan in part.reads
    )
    return part if (because, reads) == (part.because, part.reads) else replace(part, because=because, reads=reads)


_NAMED: Mapping[type[Model], tuple[str, ...]] = {
    Table: ("table",), RowKind: ("kind", "row_kind"), Read: ("read",), Write: ("write",), Activity: ("activity",),
}  # fmt: skip
"""How sentences name the element that they are about."""


def _with_present_name(spec: Spec, reason: Reason) -> Reason:
    about = spec.by_id.get(reason.at)
    names = {key: about.label for key in _NAMED.get(type(about), ()) if key in reason.params} if about else {}
    params = _present_names(spec, {**reason.params, **names})
    return replace(reason, params=params) if params != reason.params else reason


def _present_names(spec: Spec, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a sentence with names for people in place of generated ids."""
    return {name: speaking_label(spec, value) for name, value in params.items()}


def _with_named_addends(spec: Spec, units: CapacityUnits) -> CapacityUnits:
    addends = (replace(addend, params=_present_names(spec, addend.params)) for addend in units.explanation)
    return replace(units, explanation=tuple(addends))


def known_parts(spec: Spec, context: Context) -> dict[str, TablePart]:
    """Return the parts of tables that are stored, by id."""
    spec = with_fits(spec, context.cache)
    parts = ((table.id, _known_part(spec, table, context)) for table in spec.tables)
    return {id: part for id, part in parts if part is not None}  # noqa: A001


def _known_part(spec: Spec, table: Table, context: Context) -> TablePart | None:
    inputs, cache = table_inputs(spec, table), context.cache
    if context.measurements and table.compressed_share is None and not cache.has(CONTENTS, inputs):
        return None  # which measurement is used follows from the content
    measured = _measurement(spec, table, inputs, context.measurements, cache)
    part: TablePart | None = cache.find(PARTS, (inputs, measured, FULL))
    return part and _with__present_names(spec, part)


def with_parts(spec: Spec, estimate: Estimate, parts: Mapping[str, TablePart]) -> Estimate:
    """Return an estimate that came without its tables, with their parts."""
    ordered = {table.id: parts[table.id] for table in spec.tables}
    return replace(estimate, tables=calibrate(spec, ordered).parts)


def store_parts(spec: Spec, context: Context, parts: Mapping[str, TablePart], seconds: float) -> None:
    """Store parts of tables by id, computed elsewhere in so many seconds with the same measurements."""
    spec = with_fits(spec, context.cache)
    for id, part in parts.items():  # noqa: A001
        key = part_key(spec, spec.find(id), context)
        # The cache weighs entries by the seconds that they save; parts computed together share them.
        context.cache.put(PARTS, (*key, FULL), part, seconds=seconds / len(parts))


def _measurement(spec: Spec, table: Table, inputs: str, measurements: Measurements, cache: Cache) -> Measurement | None:
    """Return the measured compression of a table's content, if it exists and no person entered another."""
    if not measurements or table.compressed_share is not None:
        return None
    return measurements.find(cache.get(CONTENTS, inputs, lambda: _content(spec, table, cache)))


def measured_contents(spec: Spec, context: Context) -> tuple[str, ...]:
    """Return the contents of the measurements that an estimate of a document uses."""
    measurements, cache, spec = context.measurements, context.cache, with_fits(spec, context.cache)
    if not measurements:
        return ()
    matches = (_measurement(spec, table, table_inputs(spec, table), measurements, cache) for table in spec.tables)
    return tuple(sorted({measurement.content for measurement in matches if measurement is not None}))


def _content(spec: Spec, table: Table, cache: Cache) -> str:
    try:
        return table_content(spec, table, cache).sha256
    except NotComputableError:
        return ""


def table_estimate(
    spec: Spec, table: Table, measured: Measurement | None = None, *, grain: Grain = FULL, cache: Cache | None = None
) -> TablePart:
    """Keys, reads, growth and traffic of one table: whatever its inputs allow, and why not where they do not."""
    table = engine_of(spec).as_stored(table)
    patterns, because = _patterns(spec, table, grain, cache)
    keys = {kind: key_summary(pattern) for kind, pattern in patterns.items()}
    key_facts, alone = keys, patterns
    if table.rotation is not None:
        spec, table = with_periods(spec, table)
        patterns, because = _patterns(spec, table, grain, cache)
        keys = {kind: key_summary(pattern) for kind, pattern in patterns.items()}
    grown: TableGrowth | None = None
    traffic: TableTraffic | None = None
    plans: tuple[ReadPlan, ...] = ()
    sizes: Mapping[str, RowKindSize] = {}
    try:
        grown, sizes = growth.table_growth_and_sizes(
            spec, table, patterns, measurement=measured, has_single_rows=grain.has_single_rows
        )
        if (refused := growth_refusal(spec, table, grown)) is not None:
            grown, sizes = None, {}
            raise NotComputableError(refused)
        plans = plan_reads(spec, table, keys, sizes)
        plans = with_courses(spec, table, keys, sizes, plans, write_flows(spec, table, patterns), grown.mean_ratio)
        traffic = table_traffic(spec, table, patterns, sizes, grown, plans, grain, alone)
        # One impossible read must not hide all figures of its table: the read is left out, and the rest is computed
        # again. Each turn removes a read, and where a write is the cause the loop ends with an error, so it
        # terminates.
        while (refused := traffic_refusal(spec, traffic, plans)) is not None:
            if all(plan.read != refused.at for plan in plans):
                traffic, plans = None, tuple(replace(plan, rows_total=None) for plan in plans)  # no load is computed
                raise NotComputableError(refused)
            plans = tuple(_refused_plan(plan, refused) if plan.read == refused.at else plan for plan in plans)
            traffic = table_traffic(spec, table, patterns, sizes, grown, plans, grain, alone)
        because += [plan.refused for plan in plans if plan.refused is not None]
    except NotComputableError as reason:
        if not isinstance(reason, NoKeyError):  # why there is none is told already
            because.append(reason.because)
        plans = plans or plan_reads(spec, table, keys, {})  # how a read is served is known before any rate is
    return TablePart(
        table.id, keys=key_facts, reads=tuple(map(_without_period, plans)), traffic=traffic, growth=grown,
        because=tuple(because), sizes=sizes,
    )  # fmt: skip


def _refused_plan(plan: ReadPlan, refused: Refusal) -> ReadPlan:
    """Return the plan of a read that nothing can serve: all else of its table is computed without it."""
    return replace(plan, refused=refused, node_seconds=0.0, rows_total=None, course=None)


def _without_period(plan: ReadPlan) -> ReadPlan:
    """Return a plan as it is of one of the tables of a rotating set, whose periods are in no key."""
    bound = tuple(segment for segment in plan.bound if not is_period(segment))
    return plan if len(bound) == len(plan.bound) else replace(plan, bound=bound)


def _patterns(
    spec: Spec, table: Table, grain: Grain, cache: Cache | None
) -> tuple[dict[str, KeyPattern], list[UnknownReason]]:
    """Return the compiled keys by row kind, and why there is none of others."""
    patterns, because = {}, []
    for kind in table.row_kinds:
        try:
            patterns[kind.id] = compile_pattern(spec, kind.id, ids_max=grain.ids_max, cache=cache)
        except NotComputableError as reason:
            because.append(reason.because)
    return patterns, because


def with_month(spec: Spec, estimate: Estimate, month: int, price_books: PriceBooks) -> Estimate:
    """Return an estimate with the nodes or capacity units of one month, from 0, in place of those of the last."""
    of_month = cost.cost_model_of(spec).with_month(spec, estimate, month, price_books.find(spec))
    return replace(of_month, capacity_units=tuple(_with_named_addends(spec, u) for u in of_month.capacity_units))


def instance_estimate(
    spec: Spec, parts: Mapping[str, TablePart], price_books: PriceBooks, *, placed: bool = True,
) -> Estimate:  # fmt: skip
    """Nodes, placement and bills of tables that share an instance.

    Parts of different grain have windows of different length: they can be billed together, not `placed`.
    """
    book = price_books.find(spec)
    parts, calibrations, misfits = calibrate(spec, parts)
    money = cost.compute_costs(spec, parts, book)
    return Estimate(
        sha256=fingerprint(spec),
        tables=parts,
        nodes=money.nodes,
        placements=placements(money.demand, parts, money.nodes) if money.demand is not None and placed else (),
        bills=money.bills,
        sensitivities=(),
        outlooks=(),
        price_book=book.name if book else str(spec.instance.price_book or ""),
        price_book_date=book.date if book else None,
        because=(*((money.refused,) if money.refused else ()), *_missing_prices(spec, book), *misfits),
        currency=book.currency if book else "USD",
        capacity_units=tuple(_with_named_addends(spec, units) for units in money.capacity_units),
        failovers=money.failovers,
        calibrations=calibrations,
    )


def _missing_prices(spec: Spec, book: cost.PriceBook | None) -> Iterator[UnknownReason]:
    if not spec.tables:
        yield UnknownReason(N_("No tables yet."))
    yield from engine_of(spec).unbilled_reasons(spec)
    if not description_of(spec).has_key_columns:
        for table in (table for table in spec.tables if any(kind.key_columns for kind in table.row_kinds)):
            yield UnknownReason(JOINED_COLUMNS, table.id, {"table": table.label})
    if book is None:
        yield UnknownReason(
            N_("No bill: the price book {book} is not available. Import it, or specify another price book."),
            params={"book": spec.instance.price_book or spec.engine},
        )
        return
    for entered in spec.instance.prices:
        if entered.price.currency != book.currency:
            yield UnknownReason(
                N_("The price of {sku} is in {entered}, but the bill is in {billed}. Prices are not converted."),
                params={"sku": entered.sku, "entered": entered.price.currency, "billed": book.currency},
            )
