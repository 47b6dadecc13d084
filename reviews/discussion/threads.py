"""Discussion of a design as one page displays it: threads by subject, and links to add comments."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.design_page import FindingView, TablePage
from estimator.results import BillLine
from reviews.verdicts.sections import Section

from . import anchors
from .anchors import Anchor


@dataclass(frozen=True)
class CommentView:
    """One comment."""

    author_name: str
    text: str
    at: datetime.datetime
    visitor: bool = False
    link: str = ""
    """The name of the link that a visitor came by."""


@dataclass(frozen=True)
class ThreadView:
    """One thread."""

    number: int
    anchor: Anchor
    label: Text
    is_present: bool
    """Whether what it is about is in what is shown."""
    section: Section
    comments: tuple[CommentView, ...]
    resolved: datetime.datetime | None = None
    resolved_by: str = ""
    can_resolve: bool = False
    """Whether who looks may resolve and reopen it."""
    range: tuple[str, str] | None = None
    """Of a heatmap's cell: its first and last key, as text."""
    is_from_later_revision: bool = False
    """Whether it was begun on a later revision than the one that is shown."""

    @property
    def open(self) -> bool:
        """True if the thread is not resolved."""
        return self.resolved is None

    @property
    def place(self) -> Text:
        """Subject of the thread, in words."""
        if self.is_present:
            return Text(N_("on {what}"), {"what": self.label})
        if self.is_from_later_revision:
            return Text(N_("on {what}, which is not in this revision"), {"what": self.label})
        if self.anchor.kind == "finding":
            return Text(N_("on {what}, which is no longer found"), {"what": self.label})
        if self.anchor.kind == "element" and self.anchor.parts[1]:
            return Text(N_("on {what}, which was removed"), {"what": self.label})
        return Text(N_("on the removed {what}"), {"what": self.label})


@dataclass(frozen=True)
class Spot:
    """A place where one can talk: how much was said there, and where to read it and say more."""

    address: str
    open: int
    total: int


class Discussion:
    """All threads, and the spot of everything that one can talk about."""

    def __init__(self, threads: Iterable[ThreadView], address: str) -> None:
        self.threads = tuple(threads)
        self._address = address

    def get(self, at: str) -> Spot | None:
        """Return the spot of an element, including the threads on its fields."""
        if not at:
            return None
        about = [thread for thread in self.threads if thread.anchor.kind == "element" and thread.anchor.parts[0] == at]
        return self._spot(anchors.element(at), about)

    def spot(self, anchor: Anchor) -> Spot:
        """Return the spot of one anchor."""
        return self._spot(anchor, [thread for thread in self.threads if thread.anchor == anchor])

    def _spot(self, anchor: Anchor, about: list[ThreadView]) -> Spot:
        address = f"{self._address}?{urlencode({'on': anchor.text})}"
        return Spot(address, sum(1 for thread in about if thread.open), len(about))

    def threads_on(self, anchor: Anchor) -> tuple[ThreadView, ...]:
        """Return the threads on an anchor; for an element, also those on its fields."""
        whole = anchor.kind == "element" and not anchor.parts[1]
        return tuple(
            thread for thread in self.threads
            if thread.anchor == anchor or (whole and thread.anchor.kind == "element" and thread.anchor.at == anchor.at)
        )  # fmt: skip

    @property
    def open_threads(self) -> tuple[ThreadView, ...]:
        """Those that are not dealt with."""
        return tuple(thread for thread in self.threads if thread.open)

    @property
    def resolved_threads(self) -> tuple[ThreadView, ...]:
        """Those that are."""
        return tuple(thread for thread in self.threads if not thread.open)

    @property
    def lines(self) -> "_Spots":
        """Spots of lines of the bill."""
        return _Spots(self, lambda line: anchors.line(line))

    @property
    def findings(self) -> "_Spots":
        """Spots of findings."""
        return _Spots(self, lambda view: anchors.finding(view.finding.rule, view.finding.at))

    @property
    def cells(self) -> "_Cells":
        """Spots of the tables' heatmaps, for the choice of a cell."""
        return _Cells(self, self._address)


class _Spots:
    """Spots by the thing itself."""

    def __init__(self, talk: Discussion, anchor: Any) -> None:
        self._talk, self._anchor = talk, anchor

    def get(self, item: BillLine | FindingView) -> Spot:
        """Return the spot of a bill line or finding."""
        return self._talk.spot(self._anchor(item))


class _Cells:
    """By table: where a cell of its heatmap is chosen, and how much was said of its cells."""

    def __init__(self, talk: Discussion, address: str) -> None:
        self._talk, self._address = talk, address

    def get(self, table: TablePage) -> Spot:
        """Return the spot of a table's heatmap."""
        at = table.table.id
        about = [thread for thread in self._talk.threads if thread.anchor.kind == "heat" and thread.anchor.at == at]
        return Spot(f"{self._address}/heat/{at}", sum(1 for thread in about if thread.open), len(about))


def count_open_by_section(threads: Iterable[ThreadView]) -> Mapping[Section, int]:
    """Return the number of open threads of each section."""
    counts: dict[Section, int] = {}
    for thread in threads:
        if thread.open:
            counts[thread.section] = counts.get(thread.section, 0) + 1
    return counts
