"""How far the load of built-in designs can grow."""

import pytest

from designer.examples import example
from tests.contexts import estimate


@pytest.mark.parametrize("slug", ["timestamp-first", "sequential-id"])
def test_a_growing_end_that_overloads_a_node_leaves_no_room_to_grow(slug):
    [placement] = estimate(example(slug).spec).placements

    assert placement.limited_by == "front"
    assert placement.reachable_factor * placement.peak_utilisation == pytest.approx(1, rel=0.2)


def test_an_even_load_can_grow_until_the_cluster_is_full():
    [placement] = estimate(example("mobile-devices").spec).placements

    assert placement.limited_by == "cluster"
    assert placement.reachable_factor == pytest.approx(1 / placement.utilisation.mean(axis=0).max(), rel=0.05)
