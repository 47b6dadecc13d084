"""The description of an engine as far as the design document and its editor need it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..base import Model
from ..table import RowKind

FieldsByModel = tuple[tuple[type[Model], tuple[str, ...]], ...]
"""Names of fields, by the model that they are on."""


@dataclass(frozen=True, kw_only=True)
class EngineDescription:
    """Features that a design can describe on one engine, and the engine's words for them."""

    title: str
    """Its usual name."""
    product: str
    """Its full name."""
    export_format: str
    """The format that its schemas are usually exported to."""
    trial_options: str
    """Options of `try` that say where a design is tried."""
    trial_needs: tuple[tuple[str, str], ...]
    """What a trial may need besides: messages, each with an option or variable."""
    has_key_columns: bool
    """Whether a row's key is made of primary-key columns; else it is one text."""
    has_families: bool
    """Whether columns are in families with their own collection; else the table has versions and a time to live."""
    has_several_places: bool
    """Whether an instance has clusters in several places; else it is in one region."""
    absent_fields: FieldsByModel
    """Fields that no form offers, unless they are set."""
    unassumed_fields: FieldsByModel
    """Fields that have no meaning, so that nothing is assumed for them."""
    field_titles: Mapping[tuple[type[Model], str], str] = field(default_factory=dict)
    """Messages for the fields and lists that have another title than on the model."""
    terms: Mapping[str, str]
    """What is in other words on each engine, as messages, by a key that all engines have."""
    regions: Mapping[str, str]
    """The places of its regions, as messages."""
    zone_letters: Mapping[str, str] = field(default_factory=dict)
    """The letters of its zones, by region."""

    def is_key_in_columns(self, kind: RowKind) -> bool:
        """Return whether a row kind's key is to be read and written as primary-key columns."""
        return self.has_key_columns and not kind.key

    def has_field(self, model: type[Model], name: str) -> bool:
        """Return whether a field of a model means something."""
        return not any(issubclass(model, absent) and name in names for absent, names in self.absent_fields)

    def zones(self, region: str) -> tuple[str, ...]:
        """Return the names of zones to suggest in a region."""
        return tuple(f"{region}-{letter}" for letter in self.zone_letters.get(region, ""))
