"""State of a design's sections: approved, changes requested, stale, or review requested.

It uses plain values, so that a page, a count and a print show the same result.
"""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from designer.document import Engine
from designer.document.texts import N_

from .sections import SECTIONS, Section, contents, titles

State = Literal["changes", "approved", "link", "own", "stale", "asked", "none"]
STATES: Mapping[State, str] = {
    "changes": N_("changes requested"),
    "approved": N_("approved"),
    "link": N_("approved through a link"),
    "own": N_("self-checked"),
    "stale": N_("outdated"),
    "asked": N_("requested"),
    "none": N_("no verdict yet"),
}


@dataclass(frozen=True)
class LatestVerdict:
    """One person's latest verdict on one section."""

    section: Section
    approves: bool
    author_name: str
    hash: str
    number: int
    sha256: str
    at: datetime.datetime
    text: str = ""
    link: str = ""
    """The name of the link that it came by; empty for a member's."""
    visitor: bool = False
    is_own: bool = False
    author: Any = None
    """Who it is, to tell their earlier verdicts from others'."""
    order: int = 0
    """Larger for a later one, also where a clock that was set back gives it an earlier `at`."""
    is_stale: bool = False
    earlier: tuple["LatestVerdict", ...] = ()
    """What they said of the section before, newest first: it counts no more."""


@dataclass(frozen=True)
class ReviewRequest:
    """Somebody was asked for a verdict on a section."""

    pk: int
    reviewer_name: str
    sections: tuple[Section, ...]
    due: datetime.date | None
    note: str = ""
    by: str = ""
    author: Any = None
    open: tuple[Section, ...] = ()
    """Those for which a verdict that holds is still missing."""
    is_late: bool = False

    @property
    def link(self) -> str:
        """The name of the link by which whoever has it was asked; empty for a member."""
        return self.reviewer_name if self.author and self.author[0] == "link" else ""


@dataclass(frozen=True)
class SectionStatus:
    """Review state of one section."""

    section: Section
    state: State
    verdicts: tuple[LatestVerdict, ...]
    """The latest verdict of everybody, newest first."""
    requests: tuple[ReviewRequest, ...]
    """Who was asked and has not answered."""
    engine: Engine = "bigtable"

    @property
    def title(self) -> str:
        """A message: what the section is called."""
        return titles(self.engine)[self.section]

    @property
    def contents(self) -> str:
        """A message: what is in it."""
        return contents(self.engine)[self.section]

    @property
    def label(self) -> str:
        """A message: the state."""
        return STATES[self.state]


def latest_by_person(
    verdicts: Iterable[LatestVerdict], current_hashes: Mapping[Section, str]
) -> tuple[LatestVerdict, ...]:
    """Everybody's latest verdict on each section, newest first, marked stale where the section is another by now."""
    groups: dict[Any, list[LatestVerdict]] = {}
    # Newest first, so that the first of each person is the one that counts.
    for verdict in sorted(verdicts, key=lambda candidate: candidate.order, reverse=True):
        groups.setdefault((verdict.section, verdict.author), []).append(verdict)
    return tuple(
        replace(last, is_stale=last.hash != current_hashes.get(last.section), earlier=tuple(before))
        for last, *before in groups.values()
    )


def pending_requests(
    requests: Iterable[ReviewRequest], verdicts: tuple[LatestVerdict, ...], today: datetime.date
) -> tuple[ReviewRequest, ...]:
    """Return the requested reviewers, with the sections on which their verdict is missing or stale."""
    # A verdict on an older state of the section does not answer the request.
    holds = {(verdict.section, verdict.author) for verdict in verdicts if not verdict.is_stale}
    results = []
    for request in requests:
        missing = tuple(section for section in request.sections if (section, request.author) not in holds)
        results.append(replace(request, open=missing, is_late=bool(missing and request.due and request.due < today)))
    return tuple(results)


def section_statuses(
    verdicts: tuple[LatestVerdict, ...], requests: tuple[ReviewRequest, ...], *, engine: Engine = "bigtable"
) -> tuple[SectionStatus, ...]:
    """Return the state of every section, in the engine's words."""
    return tuple(
        _section_status(
            section,
            tuple(verdict for verdict in verdicts if verdict.section == section),
            tuple(request for request in requests if section in request.open),
            engine,
        )
        for section in SECTIONS
    )


def _section_status(
    section: Section, verdicts: tuple[LatestVerdict, ...], requests: tuple[ReviewRequest, ...], engine: Engine
) -> SectionStatus:
    return SectionStatus(section, _state(verdicts, bool(requests)), verdicts, requests, engine)


def _state(verdicts: tuple[LatestVerdict, ...], is_requested: bool) -> State:
    holding = [verdict for verdict in verdicts if not verdict.is_stale]
    # One person who wants changes outweighs all approvals, whoever gave them.
    if any(not verdict.approves for verdict in holding):
        return "changes"
    approving = [verdict for verdict in holding if verdict.approves]
    # Whoever has the link can approve by it, and who changed the section approves their own work: both are weaker.
    if any(not verdict.visitor and not verdict.is_own for verdict in approving):
        return "approved"
    if any(verdict.visitor for verdict in approving):
        return "link"
    if approving:
        return "own"
    if verdicts:
        return "stale"
    return "asked" if is_requested else "none"


__all__ = [
    "STATES",
    "LatestVerdict",
    "ReviewRequest",
    "SectionStatus",
    "State",
    "latest_by_person",
    "pending_requests",
    "section_statuses",
]
