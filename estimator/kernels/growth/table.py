"""Rows and bytes of one table over the horizon, put together from its row kinds."""

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import GiB, engine_of
from estimator.results import (
    EntityShares,
    Measurement,
    NotComputableError,
    RowGrowth,
    RowKindSize,
    TableGrowth,
    UnknownReason,
)
from estimator.results.arrays import Floats

from ..population.counts import lost_per_day
from ..population.rotation import kept_days
from ..population.timeline import month_dates, month_days
from ..population.told_apart import MILLISECOND
from .arrivals import KindArrivals, KindShape
from .crossings import crossings, largest_row_function
from .families import family_growth
from .history import History, history, physical_over_time, rows_over_time
from .model import StoredTable, build_stored_table, compressed_shares, uncollected_days
from .month_means import month_mean_ratios
from .retained_rows import retention_days
from .rowsize import RowSizes, row_events, row_sizes_for_limits, size_days
from .sizes import (
    changed_bytes,
    changed_bytes_per_day,
    infrequent_bytes,
    mutation_bytes,
    mutation_bytes_per_second,
    unwritten_shares,
    unwritten_sizes,
    written_sizes,
)


def compute_growth(
    spec: Spec,
    table: Table,
    shapes: Mapping[str, KindShape],
    measurement: Measurement | None = None,
    *,
    has_single_rows: bool = True,
) -> tuple[TableGrowth, Mapping[str, RowKindSize]]:
    """Growth of a table, with sizes of single rows if asked, and the sizes of its row kinds.

    Parameters
    ----------
    shapes : row kind id → KindShape
        Of every row kind that has a key.
    measurement
        The table's compression, where it has been measured; a ratio that a person entered goes before it.

    Raises
    ------
    NotComputableError
        If a write names no activity, an activity has no rate, a row kind has no key, or nothing is written or stored.
    """
    measurement = measurement if table.compressed_share is None else None
    sizes = unwritten_sizes(spec, table, shapes, measurement)
    if not any(kind.writes for kind in table.row_kinds):
        return _unwritten_growth(spec, table, measurement), sizes
    past = history(spec, table, shapes, measurement)
    days = month_days(spec)
    stored = build_stored_table(spec, table, shapes, days, history_days=past.days, measurement=measurement)
    rows, rows_by_kind = rows_over_time(table, stored)
    physical, low, high = physical_over_time(spec, table, stored, past)
    ratio = _physical_ratio(stored, physical)
    infrequent = infrequent_bytes(spec, table, stored, ratio)
    mean_ratios, passing = _month_means(spec, table, shapes, stored, past, physical, infrequent, measurement)
    share, share_low, share_high = compressed_shares(stored)
    single = (
        stored if past.is_plausible else build_stored_table(spec, table, shapes, days, history_days=0.0, only_rows=True)
    )
    growth = TableGrowth(
        dates=month_dates(spec),
        rows=rows,
        logical_bytes=stored.logical_bytes() * ratio,
        physical_bytes=physical,
        physical_bytes_low=low,
        physical_bytes_high=high,
        compressed_share=share,
        compressed_share_low=share_low,
        compressed_share_high=share_high,
        compression_origin=_compression_origin(spec, table, measurement),
        measured=measurement,
        kinds=tuple(
            _row_growth(spec, flows, rows_of, days) for flows, rows_of in zip(single.kinds, rows_by_kind, strict=True)
        )
        if has_single_rows
        else (),
        families=tuple(
            family_growth(spec, table, stored, rows_by_kind, scale=past.bytes_scale, ratio=float(ratio[-1]))
        ),
        changed_bytes_per_day=changed_bytes_per_day(spec, stored) * past.bytes_scale,
        mutation_bytes_per_second=mutation_bytes_per_second(spec, stored),
        changed_bytes=changed_bytes(spec, stored),
        mutation_bytes=mutation_bytes(spec, stored),
        entities=_entities(stored),
        infrequent_bytes=infrequent,
        mean_ratio=mean_ratios[0],
        infrequent_mean_ratio=mean_ratios[-1],
        passing_bytes=passing[0],
    )
    written = written_sizes(spec, stored, rows_by_kind, ratio)
    return growth, {**sizes, **written}


def _physical_ratio(stored_table: StoredTable, physical: Floats) -> Floats:
    """Return what was measured ÷ what the model stores, byte for byte alike where it stores nothing: (dates,)."""
    modelled = stored_table.physical_bytes()
    return np.divide(physical, modelled, out=np.ones_like(physical), where=modelled > 1)


def _month_means(
    spec: Spec,
    table: Table,
    shapes: Mapping[str, KindShape],
    stored_table: StoredTable,
    past: History,
    physical: Floats,
    infrequent: Floats | None,
    measurement: Measurement | None,
) -> tuple[Floats, Floats]:
    """Return what `month_mean_ratios` does of all bytes and of those in infrequent access, if any."""

    def bytes_on(days: Floats) -> Floats:
        all_days = np.concatenate(
            ([0.0], days, stored_table.days[-1:])
        )  # stated of the first day, packed as at the end
        there = build_stored_table(
            spec, table, shapes, all_days, history_days=past.days, only_expected=True, measurement=measurement
        )
        total = physical_over_time(spec, table, there, past)[0]
        cold = infrequent_bytes(spec, table, there, _physical_ratio(there, total))
        return np.stack([total] if cold is None else [total, cold])[:, 1:-1]

    ends = np.stack([physical] if infrequent is None else [physical, infrequent])
    ages = {age for column in stored_table.columns for age in column.steps.ages}
    ages |= {0.0, math.inf if infrequent is None else float(table.infrequent_access_days or 0)}
    lag = uncollected_days(spec).value
    bends = [age + lag for age in ages if age < math.inf]
    bends += [days for over in (0.0, 1.0) if (days := kept_days(table, over)) < math.inf]
    return month_mean_ratios(stored_table, bends, ends, bytes_on)


def _compression_origin(
    spec: Spec, table: Table, measurement: Measurement | None
) -> Literal["you", "guess", "measured", "none"]:
    if engine_of(spec).WHY_UNCOMPRESSED:
        return "none"
    if table.compressed_share is not None:
        return "you"
    return "guess" if measurement is None else "measured"


def _entities(stored_table: StoredTable) -> dict[str, EntityShares]:
    """Return the distribution of each write's events over entities, by write id."""
    end = float(stored_table.days[-1])
    entities = {}
    for kind in stored_table.kinds:
        for flow in kind.writes:
            counts, day = kind.counts((flow,)), np.array([end])
            keys_per_day = float(counts.count_named_keys(day - 1.0, day)[0])
            lost = lost_per_day(counts, end, retention_days(kind)) / keys_per_day if keys_per_day > 0 else 0.0
            shares = (kind.shape.written or kind.shape.rows).shares(flow.write.id)
            entities[flow.write.id] = EntityShares(
                *shares,
                lost_share=min(lost, 1.0) if keys_per_day > 0 else None,
                is_per_event=kind.has_row_per_event and not _shows_moment(kind),
            )
    return entities


def _shows_moment(kind: KindArrivals) -> bool:
    """Return whether a time alone tells events apart."""
    seconds = kind.shape.rows.time_seconds
    return seconds is not None and seconds <= MILLISECOND


def _unwritten_growth(spec: Spec, table: Table, measurement: Measurement | None) -> TableGrowth:
    """Return the growth of a table that nothing writes to: it keeps what is stored."""
    if table.gib_stored is None:
        raise NotComputableError(UnknownReason(N_("“{table}” has no writes."), table.id, {"table": table.label}))
    dates = month_dates(spec)
    physical = np.full(len(dates), table.gib_stored * GiB)
    cold_from = math.inf if table.infrequent_access_days is None else table.infrequent_access_days
    is_cold = month_days(spec) >= cold_from + uncollected_days(spec).value  # at the latest: how old it is, is not said
    share, low, high = unwritten_shares(spec, table, measurement)
    return TableGrowth(
        dates=dates, rows=np.full(len(dates), float(table.rows_stored or 0)), logical_bytes=physical / share,
        physical_bytes=physical, physical_bytes_low=physical, physical_bytes_high=physical,
        compressed_share=share, compressed_share_low=low, compressed_share_high=high,
        compression_origin=_compression_origin(spec, table, measurement), measured=measurement, kinds=(), families=(),
        changed_bytes_per_day=0.0, mutation_bytes_per_second=0.0,
        infrequent_bytes=None if table.infrequent_access_days is None else np.where(is_cold, physical, 0.0),
    )  # fmt: skip


def _sizes_for_limits(spec: Spec, flows: KindArrivals, days: Floats) -> tuple[RowSizes, RowSizes]:
    """Return the sizes of rows on some days as `row_sizes_for_limits`; where tables rotate, at the end of a period."""
    if flows.kept is None:
        return row_sizes_for_limits(spec, flows, days)
    age = flows.kept.age_days(over=1.0)
    size_pairs = [row_sizes_for_limits(spec, flows.since_day(day - age), np.array([day])) for day in days.tolist()]

    def join(place: int) -> RowSizes:
        return RowSizes(
            *(
                np.concatenate([getattr(pair[place], name) for pair in size_pairs])
                for name in ("median", "p99", "largest")
            )
        )

    whole = join(0)
    return whole, whole if all(pair[1] is pair[0] for pair in size_pairs) else join(1)


def _row_growth(spec: Spec, flows: KindArrivals, rows: Floats, days: Floats) -> RowGrowth:
    places = size_days(days).astype(int)
    lag_days = engine_of(spec).UNCOLLECTED_DAYS_FOR_LIMITS
    dates = month_dates(spec)
    chosen = days[places]
    sizes, live = _sizes_for_limits(spec, flows, chosen)
    last = chosen[-1:]
    there = flows if flows.kept is None else flows.since_day(float(last[0]) - flows.kept.age_days(over=1.0))
    events = row_events(there, last, lag_days=lag_days)
    when = tuple(dates[i] for i in places)
    hottest = flows.busiest
    limit_crossings = crossings(spec, dates[0], chosen, sizes.largest, largest_row_function(spec, flows, lag_days))
    live_crossings = limit_crossings
    if live is not sizes:
        live_crossings = crossings(spec, dates[0], chosen, live.largest, largest_row_function(spec, flows, 0.0))
    return RowGrowth(
        row_kind=flows.kind.id,
        dates=when,
        median_bytes=sizes.median,
        p99_bytes=sizes.p99,
        largest_bytes=sizes.largest,
        largest_entity=hottest.hottest.text if hottest else "",
        bucket_seconds=flows.shape.rows.time_seconds,
        events_per_row=float(sum(event[-1] for event in events[0].values())),
        rows=float(rows[-1]),
        crossings=limit_crossings,
        largest_events={write: float(series[-1]) for write, series in events[2].items()},
        live_p99_bytes=live.p99,
        live_largest_bytes=live.largest,
        live_crossings=live_crossings,
    )
