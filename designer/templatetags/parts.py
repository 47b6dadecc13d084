"""What the editors of parts show of a value: pictures as numbers, sentences."""

from dataclasses import dataclass
from typing import Any

from django import template
from pydantic import TypeAdapter

from designer import words
from designer.parts.survival import Timeline, timeline
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
