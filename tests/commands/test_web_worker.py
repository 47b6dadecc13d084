"""gunicorn with our worker, as the Dockerfile starts it: questions are held until there is something new."""

import http.client
import re
import selectors
import signal
import socket
import subprocess
import threading
import time
from collections import deque
from collections.abc import Generator
from concurrent.futures import Future
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
    held.set_result(HeldError(lambda: False, 0.0))
    worker.finish_request(connection, held)
    theirs.shutdown(socket.SHUT_WR)
    [(key, _)] = worker.poller.select(1)

    worker.answer_due()
    key.data(key.fileobj)  # of the same look at the poller

    assert theirs.recv(99).startswith(b"HTTP/1.1 204 ")
    assert (list(worker.keepalived_conns), worker.held, worker.nr_conns) == ([connection], {}, 1)
    worker.murder_keepalived(force=True)
    theirs.close()


@pytest.mark.parametrize(("size_bytes", "takes_a_thread"), [(9_000, False), (1_000_000, True)])
def test_an_answer_that_is_known_takes_no_thread_unless_its_reader_is_slow(
    size_bytes: int, *, takes_a_thread: bool
) -> None:
    ours, theirs = socket.socketpair()
    worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
    worker.alive, worker.nr_conns, worker.held, worker.keepalived_conns = True, 1, {}, deque()
    worker.cfg, worker.log = GunicornConfig(), web_worker.WebLog(GunicornConfig())
    worker.reading, worker.poller, worker.method_queue = (
        {},
        selectors.DefaultSelector(),
        Mock(defer=lambda call, *given: call(*given)),
    )
    worker.get_thread_pool()
    connection = TConn(worker.cfg, ours, ("127.0.0.1", 1), ("127.0.0.1", 2))
    connection.init()
    lane, known = ComputeLane(), list[KnownAnswer]()
    question = HeldError(lambda: bool(known), 60.0, lane, answer=lambda: known[0])
    question.request = Mock(version=(1, 1), method="GET", should_close=lambda: False)
    worker.waiting, worker.turns = {connection: (question, time.monotonic() + 60)}, 0
    worker.poller.register(ours, selectors.EVENT_READ)
    body = b"x" * size_bytes
    known.append(KnownAnswer("200 OK", (("Content-Length", str(size_bytes)), ("X-Request-ID", "a")), body))

    worker.answer_waiting()

    answer = http.client.HTTPResponse(theirs)
    answer.begin()
    assert (answer.status, answer.headers["Connection"], answer.headers["X-Request-ID"]) == (200, "keep-alive", "a")
    assert answer.read() == body
    worker.held_pool.shutdown()
    assert bool(worker.held_pool._threads) == takes_a_thread
    assert (list(worker.keepalived_conns), worker.waiting) == ([connection], {})
    worker.murder_keepalived(force=True)
    theirs.close()


def test_who_is_held_when_the_worker_stops_is_told_that_the_connection_ends() -> None:
    for is_of_page, status in ((False, b"204 No Content"), (True, b"503 Service Unavailable")):
        ours, theirs = socket.socketpair()
        worker = web_worker.WebWorker.__new__(web_worker.WebWorker)
        worker.alive, worker.nr_conns, worker.held, worker.waiting = False, 1, {}, {}
        worker.reading, worker.keepalived_conns, worker.poller = {}, deque(), selectors.DefaultSelector()
        connection = TConn(GunicornConfig(), ours, ("127.0.0.1", 1), ("127.0.0.1", 2))
        connection.init()
        question: Future[HeldError] = Future()
        question.set_result(HeldError(lambda: False, 60.0, ComputeLane(), is_of_page=is_of_page))

        worker.finish_request(connection, question)

        answer = theirs.recv(999)
        assert answer.startswith(b"HTTP/1.1 " + status)
        assert b"\r\nConnection: close\r\n" in answer
        worker.murder_keepalived(force=True)
        theirs.close()


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
