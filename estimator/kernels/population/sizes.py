"""Numbers of events of single keys: classes for quantiles, and the largest."""

import math

import numpy as np

from estimator.results.arrays import Flags, Floats

from .counts import Counts
from .poisson import largest_of, whole_quantile

CLASSES = 320
_STEP = 0.1
"""Keys whose expected events differ by less than this ratio are alike…"""
TOP = 16
"""…but for so many of the busiest classes."""


def key_classes(counts: Counts, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Return the keys that there can be, in classes by their expected events.

    Parameters
    ----------
    counts : Counts
    first, last : float64, shape (windows,)
        Keys of time buckets count that are met between; a bucket counts as if it were over. [day]

    Returns
    -------
    keys, events : float64, shape (windows, classes)
    """
    windows = (np.asarray(first).tobytes(), last.tobytes())
    if windows not in counts.key_classes:  # rows with and without what is expired are of the same keys
        counts.key_classes[windows] = _key_classes(counts, first, last)
    return counts.key_classes[windows]


def _key_classes(counts: Counts, first: Floats, last: Floats) -> tuple[Floats, Floats]:
    keys, events = np.zeros((len(last), TOP + CLASSES)), np.zeros((len(last), TOP + CLASSES))
    for place, (many, means) in enumerate(counts.classes(first, last)):
        if not len(means):
            continue
        order = np.argsort(-means)
        label = np.empty(len(means), dtype=np.int64)
        label[order] = np.minimum(np.arange(len(means)), TOP)
        # 300 steps at most: within the classes.
        steps = np.log(means[order[0]] / np.maximum(means, means[order[0]] * 1e-13)) / _STEP
        label += np.where(label == TOP, np.minimum(steps, CLASSES - 1), 0).astype(np.int64)
        keys[place] = np.bincount(label, many, minlength=TOP + CLASSES)
        events[place] = np.bincount(label, many * means, minlength=TOP + CLASSES) / np.maximum(keys[place], 1e-300)
    used = keys.any(axis=0) | (np.arange(keys.shape[1]) == 0)  # one class at least, for the maxima over classes
    return keys[:, used], events[:, used]


def largest_events(counts: Counts, keys: Floats, events: Floats) -> Floats:
    """Return the events of the largest of so many keys, by chance: (windows,) of classes (windows, classes)."""
    if counts.regular:  # of 3.2 events in the mean one key in five has four

        def is_reached(count: Floats) -> Flags:
            beyond = (keys * np.clip(events - count[:, None], 0.0, 1.0)).sum(axis=1)
            return np.asarray(beyond < math.log(2), dtype=np.bool_)  # P(none is beyond) > 1/2

        return whole_quantile(is_reached, np.where(keys > 0, events, 0.0).max(axis=1, initial=0.0))
    largest: Floats = counts.clump * largest_of(events / counts.clump, keys)
    if not counts.part_of_actor.all():
        return largest
    acts = events.max(axis=1, initial=0.0) / counts.part_of_actor.max(initial=1e-300)
    return np.asarray(np.minimum(largest, np.ceil(acts - 1e-9)))  # the busiest key has no more than its actor's acts


def key_sizes(counts: Counts, first: Floats, last: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the classes of `key_classes`, and the events of the largest key: (windows,)."""
    keys, events = key_classes(counts, first, last)
    most = largest_events(counts, keys, events)
    return keys, events, np.where(keys.any(axis=1), np.maximum(most, 1.0), 0.0)  # a key that is there has an event
