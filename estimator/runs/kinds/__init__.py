"""Kinds of runs: one module for each, with its `KIND`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from designer.document import Spec
from designer.document.texts import Text
from estimator.estimates.context import Context
from estimator.results import Measurement

KINDS = {
    "simulate": "estimator.runs.kinds.simulate",
    "compression": "estimator.runs.kinds.compression",
    "sample_keys": "estimator.runs.kinds.sample_keys",
}
"""By name, where the kind is. Nothing of it is loaded before it is asked for."""
PARAMETERS = "parameters"
"""What a request calls them: the place of what is wrong with one."""


class ProgressCallback(Protocol):
    """Called often by what computes: says how far it is and what it does, and raises where it is to stop."""

    def __call__(self, fraction: float, doing: Text | None = None) -> None: ...


@dataclass(frozen=True)
class RunPlan:
    """Expected cost of a run, and its inputs."""

    windows: int = 1
    """What can be worked on apart from each other, so many; the results of any ranges of them add."""
    seconds: float = 0.0
    """Of one process, about."""
    events: int = 0
    keys: int = 0
    memory_bytes: int = 0
    """Of one process, at most."""
    file_bytes: int = 0
    """Of a file that is made, about."""
    held: Any = None
    """The kind's own."""


@dataclass(frozen=True)
class RunType:
    """A kind of run: pure functions of the document and the parameters, so that any worker comes to the same bits."""

    title: Callable[[Spec, Mapping[str, Any]], Text]
    """What is asked, in words."""
    canonical: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Parameters as they are stored, every default in its place; raises a DesignError for what makes no sense."""
    plan: Callable[[Spec, Mapping[str, Any], Context], RunPlan]
    """What it would take; raises Open where an input lacks. Every worker plans for itself, in a context with the
    measurements that this run is to use and no others."""
    work: Callable[[RunPlan, int, int, ProgressCallback], bytes]
    """What comes out of windows [first, last)."""
    finish: Callable[[RunPlan, Iterable[bytes], ProgressCallback], dict[str, bytes]]
    """The parts of the result, by name, from what came out of the windows, in their order."""
    quick: Callable[[Spec], bool] = lambda spec: True
    """Whether planning takes no longer than a click may; else a worker finds out what it would take."""
    measurement: Callable[[Mapping[str, bytes]], Measurement | None] = lambda parts: None
    """The measurement in a result, which other estimates are to use."""
    file_name: Callable[[Spec, Mapping[str, Any]], str] = lambda spec, parameters: ""
    """What the file that it makes is called; empty: it makes none."""
    pieces: Callable[[RunPlan, ProgressCallback], Iterator[bytes]] | None = None
    """Of a kind that makes a file, by one worker: its pieces in order, the same bytes at every attempt. They are stored
    as they come, so that the file can be read while it is made."""


def find_run_type(name: str) -> RunType:
    """Return a kind by its name; raise KeyError if there is none."""
    run_type: RunType = import_module(KINDS[name]).KIND
    return run_type
