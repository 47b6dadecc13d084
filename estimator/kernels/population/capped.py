"""Events of one combination, of which so many count at most: by chance, at even intervals, or in buckets of numbers."""

from dataclasses import dataclass

import numpy as np

from estimator.results.arrays import Flags, Floats

from .events import OwnNumbers
from .poisson import mean_with_certain


@dataclass(frozen=True, eq=False)
class CappedEvents:
    """Function from expected events of combinations to those that count."""

    own_numbers: OwnNumbers
    part_of_actor: Floats
    """As `Counts.part_of_actor`."""
    clump: float
    """Events that come together, at most."""
    is_regular: bool
    """Events come at even intervals for each combination."""

    def __call__(self, means: Floats, cap: float, certain: Floats, *, from_first: Flags | None = None) -> Floats:
        """Return expected events of at most `cap` a key, of `means` by chance and `certain` ones at birth.

        Where events go through keys of so many numbers, a part of them are the last of a full key, and of the others
        those count that are the last of all; where the first of them begins a key, keys are full one after the other.
        """
        in_full_keys, beside = self.own_numbers.shares(cap)
        if beside == 0:
            return in_full_keys * (means + certain)
        of_one = self._of_one(means, cap, certain)
        found = in_full_keys * (means + certain) + beside * of_one
        if self.own_numbers.is_bounded and from_first is not None and from_first.any():
            more = self.own_numbers.beyond_first_key((means + certain)[from_first], cap)
            found[from_first] = of_one[from_first] + more
        return found

    def _of_one(self, means: Floats, cap: float, certain: Floats) -> Floats:
        """Return expected events of at most `cap` on a combination."""
        if self.is_regular:
            return np.minimum(means + certain, cap)
        part = self.part_of_actor
        if cap == 1 and part.all():  # of each action one combination is drawn
            acts = means / part
            return np.asarray(1 - (1 - part) ** np.floor(acts) * (1 - acts % 1 * part))
        return mean_with_certain(means, cap, self.clump, certain)
