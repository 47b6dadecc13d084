"""Inputs of an estimate besides the document."""

import datetime
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from designer.memory import Cache
from estimator.kernels.compression.measurements import Measurements
from estimator.price_books.collection import PriceBooks

MANY_ROW_KINDS = 4
"""From so many row kinds on, other processes compute what is not known of a design."""


@dataclass(frozen=True)
class ComputeStep:
    """A part of a computation: `function(context, subject, *args)`, and who gets its value and the seconds it took."""

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    keep: Callable[[Any, float], None] = lambda value, seconds: None


class Processes(Protocol):
    """Other processes that compute for this one."""

    def compute(self, key: Hashable, context: "Context", subject: Any, steps: Sequence[ComputeStep]) -> None:
        """Compute all steps in order, in one process, which keeps what it computed; return when that is done.

        Between two steps the process may compute something else. Whoever gives the same key meanwhile waits for the
        same steps.
        """


@dataclass(frozen=True, eq=False)
class Context:
    """The day, the price books, the measurements that there are, and the cache of earlier results.

    Results depend on the first three alone: a cache only saves time. Keys in it name all that a result depends on, so
    contexts of different days, books or measurements can share one. Where there are other processes, what takes long is
    computed there.
    """

    today: datetime.date
    price_books: PriceBooks
    measurements: Measurements
    cache: Cache
    processes: Processes | None = None
