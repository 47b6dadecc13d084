"""Words for templates: messages, numbers with their unit, Markdown, names of elements, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from designer import formats, words
from designer.prose import prose
from designer.spec import Spec

register = template.Library()


def language() -> str:
    """The reader's language as babel names it."""
    return (get_language() or "en").partition("-")[0]


def say(message: str, params: Mapping[str, Any]) -> str:
    """A message of the core in the reader's language."""
    return formats.said(message, params, language(), gettext)


@register.filter
def said(thing: Any) -> str:
    """What has a message and parameters, in words; a plain text is translated."""
    if thing is None or thing == "":
        return ""
    return say(thing, {}) if isinstance(thing, str) else say(thing.message, thing.params)


@register.simple_tag(name="say")
def say_tag(message: str, params: Mapping[str, Any] | None = None, **more: Any) -> str:
    """A message with its parameters."""
    return say(message, {**(params or {}), **more})


@register.filter(name="as")
def as_unit(value: Any, name: str) -> str:
    """A value with the unit that the suffix names: `bytes|as:"bytes"`."""
    return formats.formatted(name, value, language())


@register.filter
def in_words(value: Any, unit: str = "") -> str:
    """A value of the document in words."""
    return words.in_words(value, unit).said(say)


@register.filter
def choice(value: str) -> str:
    """A value of a choice in words."""
    return say(words.CHOICES.get(value, value), {})


@register.filter
def listed(things: Any, joint: str = ", ") -> str:
    """Several texts in one line."""
    return joint.join(said(thing) for thing in things)


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML; `prose` escapes what people wrote."""
    return mark_safe(prose(text))


@register.filter
def of(things: Mapping[Any, Any], key: Any) -> Any:
    """The entry of a mapping, or nothing."""
    return things.get(key) if things else None


@register.simple_tag
def name_of(spec: Spec, id: str) -> str:  # noqa: A002
    """What a person calls the element."""
    return words.name_of(spec, id)


@register.filter
def gc_sentence(family: Any) -> str:
    """A family's garbage collection as a sentence."""
    return words.gc_sentence(family.gc, say)


__all__ = ["language", "register", "say"]
