"""Sentences as people write them: who does what with what, by tables of words and few rules; nothing is made up.

What is not said stays an empty slot; what no slot holds is returned as not read, with the nearest sentences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from designer.document.field_names import role_of

from .free_sentences import NOTHING, is_counted, is_receiving, sentences_of
from .nouns import Noun, is_name, read_noun, strip_fillers
from .owners import owner_sentence, split_owner
from .phrases import SIZE, Amounts, TypedWord, read_amounts
from .quantities import parse_name, plural, singular
from .sentences import Sentence
from .words import (
    ARTICLES,
    BE,
    COUNTED_READS,
    CREATED,
    DELETES,
    EVENTS,
    IRREGULAR_PARTICIPLES,
    ITEMS,
    KEEPS,
    LATEST,
    MODALS,
    OTHER,
    PASSIVES,
    PREPOSITIONS,
    READS,
    REFUSED,
    SHOWN,
    WRITES,
)

RANKS = frozenset(("top", "best", "worst", "highest", "lowest", "largest", "smallest", "cheapest"))
"""Words for another order than that of time."""
_LABEL = re.compile(rf"^[a-z][a-z '\-]{{0,40}}:\s+(?=(?:{'|'.join(sorted(READS | WRITES))})\s)")
"""What a sentence is called, in front of it: `daily statement: read …`."""
_LASTING = ("person", "device", "owner", "place")
"""What there is before something happens to it."""
_NUMBER_BEHIND = re.compile(r"(?: \d+)?")
_AFTER_VERBS = frozenset(("up", "for", "back", "out", "in", "on", "me", "us"))


@dataclass(frozen=True)
class FreeReading:
    """The meaning of a free text: a sentence, or the nearest ones and the end of the part that is understood."""

    sentences: tuple[Sentence, ...] = ()
    at: int = 0
    is_whole: bool = False
    owners: tuple[Sentence, ...] = ()
    """What the text says besides the sentence, if it is whole: what its things belong to."""
    end: int = 0
    """Behind the words at `at` that are not understood; 0 where it is not the words."""
    is_size: bool = False
    is_ranked: bool = False
    """True if these words are a size, or another order than that of time."""
    has_rate: bool = False
    has_length: bool = False
    """True if a rate, or any length of time, is understood."""


def read_freely(text: str) -> FreeReading:
    """Return what a text in lower case says, by its words."""
    text = _LABEL.sub(lambda label: " " * len(label[0]), text)
    amounts = read_amounts(text)
    clauses = _clauses_together(amounts.clauses)
    main = next((clause for clause in clauses if strip_fillers(clause)), [])
    unread = [*amounts.unread]
    words = _join_belonging(strip_fillers(main))
    # "2k writes/s of orders": what is left of it is "of orders", of which the noun is meant.
    if amounts.rate and (amounts.rate.is_write or amounts.rate.is_read) and words and words[0].text == "of":
        words = words[1:]
    owner = owner_sentence(clauses)
    if owner is not None and not unread and not amounts.rate:
        return FreeReading((owner,), len(text), is_whole=True)
    texts = [word.text for word in words]
    owner, words = split_owner(words, [bool(_verb_at(texts, place)) for place in range(len(texts))])
    verb, before, after, skipped_words = _split_at_verb(words, amounts)
    # "Embedding of an item, written 100/s": the participle stands apart.
    participles = [
        clause for clause in clauses if len(clause) == 1 and clause[0].text in PASSIVES | IRREGULAR_PARTICIPLES
    ]
    if not verb and participles and participles[0] is not main:
        verb, before, after = "added", words, []
        clauses = [clause for clause in clauses if clause is not participles[0]]
    noun, subject = _read_nouns(verb, before, after, amounts, unread)
    if noun.latest_of and verb not in READS | {""}:
        noun.by, noun.latest_of = [noun.latest_of, *noun.by], ""
        unread += noun.several
    if amounts.rate and amounts.rate.noun:
        unread += _take_noun(amounts, noun, subject, verb)
    # "Readings from 1M sensors every 10 s": of each of them at that interval.
    is_interval = amounts.rate is not None and amounts.rate.is_interval
    if is_interval and verb in WRITES | PASSIVES | {""} and not subject.name and len(noun.by) == 1 and noun.counts:
        verb, subject = verb or "record", Noun(name=noun.by[0], count=noun.counts[noun.by[0]])
        noun = Noun(name=noun.name, is_all=noun.is_all, unread=noun.unread)
    unread += skipped_words
    for clause in clauses:
        if clause is not main:
            unread += _read_clause(clause, noun, subject, amounts)
    unread += [*subject.unread, *subject.several, *noun.unread]
    sentences = sentences_of(verb, subject, noun, amounts, unread)
    if verb in REFUSED and NOTHING in unread:
        unread += [word for word in words if _lemma(word.text) == verb][:1]
    checked = tuple(sentence for sentence in sentences if sentence.values)
    return _judge(text, amounts, checked, unread, (owner,) if owner is not None else ())


def _judge(
    text: str,
    amounts: Amounts,
    sentences: tuple[Sentence, ...],
    unread: Sequence[TypedWord],
    owners: tuple[Sentence, ...],
) -> FreeReading:
    """Return the reading of a text, with the place of the first words that are not read."""
    words = sorted({word.at: word for word in unread if word is not NOTHING}.values(), key=lambda word: word.at)
    end = 0
    for word in words:
        if end and text[end : word.at].strip():
            break
        end = word.at + len(word.text)
    is_ranked = any(word.text in RANKS for word in words)
    end = _NUMBER_BEHIND.match(text, end).end() if is_ranked else end  # type: ignore[union-attr]
    # "All players of one score" is no answer to who has the highest one.
    names = [name for sentence in sentences for name in sentence.values.get("by", "").split("one ")]
    is_misleading = is_ranked and any(name.removesuffix(" and ") in text.partition(" by ")[2] for name in names if name)
    return FreeReading(
        () if is_misleading else sentences,
        words[0].at if words else 0,
        len(sentences) == 1 and not unread,
        owners,
        end,
        bool(words) and words[0].type == SIZE,
        is_ranked,
        amounts.rate is not None,
        bool(amounts.kept or amounts.span or amounts.within or (amounts.rate and amounts.rate.is_interval)),
    )


def _read_nouns(
    verb: str, before: list[TypedWord], after: list[TypedWord], amounts: Amounts, unread: list[TypedWord]
) -> tuple[Noun, Noun]:
    """Return what is stored or read, and who does it."""
    rate = amounts.rate
    if verb in PASSIVES:
        noun, agent = read_noun(before, {}), read_noun(after, {})
        noun.by += [name for name in agent.by if name not in noun.by]
        noun.counts |= agent.counts
        unread += agent.unread
        is_regular = rate is not None and (rate.is_interval or rate.is_times)
        return _counted_subject(noun) if noun.count and is_regular else (noun, Noun())
    is_each = verb not in READS and bool(after) and after[-1].text in ("each", "apiece")
    subject = read_noun(before, {})
    subject.is_each = subject.is_each or is_each
    after = after[:-1] if is_each else after
    noun = read_noun(after, {"their": subject.name, "his": subject.name, "her": subject.name, "its": subject.name})
    is_asked = verb in READS or (not verb and noun.latest_of)
    unread += [word for word in after if word.text in ("each", "every") and not is_asked]
    return noun, subject


def _counted_subject(noun: Noun) -> tuple[Noun, Noun]:
    """Return the record and the things of `1B pages are crawled`, or of `5,000 patients' heart rates are measured`."""
    if len(noun.by) == 1 and noun.by[0] not in noun.counts:
        return Noun(name=noun.name, unread=noun.unread), Noun(name=noun.by[0], count=noun.count)
    return Noun(by=noun.by, counts=noun.counts, unread=noun.unread), Noun(name=noun.name, count=noun.count)


def _join_belonging(words: list[TypedWord]) -> list[TypedWord]:
    """Return the words with “of” for `and belong to`, `that belongs to`."""
    for place, word in enumerate(words[:-2]):
        following = [other.text for other in words[place + 1 : place + 3]]
        if word.text in ("and", "that", "which") and following in (["belong", "to"], ["belongs", "to"]):
            return [*words[:place], TypedWord("of", word.at), *words[place + 3 :]]
    return words


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
    if len(words) == 1 and amounts.states_retention and not amounts.rate and texts[0] not in KEEPS | DELETES:
        return "", [], words, []  # "posts", with how long they are kept
    for place, text in enumerate(texts):
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if text in BE and (following in PASSIVES or (not following and place and amounts.states_retention)):
            return (following or "keep") if following in PASSIVES else "keep", words[:place], words[place + 2 :], []
        if text in BE and place and (participle := _participle(following)):
            return _split_passive(participle, words[: place + 2], words[place + 2 :])
        if text in ("arrive", "arrives", "come", "comes") and place:
            rest = words[place + 1 :]
            return (
                "arrive",
                words[:place],
                rest[1:] if [word.text for word in rest[:1]] in (["in"], ["at"]) else rest,
                [],
            )
        verb = _verb_at(texts, place) or _verb_of_each(texts, place, amounts)
        if verb and _can_act(words[:place]):
            is_of_one = bool(amounts.span) and _is_one_thing(texts[place + 2 :])
            rest = words[place + (2 if following == "of" and not is_of_one else 1) :]
            if verb in READS and [word.text for word in rest[:3]] in (["a", "list", "of"], ["the", "list", "of"]):
                rest = rest[3:]
            while rest and rest[0].text in _AFTER_VERBS and verb in READS | {"login"}:
                rest = rest[1:]
            return verb, [word for word in words[:place] if word.text not in MODALS], rest, []
        # Behind a preposition a word such as "record" or "view" is a noun.
        if text in PREPOSITIONS and text not in ("of",):
            break
    return "", [], words, []


def _split_passive(
    participle: str, before: list[TypedWord], after: list[TypedWord]
) -> tuple[str, list[TypedWord], list[TypedWord], list[TypedWord]]:
    """Return the verb of a passive, the words before it, those behind it, and what is not read."""
    *before, _, typed = before
    last = before[-1]
    # "An account is debited" adds a debit, and no account.
    if participle == "added" and typed.text not in CREATED and role_of(last.text).subject in _LASTING:
        event = TypedWord(typed.text.removesuffix("ed"), last.at)
        return "added", [event, TypedWord("of", last.at), *before], after, [typed]
    if participle == "get":  # "tiles are read" asks for one of them each time
        return "get", [], [*before[:-1], TypedWord(singular(last.text), last.at, last.type)], after
    if participle == "added":
        return "added", before, after, []
    # "Parcels are scanned" adds scans of parcels.
    return "added", [TypedWord(participle, last.at), TypedWord("of", last.at), *before], after, []


def _participle(word: str) -> str:
    """Return what a participle says of records: "get" if they are read, the event that it names, or "added".

    "" is a change, or no participle.
    """
    if word in SHOWN:
        return "get"
    stems = [word.removesuffix(ending) for ending in ("ed", "d", "ned", "led") if word.endswith(ending)]
    event = next((stem for stem in stems if stem in EVENTS | {"scan"}), "")
    if event:
        return event
    changes = REFUSED.keys() - {"authorize", "check", "verify"}
    if any(stem in changes for stem in stems) or word in ("rewritten", "overwritten"):
        return ""
    is_participle = word in IRREGULAR_PARTICIPLES or (word.endswith("ed") and len(word) > len("need"))
    return "added" if is_participle else ""


def _is_one_thing(texts: Sequence[str]) -> bool:
    """Return whether words are one thing, as behind `the last hour of`, and not what it owns: `a sensor's readings`."""
    determiners = ("a", "an", "one", "each", "every", "any")
    return len(texts) > 1 and texts[0] in determiners and "'" not in texts[1]


def _verb_at(texts: Sequence[str], place: int) -> str:
    """Return the verb that a word is, or "" if it is a noun there."""
    following = texts[place + 1] if place + 1 < len(texts) else ""
    if texts[place] in ("look", "looks") and following in ("up", "for"):
        return "get"
    if not place and texts[0] in COUNTED_READS | READS and following in ("of", "by"):
        return "get"
    if place == 1 and texts[place] in REFUSED and _lemma(following) in READS | WRITES and texts[place + 2 : place + 3]:
        return ""
    if texts[place] in ("log", "logs", "sign", "signs") and following in ("in", "on"):
        return "login"
    is_noun = following in ("of", "per", "by", "arrive", "come", *BE)
    if is_noun and not (place and texts[place - 1] == "each"):
        return texts[place] if place == 0 and texts[place] in REFUSED else ""
    return _lemma(texts[place])


def _verb_of_each(texts: Sequence[str], place: int, amounts: Amounts) -> str:
    """Return "record" where a word no list holds must be a verb: `accounts each settle a payment`."""
    following = texts[place + 1] if place + 1 < len(texts) else ""
    # Of "depots each handle 20k parcels a day" nothing stands behind the verb once the rate is taken out.
    is_of_rate = bool(amounts.rate and amounts.rate.noun) and following in ("", *PREPOSITIONS)
    if place and texts[place] in ("have", "has") and is_of_rate:
        return "record"
    return (
        "record" if place > 1 and texts[place - 1] == "each" and (following in ("a", "an", "one") or is_of_rate) else ""
    )


def _can_act(before: Sequence[TypedWord]) -> bool:
    """Return whether words may be who does something: nobody, or a noun with at most a count and an article."""
    texts = [word.text for word in before]
    if not texts:
        return True
    no_nouns = ARTICLES | MODALS | {"of"}
    nouns = [word.text for word in before if word.type == "word" and word.text not in no_nouns]
    return 1 <= len(nouns) <= 3 and not LATEST & set(nouns) and "all" not in nouns and not OTHER & set(nouns)


def _is_same(name: str, other: str) -> bool:
    """Return whether two nouns are one, in the singular or plural."""
    return is_name(name) and is_name(other) and parse_name(name) == parse_name(other)


def _read_clause(clause: Sequence[TypedWord], noun: Noun, subject: Noun, amounts: Amounts) -> list[TypedWord]:
    """Read a further clause, as `50k vehicles` or `latest 30 items`; return what is not read of it."""
    other = read_noun(strip_fillers(clause), {})
    last = other.name.split(" ")[-1] if other.name else ""
    if other.unread or other.by:
        return list(clause)
    if other.is_latest and not noun.is_latest and (last in ITEMS or not last or last == noun.name.split(" ")[-1]):
        noun.is_latest, noun.newest = True, other.newest or other.count
        return []
    # "…, messages are kept": how long is taken out, and what is left names the records again, or for the first time.
    record = noun.name or ("" if other.count or not other.name else other.name)
    first = record.split(" ")[0]
    if (
        amounts.states_retention
        and noun.name not in ("", first)
        and plural(singular(first)) == first
        and _is_same(other.name, first)
    ):
        noun.name = first  # "matches end …, each match is kept": what stands behind the noun is its verb
        return []
    is_record = _is_same(other.name, record) or (last in ITEMS and _is_same(other.name.split(" ")[0], record))
    is_thing = _is_same(other.name, subject.name) and not noun.name
    if amounts.states_retention and record and is_record and not other.count and not is_thing:
        noun.name = noun.name or other.name
        return []
    same = subject.name and _is_same(last, subject.name.split(" ")[-1])
    if other.count and same and not subject.count:
        subject.count = other.count
        return []
    return [] if not strip_fillers(clause) else list(clause)


def _take_noun(amounts: Amounts, noun: Noun, subject: Noun, verb: str) -> list[TypedWord]:
    """Put the noun of a rate, as in `5k messages/s`, where it belongs; return what is not read of it."""
    rate = amounts.rate
    if rate is None or (not verb and is_counted(noun, amounts)):
        return []
    rate_noun = read_noun(rate.noun, {})
    if (
        rate_noun.unread
        or rate_noun.by
        or not rate_noun.name
        or (noun.name and noun.name != rate_noun.name)
        or (verb in READS and not (verb in EVENTS and subject.name) and not is_receiving(verb, subject, amounts))
    ):
        return list(rate.noun)
    noun.name, noun.is_all = rate_noun.name, True
    return []
