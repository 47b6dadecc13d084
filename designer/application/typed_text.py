"""A typed sentence as the kind and the slots that it matches; what does not match is said with its place."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.document.texts import N_, Text

from .free_text import FreeReading, read_freely
from .japanese import IS_JAPANESE, ranking_in, read_japanese
from .quantities import EXPECTED, PARSERS, PATTERNS, UnreadableError, as_ascii
from .sentences import KINDS, SLOTS, Sentence, in_right_number
from .templates import Alternatives, Node, SentenceSlot, Words, parse_template

MOST_CHARACTERS = 300
"""No sentence is longer."""
UNKNOWN = N_(
    "Keywright does not understand this sentence. For example: show the latest 20 reports of one device, 5/min"
)
UNREAD = N_("“{value}” is not understood. Choose one of the sentences and fill it in.")
AMBIGUOUS = N_("This can mean two things. Choose one of the two sentences.")
SEVERAL = N_("This says two things. Enter one sentence at a time.")
SIZED = N_(
    "“{value}”: no sentence says how large a record is. Leave it out, and enter it in the table of the new design."
)
RANKED = N_(
    "“{value}”: sentences know no order but that of time. Leave it out, and add a table to the new design whose key "
    "starts with the number that ranks, highest first; every change of the number then moves a row."
)
_NAME_CHARACTERS = 80
_SPACE, _PUNCTUATION = re.compile(r"\s*"), re.compile(r"\s*[,、，]?\s*")
_END = re.compile(r"\s*[.。]?\s*")


class UnknownSentenceError(ValueError):
    """Error for a text that says no sentence; `nearest` are sentences that say most of it.

    What is not understood begins at the character `at` and ends before `end`; None is the end of the text. `owners`
    are sentences that go with whichever of them is meant.
    """

    def __init__(
        self,
        text: Text,
        at: int,
        nearest: tuple[Sentence, ...] = (),
        end: int | None = None,
        owners: tuple[Sentence, ...] = (),
    ) -> None:
        super().__init__(str(text))
        self.text, self.at, self.end, self.owners = text, at, end, owners
        self.nearest = tuple(map(in_right_number, nearest))


@dataclass
class _Furthest:
    """The furthest place up to which some template matched, and what could have followed there."""

    at: int = 0
    expected: dict[str, None] = field(default_factory=dict)
    complete_at: int = 0
    """Behind the furthest whole sentence."""

    def note(self, at: int, expected: str) -> None:
        if at > self.at:
            self.at, self.expected = at, {}
        if at == self.at and expected:
            self.expected[expected] = None


def read_text(text: str, templates: Mapping[str, str] | None = None) -> Sentence:
    """Return the one sentence that a text says.

    Raises
    ------
    UnknownSentenceError
        If the whole text is not understood, or says more than one.
    """
    sentence, *others = read_sentences(text, templates)
    if others:
        raise UnknownSentenceError(Text(SEVERAL), 0, (sentence, *others))
    return sentence


def read_sentences(text: str, templates: Mapping[str, str] | None = None) -> tuple[Sentence, ...]:
    """Return what a text says: by the templates of one language (of English unless given), or freely.

    It is one sentence, and one more where it counts what its things belong to.

    Raises
    ------
    UnknownSentenceError
        If the whole text is not understood.
    """
    # Bounded, as a template with optional parts is tried in all of its ways.
    plain = as_ascii(text[:MOST_CHARACTERS])
    furthest = _Furthest()
    for kind in KINDS:
        template = (templates or {}).get(kind.name, kind.template)
        for values, end in _match(parse_template(template), 0, plain, _SPACE.match(plain).end(), {}, furthest):  # type: ignore[union-attr]
            end = _END.match(plain, end).end()  # type: ignore[union-attr]
            if end == len(text):
                values_read = {name: text[start:stop].strip() for name, (start, stop) in values.items()}
                return (Sentence(kind.name, values_read),)
            furthest.note(end, "")
            furthest.complete_at = max(furthest.complete_at, end)
    free = FreeReading()
    if len(text) <= MOST_CHARACTERS:
        free = _read_any_language(plain.lower().replace("’", "'"))
        if free.is_whole:
            return (free.sentences[0], *free.owners)
    # A place in the templates of another language says nothing of the text; the nearest sentence does.
    is_in_other_language = _is_japanese(text) != _is_japanese((templates or {}).get("event", ""))
    raise _build_error(text, _Furthest() if is_in_other_language and free.sentences else furthest, free)


def _is_japanese(text: str) -> bool:
    return IS_JAPANESE.search(text) is not None


def _read_any_language(text: str) -> FreeReading:
    """Return what a free text in English or Japanese says."""
    if not _is_japanese(text):
        return read_freely(text)
    if (ranking := ranking_in(text)) is not None:
        return FreeReading(at=ranking[0], end=ranking[1], is_ranked=True)
    sentence = read_japanese(text)
    return FreeReading((sentence,), len(text), is_whole=True) if sentence is not None else FreeReading()


def _build_error(text: str, furthest: _Furthest, free: FreeReading) -> UnknownSentenceError:
    """Return the error of the template that matches most of the text, or of the free reading with what is nearest."""
    at = min(furthest.at, len(text))
    is_named = bool(free.sentences or free.is_ranked or (free.end and at * 2 > len(text)))
    if is_named and not _is_of_template(text, at, furthest, free):
        return _free_error(text, free)
    rest = re.split(r"[,、，]\s", text[at:].strip().lstrip(",、， "))[0]
    slots = [name for name in furthest.expected if name in EXPECTED]
    if not text.strip():
        message = Text(N_("Enter a sentence."))
    elif rest and at and len(slots) == 1:
        message = UnreadableError(rest, slots[0]).text
    elif rest:
        message = Text(UNREAD, {"value": rest})
    elif len(slots) == 1:
        message = Text(N_("The sentence ends too early. Enter {expected}."), {"expected": Text(EXPECTED[slots[0]])})
    else:
        message = Text(N_("The sentence ends too early."))
    return UnknownSentenceError(message, at, free.sentences)


def _is_of_template(text: str, at: int, furthest: _Furthest, free: FreeReading) -> bool:
    """Return whether a template says better what is wrong: it matches more, and wants what the text does not say."""
    if at * 2 <= len(text) or free.is_size:
        return False
    is_read = {"rate": free.has_rate, "duration": free.has_length, "retention": free.has_length}
    wanted = [slot for slot in furthest.expected if slot in EXPECTED and not is_read.get(slot)]
    return bool(wanted) or furthest.complete_at == furthest.at


def _free_error(text: str, free: FreeReading) -> UnknownSentenceError:
    """Return the error that names the words that are not understood, or says that all of them are, but not together."""
    if not free.end:
        message = AMBIGUOUS if len(free.sentences) > 1 else UNKNOWN
        return UnknownSentenceError(Text(message), free.at, free.sentences, owners=free.owners)
    message = RANKED if free.is_ranked else SIZED if free.is_size else UNREAD
    return UnknownSentenceError(
        Text(message, {"value": text[free.at : free.end].strip()}), free.at, free.sentences, free.end, free.owners
    )


Spans = dict[str, tuple[int, int]]


def _match(
    nodes: Sequence[Node], place: int, text: str, at: int, values: Spans, furthest: _Furthest
) -> Iterator[tuple[Spans, int]]:
    """Yield each way in which the nodes from a place on match the text from a character on."""
    furthest.note(at, "")
    if place == len(nodes):
        yield values, at
        return
    match nodes[place]:
        case Words(text=words):
            end = _skip_words(words, text, at)
            if end is not None:
                yield from _match(nodes, place + 1, text, end, values, furthest)
        case SentenceSlot(name=name):
            for end in _slot_ends(SLOTS[name], text, at, furthest):
                yield from _match(nodes, place + 1, text, end, {**values, name: (at, end)}, furthest)
        case Alternatives(options=options):
            for option in options:
                yield from _match((*option, *nodes[place + 1 :]), 0, text, at, values, furthest)


def _skip_words(words: str, text: str, at: int) -> int | None:
    """Return the place behind the words: spaces are free, commas may be missing, case does not matter."""
    for piece in re.findall(r"\s+|[,、，]|[^\s,、，]+", words):
        if piece.isspace() or piece in ",、，":
            match = (_SPACE if piece.isspace() else _PUNCTUATION).match(text, at)
            assert match is not None
            at = match.end()
        elif text[at : at + len(piece)].casefold() == piece.casefold() and not _cuts_word(text, at + len(piece)):
            at += len(piece)
        else:
            return None
    return at


def _cuts_word(text: str, at: int) -> bool:
    """Return whether a place stands between two letters of one ASCII word."""
    both = text[at - 1 : at + 1]
    return len(both) == 2 and both.isascii() and both.isalpha()


def _slot_ends(slot_type: str, text: str, at: int, furthest: _Furthest) -> Iterator[int]:
    """Yield the places where the value of a slot may end."""
    if slot_type in PATTERNS:
        match = PATTERNS[slot_type].match(text, at)
        if match is None:
            furthest.note(at, slot_type)
        else:
            yield match.end()
        return
    furthest.note(at, slot_type)
    for end in range(at + 1, min(len(text), at + _NAME_CHARACTERS) + 1):
        # A name may end at any word: where it does, the rest of the template decides.
        if text[end - 1].isspace() or _cuts_word(text, end):
            continue
        try:
            PARSERS[slot_type](text[at:end])
        except UnreadableError:
            continue
        yield end
