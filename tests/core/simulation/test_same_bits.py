"""One shard or sixty-four, in any order of merging: the same result to the last bit."""

import random
from itertools import pairwise

import numpy as np

from estimator.simulation import OperationCounts, Parameters, count, play
from estimator.simulation.packing import pack, unpack
from tests.contexts import plan
from tests.core.simulation.designs import run, sequence, users


def test_any_split_merged_in_any_order_gives_the_same_bits() -> None:
    made = plan(users(per_second=3.3), Parameters(seeds=2))
    whole = count(made, 0, made.windows)
    edges = sorted({0, 96, *random.Random(5).sample(range(1, 96), 63)})
    shards = [count(made, first, last) for first, last in pairwise(edges)]
    random.Random(6).shuffle(shards)

    kept = [OperationCounts.from_bytes(shard.to_bytes()) for shard in shards]
    merged = OperationCounts.merge(OperationCounts.merge(*kept[:20]), *kept[20:])

    assert len(shards) == 64
    assert all(np.array_equal(a, b) for a, b in zip(merged.flows, whole.flows, strict=True))
    assert pack(play(made, merged)) == pack(play(made, whole))


def test_another_seed_gives_other_counts() -> None:
    first, second = (count(plan(users(), Parameters(seed=seed)), 0, 4).flows[0] for seed in (1, 2))

    assert not np.array_equal(first.sum(axis=1), second.sum(axis=1))
    assert not np.array_equal(first, second)


def test_what_was_packed_is_unpacked() -> None:
    made = run(sequence(), seeds=2)

    again = unpack(pack(made))

    assert pack(again) == pack(made)
    assert again.diagnoses == made.diagnoses
    assert again.parameters == made.parameters
    assert np.array_equal(again.tables["t"].node_ns, made.tables["t"].node_ns)
