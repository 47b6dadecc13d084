"""Answers of a web server before Django: to windows that ask for news, and to many that ask for one page at once.

Only sessions that a request in full has admitted to a design are answered here, and of these only what that request
would have said; everything else goes on to Django. See docs/decisions/0058-one-reader-for-all-windows.md.
"""

import io
import logging
import math
import re
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from django.conf import settings
from django.http.cookie import parse_cookie

from config.held import AT_ONCE_BYTES, ComputeLane, HeldError, KnownAnswer, leave_lane
from config.monitoring.logs import REQUEST_ID
from config.monitoring.metrics import figures
from config.processes.peers import PeerQuestion, Peers, SharedAnswer
from config.requests import ID_HEADER, record, request_id
from designer.http.pages import preferences
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, Admission, NewsQuestion, Watches, Window
from designer.views.editor.news import NEWS, NEWS_TYPE, news_body, news_key

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]

ADDRESS = re.compile(r"/designs/([0-9a-f]{12})/(?:(news)|at/[\w-]+|instance|of/[0-9a-f]{64}/\w+|)")
NUMBER = re.compile(r"[0-9]{1,10}")
NAME = re.compile(r"[0-9a-z]{1,16}")
ELEMENT = re.compile(r"[\w-]{0,40}", re.ASCII)
CONTENT = "/of/"
TURN_SECONDS = 60.0
"""A question that had no turn for so long is asked again."""
TURN_OF_PEER_SECONDS = 10.0
"""So long a question of another process waits for a turn."""
PARTS_ASKED, BRIEF_ASKED = 2, 2
"""So many questions another process is asked at a time; it has lanes of its own."""
MOST_PARAMETERS = 8
MOST_HOLD_SECONDS = 20
PAUSE_SECONDS = 1
"""Where questions are not held, a window asks again after so long."""
ANSWERS = "answers"
SERVED = {"wsgi.version": (1, 0), "wsgi.errors": sys.stderr, "wsgi.multithread": True, "wsgi.multiprocess": True,
          "wsgi.run_once": False}  # fmt: skip
"""What a request has that another process passes on, beside its texts."""
NOTHING_NEW = "204 No Content"
NO_SNIFF = ("X-Content-Type-Options", "nosniff")
NO_STORE = ("Cache-Control", "private, no-store")


class AdmittedRequest(NamedTuple):
    """A request of a session that a request in full has admitted to a design."""

    environ: Environ
    session: str
    design: str
    admission: Admission


class Front:
    """Answers what is known of watched designs, and passes everything else on."""

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

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        address = ADDRESS.fullmatch(environ.get("PATH_INFO", "")) if environ["REQUEST_METHOD"] == "GET" else None
        # Only what a page's scripts ask for is shared: a page that a browser opens holds a CSRF token. With
        # SCRIPT_NAME, the path is not the whole address.
        if address is None or "HTTP_HX_REQUEST" not in environ or environ.get("SCRIPT_NAME"):
            return self.application(environ, start_response)
        cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
        session = cookies.get(settings.SESSION_COOKIE_NAME, "")
        admission = self.watches.find(session, address[1], preferences(environ, cookies))
        if admission is None:
            return self.application(environ, start_response)
        # These names begin with `keywright.`, whereas a client's headers arrive as HTTP_…: nobody can admit themselves.
        environ[ADMISSION], environ[NEWEST] = admission, self._newest(environ, address[1])
        request = AdmittedRequest(environ, session, address[1], admission)
        return (self._share if address[2] is None else self._tell)(request, start_response)

    def _is_admitted(self, request: AdmittedRequest) -> bool:
        """Return whether the session still has the access with which the request came."""
        present = self.watches.find(request.session, request.design, request.admission.preferences)
        return present is not None and present.seen_as == request.admission.seen_as

    def _pass_on(self, request: AdmittedRequest, start_response: StartResponse) -> Iterable[bytes]:
        """Let Django answer: whose access ended while the request waited is checked in full, as anybody else."""
        if not self._is_admitted(request):
            del request.environ[ADMISSION], request.environ[NEWEST]
        return self.application(request.environ, start_response)

    def _newest(self, environ: Environ, design: str) -> int:
        """Return the newest sequence number that this process or the page knows: no answer may be older."""
        # A window may have heard of an edit from another process a moment before this one reads it; it must not get an
        # older part back.
        of_page = environ.get("HTTP_X_SEQUENCE", "")
        return max(self.watches.sequence(design), int(of_page) if NUMBER.fullmatch(of_page) else 0)

    # --- news ---

    def _tell(self, request: AdmittedRequest, start_response: StartResponse) -> Iterable[bytes]:
        begun, text = time.perf_counter(), request.environ.get("QUERY_STRING", "")
        # This runs before any limit of Django, so a query of a thousand parameters is not even parsed.
        parameters = dict(parse_qsl(text, keep_blank_values=True)) if text.count("&") <= MOST_PARAMETERS else {}
        since, name, at = parameters.get("since", ""), parameters.get("window", ""), parameters.get("at", "")
        # A window that moved to another element, or that this process does not know yet, goes on to Django, which
        # stores where it is.
        is_plain = NUMBER.fullmatch(since) and NAME.fullmatch(name) and ELEMENT.fullmatch(at)
        window = Window(request.design, request.admission.person_id, name)
        if not is_plain or not self.watches.is_noted(window, at):
            return self.application(request.environ, start_response)
        question = NewsQuestion(request.session, window, int(since), parameters.get("company", ""))
        if self.watches.has_news(question):
            return self._tell_known(request, start_response, question)
        wait = parameters.get("wait", "")
        if self.watches.holds and NUMBER.fullmatch(wait) and int(wait) > 0:
            request_figures = figures()
            if request_figures is not None:
                request_figures.held.inc()
            # Raised, not returned: WSGI has no answer for "not yet", and nothing between here and the worker may take
            # it for one.
            turn = partial(self._news_turn, request, question)
            seconds = min(int(wait), MOST_HOLD_SECONDS)
            has_news = partial(self.watches.has_news, question)
            raise HeldError(has_news, seconds, turn=turn, environ=request.environ)
        own = self._record(request, "front.news", NOTHING_NEW, begun)
        start_response(NOTHING_NEW, [NO_STORE, ("Retry-After", str(PAUSE_SECONDS)), own])
        return (b"",)

    def _tell_known(
        self, request: AdmittedRequest, start_response: StartResponse, question: NewsQuestion
    ) -> Iterable[bytes]:
        """Answer with what a request in full collected of the same news for another window; the first is one."""
        place, turn = self._news_place(request, question), self._news_turn(request, question)
        if place is None or turn is None:
            return self.application(request.environ, start_response)
        answer = self._known_news(request, place, question)
        if answer is None:
            self._await_turn(place, turn)
            with self._making(place, self.brief_lane):
                answer = self._known_news(request, place, question)
                if answer is None:
                    return self._pass_on(request, start_response)
        start_response(answer.status, list(answer.headers))
        return (answer.body,)

    def _news_turn(self, request: AdmittedRequest, question: NewsQuestion) -> HeldError | None:
        """Return what a window waits for that has to be told something; None if only a request in full can tell."""

        # The key is asked for anew each time: who is present, or another edit, may have changed it meanwhile.
        def is_known() -> bool:
            place = self._news_place(request, question)
            return place is None or MEMORY.has(NEWS, place) or not self.watches.admits(question)

        def answer() -> KnownAnswer | None:
            place = self._news_place(request, question)
            return None if place is None else self._known_news(request, place, question, AT_ONCE_BYTES)

        if self._news_place(request, question) is None:
            return None
        return HeldError(
            is_known,
            TURN_SECONDS,
            self.brief_lane,
            answer=answer,
            is_made=lambda: self._news_place(request, question) in self._computing,
            environ=request.environ,
            is_of_page=False,
        )

    def _news_place(self, request: AdmittedRequest, question: NewsQuestion) -> Hashable | None:
        """Return the key of the news of a window; None where this process knows less than the window."""
        present, sequence = self.watches.present(request.design), self.watches.sequence(request.design)
        # After a restart, the window may have been told more by another process.
        if present is None or sequence < question.since:
            return None
        admission = request.admission
        return news_key(request.design, question.since, sequence, present, admission.language, admission.preferences)

    def _known_news(
        self, request: AdmittedRequest, place: Hashable, question: NewsQuestion, most_bytes: float = math.inf
    ) -> KnownAnswer | None:
        """Return the news if they are collected and not too long, unless access has ended meanwhile."""
        begun, news = time.perf_counter(), MEMORY.find(NEWS, place)
        if news is None or news.least_bytes > most_bytes or not self.watches.admits(question):
            return None
        body = news_body(news, question.window.person)
        if len(body) > most_bytes:
            return None
        own = self._record(request, "front.news", "200 OK", begun)
        headers = NO_STORE, ("Content-Type", NEWS_TYPE), NO_SNIFF, ("Content-Length", str(len(body))), own
        return KnownAnswer("200 OK", headers, body)

    @staticmethod
    def _record(request: AdmittedRequest, route: str, status: str, begun: float) -> tuple[str, str]:
        """Record an answer as Django's are; the header with its id."""
        environ = request.environ
        own = request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        token = REQUEST_ID.set(own)
        person = request.admission.person_id
        try:
            record(route, environ["REQUEST_METHOD"], environ["PATH_INFO"], int(status[:3]), begun, person=person)
        finally:
            REQUEST_ID.reset(token)
        return ID_HEADER, own

    # --- answers that many ask for at once ---

    def _share(self, request: AdmittedRequest, start_response: StartResponse) -> Iterable[bytes]:
        begun, environ, place = time.perf_counter(), request.environ, _place(request)
        is_brief = CONTENT not in environ["PATH_INFO"]
        if self._peers is not None and self._peers.owner(request.design):
            lane = self.asking_lanes[is_brief]
        else:
            lane = self.brief_lane if is_brief else self.lane
        turn = HeldError(
            partial(self._is_kept, place, environ[NEWEST]),
            TURN_SECONDS,
            lane,
            answer=partial(self._known_share, request, place),
            is_made=lambda: place in self._computing,
            environ=environ,
        )
        answer = self._find(place, environ[NEWEST])
        if answer is None:
            self._await_turn(place, turn)
            with self._making(place, lane):
                answer = self._find(place, environ[NEWEST]) or self._ask_peer(request, place)
                if answer is None and self._is_admitted(request):
                    return self._compute(environ, start_response, place, request.admission)
        # Access may have ended while this thread waited for another one, or for another process.
        if answer is None or not self._is_admitted(request):
            return self._pass_on(request, start_response)
        ready = self._as_known(request, answer, begun)
        start_response(ready.status, list(ready.headers))
        return (ready.body,)

    def _known_share(self, request: AdmittedRequest, place: object) -> KnownAnswer | None:
        """Return an answer that is kept by now and short, unless access has changed while the question waited."""
        # The number is asked for anew: a newer edit may have come while the question waited for its turn.
        begun, answer = time.perf_counter(), self._find(place, self._newest(request.environ, request.design))
        if answer is None or len(answer.body) > AT_ONCE_BYTES or not self._is_admitted(request):
            return None
        return self._as_known(request, answer, begun)

    def _as_known(self, request: AdmittedRequest, answer: SharedAnswer, begun: float) -> KnownAnswer:
        """Return a kept answer for one reader, recorded as theirs."""
        # A kept answer has no request id of its own: each reader gets the id under which their request is in the log.
        own = self._record(request, "front.shared", answer.status, begun)
        return KnownAnswer(answer.status, (*answer.headers, own), answer.body)

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
    def _making(self, place: object, lane: ComputeLane) -> Iterator[None]:
        """Make an answer while no other thread makes the same; at the end, a place in the lane is given back."""
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
            if not leave_lane():
                lane.tell()

    def _find(self, place: object, sequence: int) -> SharedAnswer | None:
        answer: SharedAnswer | None = MEMORY.find(ANSWERS, place)
        return answer if self._is_current(answer, sequence) else None

    @staticmethod
    def _is_current(answer: SharedAnswer | None, sequence: int) -> bool:
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

    # --- answers that another process makes ---

    def _ask_peer(self, request: AdmittedRequest, place: object) -> SharedAnswer | None:
        """Return what the process that makes the parts of a design answers; None if that is this one."""
        environ = request.environ
        peer = self._peers.owner(request.design) if self._peers is not None else ""
        if self._peers is None or not peer:
            return None
        # What is no text (the input stream, the socket) cannot be pickled, and a GET needs none of it.
        texts = {name: value for name, value in environ.items() if isinstance(value, str)}
        begun = time.monotonic()
        answer = self._peers.ask(peer, PeerQuestion(texts, request.admission, environ[NEWEST]))
        # An answer without an end was made for this one reader only and is not kept.
        if answer is not None and answer.until:
            MEMORY.put(ANSWERS, place, answer, seconds=time.monotonic() - begun)
        return answer

    def _answer_peer(self, question: PeerQuestion) -> SharedAnswer:
        """Return an answer that is kept, or made now."""
        # The sending process has matched the address already.
        design = ADDRESS.fullmatch(question.environ["PATH_INFO"])
        assert design is not None
        place = _place(AdmittedRequest(question.environ, "", design[1], question.admission))
        sequence = max(question.sequence, self.watches.sequence(design[1]))
        lane = self.lane if CONTENT in question.environ["PATH_INFO"] else self.brief_lane
        answer = self._find(place, sequence)
        if answer is None:
            with self._making(place, lane):
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
        return self._find(place, 0) or SharedAnswer(started[0], headers, body)


def _place(request: AdmittedRequest) -> object:
    """Return all on which an answer depends that several people get."""
    environ, admission = request.environ, request.admission
    return (
        request.design, admission.seen_as, admission.preferences, environ["PATH_INFO"],
        # Django's GZipMiddleware compresses before the answer is kept, so who takes no gzip has a place of their own.
        environ.get("QUERY_STRING", ""), "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""),
        *(environ.get(f"HTTP_HX_{name}") for name in ("BOOSTED", "HISTORY_RESTORE_REQUEST")),
    )  # fmt: skip
