"""The instance: clusters, app profiles, commitment, prices, calibration."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from .base import Count, Element, Flaw, Id, Model, Rate, Share, Usd, described, listed
from .money import Currency, Money
from .texts import N_, said


class FixedNodes(Model):
    """A node count that a person sets."""

    kind: Literal["fixed"] = "fixed"
    count: Count


class Autoscaling(Model):
    """Bounds and targets of the autoscaler."""

    kind: Literal["autoscaling"] = "autoscaling"
    min: int = Field(ge=0, le=100_000)
    max: int = Field(ge=0, le=100_000)
    cpu_target: Share | None = described("CPU target", unit="share", guess=0.6)
    storage_target_gib: Annotated[float, Field(gt=0, le=1e6)] | None = described("Storage target", unit="GiB per node")

    def flaws(self) -> Iterator[Flaw]:
        if self.min > self.max:
            yield Flaw(("min",), said(N_("{min} is more than max, which is {max}"), min=self.min, max=self.max))


Nodes = Annotated[FixedNodes | Autoscaling, Field(discriminator="kind")]


class Cluster(Element):
    """A cluster in a zone of a region."""

    name: str = ""
    region: str = ""
    zone: str = ""
    nodes: Nodes | None = described("Nodes", help="Unset: as many as the load needs.")
    node_scaling: Literal[1, 2] = 1


class AppProfile(Element):
    """How callers are routed: to one cluster, or to any of several."""

    name: str = ""
    routing: Literal["single", "multi"] = "multi"
    clusters: tuple[Id, ...] = listed("Clusters", help="One for single routing; none named: all.")
    transactions: bool = False
    priority: Literal["low", "medium", "high"] = "high"
    data_boost: bool = False


class Commitment(Model):
    """Committed spend on nodes, as on-demand dollars per hour, or as nodes of the first cluster's price."""

    years: Literal[1, 3]
    usd_per_hour: Usd | None = None
    nodes: Annotated[float, Field(ge=0, le=100_000)] | None = None
    all_nodes: bool = False

    def flaws(self) -> Iterator[Flaw]:
        if (self.usd_per_hour is not None) + (self.nodes is not None) + self.all_nodes > 1:
            yield Flaw((), said(N_("a commitment is in dollars per hour, in nodes, or for all nodes: say one of them")))


class PriceOverride(Model):
    """A unit price that the team entered: it goes before the book's.

    `where` is the region, or the route or destination of network prices; empty holds everywhere.
    """

    sku: str
    where: str = ""
    usd: Usd | None = None
    amount: Usd | None = Field(default=None, description="In another currency than dollars: so much of `currency`.")
    currency: Currency | None = None
    source: str = Field(default="", description="Where the price is from; shown beside the line.")

    def flaws(self) -> Iterator[Flaw]:
        if (self.usd is None) == (self.amount is None) or (self.amount is None) != (self.currency is None):
            yield Flaw((), said(N_("a price is entered either as usd, or as an amount with its currency")))

    @property
    def price(self) -> Money:
        """The price in its currency."""
        if self.amount is None or self.currency is None:
            return Money(self.usd or Decimal(0), "USD")
        return Money(self.amount, self.currency)


class Calibration(Model):
    """What an existing cluster was seen to carry: rescales node throughput and, by its GiB, compression."""

    nodes: Count
    cpu_share: Share
    reads_per_second: Rate = 0
    writes_per_second: Rate = 0
    storage: Literal["ssd", "hdd"] = "ssd"
    gib_stored: Rate | None = described(
        "Stored",
        unit="GiB",
        help="Physical GiB of all tables on that cluster; a table's own measured figures go first.",
    )
    rows_stored: Rate | None = described(
        "Rows stored", unit="rows", help="How many rows those GiB hold; unset: what the design has on the start date."
    )


class Instance(Model):
    """The instance that holds all tables of the design."""

    edition: Literal["enterprise", "enterprise_plus"] | None = described("Edition", guess="enterprise")
    storage: Literal["ssd", "hdd"] | None = described("Storage", guess="ssd")
    in_memory: bool | None = described("In-memory tier", guess=False)
    clusters: tuple[Cluster, ...] = listed("Clusters")
    app_profiles: tuple[AppProfile, ...] = listed("App profiles")
    commitment: Commitment | None = described("Commitment")
    price_book: str | None = described("Price book", help="Unset: the newest that comes with the application.")
    prices: tuple[PriceOverride, ...] = listed("Prices entered")
    month_hours: Literal[720, 730] | None = described("Hours of a month", unit="hours", guess=730)
    calibration: Calibration | None = described("Calibration")
    tablestore_type: Literal["high_performance", "capacity"] | None = described(
        "Instance type", guess="high_performance"
    )
