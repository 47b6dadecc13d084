"""The pages of designs, by a client without scripts. What is computed is made by hand here; see tests/estimates.py."""

import csv
import dataclasses
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import cycle
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils.translation import override

from designer.document import Spec
from designer.examples import examples
from designer.models.memory import MEMORY
from designer.wording.formatting import english
from estimator.advice.rules import RULES
from estimator.contexts import current_context
from estimator.presentation import design_page as pages
from estimator.presentation.charts.to_svg import to_svg
from estimator.results import Measurement
from estimator.templatetags.chart_tags import compression_sentence
from estimator.views.design import on_demand
from tests import estimates
from tests.markup import compact

SLUGS = [example.slug for example in examples()]
PAGE = "/examples/iot-fleet/"
HTMX = {"HX-Request": "true"}


def parts_of(shown: pages.DesignPage) -> dict[str, Any]:
    return {"base": "/x/", "page": shown, **on_demand(RequestFactory().get("/"), shown)}


@pytest.fixture(autouse=True)
def _by_hand(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pages, "estimate", lambda spec, context: estimates.estimate_of(spec))
    MEMORY.clear(pages.ANSWERS)
    yield
    MEMORY.clear(pages.ANSWERS)


def text(client: Client, address: str, **more: object) -> str:
    response = client.get(address, **more)  # type: ignore[arg-type]
    assert response.status_code == 200
    return response.content.decode()


def test_the_start_page_shows_every_example_with_its_key(client: Client) -> None:
    page = text(client, "/")

    assert all(f'href="/examples/{slug}/"' in page for slug in SLUGS)
    assert "{fleet}#{vehicle}#{time:day:&quot;%Y%m%d&quot;}" in page


def test_a_card_shows_a_picture_the_findings_and_the_bill(client: Client) -> None:
    card = text(client, "/examples/iot-fleet/card", headers=HTMX)

    assert "≥\u00a0$483.00" in card
    assert "note" in card
    assert 'src="data:image/png;base64,' in card


@pytest.mark.parametrize(("slug", "language"), list(zip(SLUGS, cycle(("en", "ja")), strict=False)))
def test_every_example_opens_in_english_or_japanese(client: Client, slug: str, language: str) -> None:
    page = text(client, f"/examples/{slug}/", headers={"Accept-Language": language})

    assert f'lang="{language}"' in page
    assert "Invalid" not in page


def test_a_design_can_be_downloaded_as_the_file_that_the_command_line_reads(client: Client) -> None:
    response = client.get(f"{PAGE}design.json")

    assert response["Content-Disposition"] == 'attachment; filename="iot-fleet.json"'
    assert Spec.model_validate_json(response.content).name == "Vehicle fleet in two regions"


def test_a_bill_line_shows_its_formula_its_price_and_where_that_is_from(client: Client) -> None:
    page = text(client, PAGE)

    assert "730 hours × $0.65" in page
    assert "cloud.google.com/bigtable/pricing" in page
    assert "price list" in page


def test_a_line_without_a_price_is_open_and_the_total_says_so(client: Client) -> None:
    page = text(client, PAGE)

    assert "no price" in page
    assert "≥\u00a0$483.00" in page


def test_a_finding_stands_in_the_list_and_beside_what_it_is_about(client: Client) -> None:
    page = text(client, PAGE)

    assert '<details class="finding question" id="finding-1"' in page
    assert 'href="#finding-1"' in page


def test_what_is_unknown_says_why(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(spec: Spec, context: object) -> object:
        parts = {table.id: estimates.unknown_part(table.id) for table in spec.tables}
        return estimates.estimate_of(spec).__class__(
            **(vars(estimates.estimate_of(spec)) | {"tables": parts, "bills": (), "nodes": (), "placements": ()})
        )

    monkeypatch.setattr(pages, "estimate", unknown)

    page = text(client, PAGE)

    assert "no rate is specified for post" in page
    assert "No bill yet. A bill requires a table, and a cluster in a region with prices." in page


def test_an_example_opens_with_its_sheet(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    page = text(client, "/examples/karte/")

    sheet = page.partition('<div class="schema">')[2].partition('<div class="design">')[0]
    sheet = re.sub(r'<div class="prose">.*?</div>', "", sheet, flags=re.DOTALL)  # the story, which is folded
    words = [word for word in re.sub(r"<[^>]*>", " ", sheet).split() if re.search(r"\w", word)]

    assert re.findall(r'<article [^>]*id="card-(\w+)"', sheet) == ["users", "events"]
    assert "Nothing runs hot." in sheet
    assert len(re.findall(r'aria-label="Load over the row keys', compact(sheet))) == 2
    assert len(words) <= 320
    assert len(re.findall(r"<(a|button|input|summary)\b(?![^>]*hidden)", sheet)) <= 40
    assert [spot for spot in re.findall(r'href="#([^"]+)"', sheet) if f'id="{spot}"' not in page] == []


def test_guesses_say_what_is_assumed_and_why(client: Client) -> None:
    page = text(client, PAGE)

    assert "each value has one event per interval" in page


@pytest.mark.parametrize("of", ["writes", "reads"])
@pytest.mark.parametrize("against", ["relative", "absolute"])
def test_the_heatmap_switches_by_its_own_address(client: Client, of: str, against: str) -> None:
    address = f"/examples/iot-fleet/heat/telemetry?of={of}&against={against}"

    part = text(client, address, headers=HTMX)

    assert part.lstrip().startswith('<figure class="chart heatmap"')
    assert f"heat-telemetry-{of}-{against}.json" in part
    assert f'value="{of}" checked' in text(client, address)


def test_a_chart_is_a_figure_a_picture_a_table_and_a_file(client: Client) -> None:
    name = "/examples/iot-fleet/charts/causes-telemetry"

    figure = json.loads(text(client, f"{name}.json"))

    assert figure["data"][0]["type"] == "bar"
    assert text(client, f"{name}.svg").startswith("<svg")
    assert "<th scope=" in text(client, f"{name}.rows")
    assert "8.38 GiB" in text(client, f"{name}.rows")
    rows = dict(csv.reader(text(client, f"{name}.csv").lstrip("\ufeff").splitlines()))
    assert rows["Item"] == "uncompressed bytes [bytes]"
    assert float(rows["qualifiers"]) == pytest.approx(8.38 * 2**30, rel=0.001)


@pytest.mark.parametrize(
    "address",
    [
        "/examples/none/",
        "/examples/none/card",
        "/examples/none/design.json",
        "/examples/iot-fleet/heat/none",
        "/examples/iot-fleet/heat/telemetry?of=none",
        "/examples/iot-fleet/charts/none.svg",
        "/examples/iot-fleet/charts/bill.exe",
        "/rules/K999/",
    ],
)
def test_what_is_not_there_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


def test_every_rule_has_a_page(client: Client) -> None:
    listed = text(client, "/rules/")

    for code, language in zip(RULES, cycle(("en", "ja")), strict=False):  # all texts are translated
        assert f"/rules/{code}/" in listed
        page = text(client, f"/rules/{code}/", headers={"Accept-Language": language})
        assert code in page
        assert f'lang="{language}"' in page


def test_the_list_of_rules_is_narrowed_by_its_address_alone(client: Client) -> None:
    page = text(client, "/rules/?q=time&engine=bigtable&severity=warning")

    assert "/rules/K004/" in page
    assert "/rules/K012/" not in page  # an error
    assert 'value="time"' in page
    assert '<option value="warning" selected>' in page


def test_a_list_in_which_nothing_fits_says_what_to_do(client: Client) -> None:
    assert "No matching rules. Use fewer words" in text(client, "/rules/?q=xyzzy")


def test_the_list_of_rules_alone_is_answered_to_htmx(client: Client) -> None:
    part = text(client, "/rules/?q=K004", headers={"HX-Request": "true"})

    assert part.lstrip().startswith('<p id="rule-count"')
    assert part.count("<li>") == 1


def test_rules_are_searched_in_the_readers_language(client: Client) -> None:
    page = text(client, "/rules/?q=時刻", headers={"Accept-Language": "ja"})

    assert "/rules/K004/" in page
    assert "/rules/I015/" not in page


def test_text_from_people_is_escaped(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def rude(spec: Spec, context: object) -> object:
        made = estimates.estimate_of(spec)
        line = estimates.bill_line("node", "1.00", price_source="javascript:alert(1)", params={"region": "<blink>"})
        line = line.__class__(**(vars(line) | {"formula": "{region}"}))
        bill = estimates.bill().__class__(**(vars(estimates.bill()) | {"lines": (line,), "total": Decimal(1)}))
        return made.__class__(**(vars(made) | {"bills": (bill,)}))

    monkeypatch.setattr(pages, "estimate", rude)

    page = text(client, PAGE)

    assert "<blink>" not in page
    assert 'href="javascript' not in page


def test_a_document_is_computed_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(pages, "estimate", lambda spec, context: asked.append(1) or estimates.estimate_of(spec))

    text(client, PAGE)
    text(client, PAGE)

    assert len(asked) == 1


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"tables": [{"id": "t"}]},
        {"tables": [{"id": "t", "row_kinds": [{"id": "k"}], "families": [{"id": "f"}]}]},
        {"tables": [{"id": "t", "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "literal", "text": "a"}]}]}]},
        {"instance": {"clusters": [{"id": "c"}]}},
        {"engine": "tablestore", "tables": [{"id": "t", "row_kinds": [{"id": "k"}]}]},
    ],
)
def test_an_unfinished_design_has_a_page_too(document: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # really estimated, as an editor will ask for it
    shown = pages.design_page(Spec.model_validate(document), current_context())

    page = render_to_string("estimator/design/design.html", parts_of(shown))

    assert 'id="findings"' in page
    assert 'id="bill"' in page


CARDS: dict[str, object] = {
    "engine": "tablestore",
    "horizon_months": 2,
    "instance": {"clusters": [{"id": "c", "name": "campus", "region": "cn-hangzhou"}]},
    "fields": [{"id": "card", "name": "card", "distinct": 1000, "values": {"kind": "random", "min": 20, "max": 20}}],
    "activities": [{"id": "a", "name": "purchase", "rate_per_second": 100.0}],
    "tables": [
        {
            "id": "t",
            "name": "purchases",
            "tablestore": {"reserved_read_cu": 400, "ttl_seconds": 31_536_000},
            "row_kinds": [
                {
                    "id": "k",
                    "key_columns": [
                        {"id": "k1", "name": "card", "segments": [{"kind": "field", "id": "s", "field": "card"}]},
                        {"id": "k2", "name": "at", "type": "INTEGER", "segments": [{"kind": "time", "id": "x"}]},
                    ],
                    "writes": [{"id": "w", "name": "buy", "activity": "a"}],
                    "reads": [{"id": "r", "rate_per_second": 10, "binds": [{"field": "card"}], "time": {"days": 1}}],
                }
            ],
            "families": [{"id": "f", "columns": [{"id": "c1", "qualifier": "amount", "value": {"kind": "integer"}}]}],
        }
    ],
}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_tablestore_design_shows_capacity_units_and_its_currency_and_no_node(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    shown = pages.design_page(Spec.model_validate(CARDS), current_context())

    with override(language):
        page = render_to_string("estimator/design/design.html", parts_of(shown))

    assert 'id="throughput"' in page
    assert "CN¥" in page
    assert "≥\u00a0CN¥" in page  # writes have no public price
    assert 'id="nodes"' not in page
    assert {"en": "primary key", "ja": "主キー"}[language] in page
    assert {"units-t-read", "units-t-write"} <= shown.charts.keys()
    for make in shown.charts.values():
        drawn = make()
        assert to_svg(drawn, english)
        assert drawn.rows(english).rows


def test_a_table_says_where_its_compression_comes_from_and_the_bracket_of_a_measured_one() -> None:
    spec = examples()[0].spec
    guessed = estimates.estimate_of(spec).tables[spec.tables[0].id].growth
    assert guessed is not None
    seen = Measurement("content", 0.2, 0.3, 0.6, error_share=0.004, blocks=64, codecs="snappy, zstd 3")
    shares = {"compressed_share": 0.25, "compressed_share_low": 0.2, "compressed_share_high": 0.3}
    measured = dataclasses.replace(guessed, compression_origin="measured", measured=seen, **shares)

    with override("en"):
        assert (
            "assumed from the kinds of value: 30\N{NO-BREAK SPACE}% to 60\N{NO-BREAK SPACE}%"
            in compression_sentence(guessed)
        )
        sentence = compression_sentence(measured).replace("\N{NO-BREAK SPACE}", " ")
        assert "measured on 64 blocks: 20 % with zstd, 30 % with snappy, 60 % before" in sentence
        assert "0.4 %" in sentence
