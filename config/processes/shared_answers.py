"""Answers about a design that several people get: kept in each web process, and made once for all of a server."""

import io
import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from config.held import ComputeLane, HeldError, leave_lane
from config.requests import ID_HEADER
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, Admission, Watches

from .peers import AdmissionQuestion, PeerQuestion, Peers, SharedAnswer

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

ADDRESS = re.compile(r"/designs/([0-9a-f]{12})/(?:(news)|at/[\w-]+|instance|of/[0-9a-f]{64}/\w+|)")
NUMBER = re.compile(r"[0-9]{1,10}")
CONTENT = "/of/"
TURN_OF_PEER_SECONDS = 10.0
"""So long a question of another process waits for a turn."""
PATIENCE_OF_ADMISSION_SECONDS = 1.0
"""Who is known to another process only is checked in full where that one does not answer within so long."""
PARTS_ASKED, BRIEF_ASKED = 2, 2
"""So many questions another process is asked at a time; it has lanes of its own."""
ANSWERS = "answers"
SERVED = {"wsgi.version": (1, 0), "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": True,
          "wsgi.run_once": False}  # fmt: skip
"""What a request has that another process passes on, beside its texts."""


class AdmittedRequest(NamedTuple):
    """A request of a session that a request in full has admitted to a design."""

    environ: Environ
    session: str
    design: str
    admission: Admission


class SharedAnswers:
    """Keeps and makes answers of watched designs; each is made in one place and one thread at a time."""

    def __init__(self, application: Application, watches: Watches) -> None:
        self.application, self.watches = application, watches
        watches.is_open = True
        self._computing: dict[object, threading.Lock] = {}
        self._peers: Peers | None = None
        self.brief_lane = ComputeLane()
        """In which news and elements wait, so that edits do not wait for the many windows that follow one."""
        self.lane = ComputeLane(before=self.brief_lane)
        """In which what is computed of contents waits, so that edits and elements do not wait for it."""
        self.asking_lanes = ComputeLane(PARTS_ASKED), ComputeLane(BRIEF_ASKED)
        """In which threads wait for another process, for both kinds: they take no place of what is computed here."""

    @property
    def lanes(self) -> tuple[ComputeLane, ...]:
        """All lanes in which questions are held."""
        return (self.brief_lane, self.lane, *self.asking_lanes)

    def join_peers(self, folder: str) -> None:
        """Share what is made of a design with the other processes of this server."""
        peers = Peers(folder, self._answer_peer)
        try:
            peers.start()
        except OSError:  # the folder's path may be too long for a socket
            logging.getLogger("keywright").warning("Each web process makes its own parts of pages.", exc_info=True)
        else:
            self._peers = peers

    def _newest(self, environ: Environ, design: str) -> int:
        """Return the newest sequence number that this process or the page knows: no answer may be older."""
        # A window may have heard of an edit from another process a moment before this one reads it; it must not get an
        # older part back.
        of_page = environ.get("HTTP_X_SEQUENCE", "")
        return max(self.watches.sequence(design), int(of_page) if NUMBER.fullmatch(of_page) else 0)

    def _lane_of(self, design: str, *, is_brief: bool) -> ComputeLane:
        """Return the lane in which a part of a design is made here, or another process is asked for it."""
        if self._peers is not None and self._peers.owner(design):
            return self.asking_lanes[is_brief]
        return self.brief_lane if is_brief else self.lane

    def _is_kept(self, place: object, sequence: int) -> bool:
        return self._is_current(MEMORY.peek(ANSWERS, place), sequence)

    def _await_turn(self, place: object, turn: HeldError) -> None:
        """Return if an answer is known or may be made now: then this thread has a place in the turn's lane.

        Raises
        ------
        HeldError
            If others have all places, or one of them makes this very answer: the turn itself.
        """
        if not self.watches.holds or turn.has_news():
            return
        # Who finds the same answer being made takes no place: it is known soon, and the place is for another one.
        assert turn.lane is not None
        if place in self._computing or not turn.lane.enter():
            raise turn

    @contextmanager
    def _making(self, design: str, place: object, lane: ComputeLane) -> Iterator[None]:
        """Make an answer about a design while no other thread makes the same; at the end, the lane is left."""
        lock = self._computing.setdefault(place, threading.Lock())
        if not lock.acquire(blocking=False):
            # Whoever waits for another thread keeps nobody waiting: that one may wait for the very place in the lane
            # that this one has, as a question of another process takes its place only when it has the lock.
            leave_lane()
            lock.acquire()
        # The one before took the lock out; if it failed, this one makes the answer now, and others find it so.
        self._computing.setdefault(place, lock)
        try:
            yield
        finally:
            # Before the lane is left, which wakes those who wait: they would find the same being made and wait on. Only
            # the holder of a lock takes it out: another one may have come in its place meanwhile.
            if self._computing.get(place) is lock:
                del self._computing[place]
            lock.release()
            # The place is given back also after an error; one that was lost would keep everybody waiting until a
            # restart. Whoever has none any more, having waited for another process, tells those who are held for the
            # same answer; told twice, they would have two turns for one place.
            if not leave_lane(design):
                lane.tell(design)

    def _find(self, place: object, sequence: int) -> SharedAnswer | None:
        answer: SharedAnswer | None = MEMORY.find(ANSWERS, place)
        return answer if self._is_current(answer, sequence) else None

    @staticmethod
    def _is_current(answer: Any, sequence: int) -> bool:
        if answer is None or answer.until < time.monotonic():
            return False
        # Parts without a sequence number depend on a content's hash alone, and cannot be out of date.
        return not answer.sequence or answer.sequence >= sequence

    def _compute(
        self, environ: Environ, start_response: StartResponse, place: object, admission: Admission
    ) -> Iterable[bytes]:
        started: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            shared = tuple(header for header in headers if header[0] != ID_HEADER)
            started.update(status=status, headers=shared)
            return start_response(status, headers, *rest)

        begun = time.monotonic()
        response: Any = self.application(environ, start)
        seen_as, sequence, seconds = getattr(response, "shared_as", (None, 0, 0.0))
        # The view says as whom it was rendered: if the role changed since the admission, the answer is this reader's
        # alone. A cookie would give one person's session or CSRF token to others.
        if seen_as == admission.seen_as and response.status_code == 200 and not response.cookies:
            now = time.monotonic()
            answer = SharedAnswer(**started, body=response.content, sequence=sequence, until=now + seconds)
            MEMORY.put(ANSWERS, place, answer, seconds=now - begun)
        return response  # type: ignore[no-any-return]

    # --- what other processes know ---

    def _find_admission(self, session: str, design: str, preferences: tuple[str, ...]) -> Admission | None:
        """Return the admission of a session to a design, by this process or taken over from another one."""
        admission = self.watches.find(session, design, preferences)
        if admission is not None or self._peers is None or not session:
            return admission
        question = AdmissionQuestion(session, design, preferences)
        for peer in self._peers.others():
            answer: tuple[Admission, int] | None = self._peers.ask(peer, question, PATIENCE_OF_ADMISSION_SECONDS)
            if answer is not None:
                self.watches.adopt(session, design, *answer)
                return self.watches.find(session, design, preferences)
        return None

    def _hand_over(self, question: AdmissionQuestion) -> tuple[Admission, int] | None:
        """Return an admission, and the number that is known of its design."""
        admission = self.watches.find(question.session, question.design, question.preferences)
        # Nobody takes over what is not confirmed: two processes would hand the access of somebody who has signed out to
        # and fro for ever.
        if admission is None or not admission.is_confirmed:
            return None
        return admission, self.watches.sequence(question.design)

    # --- answers that another process makes ---

    def _ask_peer(self, request: AdmittedRequest, place: object) -> SharedAnswer | None:
        """Return what the process that makes the parts of a design answers; None if that is this one."""
        environ = request.environ
        peer = self._peers.owner(request.design) if self._peers is not None else ""
        if self._peers is None or not peer:
            return None
        begun = time.monotonic()
        question = PeerQuestion(texts_of(environ), request.admission, environ[NEWEST])
        answer: SharedAnswer | None = self._peers.ask(peer, question)
        # An answer without an end was made for this one reader only and is not kept.
        if answer is not None and answer.until:
            MEMORY.put(ANSWERS, place, answer, seconds=time.monotonic() - begun)
        return answer

    def _answer_peer(self, question: PeerQuestion | AdmissionQuestion) -> Any:
        """Return an admission, or an answer that is kept, or made now."""
        if isinstance(question, AdmissionQuestion):
            return self._hand_over(question)
        # The sending process has matched the address already.
        design = ADDRESS.fullmatch(question.environ["PATH_INFO"])
        assert design is not None
        place = place_of(AdmittedRequest(question.environ, "", design[1], question.admission))
        sequence = max(question.sequence, self.watches.sequence(design[1]))
        lane = self.lane if CONTENT in question.environ["PATH_INFO"] else self.brief_lane
        answer = self._find(place, sequence)
        if answer is None:
            with self._making(design[1], place, lane):
                answer = self._find(place, sequence)
                if answer is None:
                    # Whoever waits in vain makes it all the same: else the process that asks would, at the same time.
                    lane.enter(TURN_OF_PEER_SECONDS)
                    answer = self._make(question, place, sequence)
        return answer

    def _make(self, question: PeerQuestion, place: object, sequence: int) -> SharedAnswer:
        started: list[Any] = []
        # The middleware and the views run as for a request of this process, with an empty body.
        environ = question.environ | SERVED | {"wsgi.input": io.BytesIO()}
        environ |= {ADMISSION: question.admission, NEWEST: sequence}
        response: Any = self._compute(environ, lambda *arguments: started.extend(arguments), place, question.admission)
        try:
            body = b"".join(response)
        finally:
            response.close()
        headers = tuple(header for header in started[1] if header[0] != ID_HEADER)
        # An older answer that is still kept is none: what was asked for may be gone by now.
        return self._find(place, sequence) or SharedAnswer(started[0], headers, body)


def texts_of(environ: Environ) -> dict[str, str]:
    """Return what of a request can be passed on: the rest (its stream, its socket) is of its thread, and no GET's."""
    return {name: value for name, value in environ.items() if isinstance(value, str)}


def takes_gzip(environ: Environ) -> bool:
    """Return whether a client takes what is compressed."""
    return "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")


def place_of(request: AdmittedRequest) -> object:
    """Return all on which an answer depends that several people get."""
    environ, admission = request.environ, request.admission
    return (
        request.design, admission.seen_as, admission.preferences, environ["PATH_INFO"],
        # Django's GZipMiddleware compresses before the answer is kept, so who takes no gzip has a place of their own.
        environ.get("QUERY_STRING", ""), takes_gzip(environ),
        *(environ.get(f"HTTP_HX_{name}") for name in ("BOOSTED", "HISTORY_RESTORE_REQUEST")),
    )  # fmt: skip
