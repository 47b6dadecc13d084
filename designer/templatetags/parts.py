"""What the editors of parts show of a value: pictures as numbers, sentences."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from pydantic import TypeAdapter

from designer import forms, words
from designer.parts import groups
from designer.parts.regions import REGIONS, zones
from designer.parts.survival import Timeline, timeline
from designer.spec import Spec
from designer.spec.edits import Insert
from designer.spec.family import Gc
from designer.spec.texts import Text

register = template.Library()
_GC: TypeAdapter[Gc | None] = TypeAdapter(Gc | None)


@dataclass(frozen=True)
class Survival:
    """A garbage-collection rule as a sentence and as a picture."""

    sentence: Text
    timeline: Timeline


@register.simple_tag
def survival(value: Any) -> Survival:
    """What a rule does to the cells of a column."""
    gc = _GC.validate_python(value)
    return Survival(words.gc_sentence(gc), timeline(gc))


@register.filter
def percent(share: float) -> str:
    """A share of a drawing's width: the same in every language."""
    return f"{100 * share:.2f}%"


# --- fields in groups, and the instance's ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Grouped:
    """Controls to be shown at once, and those below "more"."""

    usual: tuple[forms.Control, ...]
    more: tuple[forms.Control, ...]
    open: bool


@register.simple_tag
def grouped(spec: Spec, at: str, controls: Sequence[forms.Control]) -> Grouped:
    """An element's controls in groups."""
    owner: Any = spec.by_id[at] if at else spec
    named = {control.field: control for control in controls}
    usual, more = groups.usual(owner, tuple(named))
    return Grouped(tuple(named[f] for f in usual), tuple(named[f] for f in more), groups.opens(owner, more))


@register.simple_tag
def controls_of(spec: Spec, at: str) -> tuple[forms.Control, ...]:
    """The controls of an element that is shown on another's page."""
    return forms.controls(spec, at)


@register.simple_tag
def one_control(spec: Spec, at: str, field: str) -> forms.Control:
    """The control of one field."""
    return forms.control(spec, at, field)


@register.simple_tag
def of_instance(spec: Spec, fields: str) -> tuple[forms.Control, ...]:
    """Controls of the instance, as far as the engine has them."""
    shown = (field for field in fields.split() if groups.has_meaning(spec, spec.instance, field))
    return tuple(forms.control(spec, "", f"instance.{field}") for field in shown)


# --- regions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewCluster:
    """A region to choose, with the edit that puts a cluster into it."""

    name: str
    place: str
    value: str
    likely: bool


@register.simple_tag
def new_clusters(spec: Spec) -> tuple[NewCluster, ...]:
    """Every region with the edit for a cluster there; the first without one is chosen already."""
    taken, new_id = {cluster.region for cluster in spec.instance.clusters}, secrets.token_hex(5)
    free = [region for region in REGIONS[spec.engine] if region not in taken]
    return tuple(
        NewCluster(region, place, _cluster(region, new_id), bool(free) and region == free[0])
        for region, place in REGIONS[spec.engine].items()
    )


def _cluster(region: str, new_id: str) -> str:
    return Insert(parent="", list="instance.clusters", element={"id": new_id, "region": region}).model_dump_json()


@register.simple_tag
def known_regions(engine: str) -> Mapping[str, str]:
    """Regions of an engine with the places that they stand in."""
    return REGIONS[engine]


@register.filter
def place_of(region: str, engine: str) -> str:
    """Where a region stands; empty where that is not known."""
    return REGIONS[engine].get(region, "")


@register.filter
def zones_of(region: str, engine: str) -> tuple[str, ...]:
    """Zones of a region, to suggest."""
    return zones(engine, region)


@register.simple_tag
def suggestions(control: forms.Control, at: str) -> str:
    """The id of the list of values that an input suggests; empty where it suggests none."""
    return {"region": "regions", "zone": f"zones-{at}", "instance.price_book": "price-books"}.get(control.field, "")
