"""Web processes that pass questions on to the one that makes the parts of a design."""

import subprocess
import sys
from pathlib import Path

from config.held import ComputeLane, leave_lane
from config.peers import PeerQuestion, Peers, SharedAnswer


def answer(question: PeerQuestion) -> SharedAnswer:
    if question.environ["PATH_INFO"] == "/wrong":
        raise ValueError("of a test")
    return SharedAnswer("200 OK", (), question.environ["PATH_INFO"].encode())


def ended_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_all_agree_on_who_makes_the_parts_of_a_design(tmp_path: Path) -> None:
    peers = [Peers(str(tmp_path), answer, pid) for pid in (101, 102, 103)]
    for each in peers:
        each.start()
    for design in map(str, range(30)):
        chosen = [each.owner(design) or each.own for each in peers]
        assert len(set(chosen)) == 1
    assert {peers[0].owner(str(n)) or peers[0].own for n in range(30)} == {"101.sock", "102.sock", "103.sock"}


def test_a_question_is_answered_by_another_process_and_who_fails_is_not_waited_for(tmp_path: Path) -> None:
    first, second = (Peers(str(tmp_path), answer, pid) for pid in (101, 102))
    first.start()
    for address in ("/one", "/wrong", "/two"):
        found = second.ask(first.own, PeerQuestion({"PATH_INFO": address}, None, 0))
        assert (found and found.body) == (None if address == "/wrong" else address.encode())


def test_who_ended_without_a_word_is_asked_no_more(tmp_path: Path) -> None:
    own, gone = Peers(str(tmp_path), answer, 101), Peers(str(tmp_path), answer, ended_process())
    own.start()
    (tmp_path / gone.own).touch()
    design = next(str(n) for n in range(99) if own.owner(str(n)))

    assert own.ask(own.owner(design), PeerQuestion({"PATH_INFO": "/"}, None, 0)) is None

    assert own.owner(design) == ""
    assert not (tmp_path / gone.own).exists()


def test_a_lane_is_for_one_at_a_time_and_tells_when_it_is_free() -> None:
    lane, told = ComputeLane(), list[bool]()
    lane.listeners.append(lambda: told.append(lane.is_free))
    assert (lane.enter(), lane.enter(), lane.is_free) == (True, False, False)

    leave_lane()
    leave_lane()

    assert told == [True]
    assert lane.enter()
    leave_lane()
