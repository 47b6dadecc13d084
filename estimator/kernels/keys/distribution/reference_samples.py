"""Keys drawn one by one from a law: the plain way, for a few samples and as the reference of the fast one."""

import numpy as np

from ..patterns.distributions import Law
from ..patterns.pattern import Pattern
from .quantiles import keys_at


def keys_drawn(pattern: Pattern, law: Law, count: int, *, seed: int = 0) -> list[bytes]:
    """`count` keys drawn independently, windows collapsed, in the order of drawing."""
    rng = np.random.Generator(np.random.SFC64(np.random.SeedSequence([seed, count])))
    return keys_at(pattern, law, rng.random(count), bound=True)
