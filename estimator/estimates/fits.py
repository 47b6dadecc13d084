"""Assumed values fitted to known sizes: the largest row that was seen, the rows of the largest prefix.

What the design states is never changed. Of the assumed values of one row kind the first is taken with which the model
reaches the known size; a size that no assumed value reaches is told by a rule (`known_figure_differs`).
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from designer.document import Model, Spec, effective_value, owner_of
from designer.document.access import Write
from designer.document.field import Enumeration, FanOut, Field, Random
from designer.document.fits import NO_FITS, FitOutcome, Fits, FittedValue
from designer.document.guesses import capacity
from designer.document.key import segment_fields
from designer.document.new_ids import new_ids
from designer.document.popularity import Popularity, Uniform, Zipf
from designer.document.table import KnownSize, RowKind, Table
from designer.memory import Cache, get_or_compute
from estimator.engines import engine_of
from estimator.kernels.growth.arrivals import KindArrivals
from estimator.kernels.growth.cells import columns_of, value_bytes
from estimator.kernels.growth.history import history
from estimator.kernels.growth.model import build_stored_table
from estimator.kernels.growth.rowsize import row_sizes_for_limits
from estimator.kernels.growth.shapes import kind_shapes
from estimator.kernels.keys import compile_pattern
from estimator.kernels.population.prefixes import rows_below
from estimator.kernels.traffic.storage_age import row_kept_days
from estimator.results import NotComputableError
from estimator.results.grain import COARSE

from .table_inputs import table_inputs

FITS = "fitted values"
"""What a cache holds: values by the inputs of the tables with known sizes."""

Values = Mapping[tuple[str, str], Any]
"""Values in place of assumed ones, by the id of a field or column and the name of the value."""

MAX_THETA = 3.0
"""Steeper skews are not assumed: the busiest of any number of values has five sixths of the traffic."""
MAX_VALUES = 10.0**12
BYTES_FACTOR = 1_000.0
"""Assumed sizes of values are changed by this factor at most."""
TOLERANCE = 1e-4
"""A known size is reached when the modelled one differs by less than this share."""
STEPS = 40


def with_fits(spec: Spec, cache: Cache | None = None) -> Spec:
    """Return the design with its assumed values fitted to the known sizes; itself if there are none.

    With a cache, tables whose inputs have been seen before are not fitted again.
    """
    # A design with fits comes back from here as itself, so callers may ask at every entry.
    if spec.fits != NO_FITS or not _has_known_sizes(spec):
        return spec
    fitted: Spec | None = spec.result_cache.get("fitted")
    if fitted is None:
        tables = [table for table in spec.tables if any(kind.known for kind in table.row_kinds)]
        inputs = tuple(table_inputs(spec, table) for table in tables)
        fits = get_or_compute(cache, FITS, inputs, lambda: _fits(spec))
        fitted = spec.result_cache["fitted"] = spec.with_fits(fits)
    return fitted


def _has_known_sizes(spec: Spec) -> bool:
    # Every table asks, and the answer is of all tables.
    answer: bool | None = spec.result_cache.get("has known sizes")
    if answer is None:
        answer = spec.result_cache["has known sizes"] = any(kind.known for _, kind in spec.row_kinds())
    return answer


def _fits(spec: Spec) -> Fits:
    values: dict[tuple[str, str], FittedValue] = {}
    outcomes: list[FitOutcome] = []
    for table, kind in spec.row_kinds():
        for known_size in kind.known:
            if known_size.size is None:
                continue
            problem = _Problem(spec, values, table, kind, known_size, known_size.size)
            try:
                new_values, outcome = problem.solve()
            except NotComputableError:
                continue  # an input is missing, which is said of the table
            # Later sizes see the values fitted to earlier ones and leave these alone, so the order of the document
            # decides.
            values = {**values, **new_values}
            outcomes.append(outcome)
    return Fits(values, tuple(outcomes))


@dataclass(frozen=True)
class _Assumed:
    """An assumed value that can be fitted: by a number, from one that is even or small to the largest."""

    of: Callable[[float], Values]
    low: float
    high: float
    is_skew: bool = False


@dataclass(frozen=True)
class _Problem:
    """One known size and the assumed values that it says something about."""

    spec: Spec
    values: Mapping[tuple[str, str], FittedValue]
    table: Table
    kind: RowKind
    known: KnownSize
    size: float

    def solve(self) -> tuple[Mapping[tuple[str, str], FittedValue], FitOutcome]:
        """Return the fitted values, and the known size beside the modelled one."""
        assumed, now = tuple(self._assumed()), self.model_size({})
        nearest = now
        if self._is_near(now):
            return {}, self._outcome(now, now, is_reached=True)
        skews = [candidate for candidate in assumed if candidate.is_skew]
        # If no single value reaches the size, skews are moved to the end that comes nearest, and the other values are
        # tried on top of that.
        ends = {
            key: value for skew in skews for key, value in skew.of(skew.high if now < self.size else skew.low).items()
        }
        for before in ({}, ends):
            for assumption in assumed:
                if before and assumption.is_skew:
                    continue
                values, size = self._search(assumption, before)
                nearest = min(nearest, size, key=self._distance)
                if self._is_near(size):
                    reason = self.known.reason
                    fitted = {key: FittedValue(value, reason) for key, value in values.items()}
                    return fitted, self._outcome(size, size, is_reached=True)
        return {}, self._outcome(now, nearest, is_reached=False)

    def _outcome(self, modelled: float, nearest: float, *, is_reached: bool) -> FitOutcome:
        return FitOutcome(self.known.id, self.kind.id, self.size, modelled, nearest, is_reached)

    def _distance(self, size: float) -> float:
        # Relative, and alike for half and double.
        return abs(math.log(size / self.size)) if size > 0 else math.inf

    def _is_near(self, size: float) -> bool:
        return self._distance(size) <= TOLERANCE

    def _search(self, assumption: _Assumed, before: Values) -> tuple[Values, float]:
        """Return the values with which the model is nearest to the known size, and the size with them."""

        def at(number: float) -> float:
            return self.model_size({**before, **assumption.of(number)})

        low, high = assumption.low, assumption.high
        least, most = at(low), at(high)
        # More values can mean larger or smaller sizes (a prefix has fewer rows if more values share them), so the
        # bracket is turned to ascend.
        if least > most:
            low, high, least, most = high, low, most, least
        if not least < self.size < most:
            number, size = (low, least) if self.size <= least else (high, most)
            return {**before, **assumption.of(number)}, size
        for step in range(STEPS):
            part = 0.5
            if step % 3 and least > 0:  # in proportion, and now and then the middle, so that it ends
                # Regula falsi on the logarithm converges fast for power laws, but can creep from one side; every third
                # step halves the bracket, which bounds the number of steps.
                part = math.log(self.size / least) / math.log(most / least)
            middle = low + (high - low) * part
            size = at(middle)
            if self._is_near(size) or middle in (low, high):
                break
            low, high, least, most = (middle, high, size, most) if size < self.size else (low, middle, least, size)
        return {**before, **assumption.of(middle)}, size

    # --- the modelled size ------------------------------------------------------------------------------------

    def model_size(self, changed: Values) -> float:
        """Return the size with other assumed values: bytes of the largest row, or rows of the largest prefix."""
        reason = self.known.reason
        fits = Fits({**self.values, **{key: FittedValue(value, reason) for key, value in changed.items()}})
        spec = self.spec.with_fits(fits)
        table = engine_of(spec).as_stored(spec.find(self.table.id))
        # Stated rows or bytes are of the whole table, so only without them the row kind can be modelled alone, which
        # is faster.
        if table.rows_stored is None and table.gib_stored is None:
            table = table.model_copy(update={"row_kinds": (self.kind,)})
        patterns = {kind.id: compile_pattern(spec, kind.id, ids_max=COARSE.ids_max) for kind in table.row_kinds}
        shapes = kind_shapes(spec, table, patterns, {})
        past = history(spec, table, shapes)
        day = np.array([self.day])
        days = past.days if past.is_plausible else 0.0
        stored = build_stored_table(spec, table, shapes, day, history_days=days, only_rows=True)
        flows = next((flows for flows in stored.kinds if flows.kind.id == self.kind.id), None)
        if flows is None or not flows.writes:
            return 0.0
        return self._rows(spec, table, flows) if self.known.prefix else self._bytes(spec, flows, day)

    @cached_property
    def day(self) -> float:
        """Days from the start date to the day on which the size was seen."""
        return float((self.known.date - self._start).days) if self.known.date is not None else 0.0

    @property
    def _start(self) -> Any:
        return effective_value(self.spec, self.spec, "start")

    def _bytes(self, spec: Spec, flows: KindArrivals, day: Any) -> float:
        return float(row_sizes_for_limits(spec, flows, day)[0].largest[0])

    def _rows(self, spec: Spec, table: Table, flows: KindArrivals) -> float:
        segments = self.kind.segments
        ends = [n for n, segment in enumerate(segments, 1) if self.known.prefix in segment_fields(segment)]
        bound = [segment.id for segment in segments[: max(ends, default=0)]]
        clocks = {flow.write.id: flow.event_curve for flow in flows.writes}
        # On a day before the first event there is no row.
        if not bound or self.day <= min(clock.begin_day for clock in clocks.values()):
            return 0.0
        retention_days = row_kept_days(spec, table, self.kind)
        return rows_below(spec, segments, clocks, bound, kept_days=retention_days, day=self.day).largest

    # --- what is assumed --------------------------------------------------------------------------------------

    def _assumed(self) -> Iterator[_Assumed]:
        """Yield the assumed values that the size depends on, in the order in which they are fitted."""
        fields = self._fields()
        yield from self._skews(fields)
        for field in fields:
            is_open = field.distinct is None and (field.capacity is None or isinstance(field.values, Random))
            if is_open and self._is_free(field.id, "distinct"):
                most = min(MAX_VALUES, float(capacity(self.spec, field) or MAX_VALUES))
                # Searched by logarithm, as counts span twelve orders of magnitude.
                yield _Assumed(self._distinct(field.id), 0.0, math.log(most))
        if not self.known.prefix:
            yield from self._sizes()

    def _is_free(self, at: str, name: str) -> bool:
        return (at, name) not in self.values

    def _fields(self) -> Sequence[Field]:
        """Return the fields of the key, or of its prefix, with their owners."""
        fields: dict[str, Field] = {}
        for segment in self.kind.segments:
            for name in segment_fields(segment):
                field: Field | None = self.spec.find(name)
                while field is not None and field.id not in fields:
                    fields[field.id] = field
                    field = owner_of(self.spec, field)
            if self.known.prefix is not None and self.known.prefix in segment_fields(segment):
                break
        events = new_ids(self.spec, self.kind)
        kinds = ("timestamp", "boolean")
        return [
            field
            for field in fields.values()
            if field.id not in events and effective_value(self.spec, field, "kind") not in kinds
        ]

    def _skews(self, fields: Sequence[Field]) -> Iterator[_Assumed]:
        """Yield the skews of fields: those that are assumed to have one first."""
        # `sorted` is stable, and False sorts first: fields that are skewed already, then the others in the order of
        # the key.
        skewed = sorted(fields, key=lambda field: effective_value(self.spec, field, "popularity").kind != "zipf")
        for field in skewed:
            weighted = isinstance(field.values, Enumeration)
            owner = owner_of(self.spec, field)
            if owner is None and not field.has_known_skew and not weighted and self._is_free(field.id, "popularity"):
                yield _Assumed(_law(field.id, "popularity", lambda law: law), 0.0, MAX_THETA, is_skew=True)
            is_even = owner is not None and field.fan_out is None and not field.has_known_skew
            if is_even and self._is_free(field.id, "fan_out"):
                yield _Assumed(_law(field.id, "fan_out", _fan_out), 0.0, MAX_THETA, is_skew=True)

    @staticmethod
    def _distinct(at: str) -> Callable[[float], Values]:
        return lambda number: {(at, "distinct"): max(round(math.exp(number)), 1)}

    def _sizes(self) -> Iterator[_Assumed]:
        """Yield the assumed sizes of values, all by one factor."""
        columns = [
            (family, column)
            for family, column in columns_of(self.table, self.kind)
            if column.value.typical_bytes is None
            and column.value.kind != "empty"
            and self._is_free(column.id, "typical_bytes")
            and self._writes(column.id)
        ]
        sizes = {column.id: value_bytes(self.spec, family, column) for family, column in columns}
        if sizes:
            yield _Assumed(
                lambda number: {(at, "typical_bytes"): size * math.exp(number) for at, size in sizes.items()},
                -math.log(BYTES_FACTOR), math.log(BYTES_FACTOR),
            )  # fmt: skip

    def _writes(self, column: str) -> bool:
        writes: Sequence[Write] = self.kind.writes
        return any(not write.columns or column in write.columns for write in writes)


def _law(at: str, name: str, of: Callable[[Popularity], Model]) -> Callable[[float], Values]:
    return lambda theta: {(at, name): of(Zipf(theta=theta) if theta > 0 else Uniform())}


def _fan_out(law: Popularity) -> FanOut:
    return FanOut.model_validate({"law": law.model_dump()})
