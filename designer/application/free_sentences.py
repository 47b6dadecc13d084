"""The meaning of parts of a free text: one sentence, or the nearest ones."""

from collections.abc import Mapping, Sequence

from .nouns import Noun, read_noun, strip_fillers
from .phrases import Amounts, Frequency, TypedWord, format_count
from .quantities import UnreadableError, parse_count, parse_name, plural, singular
from .sentences import Sentence
from .words import DELETES, EACH, EVENTS, EVERYTHING, KEEPS, OTHER, OWNING, PASSIVES, READS, REFUSED, WRITES

HOUR_SECONDS = 3600.0
MOST_TIMES = 1_000.0
"""Times a second; what happens more often than this happens to all together."""
NOTHING = TypedWord("", 0)
"""Stands among the words that are not read if the words are, but the whole means no sentence."""


def sentences_of(verb: str, subject: Noun, noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return what the words mean: one sentence, or the nearest ones."""
    # Before reads and writes: "store 2k events/s for 30 days" is a write, "store events for 30 days" only says how
    # long.
    if verb in KEEPS | DELETES and amounts.states_retention and (verb in DELETES or not amounts.rate):
        return _kept_sentences(noun if noun.name else subject, amounts, unread)
    is_found = noun.is_by or noun.is_latest or amounts.span or amounts.within
    if verb in READS and (verb not in EVENTS or not subject.name or is_found):
        # No read has a slot for how many people read; saying it as not read is better than dropping it.
        unread += [NOTHING] if subject.count or subject.is_each else []
        return _read_sentences(noun, amounts, unread)
    if verb in WRITES | EVENTS | PASSIVES or (verb in KEEPS and amounts.rate):
        return _written_sentences(verb, subject, noun, amounts, unread)
    if not verb and any(word.text in OTHER - {"top"} for word in unread):
        return []
    if not verb and amounts.rate and amounts.rate.is_write and not (noun.by or noun.unread):
        return [_event(noun.name, (), amounts)]
    if not verb and amounts.states_retention and amounts.rate and noun.name and not (is_found or amounts.rate.is_read):
        return [_event(noun.name, noun.by, amounts)]
    if not verb and noun.name and _is_only_a_rate(noun, amounts) and not is_found:
        return [_event(noun.name, (), amounts)]
    is_asked = is_found or noun.is_all or (amounts.rate and amounts.rate.is_read)
    if not verb and amounts.states_retention and not (amounts.rate or is_asked):
        return _kept_sentences(noun, amounts, unread)
    if not verb and is_asked and (noun.name or noun.by):
        return _read_sentences(noun, amounts, unread)
    return _nearest_sentences(verb, subject, noun, amounts, unread)


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
    if kind == "event" and amounts.span:
        return _read_sentences(noun, amounts, unread)
    if kind == "event" and subject.name and amounts.rate:
        return _written_sentences(verb, subject, noun, amounts, unread)
    if not verb and noun.count and amounts.rate and amounts.rate.noun:
        return _counted_things(noun, amounts.rate, amounts)
    if kind == "event" or (not kind and not noun.by and amounts.rate):
        return [_event(noun.name, noun.by, amounts)]
    if not kind and not noun.by:
        return [Sentence("report", {"count": format_count(noun.count), "things": noun.name})]
    return _read_sentences(noun, amounts, unread)


def _counted_things(noun: Noun, rate: Frequency, amounts: Amounts) -> list[Sentence]:
    """Return what a number of things beside a rate can mean: of each thing, if that is not too often, or of all."""
    things, record = noun.name.removesuffix(" x"), read_noun(rate.noun, {}).name
    values = {"count": format_count(noun.count), "things": things, "record": singular(record)}
    report = _sentence("report", {**values, "interval": rate.as_interval(), "kept": amounts.kept})
    event = _event(record, [things], amounts)
    return [event] if rate.per_second > MOST_TIMES else [report, event]


def _kept_sentences(noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return the sentence that says how long records are kept."""
    if not amounts.states_retention:
        unread.append(NOTHING)
        return []
    if amounts.span or amounts.within or noun.count or noun.newest:
        unread.append(NOTHING)
    return [_event("" if noun.name in EVERYTHING else noun.name, noun.by, amounts)]


def _event(record: str, by: Sequence[str], amounts: Amounts) -> Sentence:
    values = {
        "record": singular(record),
        "by": _name_list(by),
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
    event = _event(verb if is_event else "" if record in EVERYTHING else record, field_names, amounts)
    if rate is None or not thing or (rate.is_times and rate.per_second > MOST_TIMES):
        return [event]
    values = {
        "count": format_count(subject.count),
        "things": plural(singular(thing)),
        "record": singular(record),
        "interval": rate.as_interval(),
        "kept": amounts.kept,
    }
    report = _sentence("report", values)
    if not (subject.is_each or rate.is_interval or subject.count or (rate.is_times and rate.seconds >= HOUR_SECONDS)):
        return [event]
    if not (subject.is_each or rate.is_interval or (rate.is_times and subject.count)):
        unread += [NOTHING] if subject.count else []  # an event holds no number of things
        return [event] if rate.per_second > MOST_TIMES else [report, event]
    if noun.by:
        unread.append(NOTHING)
    return [report]


def _read_sentences(noun: Noun, amounts: Amounts, unread: list[TypedWord]) -> list[Sentence]:
    """Return the sentence of a read."""
    values = {
        "record": noun.name,
        "by": _name_list(noun.by),
        "rate": amounts.rate.as_rate() if amounts.rate else "",
        "within": amounts.within,
    }
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


def _sentence(kind: str, values: Mapping[str, str]) -> Sentence:
    return Sentence(kind, {name: value for name, value in values.items() if value})


def _name_list(names: Sequence[str]) -> str:
    return " and ".join(f"one {singular(name)}" for name in dict.fromkeys(names))


def owner_sentence(clauses: Sequence[Sequence[TypedWord]]) -> Sentence | None:
    """Return the sentence of `2,000 devices in 10 tenants` or `10 tenants have 200 devices each`."""
    parts = [strip_fillers(clause) for clause in clauses]
    words = parts[0] if parts else []
    if len(parts) == 2 and len(words) > 2 and words[0].text in EACH and parts[1]:
        words = [*parts[1], *words[2:], words[0]]
    elif len(parts) != 1:
        return None
    words = words[1:] if words and words[0].text == "have" else words
    counts = [place for place, word in enumerate(words) if word.type == "count"]
    texts = [word.text for word in words]
    if len(counts) != 2 or (counts[0] and texts[: counts[0]] not in (["each"], ["each", "of"])):
        return None
    first, second = texts[counts[0] + 1 : counts[1]], texts[counts[1] + 1 :]
    is_each = bool(EACH & {*texts[: counts[0]], *first, *second})
    first, second = [[word for word in part if word not in EACH | {"to"}] for part in (first, second)]
    link = next((word for word in first if word in OWNING or word in ("with", "have", "has")), "")
    name = " ".join(first[: first.index(link)]) if link else ""
    other = " ".join(second)
    try:
        parse_name(name), parse_name(other)
        numbers = [parse_count(texts[place]) for place in counts]
    except UnreadableError:
        return None
    counts_shown = [format_count(texts[place]) for place in counts]
    if link in OWNING and not is_each:
        values = {"count": counts_shown[0], "things": name, "owner_count": counts_shown[1], "owners": other}
    elif link not in OWNING and is_each:
        product = f"{numbers[0] * numbers[1]:,}"
        values = {"count": product, "things": other, "owner_count": counts_shown[0], "owners": name}
    else:
        return None
    return Sentence("owner", values)
