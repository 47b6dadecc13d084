"""The requests of a log under a design's row key, beside its model: one way for the command, the page and the API."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from designer.document import Spec, dump, load
from designer.document.key import Segment
from designer.document.keytext import KeyTextError, parse_key
from designer.document.table import Table
from designer.document.texts import N_
from estimator.estimates.context import Context

from .blocks import EventBlock
from .key_values import ReplayError
from .model_beside import ModelBeside, compare_with_model
from .model_report import model_data, model_lines
from .replay import SAMPLE, EventSample, Replay, replay
from .report import replay_data, replay_lines
from .summary import TABLES_MAX


@dataclass(frozen=True)
class ReplayedDesign:
    """A design with the requests of a log under its key, and its model beside them."""

    spec: Spec
    table: Table
    replay: Replay
    beside: ModelBeside | None
    """None where an input of the design is missing."""

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
    log_key: Sequence[Segment]
    new_key: Sequence[Segment]
    log_key_text: str = ""
    """As it was given."""
    sample: EventSample = field(default_factory=EventSample)
    seen_tables: set[str] = field(default_factory=set)

    @classmethod
    def for_table(cls, spec: Spec, table: Table, log_key: str = "", *, most_requests: int = SAMPLE) -> Self:
        """Return the plan for a table; `log_key` is the text of the log's keys where they are not the design's.

        Raises
        ------
        ReplayError
            If the table has no single row key, or the text is none.
        """
        if len(table.row_kinds) != 1 or not table.row_kinds[0].key:
            raise ReplayError(N_("{table} needs one row kind with a row key"), table=table.label)
        new = table.row_kinds[0].key
        try:
            old = parse_key(spec, log_key).segments if log_key else new
        except KeyTextError as error:
            raise ReplayError(N_("the pattern of the log's keys: {reason}"), reason=str(error)) from error
        return cls(spec, table, old, new, log_key, EventSample(most_requests))

    def __getstate__(self) -> tuple[str, str, str, EventSample, set[str]]:
        return dump(self.spec), self.table.id, self.log_key_text, self.sample, self.seen_tables

    def __setstate__(self, state: tuple[str, str, str, EventSample, set[str]]) -> None:
        document, table, log_key, self.sample, self.seen_tables = state
        spec = load(document)
        made = ReplayPlan.for_table(spec, spec.find(table), log_key)
        self.spec, self.table, self.log_key, self.new_key = spec, made.table, made.log_key, made.new_key
        self.log_key_text = log_key

    def add(self, events: EventBlock) -> None:
        """Collect the requests of the table; a log without names of tables is all of it."""
        names = ("", self.table.id, self.table.name)
        is_mine = np.array([name.rpartition("/")[2] in names for name in events.table_names], dtype=np.bool_)
        if len(self.seen_tables) < TABLES_MAX:
            self.seen_tables.update(events.table_names[:TABLES_MAX])
        self.sample.add(events.select(is_mine[events.tables]))

    def result(self, context: Context) -> ReplayedDesign:
        """Return the load under both keys, and the model.

        Raises
        ------
        ReplayError
            If the log has no such requests, or its keys do not hold what the new key needs.
        """
        if not len(self.sample):
            there = ", ".join(sorted(self.seen_tables))
            raise ReplayError(
                N_("the log has no requests of {table}; its tables: {tables}"), table=self.table.label, tables=there
            )
        replayed = replay(self.sample, self.spec, self.log_key, self.new_key)
        beside = compare_with_model(self.spec, self.table, replayed, context)
        return ReplayedDesign(self.spec, self.table, replayed, beside)
