"""Column families, their garbage collection, columns and the cells in them."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .base import WHOLE, Count, Days, Element, Flag, Flaw, Model, Number, Share, list_field, optional_field
from .key import Bytes, Segment
from .terraform import Terraform
from .texts import N_, build_text


class MaxVersions(Model):
    """A cell goes when it is not among the newest n of its column."""

    kind: Literal["max_versions"] = "max_versions"
    versions: Count = Field(title="Versions")


class MaxAge(Model):
    """A cell goes when it is older than this."""

    kind: Literal["max_age"] = "max_age"
    age_days: Days = Field(title="Age", json_schema_extra={"unit": "days"})


class Never(Model):
    """Nothing goes: said on purpose."""

    kind: Literal["never"] = "never"


class Union(Model):
    """A cell goes when any of the rules says so."""

    kind: Literal["union"] = "union"
    rules: tuple["Gc", ...] = Field(title="Rules", min_length=1)


class Intersection(Model):
    """A cell goes when all of the rules say so."""

    kind: Literal["intersection"] = "intersection"
    rules: tuple["Gc", ...] = Field(title="Rules", min_length=1)


Gc = Annotated[MaxVersions | MaxAge | Never | Union | Intersection, Field(discriminator="kind")]

ValueKind = Literal["random", "text", "json", "protobuf", "small_integers", "integer", "float", "enumeration", "empty"]


class Value(Model):
    """Contents of a cell: its size and its kind, which determines how well it compresses."""

    kind: ValueKind | None = optional_field("Kind of value", guess="text", why=N_("text is the most common value"))
    typical_bytes: Annotated[Number, Field(ge=0, le=2**40)] | None = optional_field(
        "Typical size", unit="bytes", help="The mean over all cells."
    )
    max_bytes: Annotated[int, Field(ge=0, le=2**40), WHOLE] | None = optional_field(
        "Maximum size", unit="bytes", help="Default: the typical size."
    )

    def flaws(self) -> Iterator[Flaw]:
        if self.typical_bytes is not None and self.max_bytes is not None and self.typical_bytes > self.max_bytes:
            message = N_("the maximum size, {max_bytes}, is below the typical size, {typical_bytes}")
            yield Flaw(("max_bytes",), build_text(message, max_bytes=self.max_bytes, typical_bytes=self.typical_bytes))


class Needed(Model):
    """Cells that readers need: the newest versions, those up to an age, or all of them for ever."""

    versions: Count | None = optional_field("Versions", unit="versions")
    age_days: Days | None = optional_field("Age", unit="days")
    forever: Flag = Field(default=False, title="Unlimited")


class Column(Element):
    """A column: a fixed qualifier, or one made from fields (qualifier as data)."""

    qualifier: Bytes = Field(default="", title="Qualifier")
    qualifier_from: tuple[Segment, ...] = list_field("Qualifier from fields")
    presence: Share | None = optional_field(
        "Presence", unit="share of rows", guess=1.0, why=N_("every row, unless specified otherwise")
    )
    timestamp: Literal["server", "event", "constant"] | None = optional_field(
        "Cell timestamp", guess="server", why=N_("the server sets it unless the writer does")
    )
    timestamp_resolution: Literal["microsecond", "millisecond", "second"] | None = optional_field(
        "Resolution of the cell timestamp",
        guess="millisecond",
        help="For timestamps that the writer sets from the event.",
        why=N_("the engine accepts whole milliseconds only"),
    )
    value: Value = Field(default=Value(), title="Value")
    needed: Needed | None = optional_field("Required by readers", help="Default: the setting of the family.")

    @property
    def label(self) -> str:
        """The qualifier, or the id where that is empty or made from fields."""
        return self.qualifier or self.id


class Family(Element):
    """A column family."""

    name: str = Field(default="", title="Name")
    kind: Literal["ordinary", "sum", "min", "max", "hll"] = Field(default="ordinary", title="Kind")
    gc: Gc | None = optional_field(
        "Garbage collection", help="If not set, no cells are deleted, as on Bigtable, and a rule reports it."
    )
    needed: Needed | None = optional_field("Required by readers")
    terraform: Terraform | None = optional_field("Terraform resource")
    columns: tuple[Column, ...] = list_field("Columns")
