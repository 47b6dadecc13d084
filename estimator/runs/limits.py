"""Limits of one run, and the refusals: each names the estimate that led to it."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from designer.document import Spec
from designer.document.dump import digest, fingerprint
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.models.memory import MEMORY
from estimator.estimates.context import Context
from estimator.results import NotComputableError

from .kinds import PARAMETERS, RunPlan, find_run_type


class RunRefusedError(DesignError):
    """Refusal to start a run, or its forced end; the reason is for people."""

    status = 422


class TooManyRunsError(DesignError):
    """Others of the team are under way."""

    status = 429


PLANS = "plans of runs"
"""The steps of a run follow each other, and who asks may be who works."""


def clear_plans() -> None:
    """Hold nothing while there is nothing to do."""
    MEMORY.clear(PLANS)


def cached_plan(name: str, spec: Spec, parameters: Mapping[str, Any], context: Context) -> RunPlan:
    """Return the plan of a run, cached for the same question.

    Raises
    ------
    RunRefusedError
        If there is nothing to compute yet; it says which part of the design lacks what.
    """
    try:
        # Measurements belong to the question: a plan made before a compression was measured would give other bits.
        key = (name, fingerprint(spec), digest(parameters), context.measurements.contents)
        return context.cache.get(PLANS, key, lambda: find_run_type(name).plan(spec, parameters, context))
    except NotComputableError as open_:
        because = Text(open_.because.message, open_.because.params)
        raise RunRefusedError(N_("Cannot be computed yet: {reason}"), reason=because).at("kind") from None


def check_plan(plan: RunPlan) -> None:
    """Refuse what is more than one run may take.

    Raises
    ------
    RunRefusedError
        With the estimate and the limit.
    """
    most_seconds = 60.0 * settings.KEYWRIGHT_RUN_MINUTES
    most_bytes = settings.KEYWRIGHT_RUN_MEMORY_MB << 20
    if plan.events > settings.KEYWRIGHT_MOST_EVENTS:
        words = N_("This run would generate {events} events; the maximum is {most}. Choose the exact method, a "
    "shorter period or fewer seeds. The administrator can raise the limit: KEYWRIGHT_MOST_EVENTS."
                   )  # fmt: skip
        raise RunRefusedError(words, events=plan.events, most=settings.KEYWRIGHT_MOST_EVENTS).at(PARAMETERS)
    if plan.keys > settings.KEYWRIGHT_MOST_KEYS:
        words = N_("You requested {keys} keys; the maximum is {most}. The administrator can raise the limit: "
    "KEYWRIGHT_MOST_KEYS.")  # fmt: skip
        raise RunRefusedError(words, keys=plan.keys, most=settings.KEYWRIGHT_MOST_KEYS).at(PARAMETERS, "count")
    check_file(plan.file_bytes)
    if plan.memory_bytes > most_bytes:
        words = N_("This run would need about {memory_bytes} of memory; the maximum is {most_bytes}. Choose a "
    "shorter period or fewer seeds, or simulate a variant with fewer tables. The administrator can "
    "raise the limit: KEYWRIGHT_RUN_MEMORY_MB.")  # fmt: skip
        raise RunRefusedError(words, memory_bytes=plan.memory_bytes, most_bytes=most_bytes).at(PARAMETERS)
    if plan.seconds > most_seconds:
        words = N_("This run would take about {seconds}; the maximum is {most_seconds}. Choose the exact method, a "
    "shorter period or fewer seeds. The administrator can raise the limit: KEYWRIGHT_RUN_MINUTES."
                   )  # fmt: skip
        raise RunRefusedError(words, seconds=plan.seconds, most_seconds=most_seconds).at(PARAMETERS)


def check_file(size_bytes: int) -> None:
    """Refuse a file that is, or would be, too large to be kept.

    Raises
    ------
    RunRefusedError
        With its size and the limit.
    """
    most_bytes = settings.KEYWRIGHT_FILE_MB << 20
    if size_bytes > most_bytes:
        words = N_("The file would have about {size_bytes}; the maximum per run is {most_bytes}. Request fewer "
    "keys, or omit the source values. The administrator can raise the limit: KEYWRIGHT_FILE_MB."
                   )  # fmt: skip
        raise RunRefusedError(words, size_bytes=size_bytes, most_bytes=most_bytes).at(PARAMETERS)


def check_size(parts: Mapping[str, bytes]) -> None:
    """Refuse a result that is too large to be kept.

    Raises
    ------
    RunRefusedError
        With its size and the limit.
    """
    size_bytes, most_bytes = sum(map(len, parts.values())), settings.KEYWRIGHT_RESULT_MB << 20
    if size_bytes > most_bytes:
        words = N_("The result has {size_bytes}; the maximum per run is {most_bytes}. Choose a shorter period, or "
    "simulate a variant with fewer tables. The administrator can raise the limit: "
    "KEYWRIGHT_RESULT_MB.")  # fmt: skip
        raise RunRefusedError(words, size_bytes=size_bytes, most_bytes=most_bytes).at(PARAMETERS)
