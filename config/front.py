"""Answers of a web server before Django: to windows that ask for news, and to many that ask for one page at once.

Only sessions that a request in full has admitted to a design are answered here, and of these only what that request
would have said; everything else goes on to Django. See docs/decisions/0058-one-reader-for-all-windows.md.
"""

import math
import re
import time
from collections.abc import Hashable, Iterable
from functools import partial
from urllib.parse import parse_qsl

from django.conf import settings
from django.http.cookie import parse_cookie

from config.held import AT_ONCE_BYTES, HeldError, KnownAnswer
from config.monitoring.logs import REQUEST_ID
from config.monitoring.metrics import figures
from config.processes.peers import SharedAnswer
from config.processes.shared_answers import (
    ADDRESS,
    CONTENT,
    NUMBER,
    AdmittedRequest,
    Environ,
    SharedAnswers,
    StartResponse,
    place_of,
)
from config.requests import ID_HEADER, record, request_id
from designer.http.pages import preferences
from designer.models.memory import MEMORY
from designer.models.watches import ADMISSION, NEWEST, NewsQuestion, Window
from designer.views.editor.news import NEWS, NEWS_TYPE, news_body, news_key

NAME = re.compile(r"[0-9a-z]{1,16}")
ELEMENT = re.compile(r"[\w-]{0,40}", re.ASCII)
TURN_SECONDS = 60.0
"""A question that had no turn for so long is asked again."""
MOST_PARAMETERS = 8
MOST_HOLD_SECONDS = 20
PAUSE_SECONDS = 1
"""Where questions are not held, a window asks again after so long."""
NOTHING_NEW = "204 No Content"
NO_SNIFF = ("X-Content-Type-Options", "nosniff")
NO_STORE = ("Cache-Control", "private, no-store")


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
        begun, environ, place = time.perf_counter(), request.environ, place_of(request)
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
