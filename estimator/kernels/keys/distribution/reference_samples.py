"""Keys drawn one by one from a law: the plain way, for a few samples and as the reference of the fast one."""

import numpy as np

from ..patterns.distributions import EventDistribution
from ..patterns.pattern import KeyPattern
from .quantiles import quantile_keys


def draw_keys(pattern: KeyPattern, distribution: EventDistribution, count: int, *, seed: int = 0) -> list[bytes]:
    """`count` keys drawn independently, windows collapsed, in the order of drawing."""
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, count])))
    return quantile_keys(pattern, distribution, rng.random(count), bound=True)
