"""The memory of results."""

import gc
import threading
import weakref
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from designer.memory import LATER, Cache


@dataclass
class Shared:
    """A part that several results hold."""

    data: np.ndarray
    counts_once: ClassVar[bool] = True


class Index(dict[int, list[float]]):
    """What leads to parts that others hold."""

    is_index: ClassVar[bool] = True


def zeros(kilobytes: int) -> np.ndarray:
    return np.zeros(kilobytes << 10, dtype=np.uint8)


def test_a_stored_result_is_not_computed_again():
    cache = Cache(10_000)
    first = cache.get("kind", "a", lambda: object())

    assert cache.get("kind", "a", lambda: object()) is first
    assert cache.get("other", "a", lambda: object()) is not first


def test_what_is_used_stays_when_the_bytes_run_out():
    cache = Cache(250 << 10)
    for key in "ab":
        cache.put("kind", key, zeros(100), seconds=1)
    cache.find("kind", "a")
    cache.put("kind", "c", zeros(100), seconds=1)

    assert cache.used_bytes <= 250 << 10
    assert cache.find("kind", "a") is not None
    assert cache.find("kind", "b") is None


def test_a_look_is_no_use():
    cache = Cache(250 << 10)
    for key in "ab":
        cache.put("kind", key, zeros(100), seconds=1)
    assert cache.peek("kind", "a") is not None
    cache.find("kind", "b")
    cache.put("kind", "c", zeros(100), seconds=1)

    assert cache.peek("kind", "a") is None


def test_what_took_long_stays_before_what_is_computed_at_once():
    cache = Cache(250 << 10)
    cache.put("kind", "slow", zeros(100), seconds=10)
    for number in range(20):
        cache.put("kind", number, zeros(100), seconds=0.01)

    assert cache.find("kind", "slow") is not None


def test_what_was_slow_and_is_used_no_more_goes_in_the_end():
    cache = Cache(250 << 10)
    cache.put("kind", "slow", zeros(100), seconds=1)
    for number in range(300):
        cache.put("kind", number, zeros(100), seconds=0.1)
        cache.find("kind", number)

    assert cache.find("kind", "slow") is None


def test_a_part_of_several_results_is_weighed_once_and_as_long_as_one_holds_it():
    cache, part = Cache(1 << 30), Shared(zeros(100))
    for number in range(10):
        cache.put("kind", number, [part, number], seconds=1)
    assert 100 << 10 < cache.used_bytes < 110 << 10

    cache.put("kind", 0, [zeros(1)], seconds=1)
    assert cache.used_bytes > 100 << 10
    cache.clear()
    assert cache.used_bytes == 0


def test_a_part_that_is_stored_by_itself_is_the_same_part():
    cache, part = Cache(1 << 30), Shared(zeros(100))
    cache.put("parts", 0, part, seconds=1)
    cache.put("whole", 0, {"part": part}, seconds=1)

    assert cache.used_bytes < 110 << 10
    cache.clear("parts")
    assert cache.used_bytes > 100 << 10
    cache.clear("whole")
    assert cache.used_bytes == 0


def test_what_a_closure_or_a_view_of_an_array_keeps_alive_counts():
    cache, data = Cache(1 << 30), zeros(100)
    cache.put("kind", "closure", lambda: data, seconds=1)
    assert cache.used_bytes > 100 << 10

    cache.clear()
    cache.put("kind", "view", data[:8], seconds=1)
    assert cache.used_bytes > 100 << 10


def test_a_result_that_has_grown_is_weighed_again_when_it_is_used():
    cache, growing = Cache(1 << 30), {}
    cache.put("kind", "a", growing, seconds=1)
    growing["more"] = zeros(100)
    cache.find("kind", "a")

    assert cache.used_bytes > 100 << 10
    cache.clear()
    assert cache.used_bytes == 0


def test_what_an_index_refers_to_is_weighed_where_it_is_kept() -> None:
    lists = [[n / 3] for n in range(20)]
    memories = [Cache(1 << 20) for _ in range(3)]
    for memory, value in zip(memories, (dict(enumerate(lists)), Index(enumerate(lists)), Index()), strict=True):
        memory.put("a", 1, value, seconds=1)

    whole, index, empty = (memory.used_bytes for memory in memories)
    assert empty < index < whole


def test_what_is_larger_than_the_memory_is_given_and_not_kept():
    cache = Cache(1 << 10)
    made = cache.get("kind", "a", lambda: zeros(100))

    assert len(made) == 100 << 10
    assert len(cache) == 0
    assert cache.used_bytes == 0


def test_what_is_dropped_is_let_go():
    cache, part = Cache(150 << 10), Shared(zeros(100))
    alive = weakref.ref(part)
    cache.put("kind", "a", [part], seconds=1)
    del part
    cache.put("kind", "b", zeros(100), seconds=2)
    gc.collect()

    assert alive() is None


def test_who_asks_for_what_is_being_computed_waits_for_it():
    cache = Cache(10_000)
    begun, go_on, made = threading.Event(), threading.Event(), []

    def compute() -> object:
        begun.set()
        go_on.wait()
        made.append(object())
        return made[-1]

    asking = [threading.Thread(target=cache.get, args=("kind", "a", compute)) for _ in range(3)]
    asking[0].start()
    begun.wait()
    for thread in asking[1:]:
        thread.start()
    go_on.set()
    for thread in asking:
        thread.join()

    assert len(made) == 1


def test_what_fails_is_tried_again():
    cache = Cache(10_000)

    def fail() -> object:
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):  # noqa: PT011 - ours
            cache.get("kind", "a", fail)

    assert cache.get("kind", "a", lambda: 1) == 1


def test_what_grew_while_it_was_used_is_weighed_again_after_some_others() -> None:
    cache = Cache(1 << 20)
    grows = cache.get("kind", "grows", list)
    before = cache.used_bytes
    grows.append(bytes(100_000))

    for number in range(LATER):
        cache.get("kind", number, int)

    assert cache.used_bytes > before + 100_000
    assert cache.has("kind", "grows")
