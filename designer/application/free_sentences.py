"""The meaning of parts of a free text: one sentence, or the nearest ones."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from designer.document.durations import DAY_SECONDS, YEAR_DAYS

from .nouns import Noun, read_noun
from .phrases import Amounts, Frequency, TypedWord, format_count
from .quantities import parse_count, parse_name, plural, singular
from .sentences import Sentence
from .words import (
    COUNTS,
    DELETES,
    EVENTS,
    EVERYTHING,
    KEEPS,
    OTHER,
    PASSIVES,
    READS,
    RECEIVES,
    REFUSED,
    WRITES,
)

HOUR_SECONDS = 3600.0
MOST_TIMES = 1_000.0
"""Times a second; what happens more often than this happens to all together."""
MOST_APART_SECONDS = 10 * YEAR_DAYS * DAY_SECONDS
"""Between two records of one thing; where a total would leave them further apart, the rate is that of each thing."""
MOST_TOGETHER = 1e7
"""Records a second that no application writes; where each of the things would make them, the rate is that of all."""
MINUTE_SECONDS = 60.0
NO_COUNTS: Mapping[str, str] = MappingProxyType({})
NOTHING = TypedWord("", 0)
"""Stands among the words that are not read if the words are, but the whole means no sentence."""


def sentences_of(verb: str, subject: Noun, noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return what the words mean: one sentence, or the nearest ones."""
    # Before reads and writes: "store 2k events/s for 30 days" is a write, "store events for 30 days" only says how
    # long.
    if verb in KEEPS | DELETES and amounts.states_retention and (verb in DELETES or not amounts.rate):
        return _kept_sentences(noun if noun.name else subject, amounts, unread)
    is_found = noun.is_by or noun.is_latest or amounts.span or amounts.within
    if verb in COUNTS and amounts.span and noun.name and not (noun.count or noun.is_latest or noun.unread):
        return [_sentence("count", _read_values(noun, amounts) | {"span": amounts.span})]
    is_received = is_receiving(verb, subject, amounts) and not is_found
    if verb in READS and not is_received and (verb not in EVENTS or not subject.name or is_found):
        # No read has a slot for how many people read; saying it as not read is better than dropping it.
        unread += [NOTHING] if subject.count or subject.is_each else []
        return _read_sentences(noun, amounts, unread)
    if is_received or verb in WRITES | EVENTS | PASSIVES or (verb in KEEPS and amounts.rate):
        return _written_sentences(verb, subject, noun, amounts, unread)
    if not verb and any(word.text in (OTHER - {"top"}) | {"have", "has"} for word in unread):
        return []
    if not verb and amounts.rate and amounts.rate.is_write and not (noun.by or noun.unread):
        return [_event(noun.name, (), amounts)]
    is_kept = amounts.states_retention and amounts.rate and noun.name and not (is_found or amounts.rate.is_read)
    if not verb and is_kept and not is_counted(noun, amounts):
        unread += noun.several if noun.count else []
        return [_event(noun.name, noun.by, amounts, noun.counts)]
    if not verb and noun.name and _is_only_a_rate(noun, amounts) and not is_found:
        return [_event(noun.name, (), amounts)]
    if not verb and amounts.rate and is_counted(noun, amounts) and not (noun.by or noun.unread or is_found):
        meanings = _counted_things(noun, amounts.rate, amounts)
        unread += [NOTHING] if len(meanings) > 1 else []
        return meanings
    is_asked = is_found or noun.is_all or (amounts.rate and amounts.rate.is_read)
    if not verb and amounts.states_retention and not (amounts.rate or is_asked):
        return _kept_sentences(noun, amounts, unread)
    if not verb and is_asked and (noun.name or noun.by):
        return _read_sentences(noun, amounts, unread)
    return _nearest_sentences(verb, subject, noun, amounts, unread)


def is_receiving(verb: str, subject: Noun, amounts: Amounts) -> bool:
    """Return whether so many records in a time come by each of a number of things: `1M users see 200 ads a day`."""
    return verb in RECEIVES and bool(subject.count and amounts.rate and amounts.rate.noun)


def is_counted(noun: Noun, amounts: Amounts) -> bool:
    """Return whether a number of things stands beside a rate of others: `12M cards, 900 payments/s`."""
    return bool(noun.count and amounts.rate and amounts.rate.noun)


def _is_only_a_rate(noun: Noun, amounts: Amounts) -> bool:
    """Return whether nothing but `2k clicks/s` is said: so many come."""
    rate = amounts.rate
    is_plain = rate is not None and not rate.is_read and not (noun.by or noun.unread or noun.count)
    return is_plain and rate is not None and noun.name == read_noun(rate.noun, {}).name


def _nearest_sentences(
    verb: str, subject: Noun, noun: Noun, amounts: Amounts, unread: list[TypedWord]
) -> list[Sentence]:
    """Return the nearest sentences of words that no kind of sentence means."""
    unread.append(NOTHING)
    kind = REFUSED.get(verb, "")
    if any(word.text in OTHER - {"top"} for word in unread) and not kind:
        return []
    if not noun.name or (not kind and not noun.by and not noun.count and not amounts.rate):
        return []
    is_regular = amounts.rate is not None and (amounts.rate.is_interval or amounts.rate.is_times)
    if noun.count and is_regular and not noun.by and kind != "range":
        return [_regular_report(noun, amounts)]
    if kind == "event" and amounts.span:
        return _read_sentences(noun, amounts, unread)
    if kind == "event" and subject.name and amounts.rate:
        # "A user edits a message 200 times per second": all users together, and not each of them.
        subject.is_each = subject.is_each and not (amounts.rate.is_times and amounts.rate.seconds <= MINUTE_SECONDS)
        return _written_sentences(verb, subject, noun, amounts, unread)
    if kind == "event" or (not kind and not noun.by and amounts.rate):
        return [_event(noun.name if kind else _first_plural(noun.name), noun.by, amounts)]
    if not kind and not noun.by:
        return [Sentence("report", {"count": format_count(noun.count), "things": noun.name})]
    return _read_sentences(noun, amounts, unread)


def _regular_report(noun: Noun, amounts: Amounts) -> Sentence:
    """Return the report of a number of things; behind a noun in the plural stand words that are no part of it."""
    values = {"count": format_count(noun.count), "things": _first_plural(noun.name), "kept": amounts.kept}
    return _sentence("report", values | {"interval": amounts.rate.as_interval() if amounts.rate else ""})


def _first_plural(name: str) -> str:
    """Return a name up to its noun in the plural: in `matches end` a verb follows."""
    words = name.split(" ")
    length = next((place for place, word in enumerate(words, 1) if singular(word) != word), len(words))
    return " ".join(words[:length])


def _counted_things(noun: Noun, rate: Frequency, amounts: Amounts) -> list[Sentence]:
    """Return what a number of things beside a rate can mean: of each thing, if that is not too often, or of all."""
    things, record = noun.name.removesuffix(" x"), read_noun(rate.noun, {}).name
    values = {"count": format_count(noun.count), "things": things, "record": singular(record)}
    report = _sentence("report", {**values, "interval": rate.as_interval(), "kept": amounts.kept})
    event = _event(record, [things], amounts, {things: noun.count})
    is_total = rate.per_second > MOST_TIMES or (rate.seconds <= 1 and rate.per_second > 1)
    return [event] if is_total else [report, event]


def _kept_sentences(noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return the sentence that says how long records are kept."""
    if not amounts.states_retention:
        unread.append(NOTHING)
        return []
    if amounts.span or amounts.within or noun.count or noun.newest:
        unread.append(NOTHING)
    unread += noun.several
    return [_event("" if noun.name in EVERYTHING else noun.name, noun.by, amounts)]


def _event(record: str, by: Sequence[str], amounts: Amounts, counts: Mapping[str, str] = NO_COUNTS) -> Sentence:
    values = {
        "record": singular(record),
        "by": _name_list(by, counts),
        "rate": amounts.rate.as_rate() if amounts.rate else "",
        "kept": amounts.kept,
    }
    return _sentence("event", values)


def _written_sentences(
    verb: str, subject: Noun, noun: Noun, amounts: Amounts, unread: list[TypedWord]
) -> list[Sentence]:
    """Return the sentence of records that come into being: at regular intervals from each thing, or at a rate."""
    rate, thing = amounts.rate, subject.name
    if amounts.span or amounts.within or noun.is_latest or noun.newest or noun.count:
        unread.append(NOTHING)
    is_event = verb in EVENTS
    record = (
        " ".join((*([parse_name(noun.name).replace("_", " ")] if noun.name else []), verb)) if is_event else noun.name
    )
    if not is_event and not record and not (rate and thing):
        unread.append(NOTHING)
        return []
    # "A user posts a message of the user" names the user twice.
    noun.by = [name for name in noun.by if singular(name) != singular(thing)]
    field_names = [*([thing] if thing else []), *([noun.name] if is_event and noun.name else []), *noun.by]
    counts = noun.counts | ({thing: subject.count} if subject.count else {})
    event = _event(verb if is_event else "" if record in EVERYTHING else record, field_names, amounts, counts)
    if rate is None or not thing or (rate.is_times and rate.per_second > MOST_TIMES):
        return [event]
    values = {
        "count": format_count(subject.count),
        "things": plural(singular(thing)),
        "record": singular(record),
        "by": _name_list(noun.by, noun.counts),
        "interval": rate.as_interval(),
        "kept": amounts.kept,
    }
    report = _sentence("report", values)
    if not (subject.is_each or rate.is_interval or subject.count or (rate.is_times and rate.seconds >= HOUR_SECONDS)):
        return [event]
    if subject.is_each or rate.is_interval or (rate.is_times and subject.count):
        return [report]
    if subject.count:
        return _meanings_of_total(report, event, float(parse_count(subject.count)), rate)
    return [event] if rate.per_second > MOST_TIMES else [report, event]


def _meanings_of_total(report: Sentence, event: Sentence, things: float, rate: Frequency) -> list[Sentence]:
    """Return what `2M customers place 300 orders/s` means: the rate of all things, of each thing, or either."""
    if things / rate.per_second > MOST_APART_SECONDS:
        return [report]
    is_total = rate.seconds <= 1 or things * rate.per_second > MOST_TOGETHER
    return [event] if is_total else [report, event]


def _read_sentences(noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return the sentence of a read."""
    if amounts.is_for and not amounts.span:
        amounts.span, amounts.kept = amounts.kept, ""
    if noun.latest_of and noun.by and not (noun.newest or amounts.span or amounts.states_retention):
        unread += [word for word in noun.several if word.type == "count"]
        return [_sentence("states", {"things": noun.latest_of} | _read_values(noun, amounts))]
    unread += noun.several
    noun.by = [*([noun.latest_of] if noun.latest_of else []), *noun.by]
    noun.counts = {} if noun.several else noun.counts
    values = _read_values(noun, amounts)
    if noun.name in EVERYTHING and noun.by:
        unread.append(NOTHING)
    is_top = any(word.text in OTHER for word in unread)
    if amounts.states_retention or (noun.count and not noun.is_latest) or (noun.is_latest and amounts.span):
        unread.append(NOTHING)
    if noun.is_latest or (noun.count and not is_top):
        return [_sentence("latest", values | {"newest": format_count(noun.newest or noun.count)})]
    if not noun.name and noun.by and amounts.span and not noun.is_by:
        return [_sentence("range", values | {"span": amounts.span})]
    if not noun.name and noun.is_by:
        return [_sentence("one", values | {"by": " and ".join(noun.by)})]
    if not noun.name:
        unread.append(NOTHING)
        return []
    if amounts.span:
        return [_sentence("range" if noun.by else "recent", values | {"span": amounts.span})]
    if noun.is_plural or (noun.by and not noun.is_by):
        if noun.by:
            return [_sentence("range", values)]
        unread.append(NOTHING)
        return [_sentence("recent", values)]
    return [_sentence("one", values | {"by": " and ".join(noun.by)})]


def _read_values(noun: Noun, amounts: Amounts) -> dict[str, str]:
    """Return the slots that every read has."""
    rate = amounts.rate.as_rate() if amounts.rate else ""
    return {
        "record": noun.name,
        "by": _name_list(noun.by, noun.counts),
        "rate": rate,
        "within": amounts.within,
    }


def _sentence(kind: str, values: Mapping[str, str]) -> Sentence:
    return Sentence(kind, {name: value for name, value in values.items() if value})


def _name_list(names: Sequence[str], counts: Mapping[str, str]) -> str:
    return " and ".join(
        f"one of {format_count(counts[name])} {plural(singular(name))}" if name in counts else f"one {singular(name)}"
        for name in dict.fromkeys(names)
    )
