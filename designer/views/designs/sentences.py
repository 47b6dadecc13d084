"""The sentences of the start page: shown as slots, added by choosing or typing, removed; nothing is computed here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from designer.application import (
    KINDS,
    Sentence,
    SentenceKind,
    UnknownSentenceError,
    kind_of_sentence,
    read_sentences,
    with_sentence,
)
from designer.application.templates import fill_template, required_slots, template_parts
from designer.document import Engine, Spec
from designer.document.engines import DESCRIPTIONS
from designer.document.texts import N_, Text
from designer.http.parameters import RequestParameters, form

MOST_SENTENCES = 30
MOST_CHARACTERS = 80
"""Characters of one slot."""
EXAMPLE_KINDS = ("report", "latest", "range")
"""Sentences that stand on the page at first."""

LABELS: Mapping[str, str] = {
    "count": N_("How many"), "things": N_("Things"), "record": N_("Record"), "interval": N_("Interval"),
    "kept": N_("Kept for"), "owner_count": N_("How many owners"), "owners": N_("Owners"), "by": N_("Known fields"),
    "rate": N_("How often"), "newest": N_("How many records"), "span": N_("Time span"), "within": N_("Time allowed"),
}  # fmt: skip
PLACEHOLDERS: Mapping[str, str] = {
    "record": N_("record"), "kept": N_("how long"), "newest": "1", "span": N_("how long"), "within": N_("how fast"),
    "by": N_("one thing"),
}  # fmt: skip
"""In slots that may be empty."""


@dataclass(frozen=True)
class SentencePart:
    """Text of a sentence, or one of its slots."""

    text: str
    slot: str = ""
    name: str = ""
    value: str = ""
    label: str = ""
    placeholder: str = ""
    is_optional: bool = False

    @property
    def width(self) -> int:
        """Characters that the slot shows."""
        # Japanese characters are as wide as two Latin ones; `size` of an input counts the latter.
        wide = sum(1 if character.isascii() else 2 for character in self.value or gettext(self.placeholder))
        return max(wide, 2)


@dataclass(frozen=True)
class SentenceRow:
    """One sentence of the form."""

    number: int
    kind: SentenceKind
    parts: tuple[SentencePart, ...]


@dataclass(frozen=True)
class SentenceChoice:
    """A kind of sentence to add, as its example reads."""

    kind: SentenceKind
    text: str


@dataclass(frozen=True)
class TypedText:
    """A typed sentence that is not understood, and why."""

    text: str
    understood: str
    rest: str
    behind: str
    """What follows the words that are not understood."""
    problem: Text
    nearest: tuple[str, ...] = ()
    """Sentences that say most of it, as they read."""


def example_sentences() -> list[Sentence]:
    """Return the sentences that stand on the page before anybody has entered one."""
    return [example_sentence(kind_of_sentence(name)) for name in EXAMPLE_KINDS]


def example_sentence(kind: SentenceKind) -> Sentence:
    """Return a kind's example in the reader's language."""
    return Sentence(kind.name, {name: gettext(value) for name, value in kind.example.items()})


def posted_sentences(given: RequestParameters) -> list[Sentence]:
    """Return the sentences of a form, at most so many."""
    names, sentences = {kind.name for kind in KINDS}, list[Sentence]()
    for number, name in enumerate(given.texts("kind")[:MOST_SENTENCES]):
        if name in names:
            slots = [part.slot for part in template_parts(kind_of_sentence(name).template) if part.slot]
            values = {slot: given.line(f"{number}-{slot}", most=MOST_CHARACTERS) for slot in slots}
            sentences.append(Sentence(name, {slot: value for slot, value in values.items() if value}))
    return sentences


def posted_engine(given: RequestParameters) -> Engine:
    """Return the engine that a new design is chosen to be for, Bigtable by default."""
    return given.choice("engine", get_args(Engine), Spec().engine)


def sentences_context(sentences: Sequence[Sentence], typed: TypedText | None = None) -> dict[str, Any]:
    """Return what the form of these sentences shows."""
    choices = tuple(SentenceChoice(kind, _example_text(kind)) for kind in KINDS)
    rows = tuple(_row(number, sentence) for number, sentence in enumerate(sentences))
    return {
        "rows": rows, "choices": choices, "not_understood": typed, "focus": False, "engines": DESCRIPTIONS,
    }  # fmt: skip


def _row(number: int, sentence: Sentence) -> SentenceRow:
    kind = kind_of_sentence(sentence.kind)
    parts = (
        SentencePart(
            part.text,
            part.slot,
            f"{number}-{part.slot}" if part.slot else "",
            sentence.values.get(part.slot, ""),
            LABELS.get(part.slot, ""),
            PLACEHOLDERS.get(part.slot, "") if part.is_optional else "",
            part.is_optional,
        )
        for part in template_parts(gettext(kind.template), sentence.values)
    )
    return SentenceRow(number, kind, tuple(parts))


def _example_text(kind: SentenceKind) -> str:
    values = example_sentence(kind).values
    return fill_template(gettext(kind.template), {slot: values[slot] for slot in required_slots(kind.template)})


def _text_of(sentence: Sentence) -> str:
    """Return a sentence as it reads in the reader's language."""
    return fill_template(gettext(kind_of_sentence(sentence.kind).template), sentence.values)


def _read_typed(text: str, chosen: int | None) -> tuple[Sentence, ...] | TypedText:
    """Return the sentences that a text says, or the nearest that was chosen; else why it is not understood."""
    try:
        return read_sentences(text, {kind.name: gettext(kind.template) for kind in KINDS})
    except UnknownSentenceError as error:
        if chosen is not None and chosen in range(len(error.nearest)):
            return (error.nearest[chosen], *error.owners)
        texts = ("; ".join(map(_text_of, (sentence, *error.owners))) for sentence in error.nearest)
        end = len(text) if error.end is None else error.end
        return TypedText(text, text[: error.at], text[error.at : end], text[end:], error.text, tuple(texts))


@require_POST
def change_sentences(request: HttpRequest) -> HttpResponse:
    """Add a sentence, chosen or typed, or remove one; return the form's sentences."""
    parameters = form(request)
    sentences, typed = posted_sentences(parameters), None
    if (number := parameters.number("remove")) is not None:
        sentences = [sentence for place, sentence in enumerate(sentences) if place != number]
    elif text := parameters.line("typed", most=300):
        read = _read_typed(text, parameters.number("nearest"))
        if isinstance(read, TypedText):
            typed = read
        else:
            # The first sentence of one's own takes the place of the examples, as nobody has said those.
            sentences = [] if sentences == example_sentences() else sentences
            for sentence in read:
                sentences = with_sentence(sentences, sentence)
    else:
        kind = next((kind for kind in KINDS if kind.name == parameters.get("add", "")), None)
        sentences += [example_sentence(kind)] if kind is not None else []
    context = sentences_context(sentences[:MOST_SENTENCES], typed)
    response = render(request, "designer/sentences/_sentences.html", context | {"focus": "typed" in parameters})
    if typed is None:
        # After settling, because the script that hears it looks for the new inputs.
        response["HX-Trigger-After-Settle"] = "sentences"
    return response
