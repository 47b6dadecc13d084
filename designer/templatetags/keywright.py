"""Words for templates: messages, numbers with their unit, Markdown, names of elements, in the reader's language."""

import datetime
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from babel.dates import format_timedelta
from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from designer import wording as words
from designer.document import Model, Spec, guess, write_mode
from designer.document.access import Read, Write
from designer.document.engines import description_of
from designer.document.family import Column
from designer.document.money import Currency, Money
from designer.document.table import Table
from designer.document.validation_errors import Problem
from designer.http.release import release
from designer.wording import formatting as formats
from designer.wording.browsers import describe_browser
from designer.wording.formatting import Text
from designer.wording.markdown import prose

register = template.Library()
_MODELS: Mapping[str, type[Model]] = {"Table": Table}
_END_OF_WORD = re.compile(r"[:_./-]+(?=\w)")
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=。)")
_AFTER_FULL_STOP = re.compile(r"(?<=。)\s+|(?<=。</span>)\s+")
_COMMA_OF_TEMPLATE = re.compile(r",\n\s*")


def language() -> str:
    """Return the reader's language as a babel identifier."""
    return (get_language() or "en").partition("-")[0]


def translate(message: str, params: Mapping[str, Any]) -> str:
    """Return a message of the core in the reader's language."""
    return formats.format_message(message, params, language(), gettext)


@register.filter(name="translate")
def translate_text(thing: Any) -> str:
    """Return a message with parameters in words; plain text is translated."""
    if thing is None or thing == "":
        return ""
    return gettext(thing) if isinstance(thing, str) else translate(thing.message, thing.params)


@register.simple_tag(name="message")
def message_tag(message: str, params: Mapping[str, Any] | None = None, **more: Any) -> str:
    """Return a message with its parameters in words."""
    return translate(message, {**(params or {}), **more})


register.simple_tag(release)


@register.simple_tag
def program() -> str:
    """Return what a person types before a command: another name in a clone than of an installed copy."""
    return str(settings.KEYWRIGHT_PROGRAM)


@register.filter(name="as")
def as_unit(value: Any, name: str) -> str:
    """Return a value with the unit of the suffix: `bytes|as:"bytes"`."""
    return formats.format_value(name, value, language())


@register.filter
def ago(moment: datetime.datetime) -> str:
    """Return the elapsed time, such as "3 hours ago"; show the exact moment beside it."""
    delta = min(moment - timezone.now(), datetime.timedelta(seconds=-1))
    return format_timedelta(delta, add_direction=True, locale=language())


@register.filter
def browser(agent: str) -> str:
    """Return a browser in words, from what it calls itself."""
    return translate_text(describe_browser(agent))


@register.filter
def ahead(moment: datetime.datetime) -> str:
    """Return the remaining time, such as "in 20 seconds"; show the exact moment beside it."""
    remaining = max(moment - timezone.now(), datetime.timedelta(seconds=1))
    return format_timedelta(remaining, add_direction=True, locale=language())


@register.filter
def where_in(problem: Problem) -> str:
    """Return the place of a problem in a document, in the form that its sentences use."""
    return problem.where


@register.filter
def money(value: Decimal, currency: Currency) -> str:
    """Return an amount in its currency: `bill.total|money:bill.currency`."""
    return formats.format_value("cost", Money(value, currency), language())


@register.filter
def rounded_money(value: Decimal, currency: Currency) -> str:
    """Return an amount without cents, for where it is compared at a glance."""
    return formats.format_value("rounded_cost", Money(value, currency), language())


@register.filter
def at_least(amount: str, is_bound: object) -> str:
    """Return an amount, marked where it is a lower bound."""
    return formats.at_least(amount, is_bound)


@register.filter
def describe(value: Any, unit: str = "") -> str:
    """Return a value of the document in words."""
    return words.describe_value(value, unit).translate(translate)


@register.filter
def choice(value: str) -> str:
    """Return a value of a choice in words."""
    return translate(words.CHOICES.get(value, value), {})


@register.filter
def text_list(things: Any, joint: str = "") -> str:
    """Several texts in one line, with the comma of the language or another joint between them."""
    return (joint or formats.comma(language())).join(translate_text(thing) for thing in things)


@register.simple_tag
def comma() -> str:
    """Return what stands between the parts of a list."""
    return formats.comma(language())


@register.filter
def name_list(names: Any) -> str:
    """Return names in one line, with the comma of the language, as they are."""
    return formats.comma(language()).join(map(str, names))


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML; `prose` escapes what people wrote."""
    return mark_safe(prose(text))


@register.filter
def breakable(text: str) -> SafeString:
    """Return a text that a narrow column breaks between its words rather than anywhere: after `:`, `_`, `.` …"""
    return mark_safe(_END_OF_WORD.sub(r"\g<0><wbr>", escape(text)))


@register.filter
def lookup(things: Mapping[Any, Any], key: Any) -> Any:
    """Return the entry of a mapping, or None."""
    return things.get(key) if things else None


@register.simple_tag
def element_label(spec: Spec, id: str) -> str:  # noqa: A002
    """Return the text that names the element."""
    return words.element_label(spec, id)


@register.filter
def term(spec: Spec, word: str) -> str:
    """Return the engine's own words for what each engine calls otherwise: `spec|term:"row key"`."""
    return gettext(description_of(spec).terms[word])


@register.filter
def engine_has(spec: Spec, what: str) -> bool:
    """Return whether the design's engine has something: key_columns, families, several_places."""
    return bool(getattr(description_of(spec), f"has_{what}"))


@register.filter
def engine_offers(spec: Spec, path: str) -> bool:
    """Return whether a field means something on the design's engine: `spec|engine_offers:"Table.backups"`."""
    model, _, name = path.partition(".")
    return description_of(spec).has_field(_MODELS[model], name)


@register.simple_tag(takes_context=True)
def engine_include(context: template.Context, spec: Spec, name: str) -> SafeString:
    """Return a part that each engine has of its own, in the folder of its name beside the others."""
    folder, _, file = name.rpartition("/")
    assert context.template is not None  # as wherever a tag is rendered
    part = context.template.engine.get_template(f"{folder}/{spec.engine}/{file}")
    with context.push():
        return part.render(context)


@register.filter
def gc_sentence(family: Any) -> str:
    """Return a family's garbage collection as a sentence."""
    return words.gc_sentence(family.gc).translate(translate)


@register.filter
def rotation_sentence(table: Any) -> str:
    """Return how a table rotates as a sentence; empty if it does not."""
    sentence = words.rotation_sentence(table)
    return "" if sentence is None else sentence.translate(translate)


@register.filter
def retention_sentence(table: Any) -> str:
    """Return the retention of a Tablestore table as a sentence."""
    return words.retention_sentence(table).translate(translate)


@register.filter
def first_sentence(text: str) -> str:
    """Return the first sentence of a story, without its Markdown, for a card."""
    line = " ".join(text.partition("\n\n")[0].split()).replace("`", "").replace("*", "")
    return _SENTENCE.split(line, maxsplit=1)[0]


@register.simple_block_tag
def running_text(content: str) -> SafeString:
    """Return sentences and lists as the language joins them: no space after a Japanese full stop, its own comma."""
    if language() == "ja":
        content = _COMMA_OF_TEMPLATE.sub(formats.comma("ja"), _AFTER_FULL_STOP.sub("", content))
    return mark_safe(content)


@register.filter
def day(written: str) -> str:
    """Return a date that is stored as text, such as `2026-11-20`, as every other date; other text as it is."""
    try:
        return as_unit(datetime.date.fromisoformat(written), "date")
    except ValueError:
        return written


@register.filter
def sentences(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [sentence for sentence in _SENTENCE.split(text) if sentence]


@register.filter
def mode_words(write: Write, spec: Spec) -> str:
    """Return the mode of a write in words, as set or assumed."""
    return translate(words.MODES[write_mode(spec, write)], {})


@register.filter
def family_words(kind: str) -> str:
    """Return the kind of a family in words."""
    return translate(words.FAMILY_KINDS[kind], {})


@register.filter
def values_of_read(read: Read, spec: Spec) -> tuple[Text, ...]:
    """Return the values that the caller of a read knows, and those that it requests."""
    return words.describe_read(spec, read)


@register.simple_tag
def qualifier(spec: Spec, column: Column) -> str:
    """Return a column's qualifier, or the pattern that generates it."""
    return words.qualifier_of(spec, column)


class EffectiveValue(NamedTuple):
    """The value of an optional field, and why if it is a guess."""

    value: Any
    is_guessed: bool
    why: str | Text


@register.simple_tag
def assumed(spec: Spec, part: Model, name: str) -> EffectiveValue:
    """Return the value of an optional field: the set value, else the assumed value."""
    if (value := getattr(part, name)) is not None:
        return EffectiveValue(value, False, "")
    guessed = guess(spec, part, name)
    return EffectiveValue(guessed.value, guessed.value is not None, guessed.why)


@register.filter
def host(address: str) -> str:
    """Return an address without its scheme, short enough for a line."""
    return address.partition("://")[2].removeprefix("www.") or address


@register.filter
def engines(names: tuple[str, ...]) -> str:
    """Engines by their names."""
    return name_list(name.capitalize() for name in names)


__all__ = ["language", "register", "translate"]


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return one icon of the sprite; it says nothing, so a word stands beside it."""
    address = f"{static('icons.svg')}#{name}"
    return format_html('<svg class="icon" aria-hidden="true"><use href="{}"/></svg>', address)
