"""What a link leaves out is in nothing that is made of what is left."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from designer.document import Spec
from designer.document.dump import dump
from designer.document.key import as_text
from designer.document.load import from_data
from designer.document.money import Money
from designer.examples import examples
from designer.wording.formatting import english
from estimator.presentation import design_page as design_pages
from estimator.presentation.charts.to_plotly import to_plotly
from estimator.presentation.charts.to_svg import to_svg
from estimator.presentation.design_page import DesignPage
from estimator.presentation.sheet import Sheet
from reviews.discussion import anchors
from reviews.links.exclusions import Exclusions
from reviews.links.exposure import list_exposure
from reviews.links.redaction import OF_MONEY, page_without
from tests.cases import cases
from tests.contexts import answer, context, design_page

COST, SAMPLES = Exclusions(cost=True), Exclusions(samples=True)
CANARY, NUMBER = "canary-value", 48_000_101


def design() -> Spec:
    """A design whose keys hold a value that tells, hot enough for findings, with a price of one's own."""
    items = [{"value": f"{CANARY}-{n}", "weight": 100 - n} for n in range(9)]
    tenant = {"id": "d", "name": "tenant", "kind": "string", "values": {"kind": "enumeration", "items": items}}
    account = {"id": "n", "name": "account", "values": {"kind": "range", "min": NUMBER, "max": NUMBER + 900}}
    shop = {"id": "p", "name": "shop", "values": {"kind": "pattern", "text": CANARY + "{n}", "start": NUMBER}}
    key = [{"id": "s1", "kind": "field", "field": "d", "after": "#"}, {"id": "s2", "kind": "time"}]
    reads = [{"id": "r", "rate_per_second": 1e-4}]
    kind = {"id": "k", "key": key, "writes": [{"id": "w", "activity": "a"}], "reads": reads}
    return from_data({
        "name": "Tenants", "fields": [tenant, account, shop], "activities": [{"id": "a", "rate_per_second": 50_000}],
        "tables": [{"id": "t", "name": "t", "row_kinds": [kind],
                    "families": [{"id": "f", "name": "long_family_name", "columns": [{"id": "c", "qualifier": "v"}]}]}],
        "instance": {"clusters": [{"id": "cl", "region": "us-east1"}], "commitment": {"years": 1, "nodes": 100_000},
                     "prices": [{"sku": "node", "usd": "0.987654"}, {"sku": "x", "amount": "3", "currency": "CNY"}]},
        "ignores": [{"id": f"i{n}", "rule": "I015", "at": at, "reason": "negotiated", "owner": "Ana"}
                    for n, at in enumerate(("cl", "t"))],
    })  # fmt: skip


def everything(page: DesignPage) -> Iterator[str]:
    """Every text that a page, its charts and its findings could show."""
    yield dump(page.spec)
    yield repr(page.estimate)
    for remark in page.all_remarks.values():
        yield english(remark.finding.message, remark.finding.params)
        yield repr(remark.finding)
    for make in page.charts.values():
        chart = make()
        yield json.dumps(to_plotly(chart, english))
        yield to_svg(chart, english)
        yield repr(chart.rows(english))
    for table in page.tables:
        yield repr(table)
    yield repr(page.assumed_values)


def money(page: DesignPage) -> set[str]:
    """Amounts of a whole bill as they are written, but for those that any text may hold."""
    held: list[Any] = [page.estimate.bill.total]  # type: ignore[union-attr]
    for line in page.estimate.bill.lines:  # type: ignore[union-attr]
        held += [line.cost, line.unit_price, line.low, line.high]
    texts = {english("{x_cost}", {"x_cost": Money(one, "USD")}).strip("$") for one in held if one and one > 1}
    return texts | {"0.987654"}


def test_without_cost_no_amount_and_no_price_is_left() -> None:
    spec = design()
    whole, left = design_page(spec), page_without(spec, answer(spec), COST, context())
    told = "".join(everything(whole))
    assert all(amount in told.replace(",", "") for amount in {one.replace(",", "") for one in money(whole)})

    text = "\n".join(everything(left))

    assert not [amount for amount in money(whole) if amount in text]
    assert [word for word in ("$", "CNY", "I015", "negotiated") if word in text] == []
    assert left.estimate.bill is None
    assert not {"bill", "months", "sensitivity"} & left.charts.keys()


def test_without_samples_no_value_of_a_key_is_left() -> None:
    spec = design()
    whole, left = design_page(spec), page_without(spec, answer(spec), SAMPLES, context())
    assert sum(CANARY in text for text in everything(whole)) > 5

    text = "\n".join(everything(left))

    assert CANARY not in text
    assert not re.search("48,?000,?101", text)
    assert [field.distinct for field in left.spec.fields] == [None, 901, None]
    assert left.charts.keys() == whole.charts.keys()
    assert left.estimate.bill == whole.estimate.bill


@pytest.mark.parametrize("slug", [one.slug for one in examples()[:2]])
def test_of_every_example_no_amount_and_no_sample_key_is_left(slug: str) -> None:
    spec = next(one.spec for one in examples() if one.slug == slug)
    made = answer(spec)
    samples = {as_text(key) for part in made.estimate.tables.values() for f in part.keys.values() for key in f.samples}
    bounds = {as_text(b) for p in made.estimate.tables.values() if p.traffic for b in p.traffic.heat.bounds}

    left = page_without(
        spec.model_copy(update={"description": ""}), made, Exclusions(cost=True, samples=True), context()
    )
    text = "\n".join(everything(left))

    assert not [key for key in samples | bounds if len(key) > 6 and key in text]
    assert "$" not in text


def test_what_is_not_hidden_stays_and_findings_keep_their_rule_and_gravity() -> None:
    spec = design()
    whole, left = design_page(spec), page_without(spec, answer(spec), Exclusions(cost=True, samples=True), context())

    assert page_without(spec, answer(spec), Exclusions(), context()).estimate is answer(spec).estimate
    assert [(r.finding.rule, r.finding.at, r.severity) for r in left.remarks] == [
        (r.finding.rule, r.finding.at, r.severity)
        for r in whole.remarks if r.finding.rule not in OF_MONEY and r.finding.at in left.spec.by_id
    ]  # fmt: skip
    assert {r.finding.rule for r in whole.remarks} & OF_MONEY
    assert any("hidden in this link" in r.finding.message for r in left.all_remarks.values())


def test_the_preview_names_what_would_be_seen_and_what_is_left_out() -> None:
    spec = design()
    told = {str(one.text): one.is_shown for one in list_exposure(spec, answer(spec), COST)}

    assert {one.partition(":")[0]: shown for one, shown in told.items() if "bill" in one or "sample" in one} == {
        "sample keys": True, "the bill, line by line": False,
    }  # fmt: skip
    assert not told["negotiated prices that you entered: 2"]
    assert not told["your commitment to the provider"]


def test_one_leaves_out_at_least_what_another_does() -> None:
    both = Exclusions(cost=True, samples=True)

    assert both.covers(COST)
    assert both.covers(both)
    assert not COST.covers(SAMPLES)
    assert not Exclusions().covers(COST)
    assert COST.covers(Exclusions())


# --- what comments are on -----------------------------------------------------------------------------------------


def test_anchors_are_read_as_they_were_written_and_nonsense_is_none() -> None:
    line = answer(design()).estimate.bill.lines[0]  # type: ignore[union-attr]
    made = [
        anchors.element("c", "qualifier"), anchors.element("t"), anchors.finding("K004", "s1"), anchors.line(line),
        anchors.heat("t", "writes", b"a\xff", b"", "14:00"), anchors.section("cost"),
    ]  # fmt: skip

    assert [anchors.parse_anchor(one.text) for one in made] == made
    for text in ("", "x", "[]", "1", "{}", '["element"]', '["element",1,""]', '["spell","a"]', '["section","x"]',
                 '["heat","t","writes","zz","","14:00"]', '["heat","t","writes","00","","noon"]', "[" * 5_000,
                 '["element","a\0",""]'):  # fmt: skip
        assert anchors.parse_anchor(text) is None


@cases(
    "anchor, name, section",
    [
        (anchors.element("f"), "family “long_family_name”", "families"),
        (anchors.element("c", "qualifier"), "Qualifier of column “v”", "families"),
        (anchors.element("s1"), "key segment “tenant”", "keys"),
        (anchors.element("", "horizon_months"), "Horizon of the design", "workload"),
        (anchors.element("", "instance.prices"), "Prices entered of the design", "cost"),
        (anchors.element("t", "gib_stored"), "Stored of table “t”", "workload"),
        (anchors.finding("K004", "s1"), "finding K004 on key segment “tenant”", "keys"),
        (anchors.heat("t", "reads", b"", b"", "14:00"), "reads of table “t” at 14:00", "keys"),
        (anchors.section("cost"), "Cost", "cost"),
        (anchors.element("gone"), "“gone”", "instance"),
    ],
)
def test_what_a_comment_is_on_has_a_name_and_a_section(anchor: anchors.Anchor, name: str, section: str) -> None:
    spec = design()
    text = anchors.anchor_label(spec, answer(spec), anchor)

    assert english(text.message, text.params) == name
    assert anchors.section_at(spec, anchor) == section


def test_a_bill_line_is_found_again_by_what_it_is() -> None:
    spec = design()
    line = answer(spec).estimate.bill.lines[0]  # type: ignore[union-attr]
    anchor = anchors.line(line)

    assert anchors.has_subject(spec, answer(spec), anchor)
    assert not anchors.has_subject(spec, answer(spec), anchors.parse_anchor(anchor.text.replace(line.item, "other")))  # type: ignore[arg-type]


def test_of_many_tables_the_whole_page_is_kept_if_asked_for_again_and_one_with_less_is_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(design_pages, "TABLES_HERE", 0)
    spec, about = design().model_copy(update={"name": "of many tables"}), context()
    first, whole = (page_without(spec, answer(spec), Exclusions(), about) for _ in range(2))
    costs = [card.cost for card in Sheet(whole).cards]
    hidden = page_without(spec, answer(spec), COST, about)

    assert first is not whole
    assert costs != [None]
    assert [card.cost for card in Sheet(hidden).cards] == [None]
    assert page_without(spec, answer(spec), Exclusions(), about) is whole is design_page(spec)
    assert Sheet(design_page(spec)).cards is Sheet(whole).cards
