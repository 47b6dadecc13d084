"""Memory and time that commands may use: set once, when the program starts."""

from typing import NamedTuple


class Limits(NamedTuple):
    """Megabytes of results that are kept, and what a run may take before `--anyway` is asked for."""

    memory_mb: int
    most_events: int
    run_minutes: int
    run_memory_mb: int


_TOLD: list[Limits] = []


def set_limits(limits: Limits) -> None:
    """Set the limits that hold from now on."""
    _TOLD[:] = [limits]


def current_limits() -> Limits:
    """Return the limits that hold."""
    return _TOLD[0]
