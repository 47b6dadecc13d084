"""The form that starts a simulation: which day or month, and what is assumed."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.document import Engine, effective_value
from designer.document.texts import N_
from designer.models import Design
from estimator.kernels.population.timeline import month_dates
from estimator.runs.kinds.simulate import PREFIX, InvalidParameterError
from estimator.simulation.assumptions import RunAssumption, run_assumptions


@dataclass(frozen=True)
class AssumptionRow:
    """An assumption in a form."""

    assumption: RunAssumption
    given: str = ""
    """What somebody entered."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.assumption, name)

    @property
    def default_text(self) -> str:
        """The default as it would be entered."""
        return f"{self.assumption.default:.12g}"


def assumption_rows(engine: Engine, changed: Mapping[str, Any]) -> tuple[AssumptionRow, ...]:
    """Return the assumptions of a run, with entered values in place of defaults."""
    return tuple(
        AssumptionRow(assumption, str(changed.get(assumption.name, ""))) for assumption in run_assumptions(engine, {})
    )


def start_context(design: Design, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of the form that starts a simulation, with the values entered."""
    spec = design.spec
    dates = month_dates(spec)
    changed = {
        name.removeprefix(PREFIX): value for name, value in values.items() if name.startswith(PREFIX) and value.strip()
    }
    names = ("period", "from_date", "seeds", "seed", "retries", "counting")
    return {
        **{name: values.get(name, "") for name in names}, "first": dates[0], "last": dates[-1], "changed": changed,
        "assumptions": assumption_rows(spec.engine, changed),
    }  # fmt: skip


def posted_parameters(design: Design, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters from the form, its date as a day after the design's start.

    Raises
    ------
    Wrong
        If the date is none, or outside the horizon.
    """
    parameters = {
        name: value for name, value in values.items() if name not in ("kind", "csrfmiddlewaretoken", "from_date")
    }
    if text := values.get("from_date"):
        start: datetime.date = effective_value(design.spec, design.spec, "start")
        end = month_dates(design.spec)[-1]
        try:
            date = datetime.date.fromisoformat(text)
        except ValueError:
            raise InvalidParameterError(N_('"{date}" is not a valid date'), date=text) from None
        if date < start:
            raise InvalidParameterError(
                N_("{date} is before the start date of the design, {start}"), date=date, start=start
            )
        if date > end:
            raise InvalidParameterError(N_("{date} is after the end of the horizon, {end}"), date=date, end=end)
        parameters["from_day"] = str((date - start).days)
    return parameters
