"""Long inputs: another process reads what would hold a web thread, where there is one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

MOST_HERE = 16_000
"""Bytes or characters that a web thread reads itself: compact text takes 3 ms of a processor for a thousand."""


class Reader(Protocol):
    """Other processes that read for this one."""

    def __call__(self, function: Callable[..., Any], args: tuple[Any, ...], raises: tuple[type[Exception], ...]) -> Any:
        """Return `function(*args)`, or raise one of the errors that it is known to raise."""


@dataclass
class _Process:
    reader: Reader | None = None


_PROCESS = _Process()


def set_reader(reader: Reader | None) -> None:
    """Let other processes read what is long, from now on; None reads everything in this one."""
    _PROCESS.reader = reader


def read_beside(
    function: Callable[..., Any], *args: Any, length: int, raises: tuple[type[Exception], ...] = ()
) -> Any:  # fmt: skip
    """Return `function(*args)` of an input of this length; function, arguments, value and errors can be pickled."""
    if _PROCESS.reader is None or length <= MOST_HERE:
        return function(*args)
    return _PROCESS.reader(function, args, raises)
