"""The context of this process, as it is at the moment: for views, commands about stored designs, and workers."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from designer.http.beside import set_reader
from designer.http.shares import require_share
from designer.models.memory import MEMORY
from estimator.estimates.context import Context, Processes
from estimator.kernels.compression.measurements import Measurements
from estimator.price_books.shelf import read_price_books


@dataclass
class _Process:
    measurements: Measurements = field(default_factory=Measurements)
    processes: Processes | None = None


_PROCESS = _Process()


def current_context() -> Context:
    """Return today's context of this process, with the measurements that it knows.

    Raises
    ------
    ShareSpentError
        If the request is for somebody who took their share of processor time.
    """
    require_share()
    return context_with(_PROCESS.measurements)


def context_with(measurements: Measurements) -> Context:
    """Return today's context of this process, with these measurements and no others."""
    return Context(_today(), read_price_books(), measurements, MEMORY, _PROCESS.processes)


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def set_measurements(measurements: Measurements) -> None:
    """Let the estimates of this process use these measurements from now on."""
    _PROCESS.measurements = measurements


def set_processes(processes: Processes | None) -> None:
    """Let other processes compute what takes long, from now on; None computes everything in this one."""
    _PROCESS.processes = processes
    set_reader(_read if processes is not None else None)


def _read(function: Callable[..., Any], args: tuple[Any, ...], raises: tuple[type[Exception], ...]) -> Any:
    return current_context().beside(None, _without_context, function, args, raises=raises)


def _without_context(_: Context, __: None, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    return function(*args)


def known_measurements() -> Measurements:
    """Return the measurements that this process knows."""
    return _PROCESS.measurements
