"""Parameters of a simulation; they identify a run, so their text is canonical."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from designer.document.base import Flaw, Model
from designer.document.texts import N_, build_text

from .assumptions import DEFAULTS

Count = Annotated[int, Field(ge=0, le=2**63 - 1)]


class Parameters(Model):
    """A day at 15 minutes or a month hourly, and how it is played."""

    kind: Literal["day", "month"] = Field(default="day", title="Period")
    from_day: Annotated[int, Field(ge=0, le=36_525)] | None = Field(
        default=None,
        title="From day",
        description="Days after the start; unset: the busiest day, or the last month, of the horizon.",
    )
    seeds: Annotated[int, Field(ge=1, le=64)] = Field(
        default=1, title="Seeds", description="Runs with so many different draws, to see how far they differ."
    )
    seed: Count = Field(default=0, title="Seed")
    counting: Literal["computed", "generated"] = Field(
        default="computed",
        title="Counting",
        description="Generated draws every event by itself: slower, to check what is computed.",
    )
    retries: bool = Field(
        default=False, title="Retries", description="What a full node refuses is asked again in the next window."
    )
    assumptions: Mapping[str, float] = Field(default_factory=dict, title="Changed assumptions")

    def flaws(self) -> Iterator[Flaw]:
        for name, value in self.assumptions.items():
            assumption = DEFAULTS.get(name)
            if assumption is None:
                yield Flaw(("assumptions", name), build_text(N_("unknown assumption “{name}”"), name=name))
            elif not assumption.least <= value <= assumption.most:
                message = N_("{name} must be between {least} and {most}")
                yield Flaw(
                    ("assumptions", name), build_text(message, name=name, least=assumption.least, most=assumption.most)
                )

    @property
    def canonical(self) -> str:
        """JSON that is equal for equal questions."""
        data = self.model_dump(mode="json")
        # 1 and 1.0 are the same question and must identify the same run.
        data["assumptions"] = {name: float(value) for name, value in sorted(self.assumptions.items())}
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    def assumption(self, name: str) -> float:
        """Return an assumption's value in this run."""
        return float(self.assumptions.get(name, DEFAULTS[name].value))
