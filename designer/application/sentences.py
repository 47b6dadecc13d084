"""The kinds of sentences that say what an application does, as templates with slots.

A template's `[…]` may be missing, `(a|b)` is either, `{slot}` is filled in. Pages show the template in their language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from designer.document.texts import N_

from .quantities import plural, singular

SlotType = Literal["count", "duration", "retention", "rate", "name", "names"]


@dataclass(frozen=True)
class SentenceKind:
    """One kind of sentence: its template, and example values of its slots as messages."""

    name: str
    is_read: bool
    template: str
    example: Mapping[str, str]


SLOTS: Mapping[str, SlotType] = {
    "count": "count", "things": "name", "record": "name", "interval": "duration", "kept": "retention",
    "owner_count": "count", "owners": "name", "by": "names", "rate": "rate", "newest": "count", "span": "duration",
    "within": "duration",
}  # fmt: skip
"""What may stand in each slot."""

# In the order in which a text is tried: "the latest of each device of one tenant" before "the latest of one device".
KINDS: tuple[SentenceKind, ...] = (
    SentenceKind(
        "report", is_read=False,
        template=N_("{count} {things} each report[ (a|an) {record}][ of {by}] every {interval}[, kept (|for ){kept}]"),
        example={"count": "200,000", "things": "devices", "interval": "10 s", "kept": N_("90 days")},
    ),
    SentenceKind(
        "event", is_read=False,
        template=N_("(A|An) {record}[ of {by}] is added {rate}[, kept (|for ){kept}]"),
        example={"record": "message", "by": N_("one channel and one user"), "rate": "2k/s", "kept": N_("1 year")},
    ),
    SentenceKind(
        "owner", is_read=False,
        template=N_("{count} {things} belong to {owner_count} {owners}"),
        example={"count": "200,000", "things": "devices", "owner_count": "1,000", "owners": "tenants"},
    ),
    SentenceKind(
        "states", is_read=True,
        template=N_(
            "Show the latest[ {record}] of (each|every) {things} of {by}, {rate}[, (within|may take) {within}]"
        ),
        example={"things": "device", "by": N_("one tenant"), "rate": "5/s"},
    ),
    SentenceKind(
        "latest", is_read=True,
        template=N_("Show the latest[ {newest}][ {record}] of {by}, {rate}[, (within|may take) {within}]"),
        example={"by": N_("one device"), "rate": "50/s"},
    ),
    SentenceKind(
        "recent", is_read=True,
        template=N_("(Show all|All|Show) {record} in the (last|past) {span}, {rate}[, (within|may take) {within}]"),
        example={"record": "messages", "span": "5 min", "rate": "1/s"},
    ),
    SentenceKind(
        "range", is_read=True,
        template=N_(
            "(Show all|All|Show)[ {record}] of {by}[ in the (last|past) {span}], {rate}[, (within|may take) {within}]"
        ),
        example={"record": "devices", "by": N_("one tenant"), "span": "1 h", "rate": "5/s", "within": "1 s"},
    ),
    SentenceKind(
        "count", is_read=True,
        template=N_(
            "(Count|Count all|Add up|Add up all) {record}[ of {by}][ in the (last|past) {span}], {rate}"
            "[, (within|may take) {within}]"
        ),
        example={"record": "orders", "by": N_("one customer"), "span": "1 h", "rate": "5/s"},
    ),
    SentenceKind(
        "one", is_read=True,
        template=N_("Show one {record} by its {by}, {rate}[, (within|may take) {within}]"),
        example={"record": "order", "by": "id", "rate": "200/s"},
    ),
)  # fmt: skip

_BY_NAME = {kind.name: kind for kind in KINDS}


def kind_of_sentence(name: str) -> SentenceKind:
    """Return the kind of sentence with this name.

    Raises
    ------
    KeyError
        If there is no such kind.
    """
    return _BY_NAME[name]


@dataclass(frozen=True)
class Sentence:
    """One sentence: its kind and the text in each of its slots; an optional slot may be missing or empty."""

    kind: str
    values: Mapping[str, str] = field(default_factory=dict)


def in_right_number(sentence: Sentence) -> Sentence:
    """Return a sentence with its record in the plural where it speaks of several, else in the singular."""
    record, newest = sentence.values.get("record", ""), sentence.values.get("newest", "1")
    if not record.isascii() or not record:
        return sentence
    is_several = sentence.kind in ("recent", "range", "count") or (sentence.kind == "latest" and newest != "1")
    name = plural(singular(record)) if is_several else singular(record)
    return Sentence(sentence.kind, {**sentence.values, "record": name})
