"""The memory of results."""

import numpy as np

from estimator.cache import Memory


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
