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
class Given:
    """One person's latest verdict on one section."""

    section: Section
    approves: bool
    who: str
    hash: str
    number: int
    sha256: str
    at: datetime.datetime
    text: str = ""
    link: str = ""
    """The name of the link that it came by; empty for a member's."""
    visitor: bool = False
    own: bool = False
    author: Any = None
    """Who it is, to tell their earlier verdicts from others'."""
    stale: bool = False
    earlier: tuple["Given", ...] = ()
    """What they said of the section before, newest first: it counts no more."""


@dataclass(frozen=True)
class Wanted:
    """Somebody was asked for a verdict on a section."""

    pk: int
    who: str
    sections: tuple[Section, ...]
    due: datetime.date | None
    note: str = ""
    by: str = ""
    author: Any = None
    open: tuple[Section, ...] = ()
    """Those for which a verdict that holds is still missing."""
    late: bool = False

    @property
    def link(self) -> str:
        """The name of the link by which whoever has it was asked; empty for a member."""
        return self.who if self.author and self.author[0] == "link" else ""


@dataclass(frozen=True)
class Standing:
    """Review state of one section."""

    section: Section
    state: State
    given: tuple[Given, ...]
    """The latest verdict of everybody, newest first."""
    wanted: tuple[Wanted, ...]
    """Who was asked and has not answered."""
    engine: Engine = "bigtable"

    @property
    def title(self) -> str:
        """A message: what the section is called."""
        return titles(self.engine)[self.section]

    @property
    def what(self) -> str:
        """A message: what is in it."""
        return contents(self.engine)[self.section]

    @property
    def words(self) -> str:
        """A message: the state."""
        return STATES[self.state]


def latest(given: Iterable[Given], now: Mapping[Section, str]) -> tuple[Given, ...]:
    """Everybody's latest verdict on each section, newest first, marked stale where the section is another by now."""
    found: dict[Any, list[Given]] = {}
    for one in sorted(given, key=lambda one: one.at, reverse=True):
        found.setdefault((one.section, one.author), []).append(one)
    return tuple(
        replace(last, stale=last.hash != now.get(last.section), earlier=tuple(before))
        for last, *before in found.values()
    )


def wanting(wanted: Iterable[Wanted], given: tuple[Given, ...], today: datetime.date) -> tuple[Wanted, ...]:
    """Return the requested reviewers, with the sections on which their verdict is missing or stale."""
    holds = {(one.section, one.author) for one in given if not one.stale}
    found = []
    for one in wanted:
        missing = tuple(section for section in one.sections if (section, one.author) not in holds)
        found.append(replace(one, open=missing, late=bool(missing and one.due and one.due < today)))
    return tuple(found)


def standings(
    given: tuple[Given, ...], wanted: tuple[Wanted, ...], *, engine: Engine = "bigtable"
) -> tuple[Standing, ...]:
    """Return the state of every section, in the engine's words."""
    return tuple(
        _standing(
            section,
            tuple(one for one in given if one.section == section),
            tuple(one for one in wanted if section in one.open),
            engine,
        )
        for section in SECTIONS
    )


def _standing(section: Section, given: tuple[Given, ...], wanted: tuple[Wanted, ...], engine: Engine) -> Standing:
    return Standing(section, _state(given, bool(wanted)), given, wanted, engine)


def _state(given: tuple[Given, ...], asked: bool) -> State:
    holding = [one for one in given if not one.stale]
    if any(not one.approves for one in holding):
        return "changes"
    approving = [one for one in holding if one.approves]
    if any(not one.visitor and not one.own for one in approving):
        return "approved"
    if any(one.visitor for one in approving):
        return "link"
    if approving:
        return "own"
    if given:
        return "stale"
    return "asked" if asked else "none"


__all__ = ["STATES", "Given", "Standing", "State", "Wanted", "latest", "standings", "wanting"]
