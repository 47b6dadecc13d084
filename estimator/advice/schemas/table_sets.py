"""Candidate tables of each record with their money, and the sets of them that are worth a full estimate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.application import AccessPattern, Record
from estimator.estimates.context import Context
from estimator.results.arrays import Floats

from .choice import TableSet, choose_tables
from .schema_designs import DesignParts, TablePlan
from .screening import ScreenedTable, UnitPrices, is_in_time, screen_table, unit_prices
from .table_keys import SALTS, TIME, TableKey, bucket_key, candidate_keys

TABLE_MONTH = 1.0
"""What a table must at least save in a month: of sets that cost the same, the one with fewest tables is chosen."""
LATE, HOT = 1e12, 1e9
"""Costs of a question that is not answered in time, and of a load that cannot be split: any set without is better."""
MOST_TIMES = 20.0
"""A set that costs so many times as much as the best one is said, not shown."""
NODE_GIB = 5 * 1024.0
"""Without prices, storage counts by the share of a node's limit that it fills (5 TB, quotas, read 2026-11-20)."""


@dataclass(frozen=True)
class RecordTables:
    """The candidate tables of one record, and the questions about it."""

    record: Record
    tables: tuple[ScreenedTable, ...]
    patterns: tuple[int, ...]
    """Places of the questions in the application."""
    table_costs: tuple[float, ...]
    """Money a month, of writes and storage; load that cannot be split included."""
    read_costs: Floats
    """(tables, questions) money a month; infinity where the key does not show what the question knows."""
    lateness: Floats
    """(tables, questions) 0 if a question is answered in time, else `LATE` for each power of ten of its seconds."""
    with_buckets: "RecordTables | None" = None
    """The same with a table whose rows hold many records; None if there is none."""

    def choose(self, *, in_time: bool = True, without: int | None = None) -> TableSet | None:
        """Return the best set of tables, with questions answered in time if any table does, or regardless."""
        costs = list(self.table_costs)
        if without is not None:
            costs[without] = np.inf
        reads = self.read_costs + (self.lateness if in_time else 0.0)
        if not any(table.key.is_state for table in self.tables):
            return choose_tables(costs, reads)
        # One more question, which only a table of every record answers: a state overwrites what it does not show.
        chosen = choose_tables(costs, np.column_stack((reads, self._storing)))
        return None if chosen is None else replace(chosen, assignment=chosen.assignment[:-1])

    @property
    def _storing(self) -> Floats:
        """(tables,) 0 for a table that stores every record, infinity for one of states."""
        return np.array([np.inf if table.key.is_state else 0.0 for table in self.tables])

    def choose_one(self) -> TableSet:
        """Return the best single table, or the best set where no table serves every question."""
        totals = np.asarray(self.table_costs) + (self.read_costs + self.lateness).sum(axis=1) + self._storing
        table = int(np.argmin(totals))
        several = None if np.isfinite(totals[table]) else self.choose()
        return several or TableSet((table,), (table,) * len(self.patterns), float(totals[table]))

    def choose_each(self) -> TableSet:
        """Return for each question the table that serves it best, whatever its writes cost."""
        # The small term decides between tables that serve a question equally well: the one that costs less to keep.
        costs = self.read_costs + self.lateness + 1e-6 * np.asarray(self.table_costs)[:, None]
        assignment = tuple(int(table) for table in np.argmin(costs, axis=0)) or self.choose_one().tables
        storing = int(np.argmin(np.asarray(self.table_costs) + self._storing))
        has_history = any(not self.tables[table].key.is_state for table in assignment)
        tables = {*assignment} if has_history else {*assignment, storing}
        return TableSet(tuple(sorted(tables)), assignment[: len(self.patterns)], 0.0)

    def plans(self, chosen: TableSet) -> tuple[TablePlan, ...]:
        """Return the tables of a set with the questions that each serves."""
        return tuple(
            TablePlan(
                self.tables[table].key,
                tuple(self.patterns[n] for n, place in enumerate(chosen.assignment) if place == table),
            )
            for table in chosen.tables
        )


def measure_records(parts: DesignParts, context: Context) -> tuple[tuple[RecordTables, ...], UnitPrices | None]:
    """Return the candidate tables of every record, measured coarsely, and the prices that they are weighed by."""
    record_tables, prices = list[RecordTables](), None
    for record in parts.application.records:
        places = tuple(n for n, pattern in enumerate(parts.application.patterns) if pattern.record == record.name)
        tables = tuple(_screen(parts, record, places, context))
        if tables:
            prices = prices or unit_prices(parts, tables[0].key, context)
            weighed = _weigh(parts, record, tables, places, prices)
            bucketed = bucket_key(record)
            wide = screen_table(parts, bucketed, places, context) if bucketed is not None else None
            if wide is not None:
                weighed = replace(weighed, with_buckets=_weigh(parts, record, (*tables, wide), places, prices))
            record_tables.append(weighed)
    return tuple(record_tables), prices


def _screen(parts: DesignParts, record: Record, places: Sequence[int], context: Context) -> Iterator[ScreenedTable]:
    """Yield the measured keys of a record; those whose writes go to the end of few prefixes also with a salt."""
    for key in candidate_keys(parts.application, record):
        table = screen_table(parts, key, places, context)
        if table is None:
            continue
        yield table
        if table.burden >= 1 and TIME in key.parts:
            salted = (screen_table(parts, key.with_salt(modulo), places, context) for modulo in SALTS)
            yield from (salted_table for salted_table in salted if salted_table is not None)


def _weigh(
    parts: DesignParts,
    record: Record,
    tables: Sequence[ScreenedTable],
    places: Sequence[int],
    prices: UnitPrices | None,
) -> RecordTables:
    node, gib = (float(prices.node_month), float(prices.gib_month)) if prices else (1.0, 1 / NODE_GIB)
    patterns = [parts.application.patterns[place] for place in places]
    shape = (len(tables), len(patterns))
    seconds = np.array([[plan.node_seconds for plan in table.plans] for table in tables]).reshape(shape)
    rates = np.array([pattern.per_second for pattern in patterns])
    is_servable = np.array([[_shows(t.key, pattern, record) for pattern in patterns] for t in tables]).reshape(shape)
    late = np.array(
        [
            [not is_in_time(plan, pattern.within_seconds) for plan, pattern in zip(t.plans, patterns, strict=True)]
            for t in tables
        ]
    ).reshape(shape)
    return RecordTables(
        record=record,
        tables=tuple(tables),
        patterns=tuple(places),
        table_costs=tuple(
            TABLE_MONTH * bool(prices) + t.write_nodes * node + t.gib * gib + (HOT * t.burden if t.burden >= 1 else 0.0)
            for t in tables
        ),
        read_costs=np.where(is_servable, seconds * rates * node, np.inf),
        # Any late question outweighs all money; between late ones a power of ten of node time does.
        lateness=np.where(late, LATE * (1 + np.floor(np.log10(np.maximum(seconds, 1.0)))), 0.0),
    )


def _shows(key: TableKey, pattern: AccessPattern, record: Record) -> bool:
    """Return whether a key has all that a question knows, and the time if it asks for an order or a span."""
    if key.is_state:
        return bool(pattern.latest_of) and key.parts == pattern.fields
    # Only of what reports at intervals is it known how far back in a history the latest of each is.
    if pattern.latest_of and (record.every_seconds is None or pattern.latest_of != record.thing):
        return False
    return set(pattern.fields) <= set(key.parts) and (TIME in key.parts or not pattern.has_order)


def schema_sets(records: Sequence[RecordTables], maximum: int) -> tuple[tuple[TablePlan, ...], ...]:
    """Return the different sets of tables that are worth a full estimate, the exact best one first.

    It, one table for each record, one for each question, the cheapest whatever it scans, and the best without the
    table that serves most questions; those that cost many times as much only where there is no other.
    """
    best = [record.choose() or record.choose_one() for record in records]
    busiest = max(range(len(records)), key=lambda n: len(records[n].patterns))
    other = _choose_other(records[busiest], best[busiest])
    wide = [record.with_buckets or record for record in records]
    ways: list[tuple[Sequence[RecordTables], Sequence[TableSet]]] = [
        (records, best),
        (wide, [record.choose() or record.choose_one() for record in wide]),
        (records, [record.choose_one() for record in records]),
        (records, [record.choose(in_time=False) or record.choose_one() for record in records]),
        (records, [record.choose_each() for record in records]),
    ]
    ways.append((wide, [_choose_bucket(record) for record in wide]))
    if other is not None:
        ways.append((records, [other if n == busiest else table_set for n, table_set in enumerate(best)]))
    # Sets that nobody would pay for go to the end, where they are shown only if there is no other.
    limit = MOST_TIMES * _money(records, best)
    ways.sort(key=lambda way: way[1] is not best and _money(*way) > limit)
    sets = [tuple(p for r, table_set in zip(*way, strict=True) for p in r.plans(table_set)) for way in ways]
    cheap = sum(way[1] is best or _money(*way) <= limit for way in ways)
    distinct = list(dict.fromkeys(frozenset(plans) for plans in sets))
    few = max(2, len({frozenset(plans) for plans in sets[:cheap]}))
    first = {frozenset(plans): plans for plans in reversed(sets)}
    return tuple(first[plans] for plans in distinct[: min(few, maximum)])


def _money(records: Sequence[RecordTables], way: Sequence[TableSet]) -> float:
    """Return what a set of tables costs, its reads included and nothing added for lateness."""
    total = 0.0
    for record, chosen in zip(records, way, strict=True):
        total += sum(record.table_costs[table] for table in chosen.tables)
        total += sum(float(record.read_costs[table, n]) for n, table in enumerate(chosen.assignment))
    return total


def _choose_bucket(record: RecordTables) -> TableSet:
    """Return the best set that has rows for many records in the place of a row for each."""
    parts = record.tables[-1].key.parts
    alike = [n for n, table in enumerate(record.tables[:-1]) if table.key.parts == parts]
    best = record.choose(without=alike[0]) if alike and record.tables[-1].key.bucket else record.choose()
    return best or record.choose_one()


def _choose_other(record: RecordTables, best: TableSet) -> TableSet | None:
    """Return the best set of those that lack one of the tables of the best one."""
    others = (record.choose(without=table) for table in best.tables)
    candidates = [
        other for other in others if other is not None and np.isfinite(other.cost) and other.tables != best.tables
    ]
    return min(candidates, key=lambda other: other.cost, default=None)
