"""Template tags and filters for the editors of parts: numbers of their pictures, sentences."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext
from pydantic import TypeAdapter

from designer import wording as words
from designer.document import Engine, Spec, effective_value, groups
from designer.document.activity import Profile
from designer.document.engines import DESCRIPTIONS
from designer.document.family import Gc
from designer.document.field import Field
from designer.document.texts import N_, Text
from designer.editing import forms
from designer.editing.parts import profile
from designer.editing.parts.survival import Timeline, timeline
from designer.http.parameters import form, query

register = template.Library()
_GC: TypeAdapter[Gc | None] = TypeAdapter(Gc | None)


@dataclass(frozen=True)
class Survival:
    """A garbage-collection rule as a sentence and as a picture."""

    sentence: Text
    timeline: Timeline


@register.simple_tag
def survival(value: Any) -> Survival:
    """Return the effect of a rule on the cells of a column."""
    gc = _GC.validate_python(value)
    return Survival(words.gc_sentence(gc), timeline(gc))


@register.filter
def percent(share: float) -> str:
    """Return a share of a drawing's width in the same form for every language."""
    return f"{100 * share:.2f}%"


# --- the shape of a day -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DayBars:
    """A row of bars: one day of the week, or every day."""

    weekday: datetime.date | None
    """A day that has the name; None is every day."""
    bars: tuple[tuple[int, float], ...]
    """The place of each bar in the form, and its height."""
    numbers: tuple[tuple[int, float], ...]
    """The place of each number in the form, and the number."""


@dataclass(frozen=True)
class DayShape:
    """A profile as bars, and what is said about it."""

    sentence: Text
    days: tuple[DayBars, ...]
    top: int
    has_separate_days: bool
    """Each day of the week has bars of its own."""
    has_different_days: bool
    """They differ, so they must."""
    peak_text: Text
    edited_copy: str
    is_new_kind: bool
    """Another kind of profile than before, so its inputs are others."""


MONDAY = datetime.datetime(2026, 1, 5, tzinfo=datetime.UTC)


@register.simple_tag(takes_context=True)
def day_shape(context: Mapping[str, Any], control: forms.Control, at: str) -> DayShape:
    """Return the bars of a profile.

    They are those of one day if all days are alike, unless the request asks for the week (`days=own`).
    """
    value = control.value if control.value is not None else control.guess
    bars, peak, sent = profile.bars(value), profile.peak(value), _request_inputs(context.get("request"))
    apart = not bars.has_equal_days or sent.get("days", [""])[-1] == "own"
    rows = tuple(
        DayBars(
            (MONDAY + datetime.timedelta(days=day)).date() if apart else None,
            _bar_row(bars.hours, day),
            _bar_row(bars.numbers, day),
        )
        for day in range(7 if apart else 1)
    )
    sentence = words.describe_value(_PROFILE.validate_python(value)) if value is not None else Text("")
    changed = context.get("form")
    edited = profile.edited_copy(changed.was, sent) if changed is not None else ""
    rechosen = changed is not None and (bool(edited or sent.get("do")) or _kind(changed.was) != _kind(changed.value))
    return DayShape(
        sentence,
        rows,
        bars.top,
        apart,
        not bars.has_equal_days,
        _peak_text(context, at, peak, every_day=bars.has_equal_days),
        edited,
        rechosen,
    )


def _kind(value: Any) -> str:
    return value.get("kind", "") if isinstance(value, dict) else ""


_PROFILE: TypeAdapter[Profile] = TypeAdapter(Profile)


def _request_inputs(request: Any) -> Mapping[str, Sequence[str]]:
    return {} if request is None else (form(request) or query(request)).lists()


def _bar_row(hours: Sequence[float], day: int) -> tuple[tuple[int, float], ...]:
    return tuple((24 * day + hour, hours[24 * day + hour]) for hour in range(24))


def _peak_text(context: Mapping[str, Any], at: str, peak: profile.Peak, *, every_day: bool) -> Text:
    """Return the time of the busiest hour, with its rate if a rate is known.

    The day is included if days differ.
    """
    spec: Spec = context["spec"]
    element, busiest = spec.by_id[at], MONDAY + datetime.timedelta(hours=peak.hour)
    rate = effective_value(spec, element, "rate_per_second") if hasattr(element, "rate_per_second") else None
    params = {"peak_factor": peak.factor, "day_weekday": busiest, "hour_clock": busiest}
    when = Text(N_("{hour_clock} UTC") if every_day else N_("{day_weekday} {hour_clock} UTC"), params)
    if peak.factor == 1:
        return Text(N_("The same at every hour."))
    if rate is None:
        return Text(N_("The busiest hour ({when}) has {peak_factor} the mean."), params | {"when": when})
    message = N_("Mean {mean_per_second}, {top_per_second} in the busiest hour ({when}): {peak_factor} the mean.")
    return Text(message, params | {"when": when, "mean_per_second": rate, "top_per_second": rate * peak.factor})


# --- fields in groups, and the instance's ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ControlGroups:
    """Controls to be shown at once, and those below "more"."""

    usual: tuple[forms.Control, ...]
    more: tuple[forms.Control, ...]


@register.simple_tag
def grouped(spec: Spec, at: str, controls: Sequence[forms.Control]) -> ControlGroups:
    """Return an element's controls in groups."""
    owner: Any = spec.by_id[at] if at else spec
    by_field = {control.field: control for control in controls}
    usual, more = groups.split_fields(owner, tuple(by_field))
    return ControlGroups(tuple(by_field[f] for f in usual), tuple(by_field[f] for f in more))


@register.simple_tag
def controls_of(spec: Spec, at: str) -> tuple[forms.Control, ...]:
    """Return the controls of an element that is displayed on another element's page."""
    return forms.controls(spec, at)


@register.simple_tag
def one_control(spec: Spec, at: str, field: str) -> forms.Control:
    """Return the control of one field."""
    return forms.control(spec, at, field)


@register.simple_tag
def of_instance(spec: Spec, fields: str) -> tuple[forms.Control, ...]:
    """Return the controls of the instance for the fields that its engine has."""
    field_names = (field for field in fields.split() if groups.has_meaning(spec, spec.instance, field))
    return tuple(forms.control(spec, "", f"instance.{field}") for field in field_names)


# --- regions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NewCluster:
    """A region to choose for a new cluster."""

    name: str
    place: str
    is_suggested: bool


@register.simple_tag
def new_clusters(spec: Spec) -> tuple[NewCluster, ...]:
    """Every region; the first without a cluster is chosen already."""
    used_regions = {cluster.region for cluster in spec.instance.clusters}
    regions = known_regions(spec.engine)
    free = next((region for region in regions if region not in used_regions), None)
    return tuple(NewCluster(region, place, region == free) for region, place in regions.items())


@register.simple_tag
def known_regions(engine: Engine) -> Mapping[str, str]:
    """Regions of an engine with the places that they stand in."""
    return {region: gettext(place) for region, place in DESCRIPTIONS[engine].regions.items()}


@register.filter
def place_of(region: str, engine: Engine) -> str:
    """Return the location of a region, or "" if it is not known."""
    return known_regions(engine).get(region, "")


@register.filter
def zones_of(region: str, engine: Engine) -> tuple[str, ...]:
    """Zones of a region, to suggest."""
    return DESCRIPTIONS[engine].zones(region)


@register.simple_tag
def picture_of(spec: Spec, at: str, field: str) -> str:
    """Return the address, relative to a content, of the picture of a control's value, or "" for none."""
    return field if field in ("values", "popularity") and isinstance(spec.by_id.get(at), Field) else ""


@register.simple_tag
def suggestions(control: forms.Control, at: str) -> str:
    """Return the id of the list of suggested values of an input, or "" for none."""
    return {"region": "regions", "zone": f"zones-{at}", "instance.price_book": "price-books"}.get(control.field, "")


@register.filter
def unlocalised(value: float) -> str:
    """Return a number in the form that an input contains."""
    return str(int(value) if value == int(value) else value)


@register.filter
def two_digits(value: int) -> str:
    """Return an hour in two digits: 07."""
    return f"{value:02}"


@register.filter
def by_hour(days: Sequence[DayBars]) -> list[list[tuple[int, float, datetime.date | None]]]:
    """Rows of the table of numbers: each hour with every day's."""
    return [[(*day.numbers[hour], day.weekday) for day in days] for hour in range(24)]
