"""Numbers and messages as people read them."""

import datetime
import re
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.load import from_data
from designer.document.money import SYMBOLS, Money
from designer.document.texts import Text, TextList
from designer.examples import examples
from designer.wording.formatting import SUFFIXES, exact_number, format_message, format_value, number, signed_change
from designer.wording.formatting import english as in_english
from designer.wording.values import describe_value
from estimator.advice.rules import RULES
from estimator.advice.rules.shared.root_causes import BILLED
from estimator.comparison.simulations import Difference
from estimator.presentation.run_page import Vital
from estimator.results import each_finding
from tests.cases import cases
from tests.contexts import design_page


@cases(
    "name, value, english, japanese",
    [
        ("stored_bytes", 5 * 1024**3, "5 GiB", "5 GiB"),
        ("stored_bytes", 5e9, "4.66 GiB", "4.66 GiB"),
        ("stored_bytes", 1023, "0.999 KiB", "0.999 KiB"),
        ("stored_bytes", 12, "12 B", "12 B"),
        ("size_gib", 50.0, "50 GiB", "50 GiB"),
        ("size_gib", 16_385, "16,385 GiB", "16,385 GiB"),
        ("size_gib", 61_234.5, "59.8 TiB", "59.8 TiB"),
        ("write_share", 0.92, "92\u00a0%", "92%"),
        ("write_share", 0.0423, "4.2\u00a0%", "4.2%"),
        ("write_share", 0.00001, "<\u00a00.1\u00a0%", "<\u00a00.1%"),
        ("write_share", 0.9999, ">\u00a099\u00a0%", ">\u00a099%"),
        ("node_change", 0.9999, "100\u00a0%", "100%"),
        ("node_change", 0.9, "90\u00a0%", "90%"),
        ("node_change", 1.996, "200\u00a0%", "200%"),
        ("node_change", 0.0004, "0.04\u00a0%", "0.04%"),
        ("node_change", -0.374, "37\u00a0%", "37%"),
        ("node_change", -0.999_99, "99.99\u00a0%", "99.99%"),
        ("node_change", -1.0, "100\u00a0%", "100%"),
        ("node_change", 0, "0\u00a0%", "0%"),
        ("after_factor", 0.00000965, "< 0.01×", "< 0.01×"),
        ("after_factor", 0.01, "0.01×", "0.01×"),
        ("write_share", 0.0, "0\u00a0%", "0%"),
        ("write_share", 1.0, "100\u00a0%", "100%"),
        ("cost_usd", Decimal("1440.50"), "$1,440.50", "$1,440.50"),
        ("price_usd", Decimal("0.000026"), "$0.000026", "$0.000026"),
        ("price_usd", 0.026, "$0.026", "$0.026"),
        ("total_cost", Money(Decimal("1728.5"), "CNY"), "CN¥1,728.50", "CN¥1,728.50"),
        ("unit_price", Money(Decimal("0.00056"), "JPY"), "¥0.00056", "¥0.00056"),
        ("total_cost", Money(Decimal("1e40"), "USD"), "> $1T", "> $1兆"),
        ("spent_nodes", 9.5e10, "> 1M nodes", "> 100万ノード"),
        ("busy_share", 8.3e7, "> 1M\u00a0%", "> 100万%"),
        ("took_seconds", 1e15, "> 1,000 years", "> 1,000 年"),
        ("writes_per_second", 1e15, "> 1T/s", "> 1兆/秒"),
        ("stored_bytes", 1e40, "> 1,000 EiB", "> 1,000 EiB"),
        ("left_usd", -1e40, "< −$1T", "< −$1兆"),
        ("value_cny", 572.16, "CN¥572.16", "CN¥572.16"),
        ("rate_per_second", 4000.0, "4,000/s", "4,000/秒"),
        ("rate_per_second", 0.001, "3.6/h", "3.6/時"),
        ("rate_per_second", 5 / 60, "5/min", "5/分"),
        ("rate_per_second", 0.3, "0.3/s", "0.3/秒"),
        ("rate_per_second", 0.07123, "0.0712/s", "0.0712/秒"),
        ("rate_per_second", 2e-05, "1.73 a day", "1.73/日"),
        ("distinct", 52.14, "52", "52"),
        ("age_days", 7, "7 days", "7 日"),
        ("age_days", 1, "1 day", "1 日"),
        ("kept_months", 12, "12 months", "12 か月"),
        ("lateness_seconds", 0.0123, "12.3 ms", "12.3 ms"),
        ("lateness_seconds", 7200, "2 hours", "2 時間"),
        ("rows", 1_234_567.0, "1.23M", "123万"),
        ("rows", 2.56e20, "2.56·10²⁰", "2.56·10²⁰"),
        ("rows", 1234, "1,234", "1,234"),
        ("rows", 999_999_999, "1bn", "10億"),
        ("credit_cost", Money(Decimal("-5"), "USD"), "−$5.00", "−$5.00"),
        ("load", np.float64(2.5), "2.5", "2.5"),
        ("day", datetime.date(2027, 3, 5), "5 Mar 2027", "2027/03/05"),
        ("at_month", datetime.date(2027, 3, 5), "Mar 2027", "2027年3月"),
        ("day", datetime.date(2027, 9, 5), "5 Sep 2027", "2027/09/05"),
        ("seen", datetime.datetime(2027, 3, 5, 9, 5, tzinfo=datetime.UTC), "5 Mar 2027 09:05", "2027/03/05 09:05"),
        ("at_weekday", datetime.date(2027, 3, 5), "Fri", "金"),
        ("at_clock", datetime.datetime(2027, 3, 5, 14, 15, tzinfo=datetime.UTC), "14:15", "14:15"),
        (
            "second",
            datetime.datetime(2027, 3, 5, 9, 5, 7, tzinfo=datetime.UTC),
            "5 Mar 2027 09:05:07",
            "2027/03/05 09:05:07",
        ),
        ("key", b"a#\x00", "a#\\x00", "a#\\x00"),
        ("kept_days", 0.5, "12 hours", "12 時間"),
        ("some_nodes", 1, "1 node", "1 ノード"),
        ("some_nodes", 3.24, "3.24 nodes", "3.24 ノード"),
        ("names", ("a", "b"), "a, b", "a、b"),
        ("anything", None, "–", "–"),
    ],
)
def test_the_suffix_of_a_name_says_the_unit(name, value, english, japanese):
    assert format_value(name, value) == english
    assert format_value(name, value, "ja") == japanese


def test_a_message_is_translated_and_then_filled():
    translate = {"{write_share} of writes": "書き込みの {write_share}"}.__getitem__

    assert format_message("{write_share} of writes", {"write_share": 0.5, "unused": 1}) == "50\u00a0% of writes"
    assert format_message("{write_share} of writes", {"write_share": 0.5}, "ja", translate) == "書き込みの 50%"


@pytest.mark.parametrize(
    ("unit", "first", "second", "slight"),
    [
        ("factor", 1.2, 1.2099, True),
        ("factor", 1.2, 1.1901, True),
        ("factor", 1.0, 1.0101, False),
        ("share", 0.5, 0.5009, True),
        ("share", 0.5, 0.5011, False),
        ("factor", 1.0, 1.0, False),  # the same
        ("nodes", 1.0, 1.001, False),
    ],
)
def test_a_difference_below_what_is_written_in_digits_is_about_the_same(unit, first, second, slight):
    label = Text("figure")

    assert Difference(Vital("v", label, first, unit), Vital("v", label, second, unit)).is_slight == slight


@pytest.mark.parametrize(
    ("message", "params", "text"),
    [
        ("{scanned} rows in {ranges} ranges", {"scanned": 500, "ranges": 1}, "500 rows in 1 range"),
        ("about {fronts} append points", {"fronts": 1.0}, "about 1 append point"),
        ("about {fronts} append points", {"fronts": 1.2}, "about 1.2 append points"),
        ("{families} column families", {"families": 1}, "1 column family"),
        ("{{{rows} rows}}", {"rows": 1}, "{1 row}"),
        ("{count_tables}", {"count_tables": 1}, "1 table"),
        ("{count_families}", {"count_families": 40}, "40 column families"),
    ],
)
def test_a_noun_agrees_with_the_count_before_it(message, params, text):
    assert in_english(message, params) == text


def test_a_sentence_quotes_a_long_key_by_its_beginning_and_its_end():
    text = in_english("{key}", {"key": b"a" * 5_000 + b"\x00end"})

    assert text == "a" * 59 + "…" + "a" * 13 + "\\x00end"


FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def significant_digits(shown: str) -> int:
    """Return the most significant digits of a number in a text; the zeros at a whole number's end say no more."""
    found = [digits.replace(",", "").lstrip("0.") for digits in FIGURE.findall(shown)]
    return max(len(text.replace(".", "") if "." in text else text.rstrip("0")) for text in found or ["0"])


def test_the_digits_of_a_number_are_counted():
    assert [significant_digits(text) for text in ("1,230/s", "0.00123", "12.34%", "1,204 rows", "–", "< 0.1×")] == [
        3, 3, 4, 4, 0, 1,
    ]  # fmt: skip


@cases("suffix", [*(name for name in SUFFIXES if name.upper() not in SYMBOLS), "rows"])
def test_a_computed_figure_has_three_significant_digits_at_most(suffix):
    figures = [1.2345678912345 * 10.0**power for power in range(-6, 22)] + [0.999499999, 999.4999, 999_949.999, 8_640.5]
    shown = [format_value(suffix, figure, locale) for figure in figures for locale in ("en", "ja")]

    assert [text for text in shown if "10" not in text and significant_digits(text) > 3] == []


def test_what_was_entered_is_written_in_full():
    assert [number(exact_number(value)) for value in (12_345.0, 1_234.5, 0.125, 7)] == [
        "12,345",
        "1,234.5",
        "0.125",
        "7",
    ]
    assert in_english("{rate}", {"rate": describe_value(12_345.0, "events per second")}) == "12,345/s"


def told_figures(spec: Spec) -> list[tuple[str, str, str]]:
    """Return what the findings of a design compute, by rule and parameter, in words of both languages."""
    return [
        (one.rule, name, format_value(name, value, locale))
        for one in each_finding(design_page(spec).findings)
        for name, value in one.params.items()
        if isinstance(value, float | np.floating)
        or (isinstance(value, Money) and name not in BILLED)
        or name == "enough_nodes"
        for locale in ("en", "ja")
    ]


@pytest.mark.parametrize("count", [8, pytest.param(len(examples()), marks=pytest.mark.slow)])
def test_findings_of_the_examples_tell_no_computed_figure_with_more_digits(count):
    said = [each for shown in examples()[:count] for each in told_figures(shown.spec)]

    assert len(said) > 6 * count
    assert [each for each in said if significant_digits(each[2]) > 3] == []


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_findings_of_a_much_larger_load_tell_no_computed_figure_with_more_digits(rule):
    def busier(data: Any) -> Any:
        if isinstance(data, list):
            return [busier(each) for each in data]
        if isinstance(data, dict):
            rates = {"rate_per_second": data["rate_per_second"] * 997.3} if data.get("rate_per_second") else {}
            return {name: busier(value) for name, value in data.items()} | rates
        return data

    spec = from_data(busier(rule.bad().model_dump(mode="json", exclude_unset=True)))

    said = [each for each in told_figures(spec) if not each[1].startswith("limit_")]

    assert [each for each in said if significant_digits(each[2]) > 3] == []


@pytest.mark.parametrize(
    ("amount", "shown"),
    [("0.0123", "$0.012"), ("9.994", "$9.99"), ("9.996", "$10"), ("23.83", "$24"), ("12255.76", "$12,300")],
)
def test_modelled_money_has_three_digits_and_billed_money_its_cents(amount, shown):
    modelled = Money(Decimal(amount), "USD", is_modelled=True)

    assert {format_value("cost", modelled, locale) for locale in ("en", "ja")} == {shown}
    assert format_value("cost", Money(Decimal("12255.76"), "USD")) == "$12,255.76"


def test_a_japanese_counter_follows_large_units_without_a_space() -> None:
    told = format_message("{rows} 行", {"rows": 36_000_000}, "ja"), format_message("{rows} 行", {"rows": 120}, "ja")

    assert told == ("3600万行", "120 行")


def test_japanese_has_no_space_around_what_was_filled_in_in_japanese_but_around_names():
    def fill(message: str, **params: object) -> str:
        return format_message(message, params, "ja")

    words = Text("時刻")

    assert fill("キーは {start} で始まる", start=words) == "キーは時刻で始まる"
    assert fill("{age_days} より古い", age_days=30) == "30 日より古い"
    assert fill("{share} を使う", share=0.5) == "50% を使う"
    assert fill("表 {table} の値", table="注文") == "表 注文 の値"
    assert fill("{names} の値", names=TextList(("端末", "時刻"))) == "端末、時刻 の値"
    assert fill("{missing} の値と {start}", start=words, missing="x") == "x の値と時刻"


@pytest.mark.parametrize(
    ("change", "english", "japanese"),
    [
        (1.0, "+100\u00a0%", "+100%"),
        (0.0004, "0\u00a0%", "0%"),
        (-0.324, "−32\u00a0%", "−32%"),
        (0.0008, "+0.08\u00a0%", "+0.08%"),
        (13.129, "14.1×", "14.1×"),
        (-0.9999, "< 0.01×", "< 0.01×"),
    ],
)
def test_a_signed_change_has_no_bound_behind_its_sign(change: float, english: str, japanese: str) -> None:
    assert signed_change(change) == english
    assert signed_change(change, "ja") == japanese
