"""Answers of a web server before Django: to windows that ask for news, and to many that ask for one page at once.

Only sessions that a request in full has admitted to a design are answered here, and of these only what that request
would have said; everything else goes on to Django. See docs/decisions/0058-one-reader-for-all-windows.md.
"""

import gzip
import logging
import math
import re
import time
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple
from urllib.parse import parse_qsl

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.db import Error
from django.http.cookie import parse_cookie
from django.utils import translation

from config.held import AT_ONCE_BYTES, ComputeLane, HeldError, KnownAnswer
from config.monitoring.logs import REQUEST_ID
from config.monitoring.metrics import figures
from config.processes.peers import PeerQuestion, SharedAnswer
from config.processes.shared_answers import (
    ADDRESS,
    CONTENT,
    NUMBER,
    AdmittedRequest,
    Environ,
    SharedAnswers,
    StartResponse,
    place_of,
    takes_gzip,
    texts_of,
)
from config.requests import ID_HEADER, record, request_id
from designer.http.pages import preferences
from designer.http.shares import charge_seconds
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, NewsQuestion, Window
from designer.views.access import watched_design
from designer.views.editor.news import (
    ELEMENTS,
    NEWS,
    NEWS_TYPE,
    NewsElement,
    collect_news,
    news_body,
    news_key,
    pack_element,
)

NAME = re.compile(r"[0-9a-z]{1,16}")
ELEMENT = re.compile(r"[\w-]{0,40}", re.ASCII)
TURN_SECONDS = 60.0
"""A question that had no turn for so long is asked again."""
MOST_PARAMETERS = 8
MOST_HOLD_SECONDS = 20
PAUSE_SECONDS = 1
"""Where questions are not held, a window asks again after so long."""
NOTHING_NEW = "204 No Content"
APART_SECONDS = 1.0
"""An element that cannot come with the news is not tried again for so long."""
PATIENCE_SECONDS = 1.0
"""News that are known wait for so long for an element that others make; then they go alone."""
GOES_ALONE = "keywright.news_go_alone"
ZIPPED = ("Content-Encoding", "gzip")
NO_SNIFF = ("X-Content-Type-Options", "nosniff")
NO_STORE = ("Cache-Control", "private, no-store")


class NewsRequest(NamedTuple):
    """A question for news, and the request for the element that its window shows, if it wants that with them."""

    request: AdmittedRequest
    question: NewsQuestion
    element: AdmittedRequest | None
    place: object
    """Under which that is kept."""


class Missing(NamedTuple):
    """News, or an element, to be made before a window can be told."""

    place: Hashable
    lane: ComputeLane
    is_element: bool = False


class Front(SharedAnswers):
    """Answers what is known of watched designs, and passes everything else on."""

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        address = ADDRESS.fullmatch(environ.get("PATH_INFO", "")) if environ["REQUEST_METHOD"] == "GET" else None
        # Only what a page's scripts ask for is shared: a page that a browser opens holds a CSRF token. With
        # SCRIPT_NAME, the path is not the whole address.
        if address is None or "HTTP_HX_REQUEST" not in environ or environ.get("SCRIPT_NAME"):
            return self.application(environ, start_response)
        cookies = parse_cookie(environ.get("HTTP_COOKIE", ""))
        session = cookies.get(settings.SESSION_COOKIE_NAME, "")
        admission = self._find_admission(session, address[1], preferences(environ, cookies))
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
            for name in (ADMISSION, NEWEST):
                request.environ.pop(name, None)
        return self.application(request.environ, start_response)

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
        news_request = NewsRequest(request, question, *_element_request(request, parameters.get("page", "")))
        if self.watches.has_news(question):
            return self._tell_known(news_request, start_response)
        wait = parameters.get("wait", "")
        if self.watches.holds and NUMBER.fullmatch(wait) and int(wait) > 0:
            request_figures = figures()
            if request_figures is not None:
                request_figures.held.inc()
            # Raised, not returned: WSGI has no answer for "not yet", and nothing between here and the worker may take
            # it for one.
            turn = partial(self._next_turn, news_request)
            seconds = min(int(wait), MOST_HOLD_SECONDS)
            has_news = partial(self.watches.has_news, question)
            raise HeldError(has_news, seconds, turn=turn, environ=request.environ)
        own = self._record(request, "front.news", NOTHING_NEW, begun)
        start_response(NOTHING_NEW, [NO_STORE, ("Retry-After", str(PAUSE_SECONDS)), own])
        return (b"",)

    def _tell_known(self, news_request: NewsRequest, start_response: StartResponse) -> Iterable[bytes]:
        """Answer with news that are collected once for all windows that have to be told the same."""
        request, place, element = news_request.request, self._news_place(news_request), None
        if place is None:
            return self.application(request.environ, start_response)
        if not MEMORY.has(NEWS, place):
            with self._in_turn(news_request, Missing(place, self.brief_lane)):
                if not MEMORY.has(NEWS, place) and not self._collect_news(news_request, place):
                    return self._pass_on(request, start_response)
        if self._wants_element(news_request):
            element = self._element(news_request)
            # Of a newer edit, there is more to make than the element: what is known goes without it.
            if element is None and self._news_place(news_request) == place:
                with self._in_turn(news_request, self._missing_element(news_request)):
                    element = self._element(news_request) or self._make_element(news_request)
        answer = self._known_news(news_request, place, element)
        if answer is None:
            return self._pass_on(request, start_response)
        start_response(answer.status, list(answer.headers))
        return (answer.body,)

    @contextmanager
    def _in_turn(self, news_request: NewsRequest, missing: Missing) -> Iterator[None]:
        self._await_turn(missing.place, self._turn(news_request, missing))
        with self._making(news_request.request.design, missing.place, missing.lane):
            yield

    def _missing(self, news_request: NewsRequest) -> Missing | None:
        """Return what has to be made for an answer; None if all is known, or only a request in full can tell."""
        # Asked for anew each time: who is present, or another edit, may have changed the key meanwhile.
        place = self._news_place(news_request)
        if place is None:
            return None
        if not MEMORY.has(NEWS, place):
            return Missing(place, self.brief_lane)
        is_whole = not self._wants_element(news_request) or self._element(news_request) is not None
        return None if is_whole else self._missing_element(news_request)

    def _missing_element(self, news_request: NewsRequest) -> Missing:
        return Missing(news_request.place, self._lane_of(news_request.request.design, is_brief=True), is_element=True)

    def _next_turn(self, news_request: NewsRequest) -> HeldError | None:
        """Return what a window waits for that has to be told something; None if it waits for nothing."""
        missing = self._missing(news_request) if self._is_admitted(news_request.request) else None
        return None if missing is None else self._turn(news_request, missing)

    def _turn(self, news_request: NewsRequest, missing: Missing) -> HeldError:
        """Return the wait for one thing that is missing; behind it comes the next."""
        environ, patient_until = news_request.request.environ, time.monotonic() + PATIENCE_SECONDS

        def is_known() -> bool:
            if missing.is_element and time.monotonic() > patient_until:
                environ[GOES_ALONE] = True
            still = self._missing(news_request)
            is_other = still is None or still.is_element != missing.is_element
            return is_other or not self._is_admitted(news_request.request)

        def is_made() -> bool:
            still = self._missing(news_request)
            return still is not None and still.place in self._computing

        return HeldError(
            is_known,
            TURN_SECONDS,
            missing.lane,
            answer=partial(self._news_at_once, news_request),
            turn=partial(self._next_turn, news_request),
            is_made=is_made,
            environ=environ,
            is_of_page=False,
            design=news_request.request.design,
        )

    def _news_place(self, news_request: NewsRequest) -> Hashable | None:
        """Return the key of the news of a window; None where this process knows less than the window."""
        (_, _, design, admission), since = news_request.request, news_request.question.since
        present, sequence = self.watches.present(design), self.watches.sequence(design)
        # After a restart, the window may have been told more by another process.
        if present is None or sequence < since:
            return None
        return news_key(design, since, sequence, present, admission.language, admission.preferences)

    def _news_at_once(self, news_request: NewsRequest) -> KnownAnswer | None:
        """Return the whole answer if nothing of it is missing and it is short."""
        place, wants_element = self._news_place(news_request), self._wants_element(news_request)
        element = self._element(news_request) if wants_element else None
        if place is None or (wants_element and element is None):
            return None
        return self._known_news(news_request, place, element, AT_ONCE_BYTES)

    def _known_news(
        self, news_request: NewsRequest, place: Hashable, element: NewsElement | None, most_bytes: float = math.inf
    ) -> KnownAnswer | None:
        """Return the news if they are collected and not too long, unless access has changed meanwhile."""
        begun, news = time.perf_counter(), MEMORY.find(NEWS, place)
        least_bytes = 0 if news is None else max(news.least_bytes, len(element.begin) if element is not None else 0)
        if news is None or least_bytes > most_bytes or not self._is_admitted(news_request.request):
            return None
        body = news_body(news, news_request.question.window.person)
        headers = [NO_STORE, ("Content-Type", NEWS_TYPE), NO_SNIFF]
        # Older than the news, it would be asked for once more.
        if element is not None and element.begin and element.sequence >= news.sequence:
            body = element.join(body)
            headers += [ZIPPED] if element.is_zipped else []
        if len(body) > most_bytes:
            return None
        own = self._record(news_request.request, "front.news", "200 OK", begun)
        return KnownAnswer("200 OK", (*headers, ("Content-Length", str(len(body))), own), body)

    def _collect_news(self, news_request: NewsRequest, place: Hashable) -> bool:
        """Collect the news of an admitted window, as a request in full would; False if only that can tell."""
        (environ, _, key, admission), since = news_request.request, news_request.question.since
        begun, present = time.thread_time(), self.watches.present(key)
        if present is None or not self._is_admitted(news_request.request):
            return False
        try:
            design = watched_design(key, self.watches.sequence(key))
            if design is None:
                return False
            language = admission.language or translation.get_language_from_request(WSGIRequest(environ))
            with translation.override(language):
                news = collect_news(design, since, present)
        except Error:  # a request in full begins with another connection, where this thread's is broken
            return False
        taken_seconds = time.thread_time() - begun
        # Of an edit that this process has not read yet, or of who came since, the key is another one.
        own_place = news_key(key, since, news.sequence, present, admission.language, admission.preferences)
        MEMORY.put(NEWS, own_place, news, seconds=taken_seconds)
        charge_seconds(frozenset({("person", admission.person_id), ("team", admission.team_id)}), taken_seconds)
        return own_place == place

    # --- the element that a window shows, with its news ---

    def _wants_element(self, news_request: NewsRequest) -> bool:
        return (
            news_request.element is not None
            and GOES_ALONE not in news_request.request.environ
            and self.watches.sequence(news_request.request.design) > news_request.question.since
        )

    def _element(self, news_request: NewsRequest) -> NewsElement | None:
        """Return what is to be sent of the element, if that is known and as new as the news."""
        element: NewsElement | None = MEMORY.peek(ELEMENTS, news_request.place)
        return element if self._is_current(element, self.watches.sequence(news_request.request.design)) else None

    def _make_element(self, news_request: NewsRequest) -> NewsElement | None:
        """Make it as if the window had asked for it; None for whom may not see it any more."""
        request, begun = news_request.element, time.monotonic()
        if request is None or not self._is_admitted(news_request.request):
            return None
        newest = request.environ[NEWEST] = self.watches.sequence(request.design)
        # What was removed, say, or failed, each window asks for itself: what it gets is nobody else's.
        element = NewsElement(newest, 0.0)
        try:
            answer = self._find(news_request.place, newest) or self._ask_peer(request, news_request.place)
            if answer is None:
                question = PeerQuestion(texts_of(request.environ), request.admission, newest)
                answer = self._make(question, news_request.place, newest)
            if answer.until and answer.status.startswith("200 "):
                body = gzip.decompress(answer.body) if ZIPPED in answer.headers else answer.body
                element = pack_element(
                    body.decode(), answer.sequence, answer.until, is_zipped=takes_gzip(request.environ)
                )
        except Exception:  # the news are known, and go without it
            logging.getLogger("keywright").exception("The element of %s is not sent with news.", request.design)
        if not element.begin:
            element = NewsElement(newest, time.monotonic() + APART_SECONDS)
        MEMORY.put(ELEMENTS, news_request.place, element, seconds=time.monotonic() - begun)
        return element

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
        begun, environ, place = time.perf_counter(), request.environ, place_of(request)
        lane = self._lane_of(request.design, is_brief=CONTENT not in environ["PATH_INFO"])
        turn = HeldError(
            partial(self._is_kept, place, environ[NEWEST]),
            TURN_SECONDS,
            lane,
            answer=partial(self._known_share, request, place),
            is_made=lambda: place in self._computing,
            environ=environ,
            design=request.design,
        )
        answer = self._find(place, environ[NEWEST])
        if answer is None:
            self._await_turn(place, turn)
            with self._making(request.design, place, lane):
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


def _element_request(request: AdmittedRequest, page: str) -> tuple[AdmittedRequest | None, object]:
    """Return the request for what a page shows, as the page would send it, and where that is kept."""
    address = ADDRESS.fullmatch(page) if page.isascii() else None
    if address is None or address[1] != request.design or address[2] or CONTENT in page:
        return None, None
    environ = texts_of(request.environ) | {"PATH_INFO": page, "QUERY_STRING": ""}
    element = request._replace(environ=environ)
    return element, place_of(element)
