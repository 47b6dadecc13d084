"""A noun of a sentence with what is said around it: `the latest 20 reports of one device`, `a user's orders`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .phrases import TypedWord
from .quantities import UnreadableError, parse_count, parse_name, singular
from .words import ARTICLES, BE, DISTRIBUTED, EACH, FILLERS, ITEMS, LATEST, NO_MODIFIERS, OTHER, PASSIVES, PREPOSITIONS

LEAST_VALUES = 100
"""Fewer values are read as a number of values only with “one of”."""


@dataclass
class Noun:
    """A noun with what is said around it."""

    name: str = ""
    by: list[str] = field(default_factory=list)
    newest: str = ""
    is_latest: bool = False
    is_each: bool = False
    is_all: bool = False
    is_by: bool = False
    """True if the known field is named by `by`: one record by its id."""
    count: str = ""
    counts: dict[str, str] = field(default_factory=dict)
    """How many values its known fields have."""
    latest_of: str = ""
    """The thing of which each is shown by its latest: `the latest reading of every sensor`."""
    several: list[TypedWord] = field(default_factory=list)
    """Words that speak of several values of its known fields: what a read of one has no slot for."""
    unread: list[TypedWord] = field(default_factory=list)

    @property
    def is_plural(self) -> bool:
        """True if the noun stands in the plural."""
        return self.is_all or parse_name(self.name).replace("_", " ") != self.name.replace("-", " ")


def _is_trailing_latest(token: TypedWord, rest: Sequence[TypedWord]) -> bool:
    """Return whether a noun ends with `latest 50` or `latest 50 items`."""
    is_counted = token.text in LATEST and bool(rest) and rest[0].type == "count"
    return is_counted and all(word.text in ITEMS for word in rest[1:])


def _is_most(token: TypedWord, rest: Sequence[TypedWord]) -> bool:
    """Return whether a word begins `most recent`."""
    return token.text == "most" and bool(rest) and rest[0].text in ("recent", "recently")


def read_noun(words: Sequence[TypedWord], possessors: Mapping[str, str]) -> Noun:
    """Return the noun that words say, with its known fields."""
    noun, name, rest = Noun(), list[str](), list(words)
    while rest:
        token = rest.pop(0)
        text = token.text
        if _is_trailing_latest(token, rest) and (name or noun.by):
            noun.is_latest, noun.newest, rest = True, rest[0].text, []
        elif name and text in PASSIVES and rest and rest[0].text in PREPOSITIONS:
            # "Messages sent by one user": the participle and its preposition say the same as "of".
            rest = _read_field(noun, "of", token, rest[1:])
        elif text in PREPOSITIONS and not (text == "of" and not name and (noun.is_each or noun.is_all)):
            rest = _read_field(noun, text, token, rest)
        elif (text == "of" and (noun.is_each or noun.is_all)) or _is_most(token, rest):
            continue
        elif text == "as" or (text in BE and name):
            noun.unread += [token, *rest]
            rest = []
        elif token.type == "count":
            _read_count(noun, token, rest, is_named=bool(name))
        elif text in LATEST or text == "recently":
            noun.is_latest = True
            noun.unread += [token] if name else []
        elif text == "all":
            noun.is_all = True
        elif text in ARTICLES:
            noun.is_each = noun.is_each or (text in EACH and not name) or text == "each"
            if possessors.get(text):
                noun.by.append(possessors[text])
        elif text.endswith(("'s", "s'")):
            owner = " ".join((*name, text.removesuffix("'s").removesuffix("'")))
            (noun.by.append(owner) if is_name(owner) else noun.unread.append(token))
            name, noun.is_each = [], False
        elif token.type != "word" or text in OTHER or is_modifier(text) or text in BE:
            noun.unread.append(token)
        else:
            name.append(text)
    noun.name = " ".join(name)
    if noun.name and not is_name(noun.name):
        noun.unread += [word for word in words if word.text in name][:1]
        noun.name = ""
    return noun


def _read_count(noun: Noun, token: TypedWord, words: list[TypedWord], *, is_named: bool) -> None:
    """Add a number: how many there are, or how many of the newest."""
    if is_named or (not noun.is_latest and (noun.by or noun.count)):
        noun.unread.append(token)
    elif noun.is_latest or (words and words[0].text in LATEST | {"most"}):
        noun.newest = token.text
    else:
        noun.count = token.text


def _read_field(noun: Noun, preposition: str, token: TypedWord, words: list[TypedWord]) -> list[TypedWord]:
    """Read the known field behind a preposition; return the words behind it."""
    name, rest, is_all = list[str](), list(words), False
    count, rest = _take_count(noun, rest)
    while rest and rest[0].text not in PREPOSITIONS and not _is_trailing_latest(rest[0], rest[1:]):
        word = rest.pop(0)
        if word.text in DISTRIBUTED and not name:
            if (
                (noun.is_latest or word.text in ("each", "every"))
                and not noun.newest
                and not noun.latest_of
                and rest
                and rest[0].type == "word"
            ):
                # "The position of every vehicle" most probably means its latest, which is asked.
                noun.unread += [] if noun.is_latest else [word]
                return _read_thing(noun, word, rest)
            is_all = word.text == "all"
            noun.unread.append(token)
        elif word.text == "and" and name and rest:
            noun.by.append(" ".join(name))
            noun.counts |= {noun.by[-1]: count} if count else {}
            return _read_field(noun, preposition, token, rest)
        elif word.text in OTHER:
            noun.unread += [word, *rest]
            rest = []
        elif word.type != "word" or word.text in LATEST or is_modifier(word.text):
            noun.unread.append(word)
        elif word.text not in ARTICLES:
            name.append(word.text.removesuffix("'s") if len(word.text) > 3 else word.text)
    field_name = " ".join(name)
    if is_all or not field_name or not is_name(field_name):
        noun.unread.append(token)
    if field_name and is_name(field_name) and not is_all:
        noun.by.append(field_name)
        noun.counts |= {field_name: count} if count else {}
        noun.is_by = noun.is_by or preposition in ("by", "with", "using")
    return rest


def _take_count(noun: Noun, words: list[TypedWord]) -> tuple[str, list[TypedWord]]:
    """Return how many values a known field has, as `one of 200k channels` says, "" if nothing does; and its name."""
    is_one_of = [word.text for word in words[:2]] in (["one", "of"], ["any", "of"], ["each", "of"])
    rest = words[2:] if is_one_of else words
    if len(rest) < 2 or rest[0].type != "count":
        return "", words
    noun.several += [] if is_one_of else rest[:1]
    # "To 3 friends" is how many at once, and not how many friends there are.
    noun.unread += [] if is_one_of or parse_count(rest[0].text) >= LEAST_VALUES else rest[:1]
    return rest[0].text, rest[1:]


def _read_thing(noun: Noun, word: TypedWord, words: list[TypedWord]) -> list[TypedWord]:
    """Read the thing of which each is shown; return the words behind it."""
    end = next((place for place, other in enumerate(words) if other.text in PREPOSITIONS), len(words))
    name = " ".join(other.text for other in words[:end])
    if is_name(name):
        noun.latest_of = singular(name)
    noun.several.append(word)
    return list(words[end:])


def is_name(text: str) -> bool:
    try:
        return bool(parse_name(text))
    except UnreadableError:
        return False


def is_modifier(word: str) -> bool:
    """Return whether a word ends as an adverb or a superlative does: what no slot holds."""
    return word.endswith(("ly", "est")) and word not in NO_MODIFIERS


def strip_fillers(words: Sequence[TypedWord]) -> list[TypedWord]:
    """Return the words without those at the start that say nothing: `we need to`."""
    start = next((place for place, word in enumerate(words) if word.text not in FILLERS), len(words))
    is_wish = start > 0 and words[start - 1].text == "would" and [word.text for word in words[start:][:1]] == ["like"]
    return strip_fillers(words[start + 1 :]) if is_wish else list(words[start:])
