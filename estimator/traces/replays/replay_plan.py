"""The requests of a log under a design's row key, beside its model: one way for the command, the page and the API."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from designer.document import Spec, dump, load
from designer.document.key import Segment
from designer.document.keytext import KeyTextError, parse_key
from designer.document.table import RowKind, Table
from designer.document.texts import N_, TextList
from designer.wording import key_of
from estimator.estimates.context import Context

from ..blocks import SAMPLE, EventBlock, EventSample
from ..summary import TABLES_MAX
from .key_load import LoggedRows
from .key_values import ReplayError
from .load_report import replay_data, replay_lines
from .model_beside import ModelBeside, compare_with_model
from .model_report import model_data, model_lines
from .replay import Replay, replay_kinds
from .scanned_rows import RowsInTime

SEVERAL_KINDS = N_("{table} has several row kinds: specify the one whose key this is: {kinds}")


def find_row_kind(table: Table, name: str = "") -> RowKind:
    """Return the row kind of a table with this id or name, or the only one.

    Raises
    ------
    ReplayError
        If there is none, or the table has several and none is named.
    """
    kinds = TextList(kind.label for kind in table.row_kinds)
    if not name and len(table.row_kinds) == 1:
        return table.row_kinds[0]
    if not name:
        raise ReplayError(SEVERAL_KINDS, table=table.label, kinds=kinds)
    match = next((kind for kind in table.row_kinds if name in (kind.id, kind.name)), None)
    if match is None:
        raise ReplayError(N_("{table} has no row kind {name}: {kinds}"), table=table.label, name=name, kinds=kinds)
    return match


def log_keys(spec: Spec, table: Table, text: str = "", kind: str = "") -> dict[str, str]:
    """Return the key text of each row kind in the log, by its id: the design's own, or `text` for one of them.

    Raises
    ------
    ReplayError
        As `find_row_kind`.
    """
    own = {row_kind.id: key_of(spec, row_kind) for row_kind in table.row_kinds}
    return own | {find_row_kind(table, kind).id: text} if text else own


def log_keys_beside(table: Table, keys: Mapping[str, str], other: Table) -> dict[str, str]:
    """Return the key text in the log of the row kinds of another design's table: of the same row kinds, by id or name.

    Raises
    ------
    ReplayError
        If it has none of them.
    """
    if len(table.row_kinds) == len(other.row_kinds) == 1:
        return {other.row_kinds[0].id: keys[table.row_kinds[0].id]}
    by_name = {kind.name: keys[kind.id] for kind in table.row_kinds if kind.name}
    texts = {kind.id: keys.get(kind.id) or by_name.get(kind.name, "") for kind in other.row_kinds}
    matches = {kind: text for kind, text in texts.items() if text}
    if not matches:
        raise ReplayError(N_("{table} of the other design has none of these row kinds"), table=other.label)
    return matches


@dataclass(frozen=True)
class ReplayedDesign:
    """A design with the requests of a log under its key, and its model beside them."""

    spec: Spec
    table: Table
    replay: Replay
    beside: ModelBeside | None
    """None where an input of the design is missing."""

    def without_requests(self) -> "ReplayedDesign":
        """Return what is kept of a replay: its figures and ranges, without the requests and their keys."""
        empty, none = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.bool_)
        no_rows = LoggedRows((), RowsInTime.of_changes(none, empty, np.zeros(0), is_there=none), 1.0)
        loads = tuple(
            replace(
                load, row_requests=empty, places=empty, times_s=np.zeros(0), operation_codes=empty,
                logged_rows=no_rows, scanned=None,
            )
            for load in self.replay.loads
        )  # fmt: skip
        lean_replay = replace(self.replay, loads=loads, parts=(), scans=(), row_sample=None, loads_by_kind=())
        return replace(self, replay=lean_replay)

    def lines(self, *, shows_keys: bool) -> Iterator[str]:
        """Yield lines of text, in English."""
        yield from replay_lines(self.replay, shows_keys=shows_keys)
        yield from model_lines(self.beside)

    def data(self, *, shows_keys: bool) -> dict[str, Any]:
        """Return the same as plain data."""
        model = model_data(self.beside)
        return {"table": self.table.label, **replay_data(self.replay, shows_keys=shows_keys), "model": model}


@dataclass
class ReplayPlan:
    """A replay of the requests of one table, which are collected while the log is read."""

    spec: Spec
    table: Table
    keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
    """Of each kind of rows, in the log and in the design."""
    log_key_texts: Mapping[str, str] = field(default_factory=dict)
    """By row kind, as they were given."""
    sample: EventSample = field(default_factory=EventSample)
    seen_tables: set[str] = field(default_factory=set)
    collector: "ReplayPlan | None" = None
    """The plan that collects the requests of both; None: this one."""

    @classmethod
    def for_table(
        cls, spec: Spec, table: Table, log_keys: Mapping[str, str] | None = None, *, most_requests: int = SAMPLE
    ) -> Self:
        """Return the plan for a table.

        `log_keys` are the texts of the log's keys by row kind, where they are not the design's: of the row kinds whose
        requests are in the log.

        Raises
        ------
        ReplayError
            If a row kind of the table has no key, or a text is none.
        """
        if not table.row_kinds or not all(kind.key for kind in table.row_kinds):
            raise ReplayError(N_("{table} has a row kind without a row key"), table=table.label)
        pairs = [(kind.key, kind.key) for kind in table.row_kinds]
        if log_keys:
            kinds = [kind for kind in table.row_kinds if kind.id in log_keys]
            pairs = [(_log_key(spec, log_keys[kind.id]), kind.key) for kind in kinds]
        return cls(spec, table, pairs, dict(log_keys or {}), EventSample(most_requests))

    def sharing(self, plans: Sequence["ReplayPlan"]) -> Self:
        """Return the plan, with the requests that one of these collects if they are of the same table."""
        same = (plan for plan in plans if plan.collector is None and plan.table_names == self.table_names)
        self.collector = next(same, None)
        if self.collector is not None:
            self.sample, self.seen_tables = self.collector.sample, self.collector.seen_tables
        return self

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the table in a log; a log without names of tables is all of it."""
        return ("", self.table.id, self.table.name)

    @property
    def _assumed_names(self) -> tuple[str, ...]:
        """The name of the log's only table so far, which is the design's only one whatever it is called."""
        names = {name.rpartition("/")[2] for name in self.seen_tables}
        is_only = len(self.spec.tables) == 1 == len(names)
        return () if not is_only else tuple(names.difference(self.table_names))

    def __getstate__(self) -> tuple[Any, ...]:
        return dump(self.spec), self.table.id, self.log_key_texts, self.sample, self.seen_tables, self.collector

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        document, table, texts, self.sample, self.seen_tables, self.collector = state
        spec = load(document)
        plan = ReplayPlan.for_table(spec, spec.find(table), texts)
        self.spec, self.table, self.keys = spec, plan.table, plan.keys
        self.log_key_texts = texts

    def add(self, events: EventBlock) -> None:
        """Collect the requests of the table."""
        if self.collector is not None:
            return
        is_assumed = bool(self._assumed_names)
        # A few are enough, so a log with a million names of tables must not fill memory.
        if len(self.seen_tables) < TABLES_MAX:
            self.seen_tables.update(events.table_names[:TABLES_MAX])
        if is_assumed and not self._assumed_names:
            self.sample.clear()
        self.sample.add(self.select(events))

    def select(self, events: EventBlock) -> EventBlock:
        """Return the requests of the table."""
        names = (*self.table_names, *self._assumed_names)
        is_mine = np.array([name.rpartition("/")[2] in names for name in events.table_names], dtype=np.bool_)
        return events.select(is_mine[events.tables])

    @property
    def is_sampled(self) -> bool:
        """True if the requests that were collected are a sample: another reading can count all of them."""
        return 0 < len(self.sample) < self.sample.total

    def result(self, context: Context) -> ReplayedDesign:
        """Return the load under both keys, and the model.

        Raises
        ------
        ReplayError
            If the log has no such requests, or its keys do not hold what the new key needs.
        """
        if not len(self.sample):
            there = TextList(sorted(self.seen_tables))
            raise ReplayError(
                N_("the log has no requests of {table}; its tables: {tables}"), table=self.table.label, tables=there
            )
        replayed = replay_kinds(self.sample, self.spec, self.keys)
        beside = compare_with_model(self.spec, self.table, replayed, context)
        return ReplayedDesign(self.spec, self.table, replayed, beside)


def _log_key(spec: Spec, text: str) -> tuple[Segment, ...]:
    try:
        return tuple(parse_key(spec, text).segments)
    except KeyTextError as error:
        raise ReplayError(N_("the pattern of the log's keys: {reason}"), reason=str(error)) from error
