"""One small file per kind of bill line, found by its name: each has `ORDER` and `lines(month)`."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from functools import cache

from estimator.kernels.capacity.amounts import BillMonth
from estimator.results import BillLine

Lines = Callable[[BillMonth], Iterator[BillLine]]


@cache
def line_kinds() -> tuple[tuple[str, Lines], ...]:
    """Name and function of every kind of line, in the order of the bill."""
    kinds = []
    for module in pkgutil.iter_modules(__path__):
        kind = importlib.import_module(f"{__name__}.{module.name}")
        kinds.append((int(kind.ORDER), module.name, kind.lines))
    return tuple((name, lines) for _, name, lines in sorted(kinds, key=lambda entry: entry[:2]))
