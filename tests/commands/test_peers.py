"""Web processes that pass questions on to the one that makes the parts of a design."""

import subprocess
import sys
from pathlib import Path

import pytest

from config.held import ComputeLane, leave_lane
from config.processes.peers import PeerQuestion, Peers, SharedAnswer


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
    peers = [Peers(str(folder), answer, pid) for pid in (101, 102, 103)]
    for each in peers:
        each.start()
    for design in map(str, range(30)):
        chosen = [each.owner(design) or each.own for each in peers]
        assert len(set(chosen)) == 1
    assert {peers[0].owner(str(n)) or peers[0].own for n in range(30)} == {"101.sock", "102.sock", "103.sock"}


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
    lane.listeners.append(lambda: told.append(lane.is_free))
    assert (lane.enter(), lane.enter(), lane.is_free) == (True, False, False)

    leave_lane()
    leave_lane()

    assert told == [True]
    assert lane.enter()
    leave_lane()


def test_nobody_is_asked_in_a_folder_that_others_may_write_to(folder: Path) -> None:
    first, second = (Peers(str(folder), answer, pid) for pid in (101, 102))
    first.start()
    folder.chmod(0o777)

    assert {second.owner(str(n)) for n in range(30)} == {""}
    with pytest.raises(PermissionError):
        second.start()
