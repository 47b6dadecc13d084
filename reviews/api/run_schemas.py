"""Parameters of each kind of run, for the description: the kinds themselves check the values that are sent."""

from collections.abc import Mapping
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from designer.document.texts import N_
from estimator.runs.kinds.sample_keys import LEAST_KEYS, USUAL_KEYS
from reviews.api.bodies import RequestBody

Whole = Annotated[int, Field(ge=0, le=2**31 - 1)]


class SimulateParameters(RequestBody):
    """Parameters of a simulation."""

    period: Literal["day", "month"] = Field(
        default="day", description=N_("A day at 15 minutes, or a month by the hour.")
    )
    from_day: Annotated[int, Field(ge=0, le=36_525)] | None = Field(
        default=None, description=N_("Days after the start of the design. Default: the busiest day, or the last month.")
    )
    seeds: int = Field(default=1, ge=1, le=64, description=N_("Number of simulations with different random seeds."))
    seed: Whole = Field(default=0, description=N_("Seed of the first draw."))
    counting: Literal["computed", "generated"] = Field(
        default="computed", description=N_("Whether operations are computed, or every event is generated.")
    )
    retries: bool = Field(default=False, description=N_("Whether refused operations are sent again."))
    assumptions: Mapping[str, float] = Field(
        default_factory=dict, description=N_("Other values of the simulation's assumptions, by name.")
    )


class CompressionParameters(RequestBody):
    """Parameters of a measurement of compression."""

    table: str = Field(description=N_("Id of the table."))


class SampleKeysParameters(RequestBody):
    """Parameters of a file of sample keys."""

    row_kind: str = Field(description=N_("Id of the row kind."))
    count: int = Field(default=USUAL_KEYS, ge=LEAST_KEYS, le=2**31 - 1, description=N_("Number of keys."))
    order: Literal["sorted", "arrival"] = Field(default="sorted", description=N_("Order of the keys."))
    form: Literal["csv", "ndjson"] = Field(default="csv", description=N_("Format of the file."))
    values: bool = Field(default=False, description=N_("Whether the values of the key's fields are listed, too."))
    seed: Whole = Field(default=0, description=N_("Seed of the draw."))


class SimulateAsked(RequestBody):
    """Request for a simulation."""

    kind: Literal["simulate"] = Field(description=N_("Type of the run."))
    parameters: SimulateParameters = Field(
        default_factory=SimulateParameters, description=N_("Parameters of the run type. Default: the usual values.")
    )


class CompressionAsked(RequestBody):
    """Request for a measurement of compression."""

    kind: Literal["compression"] = Field(description=N_("Type of the run."))
    parameters: CompressionParameters = Field(description=N_("Parameters of the run type. Default: the usual values."))


class SampleKeysAsked(RequestBody):
    """Request for a file of sample keys."""

    kind: Literal["sample_keys"] = Field(description=N_("Type of the run."))
    parameters: SampleKeysParameters = Field(description=N_("Parameters of the run type. Default: the usual values."))


RUN_REQUESTS: tuple[type[Schema], ...] = (SimulateAsked, CompressionAsked, SampleKeysAsked)
