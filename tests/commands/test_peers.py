"""Web processes that pass questions on to the one that makes the parts of a design."""

import subprocess
import sys
import threading
import time
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

import pytest

from config.held import YIELD_SECONDS, ComputeLane, leave_lane
from config.processes import peers
from config.processes.peers import PATIENCE_SECONDS, AdmissionQuestion, PeerQuestion, Peers, SharedAnswer


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder whose path is short enough for a socket; a test's own folder bears the test's name."""
    return tmp_path_factory.mktemp("p")


def answer(question: PeerQuestion) -> SharedAnswer:
    if question.environ["PATH_INFO"] == "/wrong":
        raise ValueError("of a test")
    return SharedAnswer("200 OK", (), question.environ["PATH_INFO"].encode())


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_all_agree_on_who_makes_the_parts_of_a_design(folder: Path) -> None:
    known = [Peers(str(folder), answer, pid) for pid in (101, 102, 103)]
    for each in known:
        each.start()
    for design in map(str, range(30)):
        chosen = [each.owner(design) or each.own for each in known]
        assert len(set(chosen)) == 1
    assert {known[0].owner(str(n)) or known[0].own for n in range(30)} == {"101.sock", "102.sock", "103.sock"}


def test_a_question_is_answered_by_another_process_and_who_fails_is_not_waited_for(folder: Path) -> None:
    first, second = (Peers(str(folder), answer, pid) for pid in (101, 102))
    first.start()
    for address in ("/one", "/wrong", "/two"):
        found = second.ask(first.own, PeerQuestion({"PATH_INFO": address}, None, 0))
        assert (found and found.body) == (None if address == "/wrong" else address.encode())


def test_who_ended_without_a_word_is_asked_no_more(folder: Path) -> None:
    own, gone = Peers(str(folder), answer, 101), Peers(str(folder), answer, ended_process())
    own.start()
    (folder / gone.own).touch()
    design = next(str(n) for n in range(99) if own.owner(str(n)))

    assert own.ask(own.owner(design), PeerQuestion({"PATH_INFO": "/"}, None, 0)) is None

    assert own.owner(design) == ""
    assert not (folder / gone.own).exists()


def test_a_lane_is_for_one_at_a_time_and_tells_when_it_is_free() -> None:
    lane, told = ComputeLane(), list[bool]()
    lane.listeners.append(lambda _: told.append(lane.is_free))
    assert (lane.enter(), lane.enter(), lane.is_free) == (True, False, False)

    leave_lane()
    leave_lane()

    assert told == [True]
    assert lane.enter()
    leave_lane()


def test_who_goes_first_has_the_lane_but_keeps_nobody_waiting_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("config.held.time.monotonic", lambda: now)
    first = ComputeLane()
    then = ComputeLane(before=first)
    first.count_waiting(1)
    assert then.enter()
    leave_lane()

    assert (then.is_free, then.enter()) == (False, False)
    now += YIELD_SECONDS
    assert then.enter()
    leave_lane()
    first.count_waiting(-1)
    assert then.is_free


def test_who_may_wait_for_a_place_gets_it_when_it_is_given_back() -> None:
    lane, entered = ComputeLane(), threading.Event()

    def wait() -> None:
        assert lane.enter(PATIENCE_SECONDS)
        leave_lane()
        entered.set()

    assert lane.enter()
    thread = threading.Thread(target=wait)
    thread.start()
    assert not lane.enter()
    assert not entered.is_set()

    leave_lane()

    assert entered.wait(PATIENCE_SECONDS)
    thread.join()
    assert lane.is_free
    assert lane.waiting_count == 0


def test_one_connection_to_another_process_serves_who_asks_one_after_the_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[Any]()

    def connect(*given: Any) -> Any:
        made.append(Client(*given))
        return made[-1]

    monkeypatch.setattr(peers, "Client", connect)
    first, second = (Peers(str(folder), answer, pid) for pid in (101, 102))
    first.start()

    def ask() -> None:
        second.ask(first.own, PeerQuestion({"PATH_INFO": "/one"}, None, 0))

    for _ in range(3):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()

    assert len(made) == 1


def test_a_process_asks_each_of_the_others_and_waits_only_so_long(folder: Path) -> None:
    may_answer = threading.Event()

    def answer_late(_question: Any) -> int:
        may_answer.wait(30)
        return 1

    first, second, third = (Peers(str(folder), answer_late, pid) for pid in (101, 102, 103))
    for process in (first, second, third):
        process.start()
    begun = time.monotonic()

    assert second.others() == (first.own, third.own)
    assert second.ask(first.own, AdmissionQuestion("s", "d", ()), 0.05) is None
    assert time.monotonic() - begun < 10
    may_answer.set()
    assert second.ask(first.own, AdmissionQuestion("s", "d", ()), 10.0) == 1


def test_each_kind_of_question_has_connections_of_its_own(folder: Path) -> None:
    threads = list[tuple[str, int]]()

    def note_thread(question: Any) -> int:
        threads.append((type(question).__name__, threading.get_ident()))
        return 1

    first, second = (Peers(str(folder), note_thread, pid) for pid in (101, 102))
    first.start()
    for question in (AdmissionQuestion("s", "d", ()), PeerQuestion({"PATH_INFO": "/one"}, None, 0)) * 2:
        assert second.ask(first.own, question) == 1

    assert len(set(threads)) == len({thread for _, thread in threads}) == 2


def test_nobody_is_asked_in_a_folder_that_others_may_write_to(folder: Path) -> None:
    first, second = (Peers(str(folder), answer, pid) for pid in (101, 102))
    first.start()
    folder.chmod(0o777)

    assert {second.owner(str(n)) for n in range(30)} == {""}
    with pytest.raises(PermissionError):
        second.start()
