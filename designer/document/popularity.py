"""Relative frequency of each value of a field."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .base import Flaw, Model, Number, Rate, Share
from .texts import N_, build_text


class Uniform(Model):
    """Every active value is as frequent as any other."""

    kind: Literal["uniform"] = "uniform"


class Zipf(Model):
    """The i-th most popular value has a share proportional to i^-theta; which value that is, is arbitrary.

    The busiest may stand above that law with shares of their own; the others share the rest by it, and none of them is
    busier. They are there from the start: values that come take ranks behind them.
    """

    kind: Literal["zipf"] = "zipf"
    theta: Number = Field(
        gt=0, le=5, title="Skew θ", description="0.99 is the YCSB constant; 0.9 over a million values gives 80/20."
    )
    busiest: tuple[Share, ...] = Field(
        default=(), max_length=10, title="Shares of the busiest values", description="Above the others' skew."
    )

    def flaws(self) -> Iterator[Flaw]:
        if list(self.busiest) != sorted(self.busiest, reverse=True):
            yield Flaw(("busiest",), build_text(N_("the largest share comes first")))
        if sum(self.busiest) > 1 + 1e-9:
            yield Flaw(("busiest",), build_text(N_("the shares of the busiest values add up to more than 100 %")))


class HotSet(Model):
    """A small set of values takes a large share of the traffic; inside and outside the set it is uniform."""

    kind: Literal["hot_set"] = "hot_set"
    value_share: Share = Field(title="Share of values")
    traffic_share: Share = Field(title="Share of traffic")


class Latest(Model):
    """The newest value is the most popular: Zipf over age rank. For fields that are assigned in sequence."""

    kind: Literal["latest"] = "latest"
    theta: Number = Field(default=0.99, gt=0, le=5, title="Skew θ")


class Weights(Model):
    """Shares in proportion to these weights, for the first values of the field; the rest shares `rest` evenly."""

    kind: Literal["weights"] = "weights"
    weights: tuple[Rate, ...] = Field(min_length=1, title="Weights")
    rest: Rate = Field(default=0.0, title="Weight of all other values")

    def flaws(self) -> Iterator[Flaw]:
        if not any(self.weights) and not self.rest:
            yield Flaw(("weights",), build_text(N_("all weights are 0, so no value can be selected")))


Popularity = Annotated[Uniform | Zipf | HotSet | Latest | Weights, Field(discriminator="kind")]
