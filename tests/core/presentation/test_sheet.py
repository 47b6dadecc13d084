"""The sheet of a design: cards, strips, the verdict, and the share of each table in the bill."""

import dataclasses
import datetime
import re
from decimal import Decimal
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest

from designer.document.key import LONG_MAX, LiteralSegment, TimeSegment
from designer.document.load import from_data
from designer.document.money import Money
from designer.examples import example
from designer.wording.field_colours import TIME_COLOUR, field_colour, segment_colour
from designer.wording.formatting import english, format_value
from estimator.estimates.table_costs import table_costs
from estimator.presentation.charts.utilisation import NodeLoad
from estimator.presentation.design_page import DesignPage, design_page, finding_views
from estimator.presentation.segments import readable_text, time_of
from estimator.presentation.sheet import Sheet
from estimator.presentation.sheet.cards import kept_words, retention_words
from estimator.presentation.sheet.questions import bill_spans
from estimator.presentation.sheet.strips import (
    RANGES,
    BusiestHour,
    busiest_hour,
    day_shares,
    range_shares,
    shorten_texts,
)
from estimator.presentation.sheet.verdict import document_verdict, hottest_share
from tests import estimates
from tests.contexts import context, estimate
from tests.core.advice.rules.test_cannot_be_served import HOSTILE, build
from tests.designs import many_tables


def page(slug: str) -> DesignPage:
    return design_page(example(slug).spec, context())


def verdict(shown: DesignPage) -> str:
    return " ".join(english(text.message, text.params) for text in Sheet(shown).verdict.sentences)


def test_what_cannot_be_served_is_said_once_with_its_cause() -> None:
    shown = design_page(build(**HOSTILE["a scan of 10^12 rows"]), context())
    said = [english(text.message, text.params) for text in document_verdict(shown).sentences]

    assert verdict(shown).count("cannot be served") == 1
    assert " ".join(said) == verdict(shown)
    assert said[0].startswith("“look up” needs more than 500,000 nodes: this cannot be served.")


def covered(path: str) -> int:
    return sum(int(length) for length in re.findall(r"h(\d+)", path))


def test_a_card_shows_a_tables_key_writes_families_reads_and_figures() -> None:
    shown = page("karte")
    users, events = Sheet(shown).cards
    growth = shown.estimate.tables["users"].growth
    assert growth is not None
    (family,) = growth.families

    assert [chip.form for chip in users.keys[0]] == ["hash(user_id)", "user_id"]
    assert ["is-derived" in chip.colour_class for chip in users.keys[0]] == [True, False]
    assert users.writes[0].per_second == pytest.approx(4000 * 1.02**12 * 1.8, rel=0.001)  # growth, then the day's peak
    assert users.writes[0].what == "overwrites"
    assert users.families[0].live_share == pytest.approx(1 - family.uncollected_bytes / family.bytes_by_cause.total)
    assert [read.service for read in events.reads] == ["good", "good"]
    assert events.services == (("good", 2),)
    assert users.worst is not None
    assert users.worst.finding.rule == "F009"
    assert users.stored_bytes == growth.physical_bytes[-1]


def test_a_fields_colour_is_the_same_in_every_key_of_the_design() -> None:
    users, events = Sheet(page("karte")).cards

    chips = (*users.keys[0], *events.keys[0])

    assert [chip.colour_class.split()[0] for chip in chips] == ["field-1"] * 4 + [f"field-{TIME_COLOUR}"]


def test_the_colours_of_fields_never_are_that_of_time() -> None:
    spec = from_data({"fields": [{"id": f"f{n}", "name": f"f{n}"} for n in range(12)]})
    colours = [field_colour(spec, field.id) for field in spec.fields]

    assert TIME_COLOUR not in colours
    assert len(set(colours)) == 6
    assert colours[:6] == colours[6:]


def test_a_field_that_is_a_time_has_the_colour_of_times_and_no_number_of_values() -> None:
    key = [{"kind": "field", "field": "user", "after": "#"}, {"kind": "time", "field": "sent_at"}]
    fields = [{"id": "user", "distinct": 20}, {"id": "sent_at", "kind": "timestamp"}]
    spec = from_data({"fields": fields, "tables": [{"name": "t", "row_kinds": [{"key": key}]}]})
    sheet = Sheet(design_page(spec, context()))

    assert [field.distinct for field in sheet.fields] == [20, None]
    assert [field.colour for field in sheet.fields] == [
        segment_colour(spec, segment) for segment in spec.tables[0].row_kinds[0].key
    ]
    assert sheet.fields[1].colour == TIME_COLOUR
    assert not sheet.time_colour, "the time of the write is in no key"


def test_a_strip_colours_all_of_the_key_space_once() -> None:
    for card in (*Sheet(page("karte")).cards, *Sheet(page("timestamp-first")).cards):
        assert card.strip is not None
        assert sum(covered(band.path) for band in card.strip.bands) == card.strip.ranges == RANGES


def test_an_even_load_is_below_the_limit_everywhere_and_a_front_above_it() -> None:
    even, front = Sheet(page("karte")).cards[0].strip, Sheet(page("timestamp-first")).cards[0].strip

    assert even is not None
    assert even.peak_share < 0.6
    assert front is not None
    assert front.peak_share == max(each.peak_utilisation for each in page("timestamp-first").estimate.placements)
    assert sum(covered(band.path) for band in front.bands if band.colour == "var(--heat-0)") > RANGES - 5


def test_a_lone_busy_range_is_no_busier_than_the_node_that_serves_it() -> None:
    lone = estimates.heat(front=True)
    hour = BusiestHour(5, lone.window_starts[5], True, NodeLoad(mean_share=0.01, hottest_share=0.02))

    shares = range_shares(lone, hour)

    assert shares is not None
    assert shares.max() == 0.02


@pytest.mark.parametrize("slug", ["karte", "timestamp-first", "campus-cards"])
def test_the_strip_is_one_window_of_the_day_beside_the_rows(slug: str) -> None:
    shown = page(slug)
    hour = busiest_hour(shown.spec, shown.estimate)
    assert hour is not None
    for part in shown.estimate.tables.values():
        assert part.traffic is not None
        day, strip = day_shares(part.traffic.heat, hour), range_shares(part.traffic.heat, hour)

        assert day is not None
        assert strip is not None
        assert day.shape == (len(strip), part.traffic.heat.windows)
        assert day[:, hour.window] == pytest.approx(strip)


def test_sample_keys_stand_in_order_and_apart() -> None:
    for slug in ("karte", "iot-fleet", "timestamp-first", "campus-orders"):
        for card in Sheet(page(slug)).cards:
            assert card.strip is not None
            places = [sample.share for sample in card.strip.samples]

            assert places
            assert all(later - earlier >= 0.2 for earlier, later in pairwise(places))


@pytest.mark.parametrize("slug", ["timestamp-first", "sequential-id"])
def test_a_key_at_the_end_is_shown_where_the_load_is(slug: str) -> None:
    strip = Sheet(page(slug)).cards[0].strip

    assert strip is not None
    assert [sample.is_at_end for sample in strip.samples] == [False, False, True]


@pytest.mark.parametrize(
    ("slug", "table", "times"),
    [
        ("karte", 1, ("shortday", r"\d{1,2} Dec")),  # Long.MAX_VALUE minus milliseconds
        ("timestamp-first", 0, ("shortday", r"\d{1,2} Dec")),
        ("iot-fleet", 0, ("shortday", r"\d{1,2} Dec")),  # %Y%m%d
    ],
)
def test_times_in_sample_keys_are_dates(slug: str, table: int, times: tuple[str, str]) -> None:
    strip = Sheet(page(slug)).cards[table].strip
    assert strip is not None
    found = [piece.at for sample in strip.samples for piece in sample.pieces if piece.at]

    assert len(found) == len(strip.samples)
    assert strip.time_form == times[0]
    assert all(re.fullmatch(times[1], format_value(strip.time_form, at)) for at in found)


def test_bytes_of_sample_keys_that_are_no_text_are_hexadecimal() -> None:
    assert readable_text(b"\x00\x8f\n") == "0x008f0a"
    assert readable_text("東京".encode()) == "東京"
    assert readable_text(12) == "12"


def test_a_number_of_a_time_that_is_cut_or_of_another_segment_is_no_time() -> None:
    newest = TimeSegment(id="t", reversed=True)
    assert time_of(newest, str(LONG_MAX - 1_798_761_600_000).encode()) == datetime.datetime(
        2027, 1, 1, tzinfo=datetime.UTC
    )
    assert time_of(TimeSegment(id="t", raw=True, unit="s"), (86_400).to_bytes(8, "big")) == datetime.datetime(
        1970, 1, 2, tzinfo=datetime.UTC
    )
    assert time_of(TimeSegment(id="t"), b"17x") is None
    assert time_of(TimeSegment(id="t", pattern="%H"), b"12") is None
    assert time_of(LiteralSegment(id="l", text="1"), b"1") is None


def test_a_finding_has_its_money_and_its_day() -> None:
    finding = page("karte").remarks[0].finding
    params = {"spare_cost": Money(Decimal(12), "USD"), "date": datetime.date(2027, 3, 1), "near_cost": None}
    (view,) = finding_views(example("karte").spec, (dataclasses.replace(finding, params=params, under=()),))

    assert view.cost == params["spare_cost"]
    assert view.date == datetime.date(2027, 3, 1)


def test_any_number_of_findings_is_shown() -> None:
    finding = dataclasses.replace(page("karte").remarks[0].finding, under=())

    assert [view.number for view in finding_views(example("karte").spec, (finding,) * 10_005)][-1] == 10_005


def test_the_longest_parts_of_a_sample_key_are_cut_first() -> None:
    assert shorten_texts(["045a", "short"]) == ["045a", "short"]
    assert sum(map(len, shorten_texts(["045a", "x" * 40, "y" * 30]))) <= 18
    assert shorten_texts(["x" * 9] * 9)[0] == "xxx…"


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("karte", r"\d nodes carry the busiest hour at up to \d+\W%\. Nothing runs hot\."),
        (
            "timestamp-first",
            r"This design cannot carry its load: \d\d\W% is served\. One node takes all new writes: 1\d\d\W% of what "
            r"it can do\.",
        ),
        ("hash-only", r"\d nodes carry the busiest hour at up to \d+\W%\. Fix first: The key contains a hash"),
        ("iot-fleet", r"\d+ nodes in 2 clusters carry the busiest hour at up to \d+\W%\. Nothing runs hot\."),
        ("campus-orders", r"The busiest partition key is at \d+\W% of its limit\. Fix first:"),
    ],
)
def test_the_verdict_says_whether_the_design_carries_its_load(slug: str, sentence: str) -> None:
    assert re.match(sentence, verdict(page(slug)))


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("karte", r"This schema carries its load with \d+\W% to spare until Dec 2027; \$[\d,.]+ a month\.$"),
        ("iot-fleet", r"This schema carries its load with \d+\W% to spare until Dec 2027; ≥\W\$5,442\.94 a month\.$"),
        ("timestamp-first", r"This design cannot carry its load: \d\d\W% is served\. .* costs \$[\d,.]+ a month\.$"),
        ("hash-only", r"This schema carries its load .* a month\. Fix first: The key contains a hash"),
        ("campus-orders", r"This schema carries its load .* a month\. Fix first:"),
    ],
)
def test_documents_begin_with_the_verdict_its_room_and_the_bill(slug: str, sentence: str) -> None:
    said = " ".join(english(text.message, text.params) for text in document_verdict(page(slug)).sentences)

    assert re.match(sentence, said), said


def test_the_room_is_that_of_the_hottest_node() -> None:
    shown = page("karte")
    room = document_verdict(shown).sentences[0].params["spare_share"]

    assert room == 1 - max(placement.peak_utilisation for placement in shown.estimate.placements)


def test_ranges_larger_than_a_node_limit_nothing_where_no_table_does() -> None:
    shown = page("machine-metrics")
    estimate = shown.estimate
    (placement,), (nodes,) = estimate.placements, estimate.nodes
    coarse = dataclasses.replace(placement, peak_utilisation=13.5, limiting_table=None)
    split = page("machine-metrics")
    split.estimate = dataclasses.replace(estimate, placements=(coarse,))

    assert hottest_share(split) == pytest.approx(float(nodes.load_by_month[-1] / nodes.nodes_by_month[-1]))
    assert Sheet(split).verdict.tone == "good"


def test_an_empty_design_has_no_verdict_on_its_load_in_documents_either() -> None:
    shown = design_page(from_data({"name": "Empty"}), context())
    assert document_verdict(shown) == Sheet(shown).verdict


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({}, "This design has no tables yet."),
        ({"tables": [{"id": "t", "name": "log"}]}, "The load of log is not known yet. “log” has no writes."),
        (
            {"tables": [{"id": "t"}, {"id": "u"}]},
            "The load of 2 of 2 tables is not known yet. 2 things are",
        ),
    ],
)
def test_the_verdict_says_what_is_missing(document: dict[str, Any], sentence: str) -> None:
    sheet = Sheet(design_page(from_data(document), context()))

    assert verdict(sheet.shown).startswith(sentence)
    assert sheet.verdict.tone == "unknown"
    assert all(card.strip is None and card.cost is None for card in sheet.cards)


def test_the_tables_of_a_design_bear_its_whole_bill() -> None:
    for slug in ("karte", "iot-fleet", "saas-tenants", "campus-months"):
        shown = page(slug)
        costs, bill = table_costs(shown.spec, shown.estimate), shown.estimate.bill
        assert costs is not None
        assert bill is not None

        known = [cost for cost in costs.by_table.values() if cost is not None]

        assert len(known) == len(shown.spec.tables)
        assert float(sum(known) + costs.unattributed) == pytest.approx(float(bill.total), abs=0.01 * len(known))


def test_nodes_are_split_by_node_time_and_storage_by_bytes() -> None:
    shown = page("karte")
    parts = shown.estimate.tables
    costs = table_costs(shown.spec, shown.estimate)
    assert costs is not None
    busy = {table: float(part.traffic.week_node_share.mean()) for table, part in parts.items() if part.traffic}
    stored = {table: float(part.growth.physical_bytes[-2:].mean()) for table, part in parts.items() if part.growth}

    nodes, storage = (
        float(next(line.cost for line in shown.estimate.bills[-1].lines if line.item == item) or 0)
        for item in ("node", "storage")
    )
    expected = nodes * busy["users"] / sum(busy.values()) + storage * stored["users"] / sum(stored.values())

    assert float(costs.by_table["users"] or 0) == pytest.approx(expected, abs=0.01)


def test_a_table_whose_load_has_ended_costs_no_nodes() -> None:
    def table(name: str) -> dict[str, Any]:
        write = {"id": f"{name}-write", "activity": f"{name}-activity", "mode": "append_row"}
        time, column = {"kind": "time", "id": f"{name}-time"}, {"id": f"{name}-column", "qualifier": "v"}
        family = {"id": f"{name}-family", "name": "f", "columns": [column], "gc": {"kind": "max_age", "age_days": 5}}
        kind = {"id": f"{name}-rows", "key": [time], "writes": [write]}
        return {"id": name, "name": name, "row_kinds": [kind], "families": [family]}

    spec = from_data(
        {
            "start": "2026-12-01", "horizon_months": 3, "tables": [table("archive"), table("live")],
            "activities": [
                {"id": "archive-activity", "rate_per_second": 20_000, "ends_on": "2026-12-26"},
                {"id": "live-activity", "rate_per_second": 100},
            ],
        }
    )  # fmt: skip

    made = estimate(spec)
    costs = table_costs(spec, made)

    assert costs is not None and made.bill is not None  # noqa: PT018
    assert costs.by_table == {"archive": 0, "live": made.bill.total}


def test_a_table_with_a_line_without_a_price_costs_at_least_its_share() -> None:
    shown = page("iot-fleet")
    assert shown.estimate.bill is not None
    open_tables = {line.at for line in shown.estimate.bill.lines if line.cost is None}

    cards = {card.id: card for card in Sheet(shown).cards}

    assert open_tables
    assert {table for table, card in cards.items() if card.has_open_lines} == {"telemetry", "alerts"}


def test_a_share_that_rests_on_an_unknown_table_is_unknown() -> None:
    shown = page("karte")
    parts = {**shown.estimate.tables, "events": estimates.unknown_part("events")}

    costs = table_costs(shown.spec, dataclasses.replace(shown.estimate, tables=parts))

    assert costs is not None
    assert set(costs.by_table.values()) == {None}


def test_the_activity_shows_its_day_its_mean_and_its_peak() -> None:
    (activity,) = Sheet(page("karte")).activities

    assert activity.name == "A visitor does something"
    assert activity.per_second == 4000
    assert activity.peak_per_second == pytest.approx(9128, rel=0.001)
    assert max(activity.day) == 1
    assert len(activity.day) == 24
    assert [english(text.message, text.params) for text in activity.changes] == ["2\u00a0% more a month", "2× on 2 Jan"]


def test_how_long_cells_are_kept_is_said_in_a_few_words() -> None:
    both = {"kind": "union", "rules": [{"kind": "max_age", "age_days": 30}, {"kind": "max_versions", "versions": 3}]}
    for gc, words in (
        (None, "kept forever"),
        ({"kind": "max_versions", "versions": 1}, "1 version"),
        ({"kind": "max_age", "age_days": 30}, "kept 30 days"),
        (both, "3 versions, kept 30 days"),
    ):
        spec = from_data({"tables": [{"id": "t", "families": [{"id": "f", "name": "f", "gc": gc}]}]})
        text = retention_words(spec.tables[0].families[0].gc)

        assert english(text.message, text.params) == words


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (None, "kept forever"),
        ({"ttl_seconds": -1}, "kept forever"),
        ({"ttl_seconds": 2_592_000}, "kept 30 days"),
        ({"ttl_seconds": 2_592_000, "max_versions": 3}, "3 versions, kept 30 days"),
        ({"max_versions": 2}, "2 versions"),
    ],
)
def test_on_tablestore_a_table_says_how_long_not_its_groups_of_attributes(
    settings: dict[str, int] | None, words: str
) -> None:
    family = {"id": "f", "name": "f", "gc": {"kind": "max_age", "age_days": 7}}
    spec = from_data({"engine": "tablestore", "tables": [{"id": "t", "families": [family], "tablestore": settings}]})
    (table,) = spec.tables
    text = kept_words(spec, table, table.families[0])

    assert english(text.message, text.params) == words


def test_amounts_to_compare_have_no_cents_from_a_hundred_on() -> None:
    (first, _) = Sheet(page("karte")).cards

    assert first.cost is not None
    assert re.fullmatch(r"\$1,\d{3}", format_value("rounded_cost", first.cost))
    assert format_value("rounded_cost", dataclasses.replace(first.cost, amount=first.cost.amount / 100)).startswith(
        "$12.3"
    )
    assert format_value("rounded_cost", first.cost, "ja") == format_value("rounded_cost", first.cost)


def test_a_literal_has_no_fields_colour() -> None:
    spec = from_data(
        {"tables": [{"id": "t", "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "literal", "text": "a"}]}]}]}
    )

    assert segment_colour(spec, spec.tables[0].row_kinds[0].key[0]) == 0


def test_from_twelve_tables_on_each_is_a_line_with_a_shorter_strip() -> None:
    sheet = Sheet(design_page(many_tables(12), context()))
    strips = [card.strip for card in sheet.cards if card.strip]

    assert sheet.has_many_tables
    assert strips
    assert all(strip.ranges == 64 for strip in strips)
    assert not Sheet(page("karte")).has_many_tables
    assert all(card.name.lower() in card.words for card in sheet.cards)


def test_an_index_table_names_the_table_that_it_is_of() -> None:
    ways = {"orders": None, "orders_by_user": "index_table", "copy": "dual_write"}
    tables = [
        {"id": name, "name": name, **({"derived_from": {"table": "orders", "how": how}} if how else {})}
        for name, how in ways.items()
    ]
    sheet = Sheet(design_page(from_data({"tables": tables}), context()))
    assert [card.index_of for card in sheet.cards] == ["", "orders", ""]


def test_questions_about_the_bill_have_their_ranges_on_one_axis_of_money() -> None:
    shown = page("karte")
    question = shown.bill_questions[0]
    money = shown.estimate.bill
    assert money is not None
    # A second question with half of the range: the axis is that of the wider one.
    middle = (question.low + question.high) / 2
    narrower = dataclasses.replace(question, low=middle, high=question.high)
    wide, narrow = bill_spans(
        cast(DesignPage, SimpleNamespace(estimate=shown.estimate, bill_questions=(question, narrower)))
    )

    assert (wide.low_share, wide.high_share) == (0.0, 1.0)
    assert (narrow.low_share, narrow.high_share) == (0.5, 1.0)
    assert wide.total_share == narrow.total_share == float((money.total - question.low) / question.swing)
    assert bill_spans(cast(DesignPage, SimpleNamespace(estimate=shown.estimate, bill_questions=()))) == ()
