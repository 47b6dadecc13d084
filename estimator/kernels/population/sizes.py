"""How many events single keys have: classes for quantiles, and the largest."""

import numpy as np

from estimator.results.arrays import Floats

from .counts import Counts
from .poisson import largest_of

CLASSES = 640
_STEP = 0.05
"""Keys whose expected events differ by less than this ratio are alike."""
TOP = 64
"""So many of the busiest classes are looked at for the largest key."""


def key_sizes(counts: Counts, first: Floats, last: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the keys that there can be, in classes by their expected events, and the events of the largest.

    Parameters
    ----------
    counts : Counts
    first, last : float64, shape (windows,)
        Keys of time buckets count that are met between; a bucket counts as if it were over. [day]

    Returns
    -------
    keys, events : float64, shape (windows, classes)
    largest : float64, shape (windows,)
        Of so many keys, by chance. [events]
    """
    found = [counts.classes(begin, end) for begin, end in zip(first.tolist(), last.tolist(), strict=True)]
    top = max((float(means.max(initial=0.0)) for _, means in found), default=0.0)
    keys, events, largest = np.zeros((len(last), CLASSES)), np.zeros((len(last), CLASSES)), np.zeros(len(last))
    for place, (many, means) in enumerate(found):
        if not len(means):
            continue
        depth = np.minimum(np.log(top / np.maximum(means, top * 1e-13)) / _STEP, CLASSES - 1).astype(np.int64)
        keys[place] = np.bincount(depth, many, minlength=CLASSES)
        events[place] = np.bincount(depth, many * means, minlength=CLASSES) / np.maximum(keys[place], 1e-300)
        busiest = np.argsort(-means)[:TOP]
        most = means[busiest[:1]] if counts.regular else largest_of(means[busiest][None], many[busiest][None])
        largest[place] = max(float(most[0]), 1.0)
    return keys, events, largest
