"""gunicorn with our worker, as the Dockerfile starts it: questions are held until there is something new."""

import contextlib
import gc
import http.client
import re
import selectors
import signal
import socket
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from gunicorn.config import Config as GunicornConfig
from gunicorn.workers.gthread import TConn, ThreadWorker

from config import web_worker
from config.held import ComputeLane, HeldError, KnownAnswer, leave_lane
from tests.commands.web_server import METRICS_TOKEN, SOON_SECONDS, Watcher, serve, web_environ


@pytest.fixture
def server(root: Path, tmp_path: Path) -> Generator[tuple[subprocess.Popen[bytes], Watcher], None, None]:
    with serve(root, web_environ(tmp_path), workers=1) as served:
        yield served


@pytest.mark.slow
def test_a_held_question_takes_no_thread_and_is_answered_by_an_edit_a_sign_out_and_a_stop(
    server: tuple[subprocess.Popen[bytes], Watcher],
) -> None:
    process, window = server
    assert window.status(1) == 204  # in full
    held = [Watcher(window.port, window.design, window.session) for _ in range(20)]
    for each in held:
        each.ask(1, wait=15)
    assert all(each.is_waiting() for each in held[:2])
    window.line.close()  # on a slow machine it has been idle for longer than the server keeps it open
    assert window.status(1) == 204  # more are held than there are threads

    edit = {"at": "", "name": "description", "was": "null", "v": "new"}
    assert window.post(f"/designs/{window.design}/edit", **edit) == 200

    assert [each.answer() for each in held] == [200] * 20
    other = http.client.HTTPConnection("localhost", window.port, timeout=SOON_SECONDS)
    other.request("GET", "/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    told = other.getresponse().read().decode()
    assert "keywright_held_questions_total 20.0\n" in told
    assert re.search(r'keywright_cache_bytes\{pid="\d+"\} \d', told)  # counted in files, for all processes
    assert re.search(r'_count\{method="POST",route="edit",status="2xx"\} 1.0', told)
    assert re.search(r'_count\{method="GET",route="front.news",status="2xx"\} [1-9]', told)
    assert [each.status(1) for each in held[:2]] == [200, 200]  # on the same connection
    held[0].ask(2, wait=15)
    held[1].ask(2, wait=15)
    held[1].line.close()  # who leaves is no error
    assert held[0].is_waiting()
    assert window.post("/sign-out") == 302
    assert held[0].answer() == 401
    process.send_signal(signal.SIGTERM)
    assert process.wait(SOON_SECONDS) == 0


@pytest.mark.slow
def test_who_waits_is_told_to_ask_again_before_the_server_stops(
    server: tuple[subprocess.Popen[bytes], Watcher],
) -> None:
    process, window = server
    assert window.status(1) == 204
    window.ask(1, wait=15)
    assert window.is_waiting()
    process.send_signal(signal.SIGTERM)
    assert window.answer() == 204
    assert window.line.sock is None  # "Connection: close": it asks another process
    assert process.wait(SOON_SECONDS) == 0


def test_who_leaves_at_the_moment_of_the_answer_harms_nobody() -> None:
    ours, theirs = socket.socketpair()
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.alive, worker.nr_conns, worker.held, worker.keepalived_conns = True, 1, {}, deque()
    worker.reading, worker.waiting = {}, {}
    worker.poller = selectors.DefaultSelector()
    connection = TConn(GunicornConfig(), ours, ("127.0.0.1", 1), ("127.0.0.1", 2))
    connection.init()
    held: Future[HeldError] = Future()
    question = HeldError(lambda: False, 0.0)
    question.request = Mock(should_close=lambda: False)
    held.set_result(question)
    worker.finish_request(connection, held)
    theirs.shutdown(socket.SHUT_WR)
    [(key, _)] = worker.poller.select(1)

    worker.answer_due()
    key.data(key.fileobj)  # of the same look at the poller

    assert theirs.recv(99).startswith(b"HTTP/1.1 204 ")
    assert (list(worker.keepalived_conns), worker.held, worker.nr_conns) == ([connection], {}, 1)
    worker.murder_keepalived(force=True)
    theirs.close()


def worker_of() -> tuple[web_worker.WebWorker, TConn, socket.socket]:
    """Return a worker that does at once what is deferred, a connection to it, and the client's end of that."""
    ours, theirs = socket.socketpair()
    theirs.settimeout(SOON_SECONDS)
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.alive, worker.nr_conns, worker.held, worker.waiting, worker.turns = True, 1, {}, {}, 0
    worker.cfg, worker.log = GunicornConfig(), web_worker.WebLog(GunicornConfig())
    worker.reading, worker.keepalived_conns, worker.poller = {}, deque(), selectors.DefaultSelector()
    worker.is_woken, worker.changed_designs = False, deque()
    worker.method_queue = Mock(defer=lambda call, *given: call(*given))
    worker.get_thread_pool()
    connection = TConn(worker.cfg, ours, ("127.0.0.1", 1), ("127.0.0.1", 2))
    connection.init()
    return worker, connection, theirs


def keep(worker: web_worker.WebWorker, connection: TConn, question: HeldError) -> None:
    """Let a worker hold a question of a client that keeps its connection."""
    if question.request is None:
        question.request = Mock(version=(1, 1), method="GET", should_close=lambda: False)
    store = worker.held if question.lane is None else worker.waiting
    store[connection] = (question, time.monotonic() + question.seconds)
    worker.poller.register(connection.sock, selectors.EVENT_READ)


def known_answer(size_bytes: int = 2, **headers: str) -> KnownAnswer:
    return KnownAnswer("200 OK", (("Content-Length", str(size_bytes)), *headers.items()), b"x" * size_bytes)


@pytest.mark.parametrize(("size_bytes", "takes_a_thread"), [(9_000, False), (1_000_000, True)])
def test_an_answer_that_is_known_takes_no_thread_unless_its_reader_is_slow(
    size_bytes: int, *, takes_a_thread: bool
) -> None:
    worker, connection, theirs = worker_of()
    known = list[KnownAnswer]()
    keep(worker, connection, HeldError(lambda: bool(known), 60.0, ComputeLane(), answer=lambda: known[0]))
    known.append(known_answer(size_bytes, **{"X-Request-ID": "a"}))

    worker.answer_waiting()

    answer = http.client.HTTPResponse(theirs)
    answer.begin()
    assert (answer.status, answer.headers["Connection"], answer.headers["X-Request-ID"]) == (200, "keep-alive", "a")
    assert answer.read() == known[0].body
    worker.held_pool.shutdown()
    assert bool(worker.held_pool._threads) == takes_a_thread
    assert (list(worker.keepalived_conns), worker.waiting) == ([connection], {})
    worker.murder_keepalived(force=True)
    theirs.close()


def test_who_is_held_when_the_worker_stops_is_told_that_the_connection_ends() -> None:
    for is_of_page, status in ((False, b"204 No Content"), (True, b"503 Service Unavailable")):
        worker, connection, theirs = worker_of()
        question = HeldError(lambda: False, 60.0, ComputeLane(), is_of_page=is_of_page)
        keep(worker, connection, question)

        worker.handle_exit(signal.SIGTERM, None)

        answer = theirs.recv(999)
        assert answer.startswith(b"HTTP/1.1 " + status)
        assert b"\r\nConnection: close\r\n" in answer
        assert theirs.recv(9) == b""  # and so it is
        worker.murder_keepalived(force=True)
        theirs.close()


def test_a_worker_that_stops_after_so_many_requests_answers_those_who_are_held() -> None:
    worker, connection, theirs = worker_of()
    keep(worker, connection, HeldError(lambda: False, 60.0))
    _, other, _ = worker_of()
    last: Future[bool] = Future()
    last.set_result(False)
    worker.alive, worker.nr_conns = False, 2

    worker.finish_request(other, last)

    assert b"\r\nConnection: close\r\n" in theirs.recv(999)
    assert (worker.held, worker.nr_conns) == ({}, 1)
    worker.murder_keepalived(force=True)
    theirs.close()


@pytest.mark.parametrize("broken", ["has_news", "turn", "answer", "headers", "log"])
def test_no_error_of_a_held_question_ends_the_poller(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worker, connection, theirs = worker_of()
    in_full = Mock()
    monkeypatch.setattr(worker, "answer_in_full", in_full)
    error = Mock(side_effect=ValueError)
    if broken == "log":
        monkeypatch.setattr(worker.log, "access", error)
    known = known_answer(**({"X-From-Another-Process": "\x01"} if broken == "headers" else {}))
    calls: dict[str, Callable[[], object]] = {"has_news": lambda: True, "turn": lambda: None, "answer": lambda: known}
    calls |= {broken: error} if broken in calls else {}
    if broken == "turn":
        calls["answer"] = lambda: None  # as of all that have a turn
    question = HeldError(lambda: False, 60.0)
    vars(question).update(calls)
    keep(worker, connection, question)

    worker.answer_due()

    assert worker.held == {}
    if broken in ("has_news", "log"):  # it has an answer all the same
        assert theirs.recv(999).startswith(b"HTTP/1.1 200 OK\r\n")
        assert list(worker.keepalived_conns) == [connection]
        in_full.assert_not_called()
    else:
        in_full.assert_called_once_with(connection, question)
    worker.murder_keepalived(force=True)
    theirs.close()


def test_who_does_not_read_an_answer_has_a_thread_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_worker, "MOST_SENDING_SECONDS", 0.05)
    worker, connection, theirs = worker_of()
    keep(worker, connection, HeldError(lambda: True, 60.0, answer=lambda: known_answer(1_000_000)))

    worker.answer_due()

    [thread] = worker.held_pool._threads
    worker.held_pool.shutdown(wait=False)
    thread.join(SOON_SECONDS)
    assert not thread.is_alive()
    assert (worker.nr_conns, connection.sock.fileno()) == (0, -1)
    theirs.close()


def test_who_has_not_read_what_came_before_is_not_told_to_ask_again() -> None:
    worker, connection, theirs = worker_of()
    keep(worker, connection, HeldError(lambda: False, 0.0))
    connection.sock.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while connection.sock.send(b"x" * 999):
            pass
    begun = time.monotonic()

    worker.answer_due()

    assert (worker.nr_conns, connection.sock.fileno(), worker.held_pool._threads) == (0, -1, set())
    assert time.monotonic() - begun < 1  # the poller did not wait for its end
    theirs.close()


@pytest.mark.parametrize("asked", [b"GET / HTTP/1.0\r\n\r\n", b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"])
@pytest.mark.parametrize("is_known", [True, False])
def test_a_connection_of_which_the_end_is_said_ends(asked: bytes, *, is_known: bool) -> None:
    worker, connection, theirs = worker_of()
    theirs.sendall(asked)
    question = HeldError(lambda: is_known, 0.0, answer=known_answer)
    question.request = next(connection.parser)
    keep(worker, connection, question)
    begun = time.monotonic()

    worker.answer_due()

    answer = b"".join(iter(lambda: theirs.recv(999), b""))
    assert answer.split()[1] == (b"200" if is_known else b"204")
    assert b"\r\nConnection: close\r\n" in answer
    assert time.monotonic() - begun < 1  # the poller did not wait for the client's end
    assert list(worker.keepalived_conns) == [connection]  # it is looked after until then
    with pytest.raises(StopIteration):
        next(connection.parser)
    worker.murder_keepalived(force=True)
    theirs.close()


def test_those_who_wait_are_looked_through_once_for_all_who_wake_them() -> None:
    worker, connection, theirs = worker_of()
    deferred = list[Callable[[], None]]()
    worker.method_queue = Mock(defer=deferred.append)
    worker.wake_waiting("d")
    assert deferred == []  # nobody waits
    lane = ComputeLane()
    assert lane.enter()
    keep(worker, connection, HeldError(lambda: False, 60.0, lane))

    worker.wake_waiting("d")
    worker.wake_waiting("d")

    assert deferred == [worker.answer_waiting]
    deferred[0]()
    worker.wake_waiting("d")
    assert deferred == [worker.answer_waiting] * 2
    leave_lane()
    for each in (connection.sock, theirs):
        each.close()


def test_who_waits_for_something_of_another_design_is_not_looked_at() -> None:
    worker, connection, theirs = worker_of()
    other, their_other = socket.socketpair()
    deferred, looked = list[Callable[[], None]](), list[str]()
    worker.method_queue = Mock(defer=deferred.append)
    lane = ComputeLane()
    assert lane.enter()

    def is_made(design: str) -> bool:
        looked.append(design)
        if looked == ["d"]:
            worker.wake_waiting("e")  # by a thread, while this look is under way
        return False

    for place, design in ((connection, "d"), (TConn(worker.cfg, other, ("::1", 1), ("::1", 2)), "e")):
        keep(worker, place, HeldError(partial(is_made, design), 60.0, lane, design=design))

    worker.wake_waiting("")
    deferred.pop()()
    assert looked == []  # a place is free, and nothing was made
    worker.wake_waiting("d")
    deferred.pop(0)()
    assert (looked, len(deferred)) == (["d"], 1)
    deferred.pop()()

    assert looked == ["d", "e"]
    leave_lane()
    for each in (connection.sock, theirs, other, their_other):
        each.close()


def test_a_held_question_goes_when_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def hold(*_: object) -> None:
        turn = HeldError(lambda: False, 60.0)
        raise turn

    worker, connection, theirs = worker_of()
    monkeypatch.setattr(ThreadWorker, "handle_request", hold)
    gc.disable()
    try:
        question = worker.handle_request(Mock(), connection)
        kept = weakref.ref(question)
        del question
        assert kept() is None  # without the collector, which looks for rings
    finally:
        gc.enable()
    for each in (connection.sock, theirs):
        each.close()


def test_who_sends_a_request_line_by_line_is_cut_off_and_who_has_sent_one_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.cfg, worker.log, worker.alive = GunicornConfig(), web_worker.WebLog(GunicornConfig()), True
    worker.reading, worker.keepalived_conns, answered = {}, deque(), threading.Event()
    monkeypatch.setattr(web_worker, "MOST_READING_SECONDS", 0)
    monkeypatch.setattr(ThreadWorker, "handle_request", lambda *_: answered.wait(SOON_SECONDS))
    pairs = [socket.socketpair() for _ in range(2)]
    pairs[0][1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
    pairs[1][1].sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    connections = [TConn(worker.cfg, ours, ("127.0.0.1", 1), ("127.0.0.1", 2)) for ours, _ in pairs]
    threads = [threading.Thread(target=worker.handle, args=(each,)) for each in connections]
    for thread in threads:
        thread.start()
    end = time.monotonic() + SOON_SECONDS
    while list(worker.reading) != connections[:1] and time.monotonic() < end:
        time.sleep(0.01)

    worker.murder_keepalived()

    threads[0].join(SOON_SECONDS)
    assert [thread.is_alive() for thread in threads] == [False, True]
    answered.set()
    threads[1].join(SOON_SECONDS)
    for pair in pairs:
        for each in pair:
            each.close()


def test_the_newest_question_has_its_turn_in_the_lane_and_every_fourth_time_the_oldest() -> None:
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.alive, worker.turns, worker.poller = True, 0, selectors.DefaultSelector()
    worker.changed_designs = deque()
    lane, pairs, turns = ComputeLane(), [socket.socketpair() for _ in range(5)], list[TConn]()
    connections = [TConn(GunicornConfig(), ours, ("127.0.0.1", 1), ("127.0.0.1", 2)) for ours, _ in pairs]
    worker.held = {}
    worker.waiting = {each: (HeldError(lambda: False, 60.0, lane), time.monotonic() + 60) for each in connections}
    for each in connections:
        worker.poller.register(each.sock, selectors.EVENT_READ)
    worker.answer_in_full = lambda connection, _held: turns.append(connection)  # type: ignore[method-assign]
    assert lane.enter()
    worker.answer_due()
    assert turns == []
    leave_lane()

    for _ in range(5):
        worker.answer_due()

    assert [connections.index(each) for each in turns] == [4, 3, 2, 0, 1]
    for pair in pairs:
        for each in pair:
            each.close()


def test_what_another_thread_makes_has_no_turn_until_it_is_done() -> None:
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.alive, worker.turns, worker.poller = True, 0, selectors.DefaultSelector()
    worker.changed_designs = deque()
    lane, pairs, turns, making = ComputeLane(2), [socket.socketpair() for _ in range(3)], list[TConn](), [True]
    connections = [TConn(GunicornConfig(), ours, ("127.0.0.1", 1), ("127.0.0.1", 2)) for ours, _ in pairs]
    worker.held, worker.waiting = {}, {}
    for connection, is_made in zip(connections, (lambda: False, lambda: making[0], lambda: making[0]), strict=True):
        keep(worker, connection, HeldError(lambda: False, 60.0, lane, is_made=is_made))
    worker.answer_in_full = lambda connection, _held: turns.append(connection)  # type: ignore[method-assign]

    for _ in range(3):
        worker.answer_waiting()
    assert turns == connections[:1]

    making[0] = False
    worker.answer_waiting()
    assert turns == [connections[0], connections[2]]
    for pair in pairs:
        for each in pair:
            each.close()
