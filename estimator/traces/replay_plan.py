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
from .replay import SAMPLE, EventSample, Replay, replay_kinds
from .report import replay_data, replay_lines
from .summary import TABLES_MAX

SEVERAL_KINDS = N_("{table} has several row kinds; their requests can only be replayed under the design’s own keys")


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
    keys: Sequence[tuple[Sequence[Segment], Sequence[Segment]]]
    """Of each kind of rows, in the log and in the design."""
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
            If a row kind of the table has no key, or the text is none, or is one for several kinds.
        """
        keys = [kind.key for kind in table.row_kinds]
        if not keys or not all(keys):
            raise ReplayError(N_("{table} has a row kind without a row key"), table=table.label)
        if log_key and len(keys) > 1:
            raise ReplayError(SEVERAL_KINDS, table=table.label)
        try:
            old = parse_key(spec, log_key).segments if log_key else keys[0]
        except KeyTextError as error:
            raise ReplayError(N_("the pattern of the log's keys: {reason}"), reason=str(error)) from error
        pairs = [(old, keys[0]), *((key, key) for key in keys[1:])]
        return cls(spec, table, pairs, log_key, EventSample(most_requests))

    def __getstate__(self) -> tuple[str, str, str, EventSample, set[str]]:
        return dump(self.spec), self.table.id, self.log_key_text, self.sample, self.seen_tables

    def __setstate__(self, state: tuple[str, str, str, EventSample, set[str]]) -> None:
        document, table, log_key, self.sample, self.seen_tables = state
        spec = load(document)
        made = ReplayPlan.for_table(spec, spec.find(table), log_key)
        self.spec, self.table, self.keys = spec, made.table, made.keys
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
        replayed = replay_kinds(self.sample, self.spec, self.keys)
        beside = compare_with_model(self.spec, self.table, replayed, context)
        return ReplayedDesign(self.spec, self.table, replayed, beside)
