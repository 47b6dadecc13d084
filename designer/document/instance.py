"""The instance: clusters, app profiles, commitment, prices, calibration."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from .base import (
    WHOLE,
    Count,
    Element,
    Flag,
    Flaw,
    Id,
    Model,
    Number,
    Rate,
    Share,
    Usd,
    Whole,
    list_field,
    optional_field,
)
from .money import Currency, Money
from .terraform import Terraform, TerraformInstance
from .texts import N_, build_text

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
    min: Whole = Field(title="Minimum nodes", ge=0, le=100_000)
    max: Whole = Field(title="Maximum nodes", ge=0, le=100_000)
    cpu_target: Share | None = optional_field(
        "CPU target",
        unit="share",
        guess=0.6,
        why=N_("the target that Google recommends for latency-sensitive data"),
    )
    storage_target_gib: Annotated[Number, Field(gt=0, le=1e6)] | None = optional_field(
        "Storage target", unit="GiB per node"
    )

    def flaws(self) -> Iterator[Flaw]:
        if self.min > self.max:
            yield Flaw(
                ("min",), build_text(N_("{min} is greater than max, which is {max}"), min=self.min, max=self.max)
            )


Nodes = Annotated[FixedNodes | Autoscaling, Field(discriminator="kind")]


class Cluster(Element):
    """A cluster in a zone of a region."""

    name: str = Field(default="", title="Name")
    region: str = Field(default="", title="Region")
    zone: str = Field(default="", title="Zone")
    nodes: Nodes | None = optional_field(
        "Nodes", help="Default: as many as the load needs, also if another cluster fails."
    )
    node_scaling: Annotated[Literal[1, 2], WHOLE] = Field(default=1, title="Node scaling")
    kms_key: str | None = optional_field(
        "Encryption key", help="A Cloud KMS key: `projects/P/locations/L/keyRings/R/cryptoKeys/K`. Default: Google's."
    )

    @property
    def known_region(self) -> str:
        """The region that is named, or that of the zone; empty without both."""
        return self.region or self.zone.rpartition("-")[0]

    @property
    def label(self) -> str:
        """The name, or where the cluster is rather than a generated id."""
        where = self.zone or self.region if self.has_generated_id else ""
        return self.name or where or self.id


class AppProfile(Element):
    """Routing of callers: to a single cluster, or to any of several."""

    name: str = Field(default="", title="Name")
    routing: Literal["single", "multi"] = Field(default="multi", title="Routing")
    clusters: tuple[Id, ...] = list_field("Clusters", help="One for single-cluster routing. Default: all.")
    transactions: Flag = Field(default=False, title="Single-row transactions")
    priority: Literal["low", "medium", "high"] = Field(default="high", title="Priority")
    data_boost: Flag = Field(default=False, title="Data Boost")
    row_affinity: Flag = Field(default=False, title="Row affinity")
    description: str = Field(default="", title="Description")
    terraform: Terraform | None = optional_field("Terraform resource")


class Commitment(Model):
    """Committed spend on nodes, as on-demand dollars per hour, or as nodes of the first cluster's price."""

    years: Annotated[Literal[1, 3], WHOLE] = Field(title="Years")
    usd_per_hour: Usd | None = Field(default=None, title="Dollars per hour")
    nodes: Annotated[Number, Field(ge=0, le=100_000)] | None = Field(default=None, title="Nodes")
    all_nodes: Flag = Field(default=False, title="For all nodes", description="Nodes in the peak hour.")

    def flaws(self) -> Iterator[Flaw]:
        if (self.usd_per_hour is not None) + (self.nodes is not None) + self.all_nodes > 1:
            yield Flaw(
                (),
                build_text(N_("a commitment is in dollars per hour, in nodes, or for all nodes: specify one of them")),
            )


class PriceOverride(Model):
    """A unit price that the team entered: it goes before the book's.

    `where` is the region, or the route or destination of network prices; empty holds everywhere.
    """

    sku: str = Field(title="SKU")
    where: str = Field(default="", title="Location")
    usd: Usd | None = Field(default=None, title="Price in dollars")
    amount: Usd | None = Field(
        title="Price", default=None, description="Amount in `currency`, for currencies other than USD."
    )
    currency: Currency | None = Field(default=None, title="Currency")
    source: str = Field(title="Source", default="", description="Source of the price; shown next to the bill line.")

    def flaws(self) -> Iterator[Flaw]:
        if (self.usd is None) == (self.amount is None) or (self.amount is None) != (self.currency is None):
            yield Flaw((), build_text(N_("a price is either usd, or amount with currency")))

    @property
    def price(self) -> Money:
        """The price in its currency."""
        if self.amount is None or self.currency is None:
            return Money(self.usd or Decimal(0), "USD")
        return Money(self.amount, self.currency)


class Calibration(Model):
    """Observed load of an existing cluster.

    It rescales node throughput and, by its GiB, compression.
    """

    nodes: Count = Field(title="Measured nodes")
    cpu_share: Share = Field(title="Measured CPU utilisation")
    reads_per_second: Rate = Field(default=0, title="Reads per second")
    writes_per_second: Rate = Field(default=0, title="Writes per second")
    storage: Literal["ssd", "hdd"] = Field(default="ssd", title="Storage")
    gib_stored: Rate | None = optional_field(
        "Stored",
        unit="GiB",
        help="Physical GiB of all tables in that cluster. Measured figures of a table take precedence.",
    )
    rows_stored: Rate | None = optional_field(
        "Rows stored",
        unit="rows",
        help="Number of rows in those GiB. Default: the rows of the design on the start date.",
    )


MonthHours = Annotated[
    Literal[720, 730, "calendar"] | None,
    WithJsonSchema(
        {"anyOf": [{"enum": [720, 730], "type": "integer"}, {"const": "calendar", "type": "string"}, {"type": "null"}]}
    ),
]
"""Each of one type in the schema: what makes clients knows no list of numbers and words."""


class Label(Model):
    """A label of the instance."""

    name: str = Field(title="Name", max_length=63)
    value: str = Field(default="", title="Value", max_length=63)


class Instance(Model):
    """The instance that holds all tables of the design."""

    name: str | None = optional_field(
        "Instance name", help="The name in production, used in exports. Default: derived from the design name."
    )
    project: str | None = optional_field(
        "Project", help="The Google Cloud project of the instance. Default: specified when the exports are used."
    )
    edition: Literal["enterprise", "enterprise_plus"] | None = optional_field(
        "Edition", guess="enterprise", why=N_("the default edition of a new instance")
    )
    storage: Literal["ssd", "hdd"] | None = optional_field("Storage", guess="ssd", why=N_("SSD fits most uses"))
    in_memory: Flag | None = optional_field("In-memory tier", guess=False, why=N_("off by default"))
    clusters: tuple[Cluster, ...] = list_field("Clusters")
    app_profiles: tuple[AppProfile, ...] = list_field("App profiles")
    labels: tuple[Label, ...] = list_field("Labels")
    terraform: TerraformInstance | None = optional_field("Terraform resource")
    commitment: Commitment | None = optional_field("Commitment")
    price_book: str | None = optional_field("Price book", help="Default: the newest built-in price book.")
    prices: tuple[PriceOverride, ...] = list_field("Prices entered")
    month_hours: MonthHours = optional_field(
        "Hours per month",
        unit="hours",
        guess=730,
        why=N_("price lists use 730 hours a month"),
        help="With “calendar”, each month is billed with its own hours: 672 to 744.",
    )
    calibration: Calibration | None = optional_field("Calibration")
    tablestore_type: Literal["high_performance", "capacity"] | None = optional_field(
        "Instance type", guess="high_performance"
    )
