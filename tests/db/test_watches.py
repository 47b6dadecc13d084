"""Windows that watch: what the web server answers in front of Django, and when that ends."""

import contextlib
import datetime
import gzip
import json
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import InterfaceError, connection
from django.http import Http404
from django.test import Client, RequestFactory
from django.test.client import ClientHandler
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config import front as front_module
from config.front import Front
from config.held import HeldError, leave_lane
from config.monitoring.logs import REQUEST_ID
from config.processes import shared_answers
from config.processes.peers import PeerQuestion, SharedAnswer
from config.processes.shared_answers import TURN_OF_PEER_SECONDS
from designer.document.edits import Set
from designer.document.load import from_data
from designer.models import Design, Person, Presence, Team, watches
from designer.models.memory import MEMORY
from designer.models.watches import NOTE_SECONDS, UNUSED_SECONDS, WATCHES
from designer.views.editor import editor, news, presence
from tests.commands.web_server import SOON_SECONDS

SPEC = {"name": "Balloons", "tables": [{"id": "t", "name": "readings", "families": [{"id": "f", "name": "m"}]}]}


class Clock:
    """A clock that tests set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterable[Clock]:
    """The watches of this process, without their thread: tests read themselves."""
    clock = Clock()
    monkeypatch.setattr(WATCHES, "clock", clock)
    monkeypatch.setattr(WATCHES, "_start", lambda: None)
    WATCHES.clear()
    WATCHES._due.update(dict.fromkeys(WATCHES._due, 0.0))
    MEMORY.clear("answers")
    yield clock
    WATCHES.clear()
    WATCHES.is_open = WATCHES.holds = False


class Browser:
    """A person's browser, which asks the front and not Django."""

    def __init__(self, front: Front, person: Person, design: Design) -> None:
        self.client, self.front, self.design = Client(), front, design
        self.client.force_login(person)
        self.session = self.client.cookies[settings.SESSION_COOKIE_NAME].value

    def get(self, address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an address below the design's."""
        path = f"/designs/{self.design.key}/{address}"
        cookie = f"{settings.SESSION_COOKIE_NAME}={self.session}"
        more: dict[str, str] = {"HTTP_HX_REQUEST": "true", "HTTP_COOKIE": cookie, **headers}
        environ = RequestFactory().get(path, SERVER_NAME="localhost", **more).environ
        started: list[Any] = []
        body = b"".join(self.front(environ, lambda status, headers, *rest: started.extend((status, headers))))
        return int(started[0].split()[0]), dict(started[1]), body

    def news(self, **asked: object) -> int:
        """Return the status of a question for news."""
        known = {"since": self.design.sequence, "window": "w1", "at": "t", "company": "", **asked}
        return self.get("news?" + "&".join(f"{name}={value}" for name, value in known.items()))[0]


def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
    """Answer as Django does for web servers; the connection to the database stays."""
    response = ClientHandler(enforce_csrf_checks=True)(environ)
    start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
    response.close = lambda: None
    return response


@pytest.fixture
def front(ana: Person, clock: Clock) -> Front:
    return Front(site, WATCHES)


@pytest.fixture
def design(team: Team, ana: Person) -> Design:
    return Design.objects.start(from_data(SPEC), team=team, by=ana)


@pytest.fixture
def ben(team: Team) -> Person:
    person = Person.objects.create_user("ben@example.com", name="Ben")
    team.add(person, "editor")
    return person


@pytest.fixture
def browser(front: Front, ben: Person, design: Design) -> Browser:
    """Ben's, which asked once in full."""
    browser = Browser(front, ben, design)
    assert browser.news() == 204
    return browser


def queries(function: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as asked:
        function()
    return len(asked)


def rename(design: Design, by: Person, name: str = "cells") -> None:
    design.apply(Set(at="t", name="name", value=name, was=design.spec.tables[0].name), by=by)


def test_who_was_admitted_asks_without_a_query_until_there_is_something_new(
    browser: Browser, design: Design, ana: Person
) -> None:
    assert queries(lambda: browser.news()) == 0
    rename(Design.objects.get(pk=design.pk), ana)
    assert browser.news() == 204  # not read yet

    WATCHES.read()

    status, _, body = browser.get("news?since=1&window=w1&at=t&company=")
    assert (status, json.loads(body)["changes"][0]["what"]) == (200, "renamed readings to cells")
    assert browser.news(since=2) == 204


def test_another_who_comes_is_news(browser: Browser, design: Design, ana: Person, front: Front) -> None:
    WATCHES.read()
    assert browser.news() == 204
    Browser(front, ana, design).news(window="w2", at="f")
    WATCHES._due["company"] = 0

    WATCHES.read()

    status, _, body = browser.get("news?since=1&window=w1&at=t&company=")
    company = json.loads(body)["company"]
    assert (status, company) == (200, f"{ana.pk}:f")
    assert queries(lambda: browser.news(company=company)) == 0


def test_a_question_is_held_where_the_server_can_and_the_window_wants_it(browser: Browser, ana: Person) -> None:
    WATCHES.holds = True
    assert browser.news() == 204
    with pytest.raises(HeldError) as held:
        browser.news(wait=900)
    assert held.value.seconds == 20
    assert not held.value.has_news()

    rename(browser.design, ana)
    WATCHES.read()

    assert held.value.has_news()


@pytest.mark.parametrize(
    "way", ["sign out", "removed", "demoted", "second factor", "password", "inactive", "deleted", "expired"]
)
def test_it_ends_with_the_access(browser: Browser, design: Design, team: Team, ben: Person, way: str) -> None:
    match way:
        case "sign out":
            browser.client.post("/sign-out")
        case "removed":
            team.remove(ben)
        case "demoted":
            team.add(ben, "viewer")
        case "second factor":
            Team.objects.filter(pk=team.pk).update(second_factor_required=True)
        case "password":
            ben.set_password("another one entirely")
            ben.save()
        case "inactive":
            Person.objects.filter(pk=ben.pk).update(is_active=False)
        case "deleted":
            Design.objects.filter(pk=design.pk).update(deleted=timezone.now())
        case "expired":
            Session.objects.update(expire_date=timezone.now() - datetime.timedelta(seconds=1))

    WATCHES.read()

    status = browser.news()
    expected = {"removed": 404, "deleted": 404, "demoted": 204}.get(way, 401)
    assert status == expected
    assert queries(lambda: browser.news()) > 0 or way == "demoted"  # admitted anew, as a viewer


def test_nobody_else_is_answered_without_a_check(browser: Browser, front: Front, design: Design, ana: Person) -> None:
    stranger = Browser(front, Person.objects.create_user("eve@example.com"), design)
    assert (stranger.news(), stranger.get("at/t")[0]) == (404, 404)
    stranger.session = "x" * 32
    assert stranger.news() == 401
    assert queries(lambda: browser.get("news?since=1&window=w1&at=t&company=", HTTP_ACCEPT_LANGUAGE="ja")) > 0
    assert queries(lambda: browser.get("news?since=1&window=w1&at=t&company=", HTTP_HX_REQUEST="true")) > 0


def test_news_are_collected_once_and_nobody_is_told_of_themselves(
    browser: Browser, front: Front, design: Design, ana: Person, ben: Person
) -> None:
    other = Browser(front, ana, design)
    other.news(window="w2", at="f")
    WATCHES._due["company"] = 0
    rename(Design.objects.get(pk=design.pk), ana)
    WATCHES.read()
    first = json.loads(browser.get("news?since=1&window=w1&at=t&company=")[2])

    asked = CaptureQueriesContext(connection)
    with asked:
        second = json.loads(other.get("news?since=1&window=w2&at=f&company=")[2])

    assert len(asked) == 0
    assert [[one["name"] for one in news["here"]] for news in (first, second)] == [["Ana"], ["Ben"]]
    assert ("Ana" in first["people"], "Ana" in second["people"]) == (True, False)
    assert first["changes"] == second["changes"] != []
    assert second["company"] == f"{ben.pk}:t"


@pytest.mark.parametrize(
    "asked", ["since=²", "since=1&window=a%0Ab", "since=-1&window=w1", "since=1&window=w1&at=%07", "&" * 999]
)
def test_odd_questions_go_on_to_django(browser: Browser, asked: str) -> None:
    assert browser.get(f"news?{asked}")[0] in (200, 204)


def test_a_part_that_several_ask_for_is_made_once(browser: Browser, front: Front, design: Design, ana: Person) -> None:
    assert browser.get("at/t")[0] == 200

    status, headers, body = browser.get("at/t")

    assert queries(lambda: browser.get("at/t")) == 0
    assert (status, headers["Cache-Control"]) == (200, "max-age=0, no-cache, no-store, must-revalidate, private")
    assert "Content-Security-Policy" in headers
    assert "Set-Cookie" not in headers
    assert b'value="readings"' in body
    assert b"csrfmiddlewaretoken" not in body

    rename(Design.objects.get(pk=design.pk), ana)
    WATCHES.read()
    assert b'value="cells"' in browser.get("at/t")[2]


@pytest.mark.parametrize("asked", ["at/t", "news?since=1&window=w1&at=t&company=&wait=15"])
def test_what_others_make_already_is_waited_for_without_a_thread(
    browser: Browser, front: Front, ana: Person, asked: str
) -> None:
    WATCHES._due["company"] = 0
    rename(browser.design, ana)
    WATCHES.read()
    WATCHES.holds = True
    assert [front.brief_lane.enter() for _ in range(2)] == [True, False]

    with pytest.raises(HeldError) as held:
        browser.get(asked)
    assert held.value.lane is front.brief_lane
    assert not held.value.has_news()
    assert held.value.is_of_page == asked.startswith("at/")  # a window that asks for news is told to ask again

    front.brief_lane.leave()
    assert browser.get(asked)[0] == 200
    assert held.value.has_news()
    assert front.brief_lane.enter()  # it was given back
    leave_lane()


def test_of_windows_that_are_told_the_same_one_makes_it_and_the_others_have_it_without_a_thread(
    browser: Browser, front: Front, design: Design, team: Team, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe = Browser(front, Person.objects.create_user("zoe@example.com", name="Zoe"), design)
    team.add(Person.objects.get(name="Zoe"), "editor")
    assert zoe.news(window="w2") in (200, 204)
    WATCHES._due.update(dict.fromkeys(WATCHES._due, 0.0))
    WATCHES.read()
    WATCHES.holds = True
    held = []
    for window, name in ((browser, "w1"), (zoe, "w2")):
        company = json.loads(window.get(f"news?since=0&window={name}&at=t&company=")[2])["company"].replace("|", "%7C")
        with pytest.raises(HeldError) as question:
            window.get(f"news?since={design.sequence}&window={name}&at=t&company={company}&wait=15")
        held.append(question.value)
    assert [each.has_news() for each in held] == [False, False]
    rename(design, ana)
    WATCHES.read()

    turns = [each.turn() for each in held]

    assert [each.has_news() for each in held] == [True, True]
    assert [turn and (turn.lane, turn.has_news(), turn.answer()) for turn in turns] == [
        (front.brief_lane, False, None)
    ] * 2
    assert browser.news(since=1) == 200
    told = []
    assert queries(lambda: told.extend(turn.answer() for turn in turns if turn and turn.has_news())) == 0
    assert [json.loads(answer.body)["sequence"] for answer in told] == [2, 2]
    assert [person["name"] for person in json.loads(told[0].body)["here"]] == ["Zoe"]  # nobody is told of themselves
    with monkeypatch.context() as patch:
        patch.setattr(front_module, "AT_ONCE_BYTES", 99)
        patch.setattr(front_module, "news_body", Mock(side_effect=AssertionError))
        assert [turn and turn.answer() for turn in turns] == [None, None]  # too long, which is known without making it
    Session.objects.filter(session_key=zoe.session).delete()
    WATCHES._due["access"] = 0
    WATCHES.read()
    assert [turn and turn.answer() is None for turn in turns] == [False, True]


def test_a_part_that_is_made_is_had_without_a_thread_unless_access_changed(
    browser: Browser, front: Front, team: Team, ben: Person
) -> None:
    WATCHES.holds = True
    assert front.brief_lane.enter()
    with pytest.raises(HeldError) as held:
        browser.get("at/t", HTTP_ACCEPT_ENCODING="gzip")
    leave_lane()
    assert held.value.answer() is None
    body = browser.get("at/t", HTTP_ACCEPT_ENCODING="gzip")[2]

    assert queries(lambda: held.value.answer()) == 0
    known = held.value.answer()
    assert known is not None
    assert (known.status, known.body) == ("200 OK", body)

    team.add(ben, "viewer")
    WATCHES._due["access"] = 0
    WATCHES.read()
    assert held.value.answer() is None


# --- the element that a window shows, with its news


ZIPPED = {"HTTP_ACCEPT_ENCODING": "gzip"}
"""As browsers do; what is not packed is too long to be sent without a thread."""


def question(design: Design, name: str, page: str = "at/t", **asked: object) -> str:
    """Return the address of a question for news of a window that shows an element."""
    known = {"since": 1, "window": name, "at": "t", "company": "", "page": f"/designs/{design.key}/{page}", **asked}
    return "news?" + "&".join(f"{part}={value}" for part, value in known.items())


@pytest.fixture
def zoe(front: Front, design: Design, team: Team, browser: Browser) -> Browser:
    """Another person's, who shows the same element."""
    person = Person.objects.create_user("zoe@example.com", name="Zoe")
    team.add(person, "editor")
    zoe = Browser(front, person, design)
    assert zoe.news(window="w2") in (200, 204)
    WATCHES._due.update(dict.fromkeys(WATCHES._due, 0.0))
    WATCHES.read()
    return zoe


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that names each collection of news, and each element, when it is made."""
    made = list[str]()
    collect, context = news.collect_news, editor.page_context

    def collect_news(*arguments: Any) -> Any:
        made.append("news")
        return collect(*arguments)

    def page_context(*arguments: Any) -> Any:
        made.append("element")
        return context(*arguments)

    for module in (presence, front_module):
        monkeypatch.setattr(module, "collect_news", collect_news)
    monkeypatch.setattr(editor, "page_context", page_context)
    return made


@pytest.mark.parametrize("encoding", ["gzip, br", ""])
def test_news_and_the_element_that_windows_show_are_made_once_for_all_and_come_in_one_answer(
    browser: Browser, zoe: Browser, design: Design, ana: Person, made: list[str], encoding: str
) -> None:
    rename(design, ana)
    WATCHES.read()
    accepts = {"HTTP_ACCEPT_ENCODING": encoding}

    status, headers, body = browser.get(question(design, "w1"), **accepts)
    others = [zoe.get(question(design, "w2"), **accepts) for _ in range(3)]

    assert made == ["news", "element"]
    assert (status, headers.get("Content-Encoding", "")) == (200, "gzip" if encoding else "")
    assert headers["Content-Length"] == str(len(body))
    told = [json.loads(gzip.decompress(text) if encoding else text) for _, _, text in [(0, 0, body), *others]]
    read = browser.get("at/t", **accepts)[2]
    assert [news["element"] for news in told] == [(gzip.decompress(read) if encoding else read).decode()] * 4
    assert 'value="cells"' in told[0]["element"]
    assert [[one["name"] for one in news["here"]] for news in told] == [["Zoe"], ["Ben"], ["Ben"], ["Ben"]]
    assert made == ["news", "element"]  # who reads it has the same one
    assert queries(lambda: zoe.get(question(design, "w2"), **accepts)) == 0


def test_windows_that_are_held_have_news_with_the_element_after_one_turn_for_each(
    browser: Browser, zoe: Browser, front: Front, design: Design, ana: Person, made: list[str]
) -> None:
    WATCHES.holds = True
    held = []
    for window, name in ((browser, "w1"), (zoe, "w2")):
        company = json.loads(window.get(f"news?since=0&window={name}&at=t&company=")[2])["company"].replace("|", "%7C")
        with pytest.raises(HeldError) as raised:
            window.get(question(design, name, company=company, wait=15), **ZIPPED)
        held.append(raised.value)
    made.clear()
    rename(design, ana)
    WATCHES.read()

    turns = [each.turn() for each in held]
    assert [turn and (turn.lane, turn.has_news(), turn.is_made()) for turn in turns] == [
        (front.brief_lane, False, False)
    ] * 2
    assert browser.get(question(design, "w1", company="x"), **ZIPPED)[0] == 200

    assert made == ["news", "element"]
    assert [turn and (turn.has_news(), turn.turn()) for turn in turns] == [(True, None)] * 2
    answers: list[Any] = []
    assert queries(lambda: answers.extend(turn.answer() for turn in turns if turn)) == 0
    assert ['value="cells"' in json.loads(gzip.decompress(answer.body))["element"] for answer in answers] == [
        True,
        True,
    ]
    rename(design, ana, "rows")
    WATCHES.read()
    assert [turn and (turn.answer(), turn.turn() is not None) for turn in turns] == [(None, True)] * 2


def test_the_wait_for_an_element_follows_that_for_the_news(
    browser: Browser, zoe: Browser, front: Front, design: Design, ana: Person
) -> None:
    WATCHES.holds = True
    company = json.loads(browser.get("news?since=0&window=w1&at=t&company=")[2])["company"].replace("|", "%7C")
    with pytest.raises(HeldError) as held:
        browser.get(question(design, "w1", company=company, wait=15), **ZIPPED)
    rename(design, ana)
    WATCHES.read()
    for_news = held.value.turn()
    assert for_news is not None

    assert zoe.get("news?since=1&window=w2&at=t&company=")[0] == 200  # without an element

    for_element = for_news.turn()
    assert (for_news.has_news(), for_news.answer()) == (True, None)
    assert for_element is not None
    assert (for_element.has_news(), for_element.lane) == (False, front.brief_lane)
    assert browser.get(question(design, "w1"), **ZIPPED)[0] == 200
    assert (for_element.has_news(), for_element.turn()) == (True, None)


@pytest.mark.parametrize("way", ["sign out", "demoted"])
def test_an_element_is_sent_to_nobody_whose_access_changed_while_they_waited(
    browser: Browser, zoe: Browser, design: Design, team: Team, ana: Person, ben: Person, way: str
) -> None:
    WATCHES.holds = True
    company = json.loads(browser.get("news?since=0&window=w1&at=t&company=")[2])["company"].replace("|", "%7C")
    with pytest.raises(HeldError) as held:
        browser.get(question(design, "w1", company=company, wait=15), **ZIPPED)
    rename(design, ana)
    WATCHES.read()
    turn = held.value.turn()
    assert turn is not None
    editors = json.loads(gzip.decompress(zoe.get(question(design, "w2"), **ZIPPED)[2]))["element"]  # all is made
    assert turn.answer() is not None
    if way == "sign out":
        browser.client.logout()
    else:
        team.add(ben, "viewer")
    WATCHES._due["access"] = 0
    WATCHES.read()
    if way == "demoted":
        assert browser.news(since=1) == 200  # admitted again, with other rights

    assert (turn.has_news(), turn.turn(), turn.answer()) == (True, None, None)
    status, _, body = browser.get(question(design, "w1"))
    assert status == (401 if way == "sign out" else 200)
    if way == "demoted":
        assert ("disabled" in json.loads(body)["element"], "disabled" in editors) == (True, False)


@pytest.mark.parametrize(
    "page", ["at/gone", "rows", "of/" + "0" * 64 + "/parts", "news", "../x", "at/é", "at/t?list=x"]
)
def test_what_cannot_come_with_the_news_is_left_to_the_window(
    browser: Browser, zoe: Browser, design: Design, ana: Person, made: list[str], page: str
) -> None:
    rename(design, ana)
    WATCHES.read()

    told = [json.loads(browser.get(question(design, "w1", page))[2]) for _ in range(2)]

    assert [(news["sequence"], "element" in news) for news in told] == [(2, False)] * 2
    assert made == ["news"]


def test_news_that_are_known_wait_for_an_element_only_so_long(
    browser: Browser, zoe: Browser, design: Design, ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    WATCHES.holds = True
    company = json.loads(browser.get("news?since=0&window=w1&at=t&company=")[2])["company"].replace("|", "%7C")
    with pytest.raises(HeldError) as held:
        browser.get(question(design, "w1", company=company, wait=15), **ZIPPED)
    rename(design, ana)
    WATCHES.read()
    assert zoe.get("news?since=1&window=w2&at=t&company=")[0] == 200  # others have the news
    waiting = held.value.turn()
    assert waiting is not None
    assert not waiting.has_news()

    monkeypatch.setattr(front_module, "PATIENCE_SECONDS", -1.0)
    waiting = held.value.turn()

    assert waiting is not None
    assert (waiting.has_news(), waiting.turn()) == (True, None)
    answer = waiting.answer()
    assert answer is not None
    told = json.loads(answer.body)
    assert (told["sequence"], "element" in told) == (2, False)


@pytest.mark.parametrize("cause", ["gone", "a fault"])
def test_an_element_that_cannot_be_made_is_tried_once_and_the_news_go_alone(
    browser: Browser,
    zoe: Browser,
    front: Front,
    design: Design,
    ana: Person,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    cause: str,
) -> None:
    assert browser.get("at/t")[0] == 200  # which is kept, and older than what comes
    rename(design, ana)
    WATCHES.read()
    tries = list[str]()

    def fail(*arguments: Any) -> Any:
        tries.append(cause)
        raise Http404 if cause == "gone" else ValueError(cause)

    monkeypatch.setattr(*((editor, "page_context") if cause == "gone" else (front, "_ask_peer")), fail)

    told = [json.loads(each.get(question(design, name))[2]) for each, name in ((browser, "w1"), (zoe, "w2"))]

    assert [(news["sequence"], "element" in news) for news in told] == [(2, False)] * 2
    assert tries == [cause]
    assert ("is not sent with news" in caplog.text) == (cause == "a fault")
    if cause == "gone":
        assert browser.get("at/t")[0] == 404


def test_who_comes_or_moves_is_told_of_without_the_element(
    browser: Browser, zoe: Browser, design: Design, made: list[str]
) -> None:
    told = json.loads(browser.get(question(design, "w1", company="nobody"))[2])

    assert (told["sequence"], "element" in told, made) == (1, False, ["news"])


class OtherProcess:
    """Stands for the sockets between two fronts: what one asks the other answers, in this thread."""

    def __init__(self, front: Front) -> None:
        self.front = front

    def others(self) -> tuple[str, ...]:
        return ("other",)

    def owner(self, _design: str) -> str:
        return ""

    def ask(self, _name: str, question: Any, _patience_seconds: float = 0.0) -> Any:
        return self.front._answer_peer(question)


@pytest.fixture
def second_front(front: Front, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Front:
    """The front of another process, with watches of its own."""
    watches_of_second = watches.Watches(clock)
    monkeypatch.setattr(watches_of_second, "_start", lambda: None)
    second = Front(Mock(side_effect=site), watches_of_second)
    second._peers, front._peers = OtherProcess(front), OtherProcess(second)  # type: ignore[assignment]
    return second


def admission_of(front: Front, browser: Browser) -> Any:
    return front.watches._admissions.get((browser.session, browser.design.key))


def test_whom_one_process_admitted_another_takes_over_and_confirms(
    browser: Browser, front: Front, second_front: Front
) -> None:
    browser.front = second_front

    assert browser.get("at/t")[0] == 200

    environ = second_front.application.call_args.args[0]  # type: ignore[attr-defined]
    assert (environ[watches.ADMISSION].person_id, environ[watches.NEWEST]) == (
        admission_of(front, browser).person_id,
        1,
    )
    assert not admission_of(second_front, browser).is_confirmed
    second_front.watches._due["access"] = second_front.watches.clock() + 60
    second_front.watches.read()
    assert admission_of(second_front, browser).is_confirmed
    assert queries(second_front.watches.read) == 1  # whom it confirmed once waits for its turn as everybody


def test_nobody_is_taken_over_who_is_not_admitted(
    browser: Browser, second_front: Front, ana: Person, design: Design
) -> None:
    Browser(second_front, ana, design).get("at/t")
    browser.front = second_front
    browser.get("at/t", HTTP_ACCEPT_LANGUAGE="ja")
    browser.session = ""
    browser.get("at/t")

    calls = second_front.application.call_args_list  # type: ignore[attr-defined]
    assert [watches.ADMISSION in call.args[0] for call in calls] == [False] * 3


def test_access_that_ended_is_not_handed_to_and_fro(browser: Browser, front: Front, second_front: Front) -> None:
    browser.front = second_front
    browser.get("at/t")  # taken over, and not confirmed yet
    Session.objects.filter(session_key=browser.session).delete()
    WATCHES._due["access"] = 0
    WATCHES.read()  # of the first process, which ends it
    assert admission_of(front, browser) is None

    browser.front = front
    assert browser.get("at/t")[0] != 200
    assert admission_of(front, browser) is None
    second_front.watches._due["access"] = second_front.watches.clock() + 60
    second_front.watches.read()  # before its turn
    assert admission_of(second_front, browser) is None
    browser.front = second_front
    assert browser.get("at/t")[0] != 200


def test_a_process_that_does_not_answer_leaves_the_check_to_django(
    browser: Browser, second_front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(second_front._peers, "ask", lambda *_: None)
    browser.front = second_front

    assert browser.get("at/t")[0] == 200

    assert watches.ADMISSION not in second_front.application.call_args.args[0]  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_news_are_collected_without_a_request_in_the_language_of_the_window(
    browser: Browser, front: Front, design: Design, ana: Person, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    asked = "news?since=1&window=w1&at=t&company="
    browser.get(asked, HTTP_ACCEPT_LANGUAGE=language)  # admitted with this preference
    rename(design, ana)
    WATCHES._due["company"] = 0
    WATCHES.read()
    in_full = browser.client.get(
        f"/designs/{design.key}/{asked}", headers={"accept-language": language, "hx-request": "true"}
    )
    MEMORY.clear(news.NEWS)
    monkeypatch.setattr(front, "application", Mock(side_effect=AssertionError))

    status, _, body = browser.get(asked, HTTP_ACCEPT_LANGUAGE=language)

    assert status == 200
    assert json.loads(body)["changes"] == in_full.json()["changes"]
    assert ("renamed" in json.loads(body)["changes"][0]["what"]) == (language == "en")


@pytest.mark.parametrize("cause", ["the database", "an edit that is not read yet", "deleted"])
def test_news_that_the_web_server_cannot_collect_are_asked_for_in_full(
    browser: Browser, design: Design, ana: Person, monkeypatch: pytest.MonkeyPatch, cause: str
) -> None:
    rename(design, ana)
    WATCHES._due["company"] = 0
    WATCHES.read()
    if cause == "the database":
        monkeypatch.setattr(front_module, "watched_design", Mock(side_effect=InterfaceError))
    elif cause == "deleted":
        Design.objects.filter(pk=design.pk).update(deleted=timezone.now())
    else:
        rename(Design.objects.get(pk=design.pk), ana, "rows")

    status, _, body = browser.get("news?since=1&window=w1&at=t&company=")

    if cause == "deleted":
        assert status == 404
    else:
        expected = f"renamed readings to {'cells' if cause == 'the database' else 'rows'}"
        assert (status, [change["what"] for change in json.loads(body)["changes"]]) == (200, [expected])


@pytest.mark.parametrize("asked", ["at/t", "news?since=1&window=w1&at=t&company="])
def test_whose_access_ends_while_they_wait_for_another_thread_is_checked_in_full(
    browser: Browser, front: Front, ana: Person, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    rename(browser.design, ana)
    WATCHES._due["company"] = 0
    WATCHES.read()
    WATCHES.holds = True
    await_turn = front._await_turn

    def end_access(place: object, turn: HeldError) -> None:
        await_turn(place, turn)
        browser.client.logout()
        WATCHES._due["access"] = 0
        WATCHES.read()

    monkeypatch.setattr(front, "_await_turn", end_access)

    assert browser.get(asked)[0] == 401


def test_a_question_and_one_of_another_process_for_the_same_do_not_wait_for_each_other(
    browser: Browser, front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    WATCHES.holds = True
    await_turn, threads, answers = front._await_turn, list[threading.Thread](), list[SharedAnswer]()

    def ask_meanwhile(place: object, turn: HeldError) -> None:
        await_turn(place, turn)  # this thread has the place in the lane now, and not yet the lock
        admission = next(iter(WATCHES._admissions.values()))
        question = PeerQuestion({"PATH_INFO": f"/designs/{browser.design.key}/at/t"}, admission, 0)
        monkeypatch.setattr(front, "_make", lambda *_: SharedAnswer("200 OK", (), b"made there"))
        monkeypatch.setattr(shared_answers, "place_of", lambda _: place)
        threads.append(threading.Thread(target=lambda: answers.append(front._answer_peer(question))))
        threads[0].start()
        end = time.monotonic() + SOON_SECONDS
        while front.brief_lane.waiting_count == 0 and time.monotonic() < end:
            time.sleep(0.001)  # until the other thread has the lock, and waits for the place

    monkeypatch.setattr(front, "_await_turn", ask_meanwhile)
    begun = time.monotonic()

    assert browser.get("at/t")[0] == 200

    threads[0].join(SOON_SECONDS)
    assert [answer.body for answer in answers] == [b"made there"]
    assert time.monotonic() - begun < TURN_OF_PEER_SECONDS / 2
    assert front.brief_lane.enter()  # it was given back
    leave_lane()


@pytest.mark.parametrize("asked", ["at/t", "news?since=1&window=w1&at=t&company="])
def test_those_who_wait_are_woken_once_by_an_answer_that_is_made_and_not_by_one_that_is_kept(
    browser: Browser, front: Front, ana: Person, asked: str
) -> None:
    rename(browser.design, ana)
    WATCHES._due["company"] = 0
    WATCHES.read()
    WATCHES.holds = True
    woken = list[str]()
    front.brief_lane.listeners.append(woken.append)

    assert browser.get(asked)[0] == 200
    assert woken == [browser.design.key]
    assert browser.get(asked)[0] == 200

    assert woken == [browser.design.key]
    assert front.brief_lane.enter()  # it was given back
    leave_lane()


def test_an_answer_that_is_made_after_another_thread_failed_is_known_to_be_made(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits, makes, may_end = threading.Event(), threading.Event(), threading.Event()

    def make_next() -> None:
        with front._making("design", "place", front.lane):
            makes.set()
            may_end.wait(SOON_SECONDS)

    thread = threading.Thread(target=make_next)
    monkeypatch.setattr(shared_answers, "leave_lane", lambda *_: bool(waits.set()))
    with contextlib.suppress(ValueError), front._making("design", "place", front.lane):
        thread.start()
        assert waits.wait(SOON_SECONDS)
        raise ValueError

    assert makes.wait(SOON_SECONDS)
    assert "place" in front._computing
    another = front._computing["place"] = threading.Lock()
    may_end.set()
    thread.join(SOON_SECONDS)
    assert front._computing == {"place": another}


def test_an_error_of_the_log_leaves_no_id_behind(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    before = REQUEST_ID.get()
    monkeypatch.setattr(front_module, "record", Mock(side_effect=ZeroDivisionError))

    with pytest.raises(ZeroDivisionError):
        browser.news()

    assert REQUEST_ID.get() == before


def test_news_are_told_before_windows_are_stored(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    order = list[str]()
    monkeypatch.setattr(WATCHES, "listeners", [lambda: order.append("told")])
    monkeypatch.setattr(WATCHES, "_store_windows", lambda _: order.append("stored"))
    WATCHES._due.update(dict.fromkeys(WATCHES._due, 0.0))

    WATCHES.read()

    assert order == ["told", "stored"]


def test_roles_do_not_share_and_whole_pages_are_nobody_elses(
    browser: Browser, front: Front, design: Design, team: Team
) -> None:
    vic = Person.objects.create_user("vic@example.com", name="Vic")
    team.add(vic, "viewer")
    viewer = Browser(front, vic, design)
    viewer.news()
    of_editor, of_viewer = browser.get("at/t")[2], viewer.get("at/t")[2]
    assert b"hx-post" in of_editor
    assert b"hx-post" not in of_viewer
    assert queries(lambda: viewer.get("at/t")) == 0
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.session}"
    page = RequestFactory().get(f"/designs/{design.key}/at/t", HTTP_COOKIE=cookie).environ
    assert queries(lambda: front(page, lambda *_: None)) > 0


def test_a_changed_role_or_language_counts_from_when_the_change_is_read_and_is_never_another_s(
    front: Front, design: Design, team: Team
) -> None:
    people = [Person.objects.create_user(f"{name}@example.com", name=name) for name in ("vic", "wim", "zoe")]
    for person in people:
        team.add(person, "viewer")
    vic, wim, zoe = (Browser(front, person, design) for person in people)
    for browser in (vic, wim, zoe):
        browser.news()
    team.add(people[0], "editor")
    Person.objects.filter(pk=people[2].pk).update(language="ja")

    before, in_english = vic.get("at/t")[2], zoe.get("at/t")[2]
    of_viewer = wim.get("at/t")[2]

    assert [b"hx-post" in body for body in (before, in_english, of_viewer)] == [False, False, False]
    assert in_english == of_viewer
    assert queries(lambda: wim.get("at/t")) == 0
    WATCHES.read()
    for browser in (vic, zoe):
        browser.news()
    of_editor, in_japanese = vic.get("at/t")[2], zoe.get("at/t")[2]
    assert [b"hx-post" in body for body in (of_editor, in_japanese)] == [True, False]
    assert in_japanese not in (of_viewer, of_editor)
    assert wim.get("at/t")[2] == of_viewer


def test_open_windows_are_noted_together_and_forgotten_when_they_ask_no_more(
    browser: Browser, clock: Clock, ben: Person
) -> None:
    WATCHES.read()
    long_ago = timezone.now() - datetime.timedelta(seconds=60)
    Presence.objects.update(seen=long_ago)
    clock.now += NOTE_SECONDS + 1
    browser.news()

    WATCHES.read()

    stored = Presence.objects.get(person=ben)
    assert (stored.window, stored.at) == ("w1", "t")
    assert stored.seen > long_ago
    clock.now += UNUSED_SECONDS + 1
    assert queries(WATCHES.read) == 0
    assert queries(lambda: browser.news()) > 0


def test_a_design_is_read_again_only_when_a_newer_sequence_number_is_known(
    browser: Browser, design: Design, ana: Person
) -> None:
    browser.get("at/t")
    assert queries(lambda: browser.get("at/f")) == 0

    rename(Design.objects.get(pk=design.pk), ana)
    rename(Design.objects.get(pk=design.pk), ana, "bytes")
    assert b'data-sequence="1"' in browser.get("at/f")[2]  # not read yet
    known_to_the_page = browser.get("at/f", HTTP_X_SEQUENCE="3")[2]
    WATCHES.read()

    assert b'data-sequence="3"' in known_to_the_page
    assert b"bytes" in browser.get("")[2]
    assert browser.get("at/f", HTTP_X_SEQUENCE="9" * 12)[0] == 200


def test_no_error_ends_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []

    def wake() -> None:
        woken.append(len(WATCHES._admissions))
        if len(woken) == 2:
            raise StopIteration  # the end of this test's thread, which is the test's own

    monkeypatch.setattr(watches, "READ_SECONDS", 0)
    monkeypatch.setattr(watches, "connection", Mock(**{"close.side_effect": InterfaceError}))
    monkeypatch.setattr(WATCHES, "read", Mock(side_effect=MemoryError))
    monkeypatch.setattr(WATCHES, "listeners", [wake])

    with pytest.raises(StopIteration):
        WATCHES._run()

    assert woken == [0, 0]
