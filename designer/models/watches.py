"""Windows that watch designs, as one process knows them: they are answered without a session or a query each.

A window is admitted once, by a request that was checked in full. From then on one reader asks the database for all
windows of the process: what is new, who is present, and whether each person may still see what they watch.
"""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from designer.permissions import Role, rights_of

from .designs import Design
from .factors import with_owed_factor
from .people import Membership, Person
from .presence import Presence, Present, company_version, seen_lately

READ_SECONDS = 0.25
"""Pause between two reads of heads: what another saves is known after half of it on average."""
COMPANY_SECONDS = 1.0
ACCESS_SECONDS = 2.0
"""Sign-outs, removals from a team and changed roles are known after so long."""
NOTE_SECONDS = 5.0
"""Pause between two notes of which windows are open."""
ADMISSION = "keywright.admission"
"""Name of the admission in the environment of a request that goes on to Django; no client's header has such a name."""
NEWEST = "keywright.newest"
"""Name of the newest sequence number that is known of the design, beside the admission."""
UNUSED_SECONDS = 60.0
"""A window that asked nothing for so long is forgotten."""


class Window(NamedTuple):
    """One tab of a person with a design open."""

    design: str
    """Its key."""
    person: int
    name: str


@dataclass
class Admission:
    """A person's access to a design in one session, as a request in full found it."""

    design_id: int
    team_id: int
    person_id: int
    role: Role
    password: str
    """Its hash: whoever changes it ends their other sessions."""
    language: str
    preferences: tuple[str, ...]
    """Headers and cookies on which answers depend beside the address."""
    person: Person
    """As they were found: requests that go on to Django need not look them up again."""
    used: float = 0.0
    is_confirmed: bool = True
    """False while this process only has it from another one, and has not asked the database."""

    @property
    def seen_as(self) -> tuple[Any, ...]:
        """On what of a person the parts of pages that several share depend."""
        return (*rights_of(self.role), self.language)


@dataclass
class OpenWindow:
    """Place of a window, and the time of its last question."""

    design_id: int
    at: str
    asked: float


@dataclass(frozen=True)
class NewsQuestion:
    """Return True if there is anything new for a window."""

    session: str
    window: Window
    since: int
    company: str


class Watches:
    """Admissions, heads and people present of the designs that windows of this process watch."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.is_open = False
        """Whether a web server in front uses this; otherwise nothing is kept."""
        self.holds = False
        """Whether that server holds questions until there is an answer."""
        self.listeners: list[Callable[[], None]] = []
        """Called by the reader after each read, before it stores anything."""
        self._admissions: dict[tuple[str, str], Admission] = {}
        self._sequences: dict[str, int] = {}
        self._present: dict[str, Present] = {}
        self._windows: dict[Window, OpenWindow] = {}
        self._due = {"company": 0.0, "access": 0.0, "note": 0.0}
        self._lock = threading.Lock()
        self._reader: threading.Thread | None = None

    # --- asked by web threads ---

    def admit(self, session: str, design: Design, person: Person, role: Role, preferences: tuple[str, ...]) -> None:
        """Note that a request was checked in full: this session may see this design."""
        # Without a front nobody would ask for the admission, and the reader would query for nothing.
        if not self.is_open or not session:
            return
        admission = Admission(
            # A copy, because the request goes on with its own object and may set what holds for itself only.
            design.pk, design.team_id, person.pk, role, person.password, person.language, preferences, copy(person),
            self.clock(),
        )  # fmt: skip
        with self._lock:
            self._admissions[session, design.key] = admission
            # The request may have read the design before the reader saw a newer edit; the number must not go back.
            self._sequences[design.key] = max(design.sequence, self._sequences.get(design.key, 0))
        self._start()

    def adopt(self, session: str, design: str, admission: Admission, sequence: int) -> None:
        """Take over what another process admitted; the next read confirms it, or ends it."""
        admission = replace(admission, used=self.clock(), is_confirmed=False)
        with self._lock:
            self._admissions[session, design] = admission
            self._sequences[design] = max(sequence, self._sequences.get(design, 0))
        self._start()

    def find(self, session: str, design: str, preferences: tuple[str, ...]) -> Admission | None:
        """Return the admission of a session to a design, if there is one for these preferences."""
        admission = self._admissions.get((session, design))
        # Another language or browser preference gives other parts; the request in full admits the session again with
        # these.
        if admission is None or admission.preferences != preferences:
            return None
        admission.used = self.clock()
        return admission

    def sequence(self, design: str) -> int:
        """Return the newest sequence number that is known of a watched design."""
        return self._sequences.get(design, 0)

    def present(self, design: str) -> Present | None:
        """Return who is present in a watched design; None if that is not known yet."""
        return self._present.get(design)

    def note(self, window: Window, design_id: int, at: str) -> None:
        """Note that a window is open, and at which element; a request in full has stored it."""
        if self.is_open and window.name:
            with self._lock:
                self._windows[window] = OpenWindow(design_id, at, self.clock())

    def is_noted(self, window: Window, at: str) -> bool:
        """Return whether a window is known to be at an element; it is there from now on for some time."""
        open_window = self._windows.get(window)
        if open_window is None or open_window.at != at:
            return False
        open_window.asked = self.clock()
        return True

    def admits(self, question: NewsQuestion) -> bool:
        """Return whether the session that asks may still see the design."""
        return (question.session, question.window.design) in self._admissions

    def has_news(self, question: NewsQuestion) -> bool:
        """Return whether a request in full would say anything but "nothing new"; also that access has ended."""
        window = question.window
        if not self.admits(question):
            return True
        open_window = self._windows.get(window)
        if open_window is not None:
            open_window.asked = self.clock()  # a window whose question is held is still there
        present = self.present(window.design)
        # Before the first read of who is present nothing is known, which is no news.
        company = question.company if present is None else company_version(present, window.person)
        return self._sequences.get(window.design, 0) > question.since or company != question.company

    # --- the reader ---

    def read(self) -> None:
        """Ask the database for what is due, for all windows at once."""
        now = self.clock()
        with self._lock:
            self._forget_idle(now)
            # A copy, so that the queries run without the lock, which every request of a window takes.
            admissions = dict(self._admissions)
        if admissions:
            self._read_heads(admissions)
        if admissions and self._is_due("company", COMPANY_SECONDS, now):
            self._read_company()
        unconfirmed = {place: entry for place, entry in admissions.items() if not entry.is_confirmed}
        if admissions and self._is_due("access", ACCESS_SECONDS, now):
            self._end_access(admissions)
        elif unconfirmed:
            self._end_access(unconfirmed)
        # Before windows are stored: a write may have to wait for that of another process, and no news should.
        self._tell_listeners()
        if admissions and self._is_due("note", NOTE_SECONDS, now):
            self._store_windows(now)

    def _is_due(self, what: str, pause_seconds: float, now: float) -> bool:
        if now < self._due[what]:
            return False
        self._due[what] = now + pause_seconds
        return True

    def _forget_idle(self, now: float) -> None:
        for place in [place for place, admission in self._admissions.items() if admission.used < now - UNUSED_SECONDS]:
            del self._admissions[place]
        for window in [window for window, state in self._windows.items() if state.asked < now - UNUSED_SECONDS]:
            del self._windows[window]
        watched = {design for _, design in self._admissions}
        for cache in (self._sequences, self._present):
            for design in [design for design in cache if design not in watched]:
                del cache[design]

    def _read_heads(self, admissions: dict[tuple[str, str], Admission]) -> None:
        heads = Design.objects.filter(key__in={design for _, design in admissions}, deleted=None)
        states = {key: (sequence, team) for key, sequence, team in heads.values_list("key", "sequence", "team_id")}
        with self._lock:
            self._sequences.update({key: sequence for key, (sequence, _) in states.items()})
            for place, admission in admissions.items():
                # No design has team 0, so a deleted one is never equal.
                if states.get(place[1], (0, 0))[1] != admission.team_id:  # deleted, or not of that team any more
                    self._admissions.pop(place, None)

    def _store_windows(self, now: float) -> None:
        """Store in one statement which windows are open."""
        # A window that asked just after the last note is in this one, with the time that a read may be late.
        moment, recent = timezone.now(), now - NOTE_SECONDS - READ_SECONDS
        rows = [
            Presence(design_id=open_window.design_id, person_id=window.person, window=window.name, at=open_window.at,
                     seen=moment)
            for window, open_window in list(self._windows.items())
            if open_window.asked >= recent
        ]  # fmt: skip
        Presence.objects.bulk_create(
            # In one order in every process: PostgreSQL locks rows as they come, and two processes in different orders
            # would wait for each other.
            sorted(rows, key=lambda row: (row.design_id, row.person_id, row.window)),
            update_conflicts=True, unique_fields=["design", "person", "window"], update_fields=["at", "seen"],
        )  # fmt: skip

    def _read_company(self) -> None:
        present: dict[str, dict[int, str]] = {design: {} for design in list(self._sequences)}
        rows = Presence.objects.filter(design__key__in=present, seen__range=seen_lately()).order_by("person_id", "seen")
        for design, person, at in rows.values_list("design__key", "person_id", "at"):
            present[design][person] = at
        # Replaced as a whole, never changed in place: web threads read it without the lock.
        self._present = {design: tuple(people.items()) for design, people in present.items()}

    def _end_access(self, admissions: dict[tuple[str, str], Admission]) -> None:
        """Forget who is signed out, owes a second factor, or has another password, language or role, or none."""
        sessions = Session.objects.filter(session_key__in={session for session, _ in admissions})
        signed_in = set(sessions.filter(expire_date__gt=timezone.now()).values_list("session_key", flat=True))
        people = {known.person_id for known in admissions.values()}
        active: Any = with_owed_factor(Person.objects.filter(pk__in=people, is_active=True))
        # Values and no instances: these are read for everybody who watches, every two seconds.
        accounts = set(active.filter(owes_factor=False).values_list("pk", "password", "language"))
        members = set(
            Membership.objects.filter(person__in=people, team__in={entry.team_id for entry in admissions.values()})
            .values_list("person_id", "team_id", "role")
        )  # fmt: skip
        with self._lock:
            for (session, design), entry in admissions.items():
                has_account = (entry.person_id, entry.password, entry.language) in accounts
                # A role that changed ends the admission as well; the next request in full admits with the new one.
                is_member = (entry.person_id, entry.team_id, entry.role) in members
                if session not in signed_in or not has_account or not is_member:
                    self._admissions.pop((session, design), None)
                entry.is_confirmed = True

    def _start(self) -> None:
        with self._lock:
            # gunicorn forks its workers, and a fork has none of the threads: the reader starts with the first admission
            # in each process.
            if self._reader is None or not self._reader.is_alive():
                self._reader = threading.Thread(target=self._run, daemon=True, name="watches")
                self._reader.start()

    def _run(self) -> None:
        while True:
            time.sleep(READ_SECONDS)
            try:
                # Django does this at the begin and end of requests, and this thread has none.
                connection.close_if_unusable_or_obsolete()
                self.read()
            except Exception:  # whatever it is: without this thread nobody is woken, and no access ends
                logging.getLogger("keywright").warning("What windows watch could not be read.", exc_info=True)
                self.clear()  # nobody is told "nothing new" by what may be old
                with contextlib.suppress(Exception):  # a line that is broken may not even be closed without an error
                    connection.close()
                self._tell_listeners()

    def _tell_listeners(self) -> None:
        for listener in self.listeners:
            listener()

    def clear(self) -> None:
        """Forget everybody who was admitted: their next requests are checked in full."""
        with self._lock:
            for cache in (self._admissions, self._sequences, self._present, self._windows):
                cache.clear()


WATCHES = Watches()
"""The windows of this process."""
