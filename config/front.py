"""Answers of a web server before Django: to windows that ask for news, and to many that ask for one page at once.

Only sessions that a request in full has admitted to a design are answered here, and of these only what that request
would have said; everything else goes on to Django. See docs/decisions/0058-one-reader-for-all-windows.md.
"""

import io
import logging
import re
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from django.conf import settings
from django.http.cookie import parse_cookie

from config.held import ComputeLane, HeldError, leave_lane
from config.monitoring.logs import REQUEST_ID
from config.monitoring.metrics import figures
from config.processes.peers import PeerQuestion, Peers, SharedAnswer
from config.requests import ID_HEADER, record, request_id
from designer.http.pages import preferences
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, Admission, NewsQuestion, Watches, Window
from designer.views.editor.news import NEWS, NEWS_TYPE, News, news_body, news_key

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
        if address[2] is None:
            return self._share(environ, start_response, address[1], admission)
        return self._tell(environ, start_response, session, address[1], admission)

    def _newest(self, environ: Environ, design: str) -> int:
        """Return the newest sequence number that this process or the page knows: no answer may be older."""
        # A window may have heard of an edit from another process a moment before this one reads it; it must not get an
        # older part back.
        of_page = environ.get("HTTP_X_SEQUENCE", "")
        return max(self.watches.sequence(design), int(of_page) if NUMBER.fullmatch(of_page) else 0)

    # --- news ---

    def _tell(
        self, environ: Environ, start_response: StartResponse, session: str, design: str, admission: Admission
    ) -> Iterable[bytes]:
        begun, text = time.perf_counter(), environ.get("QUERY_STRING", "")
        # This runs before any limit of Django, so a query of a thousand parameters is not even parsed.
        parameters = dict(parse_qsl(text, keep_blank_values=True)) if text.count("&") <= MOST_PARAMETERS else {}
        since, name, at = parameters.get("since", ""), parameters.get("window", ""), parameters.get("at", "")
        # A window that moved to another element, or that this process does not know yet, goes on to Django, which
        # stores where it is.
        is_plain = NUMBER.fullmatch(since) and NAME.fullmatch(name) and ELEMENT.fullmatch(at)
        window = Window(design, admission.person_id, name)
        if not is_plain or not self.watches.is_noted(window, at):
            return self.application(environ, start_response)
        question = NewsQuestion(session, window, int(since), parameters.get("company", ""))
        if self.watches.has_news(question):
            return self._tell_known(environ, start_response, question, begun, admission)
        wait = parameters.get("wait", "")
        if self.watches.holds and NUMBER.fullmatch(wait) and int(wait) > 0:
            request_figures = figures()
            if request_figures is not None:
                request_figures.held.inc()
            # Raised, not returned: WSGI has no answer for "not yet", and nothing between here and the worker may take
            # it for one.
            raise HeldError(partial(self.watches.has_news, question), min(int(wait), MOST_HOLD_SECONDS))
        own = self._record(environ, "front.news", NOTHING_NEW, begun, admission)
        start_response(NOTHING_NEW, [NO_STORE, ("Retry-After", str(PAUSE_SECONDS)), own])
        return (b"",)

    def _tell_known(
        self,
        environ: Environ,
        start_response: StartResponse,
        question: NewsQuestion,
        begun: float,
        admission: Admission,
    ) -> Iterable[bytes]:
        """Answer with what a request in full collected of the same news for another window; the first is one."""
        design = question.window.design
        present, sequence = self.watches.present(design), self.watches.sequence(design)
        # After a restart, this process may know less than the window was told by another one.
        if present is None or sequence < question.since:
            return self.application(environ, start_response)
        place = news_key(design, question.since, sequence, present, admission.language, admission.preferences)
        self._await_turn(place, partial(self._is_told, place, question), self.brief_lane, is_of_page=False)
        try:
            with self._computing.setdefault(place, threading.Lock()):
                news: News | None = MEMORY.find(NEWS, place)
                # Access may have ended while this thread waited for the lock.
                if news is None or not self.watches.admits(question):
                    return self.application(environ, start_response)
        finally:
            # The place is given back also after an error; one that was lost would keep everybody waiting until a
            # restart.
            leave_lane()
            self._computing.pop(place, None)
        body = news_body(news, question.window.person)
        own = self._record(environ, "front.news", "200 OK", begun, admission)
        length = ("Content-Length", str(len(body)))
        start_response("200 OK", [NO_STORE, ("Content-Type", NEWS_TYPE), NO_SNIFF, length, own])
        return (body,)

    def _is_told(self, place: Hashable, question: NewsQuestion) -> bool:
        return MEMORY.has(NEWS, place) or not self.watches.admits(question)

    @staticmethod
    def _record(environ: Environ, route: str, status: str, begun: float, admission: Admission) -> tuple[str, str]:
        """Record an answer as Django's are; the header with its id."""
        own = request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        token = REQUEST_ID.set(own)
        record(
            route, environ["REQUEST_METHOD"], environ["PATH_INFO"], int(status[:3]), begun, person=admission.person_id
        )
        REQUEST_ID.reset(token)
        return ID_HEADER, own

    # --- answers that many ask for at once ---

    def _share(
        self, environ: Environ, start_response: StartResponse, design: str, admission: Admission
    ) -> Iterable[bytes]:
        begun, place = time.perf_counter(), _place(environ, design, admission)
        is_brief = CONTENT not in environ["PATH_INFO"]
        if self._peers is not None and self._peers.owner(design):
            lane = self.asking_lanes[is_brief]
        else:
            lane = self.brief_lane if is_brief else self.lane
        self._await_turn(place, partial(self._is_kept, place, environ[NEWEST]), lane)
        computing = self._computing.setdefault(place, threading.Lock())
        try:
            with computing:
                answer = self._find(place, environ[NEWEST])
                if answer is None:
                    answer = self._ask_peer(environ, design, place, admission)
                if answer is None:
                    return self._compute(environ, start_response, place, admission)
        finally:
            leave_lane()
            self._computing.pop(place, None)
        # A kept answer has no request id of its own: each reader gets the id under which their request is in the log.
        own = self._record(environ, "front.shared", answer.status, begun, admission)
        start_response(answer.status, [*answer.headers, own])
        return (answer.body,)

    def _is_kept(self, place: object, sequence: int) -> bool:
        return self._is_current(MEMORY.peek(ANSWERS, place), sequence)

    def _await_turn(
        self, place: object, is_known: Callable[[], bool], lane: ComputeLane, *, is_of_page: bool = True
    ) -> None:
        """Return if an answer is known or may be made now: then this thread has a place in the lane.

        Raises
        ------
        HeldError
            If others have all places, or one of them makes this very answer.
        """
        if not self.watches.holds or is_known():
            return
        # Who finds the same answer being made takes no place: it is known soon, and the place is for another one.
        if place in self._computing or not lane.enter():
            raise HeldError(is_known, TURN_SECONDS, lane, is_of_page=is_of_page)

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

    def _ask_peer(self, environ: Environ, design: str, place: object, admission: Admission) -> SharedAnswer | None:
        """Return what the process that makes the parts of a design answers; None if that is this one."""
        peer = self._peers.owner(design) if self._peers is not None else ""
        if self._peers is None or not peer:
            return None
        # What is no text (the input stream, the socket) cannot be pickled, and a GET needs none of it.
        texts = {name: value for name, value in environ.items() if isinstance(value, str)}
        begun = time.monotonic()
        answer = self._peers.ask(peer, PeerQuestion(texts, admission, environ[NEWEST]))
        # An answer without an end was made for this one reader only and is not kept.
        if answer is not None and answer.until:
            MEMORY.put(ANSWERS, place, answer, seconds=time.monotonic() - begun)
        return answer

    def _answer_peer(self, question: PeerQuestion) -> SharedAnswer:
        """Return an answer that is kept, or made now."""
        # The sending process has matched the address already.
        design = ADDRESS.fullmatch(question.environ["PATH_INFO"])
        assert design is not None
        place = _place(question.environ, design[1], question.admission)
        sequence = max(question.sequence, self.watches.sequence(design[1]))
        lane = self.lane if CONTENT in question.environ["PATH_INFO"] else self.brief_lane
        try:
            # The lock before the place: whoever waits for another thread that makes the same keeps nobody waiting.
            with self._computing.setdefault(place, threading.Lock()):
                answer = self._find(place, sequence)
                if answer is None:
                    # Whoever waits in vain makes it all the same: else the process that asks would, at the same time.
                    lane.enter(TURN_OF_PEER_SECONDS)
                    answer = self._make(question, place, sequence)
                return answer
        finally:
            leave_lane()
            self._computing.pop(place, None)
            # Questions of this process that are held for the same part can be answered now.
            lane.tell()

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


def _place(environ: Environ, design: str, admission: Admission) -> object:
    """Return all on which an answer depends that several people get."""
    return (
        design, admission.seen_as, admission.preferences, environ["PATH_INFO"],
        # Django's GZipMiddleware compresses before the answer is kept, so who takes no gzip has a place of their own.
        environ.get("QUERY_STRING", ""), "gzip" in environ.get("HTTP_ACCEPT_ENCODING", ""),
        *(environ.get(f"HTTP_HX_{name}") for name in ("BOOSTED", "HISTORY_RESTORE_REQUEST")),
    )  # fmt: skip
