"""Assignment of tablets to nodes: placed once at the start, then moved a little after each window."""

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from estimator.kernels.capacity.placement import PLACED_NODE_SHARE, assign_greedily
from estimator.results.arrays import Floats, Ints


def place_tablets(loads: Sequence[Floats], nodes: int) -> list[Ints]:
    """Return the node of each tablet of each table: greedy, busiest first; quiet neighbours are as one.

    Parameters
    ----------
    loads : sequence of float64 (tablets,)
        By table, in key order. [nodes]

    Returns
    -------
    list of int64, shape (tablets,)
    """
    quiet = sum(float(load.sum()) for load in loads) / nodes * PLACED_NODE_SHARE
    if quiet <= 0:
        # Nothing is known of the load: equal runs of neighbouring tablets per node.
        return [np.arange(len(load)) * nodes // max(len(load), 1) for load in loads]
    # Neighbours whose load together is below a 32nd of a node's mean are placed as one, by their middles.
    groups = [_group_numbers(np.floor((np.cumsum(load) - load / 2) / quiet)) for load in loads]
    ends = np.cumsum([group[-1] + 1 for group in groups])
    home = assign_greedily(np.concatenate([np.bincount(g, load) for g, load in zip(groups, loads, strict=True)]), nodes)
    return [home[group + end - group[-1] - 1] for group, end in zip(groups, ends, strict=True)]


def _group_numbers(groups: Floats) -> Ints:
    return np.asarray(np.cumsum(np.diff(groups, prepend=-1.0) != 0) - 1)


def move_tablets(load: Floats, home: Ints, nodes: int, *, slack: float, maximum: int) -> tuple[Ints, int]:
    """Homes after the balancer has moved tablets from the busiest nodes to the least busy, and how many it moved.

    Parameters
    ----------
    load : float64 (tablets,)
        As seen in the window that has passed. [nodes]
    home : int64 (tablets,)
        Nodes that are gone (`nodes` and above) are left first, whatever it costs.
    slack
        A node within so much of the mean is left alone. [share of the mean]
    maximum
        Moves between two windows, those from nodes that are gone apart.
    """
    home = home.copy()
    gone = np.flatnonzero(home >= nodes)
    busy = np.bincount(home[home < nodes], load[home < nodes], minlength=nodes).astype(np.float64)
    cold = [(value, node) for node, value in enumerate(busy.tolist())]
    heapq.heapify(cold)
    # Tablets of nodes that are gone must move at any cost, so they do not count against the limit of moves.
    for tablet in gone[np.argsort(-load[gone], kind="stable")].tolist():
        value, node = cold[0]
        home[tablet] = node
        busy[node] = value + load[tablet]
        heapq.heapreplace(cold, (float(busy[node]), node))
    return home, len(gone) + _even_out(load, home, busy, cold, slack=slack, maximum=maximum)


def _even_out(
    load: Floats, home: Ints, busy: Floats, cold: list[tuple[float, int]], *, slack: float, maximum: int
) -> int:
    limit = float(busy.mean()) * (1 + slack)
    hot = [node for node in np.argsort(-busy, kind="stable").tolist() if busy[node] > limit]
    # Only nodes above the mean by more than the slack give tablets away.
    if not hot or maximum <= 0:
        return 0
    order = np.lexsort((-load, home))  # of each node the busiest first; nothing is moved to a node that is hot
    ends = np.searchsorted(home[order], np.arange(len(busy) + 1)).tolist()
    every, loads, now, moves = order.tolist(), load[order].tolist(), busy.tolist(), 0
    for node in hot:
        if moves >= maximum:
            break
        tablets, sizes = every[ends[node] : ends[node + 1]], loads[ends[node] : ends[node + 1]]
        while now[node] > limit and moves < maximum:
            while cold[0][0] != now[cold[0][1]]:
                heapq.heappop(cold)  # what it says of that node is past
            value, target = cold[0]
            place = _largest_fitting(sizes, value, now[node], limit)
            if place is None or target == node:
                break
            size = sizes.pop(place)
            home[tablets.pop(place)] = target
            now[node] -= size
            now[target] = value + size
            heapq.heapreplace(cold, (now[target], target))
            heapq.heappush(cold, (now[node], node))
            moves += 1
    return moves


def _largest_fitting(sizes: list[float], value: float, busy: float, limit: float) -> int | None:
    """Return the index of the largest of these sizes that a node of this load has room for.

    Sizes descend. If none fits, it is the index of one that evens out the load.
    """
    # If even the smallest tablet would make the target as busy as the source is now, a move only changes which is hot.
    # The tolerance keeps equal loads from moving back and forth.
    if not sizes or value + sizes[-1] >= busy - 1e-12:
        return None  # as where a node has one tablet
    # Sizes descend and bisection wants ascending keys, hence the signs: from `least` on, a move improves the balance,
    # and from `room` on, the target stays within the limit.
    least = bisect_right(sizes, -(busy - 1e-12), key=lambda size: -(value + size))
    room = max(least, bisect_left(sizes, -limit, key=lambda size: -(value + size)))
    place = room if room < len(sizes) and sizes[room] > 0 else least
    return place if place < len(sizes) and sizes[place] > 0 else None
