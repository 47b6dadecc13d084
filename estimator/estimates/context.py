"""Inputs of an estimate besides the document."""

import datetime
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from designer.memory import Cache
from estimator.kernels.compression.measurements import Measurements
from estimator.price_books.collection import PriceBooks

MANY_ROW_KINDS = 4
"""What is computed of fewer row kinds is brief: other processes do not let it wait for what takes long."""

SENT_PATIENCE_SECONDS = 60.0

TABLES_HERE = 12
"""What is shown of a design with at most so many tables, all of them known, takes less than 50 ms."""


@dataclass(frozen=True)
class ComputeStep:
    """A part of a computation: `function(context, subject, *args)`, and who gets its value and the seconds it took.

    What it `raises` of these is raised where it was asked for; any other error is a fault of the program.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...] = ()
    keep: Callable[[Any, float], None] = lambda value, seconds: None
    raises: tuple[type[Exception], ...] = ()


class Processes(Protocol):
    """Other processes that compute for this one."""

    def compute(
        self, key: Hashable | None, context: "Context", subject: Any, steps: Sequence[ComputeStep], *,
        is_brief: bool = False, patience_seconds: float | None = None,
    ) -> None:  # fmt: skip
        """Compute all steps in order, in one process, which keeps what it computed; return when that is done.

        Between two steps the process may compute something else. Whoever gives the same key meanwhile waits for the
        same steps; without a key nobody can, and what finds no place is not computed. What is brief waits only for
        what is brief, too. Whoever waits does so with so much patience.
        """


@dataclass(frozen=True, eq=False)
class Context:
    """The day, the price books, the measurements that there are, and the cache of earlier results.

    Results depend on the first three alone: a cache only saves time. Keys in it name all that a result depends on, so
    contexts of different days, books or measurements can share one. Where there are other processes, they compute what
    takes more than a few milliseconds.
    """

    today: datetime.date
    price_books: PriceBooks
    measurements: Measurements
    cache: Cache
    processes: Processes | None = None

    is_index = True  # for who weighs what holds it: all of it is there in any case

    def get_or_compute(
        self, kind: str, key: Hashable, subject: Any, function: Callable[..., Any], *args: Any,
        first: Sequence[ComputeStep] = (), is_brief: bool = False,
    ) -> Any:  # fmt: skip
        """Return what is kept, or the value of `function(context, subject, *args)`; other processes compute it.

        `first` is computed there before it.
        """
        results: list[Any] = []

        def keep(result: Any, seconds: float) -> None:
            results.append(result)
            self.cache.put(kind, key, result, seconds=seconds)

        if self.processes is not None and not self.cache.has(kind, key):
            steps = (*first, ComputeStep(function, args, keep))
            self.processes.compute((kind, key), self, subject, steps, is_brief=is_brief)
        if results:
            return results[0]
        return self.cache.get(kind, key, lambda: function(self, subject, *args))

    def beside(
        self, subject: Any, function: Callable[..., Any], *args: Any, raises: tuple[type[Exception], ...]
    ) -> Any:  # fmt: skip
        """Return `function(context, subject, *args)`, which is not kept; another process computes it if there is one.

        It is of what was sent with the question: the browser cannot ask again, so a thread waits for long.
        """
        if self.processes is None:
            return function(self, subject, *args)
        results: list[Any] = []
        step = ComputeStep(function, args, lambda result, seconds: results.append(result), raises)
        self.processes.compute(None, self, subject, (step,), patience_seconds=SENT_PATIENCE_SECONDS)
        return results[0]
