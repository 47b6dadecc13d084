"""Plays a day or a month of a design: windows are counted apart from each other, what has memory is played once."""

import datetime
import json
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from designer.document import Spec, effective_value
from designer.document.texts import N_, Text
from designer.document.validation_errors import problems
from designer.http.errors import DesignError
from estimator.estimates.context import Context
from estimator.results import NotComputableError
from estimator.simulation import NothingToSimulateError, OperationCounts, Parameters, count, play
from estimator.simulation import Plan as Played
from estimator.simulation import build_plan as planned
from estimator.simulation.assumptions import DEFAULTS
from estimator.simulation.packing import pack
from estimator.simulation.playing import READING

from . import PARAMETERS, ProgressCallback, RunPlan, RunType

PREFIX = "assumption."
NUMBERS = ("from_day", "seeds", "seed")


def canonical(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters from a form's names and values (`period`, `from_day`, `seeds`, `assumption.tablet_bytes` …).

    Raises
    ------
    DesignError
        With the name of what makes no sense.
    """
    values: dict[str, Any] = {
        "kind": parameters.get("period") or "day",
        "counting": parameters.get("counting") or "computed",
    }
    for name in NUMBERS:
        if (value := parameters.get(name)) not in (None, "", "null"):
            values[name] = _number(name, value)
    values["retries"] = str(parameters.get("retries", "")).lower() in ("true", "1", "on")
    changed = _assumptions(parameters.get("assumptions") or {})
    for name, value in parameters.items():
        if name.startswith(PREFIX) and str(value).strip():
            changed[name.removeprefix(PREFIX)] = _number(name.removeprefix(PREFIX), value)
    # Values equal to the default are left out: the same question has the same parameters, so the same stored result.
    values["assumptions"] = {
        n: float(v) for n, v in changed.items() if n not in DEFAULTS or float(v) != DEFAULTS[n].value
    }
    try:
        data = json.loads(Parameters.model_validate(values).canonical)
    except ValidationError as error:
        raise _parameter_error(error) from None
    return {"period": data.pop("kind"), **data}


class InvalidParameterError(DesignError):
    """A parameter that makes no sense."""

    status = 422


def _parameter_error(error: ValidationError) -> InvalidParameterError:
    first = error.errors()[0]
    if flaws := first.get("ctx", {}).get("flaws"):
        return InvalidParameterError(flaws[0].text.message, **flaws[0].text.params).at(PARAMETERS, *flaws[0].at)
    problem, place = problems(error, Parameters)[0], ".".join(map(str, first["loc"]))
    refusal = InvalidParameterError(N_("{place}: {problem}"), place=place, problem=problem.text)
    return refusal.at(PARAMETERS, *("period" if step == "kind" else step for step in first["loc"]))


def _assumptions(raw: Any) -> dict[str, Any]:
    """Names and numbers, as they are or as JSON."""
    with suppress(ValueError):
        raw = json.loads(raw) if isinstance(raw, str) else raw
    if not isinstance(raw, dict):
        message = N_("assumptions must be an object of names and numbers")
        raise InvalidParameterError(message).at(PARAMETERS, "assumptions")
    return {name: _number(name, value) for name, value in raw.items()}


def _number(name: str, value: Any) -> float | int:
    # Numbers are shown with thousands separators, and people copy them back.
    text = str(value).strip().replace(",", "").replace("_", "")
    try:
        number = float(text)
        # float() reads "nan" and "inf", which are no values of an assumption, and which int() below would not take.
        if not math.isfinite(number):
            raise ValueError(text)
    except ValueError:
        message = N_('{name}: "{value}" is not a number')
        refusal = InvalidParameterError(message, name=name, value=str(value))
        raise refusal.at(PARAMETERS, "assumptions", name) from None
    return int(number) if number == int(number) else number


def build_parameters(parameters: Mapping[str, Any]) -> Parameters:
    """Return stored parameters as the simulation's parameters."""
    return Parameters.model_validate(
        {"kind": parameters["period"], **{n: v for n, v in parameters.items() if n != "period"}}
    )


def plan(spec: Spec, parameters: Mapping[str, Any], context: Context) -> RunPlan:
    """Windows, ranges, flows and shares."""
    try:
        simulation_plan = planned(spec, build_parameters(parameters), context)
    except NothingToSimulateError as nothing:
        raise NotComputableError(nothing.because) from None
    return RunPlan(
        windows=simulation_plan.windows,
        seconds=simulation_plan.seconds,
        events=simulation_plan.drawn_events,
        memory_bytes=simulation_plan.memory_bytes,
        held=simulation_plan,
    )


def work(run_plan: RunPlan, first: int, last: int, beat: ProgressCallback) -> bytes:
    """Operations of windows [first, last)."""
    simulation_plan: Played = run_plan.held
    return count(simulation_plan, first, last, _progress_reporter(beat)).to_bytes()


def finish(run_plan: RunPlan, shards: Iterable[bytes], beat: ProgressCallback) -> dict[str, bytes]:
    """Return the result in parts."""
    simulation_plan: Played = run_plan.held
    counts = OperationCounts.merge(*map(OperationCounts.from_bytes, shards))
    reporter = _progress_reporter(beat)
    return pack(play(simulation_plan, counts, reporter), lambda: reporter(1.0, READING))


def _progress_reporter(beat: ProgressCallback) -> Callable[[float, str], None]:
    return lambda fraction, doing: beat(fraction, Text(doing))


def title(spec: Spec, parameters: Mapping[str, Any]) -> Text:
    """Return the day or month of the simulation."""
    month = parameters["period"] == "month"
    if parameters["from_day"] is None:
        text = Text(N_("The last month of the horizon") if month else N_("The busiest day of the horizon"))
    else:
        date = effective_value(spec, spec, "start") + datetime.timedelta(days=parameters["from_day"])
        text = Text(N_("One month from {date}") if month else N_("The day {date}"), {"date": date})
    more = []
    if parameters["seeds"] > 1:
        more.append(Text(N_("{seeds} seeds"), {"seeds": parameters["seeds"]}))
    if parameters["seed"]:
        more.append(Text(N_("seed {seed}"), {"seed": str(parameters["seed"])}))
    if parameters["counting"] == "generated":
        more.append(Text(N_("all events generated")))
    if parameters["retries"]:
        more.append(Text(N_("with retries")))
    more += [
        Text("{name} = {value}", {"name": name, "value": value}) for name, value in parameters["assumptions"].items()
    ]
    return Text(N_("{period}, {more}"), {"period": text, "more": tuple(more)}) if more else text


QUICK_TABLES = 10
"""Planning takes some 70 ms a table."""

KIND = RunType(title, canonical, plan, work, finish, quick=lambda spec: len(spec.tables) <= QUICK_TABLES)
