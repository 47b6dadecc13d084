"""The instance: clusters, app profiles, commitment, prices, calibration."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from .base import Count, Element, Flaw, Id, Model, Rate, Share, Usd, described, listed
from .money import Currency, Money
from .texts import N_, said

TABLESTORE_CAPACITY_ONLY = frozenset(
    ("ap-northeast-1", "eu-central-1", "ap-southeast-2", "ap-southeast-5", "me-east-1")
)
"""Tablestore's regions that were seen with capacity instances only: Tokyo, Frankfurt, Sydney, Jakarta, Dubai.

Source: instance page of 2020-11-24; no newer list was found (2026-11-20).
"""


class FixedNodes(Model):
    """A node count that a person sets."""

    kind: Literal["fixed"] = "fixed"
    count: Count = Field(title="Nodes")


class Autoscaling(Model):
    """Bounds and targets of the autoscaler."""

    kind: Literal["autoscaling"] = "autoscaling"
    min: int = Field(title="Fewest nodes", ge=0, le=100_000)
    max: int = Field(title="Most nodes", ge=0, le=100_000)
    cpu_target: Share | None = described(
        "CPU target",
        unit="share",
        guess=0.6,
        why=N_("the target that Google recommends for data that somebody waits for"),
    )
    storage_target_gib: Annotated[float, Field(gt=0, le=1e6)] | None = described("Storage target", unit="GiB per node")

    def flaws(self) -> Iterator[Flaw]:
        if self.min > self.max:
            yield Flaw(("min",), said(N_("{min} is more than max, which is {max}"), min=self.min, max=self.max))


Nodes = Annotated[FixedNodes | Autoscaling, Field(discriminator="kind")]


class Cluster(Element):
    """A cluster in a zone of a region."""

    name: str = Field(default="", title="Name")
    region: str = Field(default="", title="Region")
    zone: str = Field(default="", title="Zone")
    nodes: Nodes | None = described(
        "Nodes", help="Unset: as many as the load needs, also where another cluster is lost."
    )
    node_scaling: Literal[1, 2] = Field(default=1, title="Node scaling")

    @property
    def label(self) -> str:
        """The name, or where the cluster is rather than a generated id."""
        where = self.zone or self.region if self.has_generated_id else ""
        return self.name or where or self.id


class AppProfile(Element):
    """How callers are routed: to one cluster, or to any of several."""

    name: str = Field(default="", title="Name")
    routing: Literal["single", "multi"] = Field(default="multi", title="Routing")
    clusters: tuple[Id, ...] = listed("Clusters", help="One for single routing; none named: all.")
    transactions: bool = Field(default=False, title="Single-row transactions")
    priority: Literal["low", "medium", "high"] = Field(default="high", title="Priority")
    data_boost: bool = Field(default=False, title="Data Boost")


class Commitment(Model):
    """Committed spend on nodes, as on-demand dollars per hour, or as nodes of the first cluster's price."""

    years: Literal[1, 3] = Field(title="Years")
    usd_per_hour: Usd | None = Field(default=None, title="Dollars an hour")
    nodes: Annotated[float, Field(ge=0, le=100_000)] | None = Field(default=None, title="Nodes")
    all_nodes: bool = Field(default=False, title="For all nodes", description="Those of the fullest hour.")

    def flaws(self) -> Iterator[Flaw]:
        if (self.usd_per_hour is not None) + (self.nodes is not None) + self.all_nodes > 1:
            yield Flaw((), said(N_("a commitment is in dollars per hour, in nodes, or for all nodes: say one of them")))


class PriceOverride(Model):
    """A unit price that the team entered: it goes before the book's.

    `where` is the region, or the route or destination of network prices; empty holds everywhere.
    """

    sku: str = Field(title="What (SKU)")
    where: str = Field(default="", title="Where")
    usd: Usd | None = Field(default=None, title="Price in dollars")
    amount: Usd | None = Field(
        title="Price", default=None, description="In another currency than dollars: so much of `currency`."
    )
    currency: Currency | None = Field(default=None, title="Currency")
    source: str = Field(title="Source", default="", description="Where the price is from; shown beside the line.")

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

    nodes: Count = Field(title="Nodes it had")
    cpu_share: Share = Field(title="CPU use seen")
    reads_per_second: Rate = Field(default=0, title="Reads a second")
    writes_per_second: Rate = Field(default=0, title="Writes a second")
    storage: Literal["ssd", "hdd"] = Field(default="ssd", title="Storage")
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

    name: str | None = described(
        "Instance name", help="As it is called where it runs; exports write it. Unset: made of the design's name."
    )
    edition: Literal["enterprise", "enterprise_plus"] | None = described(
        "Edition", guess="enterprise", why=N_("the edition that a new instance has")
    )
    storage: Literal["ssd", "hdd"] | None = described("Storage", guess="ssd", why=N_("SSD is right for most uses"))
    in_memory: bool | None = described("In-memory tier", guess=False, why=N_("it is off unless switched on"))
    clusters: tuple[Cluster, ...] = listed("Clusters")
    app_profiles: tuple[AppProfile, ...] = listed("App profiles")
    commitment: Commitment | None = described("Commitment")
    price_book: str | None = described("Price book", help="Unset: the newest that comes with the application.")
    prices: tuple[PriceOverride, ...] = listed("Prices entered")
    month_hours: Literal[720, 730] | None = described(
        "Hours of a month", unit="hours", guess=730, why=N_("price lists count 730 hours a month")
    )
    calibration: Calibration | None = described("Calibration")
    tablestore_type: Literal["high_performance", "capacity"] | None = described(
        "Instance type", guess="high_performance"
    )
