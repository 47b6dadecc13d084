"""A context in which nothing is remembered yet."""

import datetime

from designer.memory import Cache
from estimator.estimates.context import Context
from estimator.kernels.compression.measurements import Measurements
from estimator.price_books.shelf import read_price_books

TODAY = datetime.date(2026, 11, 22)


def fresh_context(memory_mb: int = 1024) -> Context:
    """Build a context with an empty cache of this size."""
    return Context(TODAY, read_price_books(), Measurements(), Cache(memory_mb << 20))
