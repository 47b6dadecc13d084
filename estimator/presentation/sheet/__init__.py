"""The sheet of a design: every table as a card, with what writes it, what reads it, its load and its money."""

import datetime
from functools import cached_property

from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import Text
from designer.wording.field_colours import TIME_COLOUR
from estimator.estimates.table_costs import TableCosts, table_costs
from estimator.presentation.assumed_range import load_range_text
from estimator.presentation.design_page import DesignPage
from estimator.results import Outlook

from .cards import Card, card
from .questions import BillSpan, Question, bill_spans, questions
from .stored import TableRows, table_rows
from .strips import LINE_RANGES, RANGES, BusiestHour, busiest_hour
from .surroundings import (
    ActivityPanel,
    BillPanel,
    ClusterPanel,
    FieldPanel,
    MoneyBand,
    activities,
    assumed_band,
    bill_panel,
    clusters,
    fields,
    has_time,
)
from .verdict import LoadVerdict, verdict

MOST_LINES = 25
"""Lines of tables that a page has at first; the others come when they are searched, sorted or asked for."""
MOST_WITH_ROWS = 5
"""Tables whose sample rows are shown together."""


class Sheet:
    """All that the sheet of one design shows; each part is made when it is first asked for."""

    def __init__(self, page: DesignPage) -> None:
        self.shown = page
        self.spec = page.spec
        self.estimate = page.estimate

    @property
    def has_many_tables(self) -> bool:
        """True if tables are lines, which are searched and sorted."""
        return self.shown.has_many_tables

    @cached_property
    def verdict(self) -> LoadVerdict:
        """True if the design carries its load."""
        return verdict(self.shown)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Unknown values that decide findings."""
        return tuple(questions(self.shown))

    @cached_property
    def bill_spans(self) -> tuple[BillSpan, ...]:
        """Questions about the bill, each with its range on one axis of money."""
        return bill_spans(self.shown)

    @property
    def has_answers(self) -> bool:
        """True if the load is known, and no question about it is open."""
        return not self.questions and self.verdict.tone != "unknown"

    @cached_property
    def busiest(self) -> BusiestHour | None:
        """The hour that every strip shows."""
        return self.shown.derive("busiest hour", lambda: busiest_hour(self.spec, self.estimate))

    @property
    def hour(self) -> datetime.datetime | None:
        """The time of that hour, UTC."""
        return self.busiest.at if self.busiest else None

    @cached_property
    def costs(self) -> TableCosts | None:
        """Share of each table in the bill."""
        return table_costs(self.spec, self.estimate)

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every table."""
        return self.shown.derive("cards", self._make_cards)

    def _make_cards(self) -> tuple[Card, ...]:
        ranges = LINE_RANGES if self.has_many_tables else RANGES
        return tuple(card(self.shown, table, self.busiest, self.costs, ranges=ranges) for table in self.spec.tables)

    @cached_property
    def hottest(self) -> Card | None:
        """The table with the hottest range; None while no load is known."""
        cards = (card for card in self.cards if card.strip)
        return max(cards, key=lambda card: card.peak_share, default=None)

    @cached_property
    def explains(self) -> str:
        """Id of the table whose map is explained: the hottest one, if it cannot be served and has a fix; else empty."""
        if self.verdict.tone != "error" or self.hottest is None:
            return ""
        return self.hottest.id if self.shown.has_fix(self.spec.by_id[self.hottest.id]) else ""

    def card(self, table: str) -> Card | None:
        """Return the card of one table; None if the design does not have it."""
        return next((card for card in self.cards if card.id == table), None)

    @property
    def first_lines(self) -> tuple[Card, ...]:
        """The worst of many tables."""
        return self.by_gravity[:MOST_LINES]

    @property
    def more_lines(self) -> tuple[Card, ...]:
        """All others."""
        return self.by_gravity[MOST_LINES:]

    @cached_property
    def by_gravity(self) -> tuple[Card, ...]:
        """Cards of many tables by their worst finding, then by their load."""
        return tuple(sorted(self.cards, key=lambda card: (card.gravity, -card.peak_share)))

    @property
    def with_rows(self) -> tuple[Card, ...]:
        """Cards of the tables whose rows are shown together: all, or the worst of many."""
        return self.by_gravity[:MOST_WITH_ROWS] if self.has_many_tables else self.cards

    def table_rows(self, table_id: str) -> TableRows | None:
        """Return a table as it is stored; None if the design does not have it."""
        table = next((table for table in self.spec.tables if table.id == table_id), None)
        if table is None:
            return None
        return self.shown.derive(f"rows of {table.id}", lambda: self._make_rows(table))

    def _make_rows(self, table: Table) -> TableRows:
        return table_rows(self.shown, table, card(self.shown, table, self.busiest, self.costs), self.busiest)

    @cached_property
    def activities(self) -> tuple[ActivityPanel, ...]:
        """Activities of the design."""
        return self.shown.derive("activities", lambda: tuple(activities(self.spec, self.estimate)))

    @cached_property
    def fields(self) -> tuple[FieldPanel, ...]:
        """Fields that keys and values are made from."""
        return self.shown.derive("fields", lambda: tuple(fields(self.spec)))

    @property
    def time_colour(self) -> int:
        """The colour of the time in keys; 0 where no key holds it."""
        return TIME_COLOUR if has_time(self.spec) else 0

    @cached_property
    def clusters(self) -> tuple[ClusterPanel, ...]:
        """Clusters that the tables run on."""
        return tuple(clusters(self.spec, self.estimate))

    @cached_property
    def bill(self) -> BillPanel | None:
        """The last month's bill."""
        return bill_panel(self.shown)

    @cached_property
    def assumed_band(self) -> MoneyBand | None:
        """Range of the bill if assumed values differ: estimated apart, as the outlooks are."""
        return assumed_band(self.shown)

    @property
    def load_range(self) -> Text | None:
        """Range of the load if assumed values differ, in words."""
        return load_range_text(self.spec, self.shown.assumed_range)

    @property
    def unattributed(self) -> Money | None:
        """Money of the bill that no table causes alone."""
        rest = self.costs.unattributed if self.costs else None
        return Money(rest, self.estimate.currency) if rest else None

    @property
    def outlooks(self) -> tuple[Outlook, ...]:
        """Larger worlds with what they cost."""
        return tuple(outlook for outlook in self.shown.what_if.outlooks if outlook.cost is not None)


__all__ = ["Sheet", "TableRows"]
