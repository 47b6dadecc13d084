"""Sentences as people type them: their kind and slots, the nearest of what none says, and texts of any kind."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designer.application import (
    Sentence,
    UnknownSentenceError,
    kind_of_sentence,
    read_sentences,
    read_text,
    understand,
    with_sentence,
)
from designer.application.phrases import UNKNOWN
from designer.application.quantities import PARSERS
from designer.application.sentences import SLOTS
from designer.application.templates import fill_template
from designer.application.words import DELETES, EVENTS, FILLERS, KEEPS, LATEST, OTHER, PREPOSITIONS, READS, WRITES
from tests.cases import cases

ROWS = Path(__file__).with_name("sentences.txt")
"""`sentence => kind; slot: value`, and `~>` before the nearest sentence of what is refused, `-` if there is none."""
WORDS = [
    *sorted(READS | WRITES | EVENTS | KEEPS | DELETES | LATEST | PREPOSITIONS | OTHER | FILLERS),
    "each", "all", "users", "a user's", "messages", "5k", "2 million", "10", "/s", "per second", "rps", "twice a day",
    "every 10 s", "hourly", "in the last hour", "kept 90 days", "within 1 s", ",", ":", "-", "?", "since", "between",
    "0/s", "every 0 s", "5千/s", "ユーザー", "の", "を", "毎秒5回", "最新", "取得する",
]  # fmt: skip


def typed_sentences() -> list[str]:
    return [text for text, _, _ in rows()]


def rows() -> Iterator[tuple[str, str, Sentence | None]]:
    for line in ROWS.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text, arrow, said = line.partition(" => ") if " => " in line else line.partition(" ~> ")
            kind, *values = said.split("; ")
            slots = dict(value.split(": ", 1) for value in values)
            yield text, arrow.strip(), None if kind == "-" else Sentence(kind, slots)


def reading(text: str) -> tuple[str, Sentence | None]:
    """Return how a text is read, as a row of the file says it."""
    try:
        return "=>", read_text(text)
    except UnknownSentenceError as error:
        return "~>", next(iter(error.nearest), None)


def test_a_sentence_is_understood_or_refused_with_the_nearest() -> None:
    expected = [(text, (arrow, sentence)) for text, arrow, sentence in rows()]

    assert [(text, found) for text, wanted in expected if (found := reading(text)) != wanted] == []
    assert {arrow for _, (arrow, _) in expected} == {"=>", "~>"}


def test_most_of_what_people_type_is_understood() -> None:
    understood = [text for text, arrow, _ in rows() if arrow == "=>"]
    assert len(understood) >= 140
    assert len(set(understood)) == len(understood)


def test_both_readings_of_an_ambiguous_rate_are_offered() -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text("20 sensors send 300 readings per hour")
    assert [(each.kind, each.values.get("interval"), each.values.get("rate")) for each in error.value.nearest] == [
        ("report", "12 s", None), ("event", None, "300/h"),
    ]  # fmt: skip
    assert error.value.text.message.startswith("This can mean two things.")


def test_a_rate_that_only_all_or_only_each_can_have_is_read_so() -> None:
    total = read_text("2M customers place 300 orders/s, kept 7 years")  # 2M ÷ 300/s: each of them every 1.9 h
    assert (total.kind, total.values["rate"], total.values["by"]) == ("event", "300/s", "one of 2M customers")
    each = read_text("5M players submit 3 scores per day")  # together, each of them would submit one in 4,566 years
    assert (each.kind, each.values["count"], each.values["interval"]) == ("report", "5M", "8 h")


@pytest.mark.parametrize(
    "text",
    [
        "each user sends a message to 3 friends every day",
        "100 users send 5 messages per minute",
        "1M meters report every 15 min, meters are kept 5 years",
        "注文が毎秒300件追加される、2年",
        "注文が毎秒300件追加される、500バイト",
        "a bank account is debited 700 times a second",
        "get the position of every vehicle of a fleet, 3/s",
    ],
)
def test_what_may_mean_something_else_is_asked(text: str) -> None:
    with pytest.raises(UnknownSentenceError):
        read_sentences(text)


OWNED = "50,000 sensors in 200 buildings report every minute, kept 1 year"


def test_a_text_that_counts_owners_says_two_sentences() -> None:
    assert read_sentences(OWNED) == (
        Sentence("report", {"count": "50,000", "things": "sensors", "interval": "1 min", "kept": "1 year"}),
        Sentence("owner", {"count": "50,000", "things": "sensors", "owner_count": "200", "owners": "buildings"}),
    )
    with pytest.raises(UnknownSentenceError, match="two things") as error:
        read_text(OWNED)
    assert [each.kind for each in error.value.nearest] == ["report", "owner"]


@pytest.mark.parametrize(
    ("text", "message", "words"),
    [
        ("orders 250/s, 3 KB each, kept 10 years", "how large a record is", "3 KB each"),
        ("a click is added 5/s, 1 KB, kept 2 days", "how large a record is", "1 KB"),
        ("show the top 10 players of a region by rating 100/s", "no order but that of time", "top 10"),
        ("look up the profile of a user when an ad is served, 100k qps", "is not understood", "when an ad is served"),
        ("update a user's profile, 50/s", "is not understood", "update"),
    ],
)
def test_an_error_names_the_words_that_are_not_understood(text: str, message: str, words: str) -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text(text)
    assert message in error.value.text.message
    assert error.value.text.params["value"] == text[error.value.at : error.value.end].strip() == words


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("look up the profile of a user when an ad is served, 100k qps", "Show all profiles of one user, 100k/s"),
        ("orders 250/s, 3 KB each", "An order is added 250/s"),
        ("hours 250/s, 3 KB each", "An hour is added 250/s"),
        ("users 250/s, 3 KB each", "A user is added 250/s"),
        ("10M products, price updated once a day", "10M products each report every 1 day"),
        ("3000 hosts each write 100 lines/s of 300 bytes", "3000 hosts each report a line every 10 ms"),
        ("200k taxis each send an event every 5 s of 1 KB", "200k taxis each report an event every 5 s"),
    ],
)
def test_what_is_suggested_is_english_and_has_the_rate_that_is_typed(text: str, nearest: str) -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text(text)
    (sentence,) = error.value.nearest
    assert fill_template(kind_of_sentence(sentence.kind).template, sentence.values) == nearest


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("each device sends 1 KB every minute", "1 KB every minute"),
        ("get all orders of a customer with status open, 20 qps", "with status open, 20 qps"),
        ("we don't keep messages for 30 days", "we don't keep messages for 30 days"),
        ("show the latest 5 reports of all devices of one tenant, 2/s", "of all devices of one tenant, 2/s"),
    ],
)
def test_what_no_slot_holds_is_not_dropped_silently(text: str, unread: str) -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text(text)
    assert text[error.value.at :] == unread


def test_a_span_of_which_only_the_existence_is_said_is_asked_for() -> None:
    stored = read_text("customers place 50 orders per second")
    _, problems = understand([stored, read_text("get all orders of a customer between two dates, 200 per second")])
    assert [(each.sentence, each.slot) for each in problems] == [(1, "span")]


@pytest.mark.parametrize(
    ("stored", "added", "slot", "value"),
    [
        ("users post 5k messages/s", "we keep 30 days of messages", "kept", "30 days"),
        ("users post 5k messages/s", "TTL 24h", "kept", "24h"),
        ("each player submits a score every 10 minutes", "scores are kept for a year", "kept", "year"),
    ],
)
def test_what_is_said_apart_goes_into_the_empty_slot_of_its_sentence(
    stored: str, added: str, slot: str, value: str
) -> None:
    (sentence,) = with_sentence([read_text(stored)], read_text(added))
    assert sentence == Sentence(read_text(stored).kind, {**read_text(stored).values, slot: value})
    assert len(with_sentence([sentence], read_text(added))) == 2, "a slot that is filled is never changed unseen"
    assert len(with_sentence([sentence], read_text("keep invoices for 10 years"))) == 2


def test_a_count_said_apart_goes_to_the_things_that_report() -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text("3 million players")
    (sentence,) = with_sentence([read_text("each player submits a score every 10 minutes")], error.value.nearest[0])
    assert sentence.values["count"] == "3 million"


def sentences_in(text: str) -> tuple[Sentence, ...]:
    try:
        return (read_text(text),)
    except UnknownSentenceError as error:
        return error.nearest


@given(st.one_of(st.text(max_size=160), st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)))
def test_any_text_is_a_sentence_with_readable_slots_or_is_refused(text: str) -> None:
    sentences = sentences_in(text)
    for sentence in sentences:
        understand([sentence])
        for slot, value in sentence.values.items():
            assert value == UNKNOWN or PARSERS[SLOTS[slot]](value), (slot, value)


@cases("unit", ["get a of ", "1 a ", "last 1 ", "every ", "between a and ", "1, ", "for 1 ", "users post 5k ", "1/",
     "it's ", "- ", "と", "の", "ユーザーの", "1秒 ", "最新"])  # fmt: skip
def test_no_text_takes_long(unit: str) -> None:
    before = time.process_time()
    sentences_in((unit * 300)[:300])
    assert time.process_time() - before < 1
