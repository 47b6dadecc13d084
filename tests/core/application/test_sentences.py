"""Sentences: what their slots understand, what typed text says, and what they mean together."""

from types import MappingProxyType
from typing import Any

import pytest

from designer.application import (
    KINDS,
    Sentence,
    UnknownSentenceError,
    UnreadableError,
    begins_with_vowel,
    read_text,
    understand,
)
from designer.application.quantities import (
    parse_count,
    parse_distinct,
    parse_name,
    parse_names,
    parse_rate,
    parse_seconds,
)
from designer.application.templates import parse_template, required_slots, template_parts
from designer.document.durations import YEAR_DAYS
from designer.wording.formatting import english
from tests.cases import cases

IOT = (
    "200,000 devices each report every 10 s, kept 90 days",
    "show the latest of one device 50/s",
    "all devices of one tenant in the last hour, 5/s, may take 1 s",
)
JAPANESE = MappingProxyType({
    "report": "{count}(|台) の {things} がそれぞれ {interval} ごとに[ {record} を]報告する[。{kept}(間|)保存する]",
    "latest": "{by} の最新[ {newest} 件の][ {record} ]を {rate} 取得する[。{within} 以内]",
    "range": "{by} の[(直近|過去) {span} の] {record} をすべて {rate} 取得する[。{within} 以内]",
})  # fmt: skip


@cases("parse, text, value", [
        (parse_count, "200,000", 200_000), (parse_count, "20k", 20_000), (parse_count, "1.5 million", 1_500_000),
        (parse_count, "２０万", 200_000), (parse_seconds, "10 s", 10), (parse_seconds, "1h", 3_600),
        (parse_seconds, "hour", 3_600), (parse_seconds, "250ms", 0.25), (parse_seconds, "90 days", 90 * 86_400),
        (parse_seconds, "90 日間", 90 * 86_400), (parse_seconds, "1 年", YEAR_DAYS * 86_400), (parse_rate, "50/s", 50),
        (parse_rate, "5/min", 5 / 60), (parse_rate, "20k per hour", 20_000 / 3_600), (parse_rate, "50 a second", 50),
        (parse_rate, "毎秒50回", 50), (parse_rate, "50/秒", 50), (parse_name, "Devices", "device"),
        (parse_name, "order id", "order"), (parse_name, "Cities", "city"), (parse_name, "the status", "status"),
        (parse_names, "one channel and one user", ("channel", "user")), (parse_names, "店舗と顧客", ("店舗", "顧客")),
        (parse_name, "taxis", "taxi"), (parse_name, "SMS", "sms"),
        (parse_names, "one of 1,000 channels, one of 5M users", ("channel", "user")),
        (parse_distinct, "one of 1,000 channels and one user", {"channel": 1000}),
        (parse_distinct, "20万人の利用者のうち1人", {"利用者": 200_000}),
    ])  # fmt: skip
def test_quantities_and_names_are_read_as_people_write_them(parse: Any, text: str, value: object) -> None:
    assert parse(text) == (pytest.approx(value) if isinstance(value, int | float) else value)


@cases("parse, text", [
        (parse_seconds, "5 m"), (parse_seconds, "ten s"), (parse_seconds, "0 s"), (parse_count, "0"),
        (parse_count, "2,00"), (parse_count, "many"), (parse_count, "1" * 400), (parse_rate, "50"),
        (parse_rate, "50 per fortnight"), (parse_rate, "0/s"), (parse_name, "7up"), (parse_name, "in the last"),
        (parse_names, "one channel and"),
    ])  # fmt: skip
def test_what_is_ambiguous_or_unknown_is_refused(parse: Any, text: str) -> None:
    with pytest.raises(UnreadableError):
        parse(text)


def test_every_template_is_filled_in_by_its_example_and_read_back() -> None:
    for kind in KINDS:
        assert set(required_slots(kind.template)) <= set(kind.example)
        shown = "".join(
            kind.example[part.slot] if part.slot else part.text
            for part in template_parts(kind.template)
            if not part.is_optional
        )
        sentence = read_text(shown)
        assert sentence.kind == kind.name
        assert set(sentence.values) == set(required_slots(kind.template))
    with pytest.raises(ValueError, match="missing"):
        parse_template("Show (all|every {record}")


def test_the_sentences_of_an_iot_fleet_are_understood_as_typed() -> None:
    application, problems = understand([read_text(text) for text in IOT])

    assert not problems
    (record,) = application.records
    assert (record.thing, record.every_seconds, record.kept_days) == ("device", 10, 90)
    latest, hour = application.patterns
    assert (latest.by, latest.newest, latest.per_second) == (("device",), 1, 50)
    assert (hour.by, hour.within_seconds) == (("tenant",), 1)
    assert hour.span_days == pytest.approx(1 / 24)
    assert application.distinct == {"device": 200_000}
    assert application.owners == {"device": "tenant"}, "no sentence says so: the third one needs it, and it is noted"
    assert [str(each) for each in application.assumptions] == ["Each device belongs to one tenant."]


def test_who_makes_a_payment_does_not_belong_to_whom_it_is_for() -> None:
    texts = ("2M accounts each make a payment every 6 hours", "all payments of one merchant in the last day, 5/s")
    application, problems = understand([read_text(text) for text in texts])

    assert not problems
    assert application.owners == {}
    assert application.records[0].fields == ("merchant",)
    assert [str(each) for each in application.assumptions] == [
        "Each payment has a merchant, which is known when it is written."
    ]


def test_a_sentence_says_how_many_values_a_known_field_has() -> None:
    application, problems = understand([
        read_text("5M users each send 20 messages a day to one of 200k channels, kept 2 years"),
        read_text("show the latest 50 messages of one of 200k channels, 5k/s"),
    ])  # fmt: skip

    assert not problems
    assert application.distinct == {"user": 5_000_000, "channel": 200_000}
    (record,) = application.records
    assert (record.thing, record.fields, record.every_seconds) == ("user", ("channel",), pytest.approx(86_400 / 20))
    assert application.patterns[0].by == ("channel",)
    assert application.owners == {}, "who sends messages to a channel does not belong to it"


def test_two_numbers_of_the_same_values_are_a_problem() -> None:
    texts = ("A message of one of 200k channels is added 5/s", "show all messages of one of 300k channels, 5/s")
    _, problems = understand([read_text(text) for text in texts])
    assert [(each.sentence, each.slot) for each in problems] == [(1, "by")]
    assert english(problems[0].text.message, problems[0].text.params) == (
        "Another sentence counts 200,000 channels. Use one of the two numbers."
    )


def test_the_latest_of_each_thing_is_a_read_of_its_own() -> None:
    application, problems = understand([
        read_text("50,000 sensors each report every 1 min"),
        read_text("show the latest of all sensors of one building, 2/s"),
    ])  # fmt: skip

    assert not problems
    (read,) = application.patterns
    assert (read.record, read.latest_of, read.by, read.newest) == ("report", "sensor", ("building",), None)
    assert application.owners == {"sensor": "building"}


def test_to_count_is_to_read_every_record_and_says_so() -> None:
    texts = ("orders arrive at 300/s", "count the orders of one shop in the last day, 1/s")
    application, problems = understand([read_text(text) for text in texts])

    assert not problems
    assert (application.patterns[0].by, application.patterns[0].span_days) == (("shop",), 1)
    assert "To count or add up orders, each read reads every one of them." in [
        english(each.message, each.params) for each in application.assumptions
    ]
    _, problems = understand([read_text(texts[0]), read_text("count all orders, 1/s")])
    assert [(each.sentence, each.slot) for each in problems] == [(1, "span")]


def test_what_each_of_many_sends_is_found_by_an_id_of_its_own() -> None:
    texts = ("5M users each send 20 messages a day, kept 2 years", "get a message by id, 200/s")
    application, problems = understand([read_text(text) for text in texts])

    assert not problems
    (record,) = application.records
    assert (record.id_field, record.fields, record.thing) == ("message", ("user",), "")
    assert record.per_second == pytest.approx(5_000_000 * 20 / 86_400)


@cases("name, article", [
        ("order", "an"), ("hour", "an"), ("sms", "an"), ("event", "an"), ("upload", "an"), ("user", "a"), ("unit", "a"),
        ("url", "a"), ("one-time code", "a"), ("vm", "a"), ("message", "a"), ("European order", "a"),
    ])  # fmt: skip
def test_an_article_is_chosen_by_the_sound(name: str, article: str) -> None:
    assert begins_with_vowel(name) == (article == "an")


def test_japanese_sentences_mean_the_same() -> None:
    texts = (
        "20万台の device がそれぞれ10秒ごとに報告する。90日間保存する",
        "device の最新を50/秒取得する。",
        "tenant の直近1時間の device をすべて毎秒5回取得する。1秒以内",
    )
    assert understand([read_text(text, JAPANESE) for text in texts]) == understand([read_text(text) for text in IOT])


@pytest.mark.parametrize(
    ("text", "not_understood"),
    [
        ("200,000 devices each report every fortnight", "fortnight"),
        ("show the latest of one device, 50 per fortnight", "50 per fortnight"),
        ("all devices of one tenant in the last 5 m, 5/s", "5 m, 5/s"),
        ("A message is added 2k/s, archived 3 years", ", archived 3 years"),
        ("Delete everything", "Delete everything"),
        ("200,000 devices each report every", ""),
        ("", ""),
    ],
)
def test_what_is_not_understood_is_said_with_its_place(text: str, not_understood: str) -> None:
    with pytest.raises(UnknownSentenceError) as error:
        read_text(text)
    assert text[error.value.at :].strip() == not_understood.strip()


def test_problems_name_the_sentence_and_the_slot() -> None:
    sentences = [
        Sentence("event", {"record": "order", "by": "one customer", "rate": "50/s"}),
        Sentence("event", {"record": "orders", "rate": "5/s"}),
        Sentence("latest", {"by": "one customer", "rate": "5 m"}),
        Sentence("range", {"record": "invoices", "by": "one customer", "rate": "5/s"}),
        Sentence("owner", {"count": "10", "things": "customers", "owner_count": "10", "owners": "customers"}),
        Sentence("one", {"record": "order", "rate": "1/s"}),
        Sentence("one", {"record": "order", "by": "its id", "rate": "1/s"}),
    ]
    application, problems = understand(sentences)
    assert [(each.sentence, each.slot) for each in problems] == [
        (1, "record"), (2, "rate"), (3, "record"), (4, "owners"), (5, "by"),
    ]  # fmt: skip
    assert [each.by for each in application.patterns] == [("order",)]


def test_a_thing_that_reports_has_no_id_of_its_own_to_show_one_record_by() -> None:
    sentences = [read_text(IOT[0]), Sentence("one", {"record": "report", "by": "id", "rate": "1/s"})]
    assert [(each.sentence, each.slot) for each in understand(sentences)[1]] == [(1, "by")]
    assert understand(sentences[1:])[1][0].slot == "record", "nothing is stored yet"
