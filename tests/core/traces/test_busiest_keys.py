"""The busiest keys of a long log, beside a loop that counts all."""

from collections import Counter

import numpy as np

from estimator.traces.blocks import EventBlock, TraceEvent
from estimator.traces.busiest_keys import OFTEN, SLOT_BITS, BusiestKeys
from estimator.traces.byte_columns import ByteColumn

BUSY = {b"late#1": 0.01, b"late#22": 0.004, b"late#333": 0.002}


def log(requests: int, *, has_busy: bool, seed: int) -> list[bytes]:
    """Draw keys that nearly all come once, and after a while some that come often."""
    random = np.random.default_rng(seed)
    keys = [b"user%d#%d" % (seed, number) for number in random.integers(0, 10**9, requests).tolist()]
    if has_busy:
        names = [*BUSY, b""]
        drawn = random.choice(len(names), requests, p=[*BUSY.values(), 1 - sum(BUSY.values())]).tolist()
        keys = [names[place] or key for place, key in zip(drawn, keys, strict=True)]
    return keys


def block(keys: list[bytes]) -> EventBlock:
    return EventBlock.from_events([TraceEvent(0.0, "read", key, None, "") for key in keys])


def test_keys_that_become_busy_after_memory_was_full_are_counted() -> None:
    counter, all_of_them = BusiestKeys(limit_bytes=400_000), Counter[bytes]()
    for number in range(20):
        keys = log(2_000, has_busy=number > 8, seed=number)
        counter.add(block(keys))
        all_of_them.update(keys)
    assert counter.total == 40_000
    assert len(counter.counts) < 3_000, "memory is bounded"
    found = dict(counter.busiest(3))
    assert found.keys() == BUSY.keys()
    for key, count in found.items():
        assert all_of_them[key] - OFTEN - 20 <= count <= all_of_them[key], "what one block holds is counted at once"


def test_few_keys_are_counted_exactly() -> None:
    counter = BusiestKeys()
    keys = [b"k%d" % (number % 1_000 + number % 3) for number in range(20_000)]
    counter.add(block(keys))
    assert counter.counts == Counter(keys)


def test_numbers_of_cells_do_not_depend_on_their_place_and_differ() -> None:
    cells = [b"", b"\0", b"\0\0", b"1234567", b"12345678", b"123456781", b"12345678\0", "größe".encode(), b"x" * 5_000]
    numbers = ByteColumn.from_cells(cells).numbers().tolist()
    assert len(set(numbers)) == len(cells)
    for cell, number in zip(cells, numbers, strict=True):
        alone = ByteColumn(b"ab" + cell + b"cd", np.array([2]), np.array([2 + len(cell)]))
        assert alone.numbers().tolist() == [number]
    many = ByteColumn.from_cells([b"user%05d#%d" % (n % 100, n) for n in range(20_000)]).numbers()
    slots = np.bincount(many >> (63 - SLOT_BITS), minlength=1 << SLOT_BITS)
    assert slots.max() <= 6, "as even as chance makes them"
