"""The memory of results."""

import threading

import numpy as np

from estimator.results.memory import Memory


def test_a_remembered_result_is_not_made_again():
    memory: Memory[object] = Memory(limit_bytes=10_000)
    first = memory.get("a", lambda: object())

    assert memory.get("a", lambda: object()) is first


def test_the_least_recently_used_goes_when_the_bytes_run_out():
    memory: Memory[np.ndarray] = Memory(limit_bytes=2_500)
    for key in "ab":
        memory.get(key, lambda: np.zeros(125))  # 1,000 bytes each
    memory.get("a", lambda: np.ones(125))
    memory.get("c", lambda: np.zeros(125))

    assert memory.used_bytes <= 2_500
    assert memory.get("a", lambda: np.ones(125))[0] == 0
    assert memory.get("b", lambda: np.ones(125))[0] == 1


def test_who_asks_for_what_is_being_made_waits_for_it():
    memory: Memory[object] = Memory(limit_bytes=10_000)
    begun, go_on, made = threading.Event(), threading.Event(), []

    def make() -> object:
        begun.set()
        go_on.wait()
        made.append(object())
        return made[-1]

    asking = [threading.Thread(target=memory.get, args=("a", make)) for _ in range(3)]
    asking[0].start()
    begun.wait()
    for thread in asking[1:]:
        thread.start()
    go_on.set()
    for thread in asking:
        thread.join()

    assert len(made) == 1


def test_what_fails_is_tried_again():
    memory: Memory[object] = Memory(limit_bytes=10_000)

    def fail() -> object:
        raise ValueError

    for _ in range(2):
        try:
            memory.get("a", fail)
        except ValueError:
            continue
        raise AssertionError

    assert memory.get("a", lambda: 1) == 1
