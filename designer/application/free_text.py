"""Sentences as people write them: who does what with what, by tables of words and few rules; nothing is made up.

What is not said stays an empty slot; what no slot holds is returned as not read, with the nearest sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .free_sentences import NOTHING, owner_sentence, sentences_of
from .nouns import Noun, is_name, read_noun, strip_fillers
from .phrases import Amounts, Frequency, TypedWord, read_amounts
from .quantities import parse_name
from .sentences import Sentence
from .words import (
    ARTICLES,
    BE,
    COUNTED_READS,
    DELETES,
    EVENTS,
    ITEMS,
    KEEPS,
    LATEST,
    MODALS,
    OTHER,
    PASSIVES,
    PREPOSITIONS,
    READS,
    REFUSED,
    WRITES,
)

_AFTER_VERBS = frozenset(("up", "for", "back", "out", "in", "on", "me", "us"))


@dataclass(frozen=True)
class FreeReading:
    """The meaning of a free text: a sentence, or the nearest ones and the end of the part that is understood."""

    sentences: tuple[Sentence, ...] = ()
    at: int = 0
    is_whole: bool = False


def read_freely(text: str) -> FreeReading:
    """Return what a text in lower case says, by its words."""
    amounts = read_amounts(text)
    noun, verb, subject = Noun(), "", Noun()
    clauses = _clauses_together(amounts.clauses)
    main = next((clause for clause in clauses if strip_fillers(clause)), [])
    unread = [*amounts.unread]
    words = strip_fillers(main)
    # "2k writes/s of orders": what is left of it is "of orders", of which the noun is meant.
    if amounts.rate and (amounts.rate.is_write or amounts.rate.is_read) and words and words[0].text == "of":
        words = words[1:]
    owner = owner_sentence(clauses)
    if owner is not None and not unread and not amounts.rate:
        return FreeReading((owner,), len(text), is_whole=True)
    verb, before, after, skipped_words = _split_at_verb(words, amounts)
    unread += [*skipped_words, *(word for word in after if word.text in ("each", "every") and verb not in READS)]
    if verb in PASSIVES:
        noun, agent = read_noun(before, {}), read_noun(after, {})
        noun.by += [name for name in agent.by if name not in noun.by]
        unread += agent.unread
    else:
        subject = read_noun(before, {})
        noun = read_noun(after, {"their": subject.name, "his": subject.name, "her": subject.name, "its": subject.name})
    for clause in clauses:
        if clause is not main:
            unread += _read_clause(clause, noun, subject)
    unread += [*subject.unread, *noun.unread]
    if amounts.rate and amounts.rate.noun:
        unread += _take_noun(amounts.rate, noun, subject, verb)
    sentences = sentences_of(verb, subject, noun, amounts, unread)
    checked = tuple(sentence for sentence in sentences if sentence.values)
    at = min((word.at for word in unread if word is not NOTHING), default=0)
    return FreeReading(checked, at, len(checked) == 1 and not unread)


def _clauses_together(clauses: list[list[TypedWord]]) -> list[list[TypedWord]]:
    """Return the clauses, the first two as one if the second says what each of the first does: `users, each posts`."""
    if len(clauses) > 1 and clauses[1][0].text in ("each", "they") and clauses[0][0].type == "count":
        return [[*clauses[0], *clauses[1][1:]], *clauses[2:]]
    return clauses


def _lemma(word: str) -> str:
    """Return a verb without its ending of the third person."""
    verbs = READS | WRITES | EVENTS | KEEPS | DELETES | REFUSED.keys()
    return next((form for form in (word, word.removesuffix("s"), word.removesuffix("es")) if form in verbs), "")


def _split_at_verb(
    words: list[TypedWord], amounts: Amounts
) -> tuple[str, list[TypedWord], list[TypedWord], list[TypedWord]]:
    """Return the verb, the words before it, those behind it, and what is not read."""
    texts = [word.text for word in words]
    for place, text in enumerate(texts):
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if text in BE and (following in PASSIVES or (not following and place and amounts.states_retention)):
            return (following or "keep") if following in PASSIVES else "keep", words[:place], words[place + 2 :], []
        if text in ("arrive", "arrives", "come", "comes") and place:
            rest = [word for word in words[place + 1 :] if word.text not in ("in", "at")]
            return "arrive", words[:place], [], rest
        verb = _verb_at(texts, place) or _verb_of_each(texts, place)
        if verb and _can_act(words[:place]):
            is_of_one = bool(amounts.span) and _is_one_thing(texts[place + 2 :])
            rest = words[place + (2 if following == "of" and not is_of_one else 1) :]
            while rest and rest[0].text in _AFTER_VERBS and verb in READS | {"login"}:
                rest = rest[1:]
            return verb, [word for word in words[:place] if word.text not in MODALS], rest, []
        # Behind a preposition a word such as "record" or "view" is a noun.
        if text in PREPOSITIONS and text not in ("of",):
            break
    return "", [], words, []


def _is_one_thing(texts: Sequence[str]) -> bool:
    """Return whether words are one thing, as behind `the last hour of`, and not what it owns: `a sensor's readings`."""
    determiners = ("a", "an", "one", "each", "every", "any")
    return len(texts) > 1 and texts[0] in determiners and "'" not in texts[1]


def _verb_at(texts: Sequence[str], place: int) -> str:
    """Return the verb that a word is, or "" if it is a noun there."""
    following = texts[place + 1] if place + 1 < len(texts) else ""
    if texts[place] in ("look", "looks") and following in ("up", "for"):
        return "get"
    if not place and texts[0] in COUNTED_READS and following in ("of", "by"):
        return "get"
    if place == 1 and texts[place] in REFUSED and _lemma(following) in READS | WRITES and texts[place + 2 : place + 3]:
        return ""
    if texts[place] in ("log", "logs", "sign", "signs") and following in ("in", "on"):
        return "login"
    if following in ("of", "per", "by", "arrive", "come", *BE):
        return texts[place] if place == 0 and texts[place] in REFUSED else ""
    return _lemma(texts[place])


def _verb_of_each(texts: Sequence[str], place: int) -> str:
    """Return "record" where a word no list holds must be a verb: `accounts each settle a payment`."""
    following = texts[place + 1] if place + 1 < len(texts) else ""
    return "record" if place > 1 and texts[place - 1] == "each" and following in ("a", "an", "one") else ""


def _can_act(before: Sequence[TypedWord]) -> bool:
    """Return whether words may be who does something: nobody, or a noun with at most a count and an article."""
    texts = [word.text for word in before]
    if not texts:
        return True
    no_nouns = ARTICLES | MODALS | {"of"}
    nouns = [word.text for word in before if word.type == "word" and word.text not in no_nouns]
    return 1 <= len(nouns) <= 3 and not LATEST & set(nouns) and "all" not in nouns and not OTHER & set(nouns)


def _read_clause(clause: Sequence[TypedWord], noun: Noun, subject: Noun) -> list[TypedWord]:
    """Read a further clause, as `50k vehicles` or `latest 30 items`; return what is not read of it."""
    other = read_noun(strip_fillers(clause), {})
    last = other.name.split(" ")[-1] if other.name else ""
    if other.unread or other.by:
        return list(clause)
    if other.is_latest and not noun.is_latest and (last in ITEMS or not last or last == noun.name.split(" ")[-1]):
        noun.is_latest, noun.newest = True, other.newest or other.count
        return []
    same = subject.name and is_name(last) and parse_name(last) == parse_name(subject.name.split(" ")[-1])
    if other.count and same and not subject.count:
        subject.count = other.count
        return []
    return [] if not strip_fillers(clause) else list(clause)


def _take_noun(rate: Frequency, noun: Noun, subject: Noun, verb: str) -> list[TypedWord]:
    """Put the noun of a rate, as in `5k messages/s`, where it belongs; return what is not read of it."""
    rate_noun = read_noun(rate.noun, {})
    if (
        rate_noun.unread
        or rate_noun.by
        or not rate_noun.name
        or (noun.name and noun.name != rate_noun.name)
        or (verb in READS and not (verb in EVENTS and subject.name))
    ):
        return list(rate.noun)
    noun.name, noun.is_all = rate_noun.name, True
    return []
