"""What an estimate is computed from besides the document."""

import datetime
from dataclasses import dataclass

from designer.memory import Cache
from estimator.kernels.compression.measurements import Measurements
from estimator.price_books.collection import PriceBooks


@dataclass(frozen=True, eq=False)
class Context:
    """The day, the price books, the measurements that there are, and the cache of earlier results.

    Results depend on the first three alone: a cache only saves time. Keys in it name all that a result depends on, so
    contexts of different days, books or measurements can share one.
    """

    today: datetime.date
    price_books: PriceBooks
    measurements: Measurements
    cache: Cache
