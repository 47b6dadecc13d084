"""How a simulation is started and read: the form, its result in words, charts and maps, its split keys, two of them."""

import datetime
import json
import re
import zlib
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.document import Spec
from designer.document.edits import Set
from designer.document.table import Table
from designer.examples import example
from designer.http.errors import DesignError
from designer.models import Design, Person
from estimator.models import Part, Run
from estimator.presentation import labels as words
from estimator.runs import delivery
from estimator.runs.kinds.simulate import build_parameters, canonical
from estimator.runs.limits import RunRefusedError
from estimator.simulation.assumptions import DEFAULTS, run_assumptions
from estimator.simulation.packing import pack, unpack
from estimator.simulation.results import PatternSeen
from tests.contexts import simulate

HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests stay in the queue."""
    monkeypatch.setattr(delivery, "send", lambda count=1: False)
    monkeypatch.setattr("estimator.views.runs.run_quickly", lambda run: None)


@pytest.fixture
def design() -> Design:
    local = Person.objects.get_or_create_local()
    return Design.objects.start(example("timestamp-first").spec, team=local.teams.get(), by=local)


@lru_cache(maxsize=4)
def played_parts(question: str) -> dict[str, bytes]:
    return pack(simulate(example("timestamp-first").spec, build_parameters(json.loads(question))))


def played_run(design: Design, **asked: Any) -> Run:
    """A run that has been played."""
    run, _ = Run.objects.find_or_start(design, "simulate", asked, Person.objects.get_or_create_local())
    parts = played_parts(json.dumps(run.parameters))
    run.parts.bulk_create(Part(run=run, name=name, data=data) for name, data in parts.items())
    Run.objects.filter(pk=run.pk).update(state="done", ended=timezone.now())
    return Run.objects.get(pk=run.pk)


def page_of(client: Client, run: Run, **query: str) -> str:
    return client.get(f"/designs/{run.design.key}/runs/{run.pk}/", query).content.decode()


def table_of(design: Design) -> Table:
    return design.spec.tables[0]


def test_the_form_asks_for_a_date_and_for_changed_assumptions_alone(client: Client, design: Design) -> None:
    start = design.spec.start or datetime.date(2027, 1, 1)
    text = client.get(f"/designs/{design.key}/runs/").content.decode()
    first = re.search(r'name="from_date"[^>]* min="([\d-]+)"', text)
    assert first
    date = datetime.date.fromisoformat(first[1]) + datetime.timedelta(days=40)
    given = {"kind": "simulate", "period": "month", "from_date": str(date), "seeds": "2", "retries": "true"}
    changed = {"assumption.tablet_bytes": "1,073,741,824", "assumption.balancing": "1", "assumption.splitting": ""}

    answer = client.post(f"/designs/{design.key}/runs/", given | changed)

    run = design.runs.get()
    assert answer.headers["Location"] == f"/designs/{design.key}/runs/{run.pk}/"
    assert run.parameters == {
        "period": "month", "from_day": 40, "seeds": 2, "seed": 0, "counting": "computed", "retries": True,
        "assumptions": {"tablet_bytes": 1073741824.0},
    }  # fmt: skip
    assert start is not None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seeds": "many"}, "seeds: &quot;many&quot; is not a number"),
        ({"seeds": "65"}, "seeds"),
        ({"from_date": "2001-01-01"}, "before the start date of the design"),
        ({"from_date": "2101-01-01"}, "after the end of the horizon"),
        ({"assumption.moved_share": "7"}, "moved_share must be between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_said_and_what_was_entered_stays(
    client: Client, design: Design, given: dict[str, str], said: str
) -> None:
    entered = {"kind": "simulate", "period": "month", "assumption.split_ways": "8", **given}

    answer = client.post(f"/designs/{design.key}/runs/", entered)

    text = answer.content.decode()
    assert (answer.status_code, said in text) == (422, True)
    assert re.search(r'value="month" checked', text)
    assert re.search(r'name="assumption.split_ways"[^>]* value="8"', text)
    assert not design.runs.exists()


def test_an_empty_design_says_why_there_is_nothing_to_simulate(client: Client) -> None:
    local = Person.objects.get_or_create_local()
    blank = Design.objects.start(Spec(name="Blank"), team=local.teams.get(), by=local)

    answer = client.post(f"/designs/{blank.key}/runs/", {"kind": "simulate"})

    assert answer.status_code == 422
    assert "no tables have writes or reads yet" in answer.content.decode()
    with pytest.raises(RunRefusedError):
        Run.objects.find_or_start(blank, "simulate", {}, local)


def test_the_same_question_has_one_form_however_it_is_asked() -> None:
    by_form = canonical({"period": "day", "seeds": "1", "assumption.split_ways": "8", "from_day": ""})
    stored = canonical({"period": "day", "from_day": "null", "assumptions": '{"split_ways": 8.0}'})

    assert by_form == stored == canonical(stored)


@pytest.mark.parametrize(
    "asked",
    [
        {"seed": "inf"}, {"seeds": "nan"}, {"assumption.split_ways": "1e999"}, {"assumptions": "x"},
        {"assumptions": [1]}, {"assumptions": {"split_ways": None}}, {"assumptions": {"luck": 1}},
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_however_it_is_asked(asked: dict[str, Any]) -> None:
    with pytest.raises(DesignError):
        canonical(asked)


def test_every_unit_of_an_assumption_is_said_in_the_readers_language() -> None:
    assert {each.unit for each in DEFAULTS.values()} <= set(words.ASSUMED)


def test_what_is_assumed_of_partitions_speaks_of_no_tablets_and_cites_no_page_of_bigtable() -> None:
    for each in run_assumptions("tablestore", {}):
        assert each.unit in words.ASSUMED
        assert not re.search("tablet|node|google", f"{each.reason} {each.source} {each.unit}".replace("tablestore", ""))


def test_a_result_says_what_it_shows_and_leads_to_its_place_its_rule_and_its_segment(
    client: Client, design: Design
) -> None:
    run = played_run(design)

    text = page_of(client, run)

    assert re.search(r"of (reads|writes) go to one of \d+ nodes", text)
    assert re.search(r'href="#of=\w+&amp;view=\d+-\d+\.\d+-\d+">Show</a>', text)
    assert "/rules/K004/" in text
    assert f"/designs/{design.key}/at/" in text
    assert re.search(r"<strong>sequential</strong>", text)
    assert "of the operations are rejected" in text or "operations are rejected" in text


def test_every_chart_of_a_result_has_a_picture_a_table_and_a_csv_file(client: Client, design: Design) -> None:
    run = played_run(design)
    names = re.findall(r'id="chart-([\w-]+)"', page_of(client, run))

    assert {name.partition("-")[0] for name in names} == {
        "busy", "reach", "refused", "machines", "tablets", "sizes", "causes", "contents", "stored", "rows",
    }  # fmt: skip
    for name in names:
        base = f"/designs/{design.key}/runs/{run.pk}/charts/{name}"
        assert client.get(f"{base}.svg").content.startswith(b"<svg")
        assert b"<tbody><tr>" in client.get(f"{base}.rows").content
        assert client.get(f"{base}.csv").content.count(b"\n") > 1


def test_the_map_of_a_result_has_five_metrics_and_adds_up_to_its_operations(client: Client, design: Design) -> None:
    run, table = played_run(design), table_of(design).id
    base = f"/designs/{design.key}/runs/{run.pk}/map/{table}/"

    head = json.loads(client.get(f"{base}head.json").content)
    sums = {}
    for name in ("writes", "reads"):
        lines = client.get(f"{base}{name}.csv").content.decode().strip().split("\n")[1:]
        sums[name] = sum(float(cell) for line in lines for cell in line.strip().split(",")[2:]) * head["window"]

    assert list(head["metrics"]) == ["writes", "reads", "bytes", "node_time", "row_size"]
    assert round(sum(sums.values())) == pytest.approx(864_000_000, rel=0.01)
    assert head["metrics"]["writes"]["limit"] > 1_000
    assert len(client.get(f"{base}node_time.bin").content) < 250_000
    assert client.get(f"/designs/{design.key}/runs/{run.pk}/map/nowhere/head.json").status_code == 404


def test_split_keys_are_proposed_for_any_number_and_used_by_one_edit(client: Client, design: Design) -> None:
    run, table = played_run(design), table_of(design)
    address = f"/designs/{design.key}/runs/{run.pk}/splits/{table.id}"

    proposed = client.get(address, {"n": "5"}, headers=HTMX).content.decode()
    shown = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", proposed, re.S)
    assert shown
    keys = shown[1].split("\n")
    answer = client.post(address, {"keys": "\r\n".join(["zz,top ", *keys, keys[0]])}, headers=HTMX)

    design.refresh_from_db()
    assert len(keys) == 5
    assert table_of(design).split_keys == (*keys, "zz,top ")  # in byte order, each once
    assert design.number == 2
    assert "The split keys were added to the design." in answer.content.decode()
    assert "HBase shell" not in answer.content.decode()
    answer = client.post(address, {"keys": "a\\x00\nb\\x00\n\\xff", "was": "null"}, headers=HTMX)
    assert "2 keys contain a NUL byte. Of the exports, only the HBase shell accepts them" in answer.content.decode()
    assert "1 key is not text. Of the exports, only cbt and the HBase shell accept it" in answer.content.decode()


def test_split_keys_that_somebody_changed_meanwhile_are_not_overwritten(client: Client, design: Design) -> None:
    run, table = played_run(design), table_of(design)
    shown = re.search(r'name="was" value="([^"]*)"', page_of(client, run))
    assert shown
    design.apply(Set(at=table.id, name="split_keys", value=["b"], was=[]), by=Person.objects.get_or_create_local())

    address = f"/designs/{design.key}/runs/{run.pk}/splits/{table.id}"
    answer = client.post(address, {"keys": "a", "was": shown[1]}, headers=HTMX)

    assert answer.status_code == 422
    assert "this was changed while you were editing: it is now b, and you entered a" in answer.content.decode()
    design.refresh_from_db()
    assert table_of(design).split_keys == ("b",)


def test_split_keys_that_are_none_are_refused_and_stay_in_the_form(client: Client, design: Design) -> None:
    run, table = played_run(design), table_of(design)

    answer = client.post(f"/designs/{design.key}/runs/{run.pk}/splits/{table.id}", {"keys": "a\\q"}, headers=HTMX)

    assert answer.status_code == 422
    assert "a\\q</textarea>" in answer.content.decode()
    design.refresh_from_db()
    assert table_of(design).split_keys == ()


def test_a_result_of_an_earlier_revision_says_so_and_leads_to_one_of_the_present(
    client: Client, design: Design
) -> None:
    run = played_run(design, seeds=2)
    design.apply(
        Set(at="", name="description", value="new", was=design.spec.description),
        by=Person.objects.get_or_create_local(),
    )

    text = page_of(client, Run.objects.get(pk=run.pk))

    assert "Result for an earlier revision: the design has changed since." in text
    form = text.split("Run for current revision")[0].rpartition("<form")[2]
    posted = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    client.post(f"/designs/{design.key}/runs/", {"kind": "simulate", "seeds": posted["seeds"]})
    assert design.runs.filter(document=design.head_id, state="queued").get().parameters["seeds"] == 2


def test_two_results_stand_side_by_side_with_what_differs(client: Client, design: Design) -> None:
    first, second = played_run(design), played_run(design, retries="true")

    text = client.get(f"/designs/{design.key}/runs/{first.pk}/beside/{second.pk}").content.decode()

    assert text.count("data-map=") == 2
    assert re.search(r"The second rejects [\d.,MK]+ (fewer|more) operations\.", text)
    assert re.search(r"Operations rejected</th>.*?(better|worse)", text, re.S)
    assert re.findall(r'<th scope="col"[^>]*>\s*<a [^>]*>([^<]+)', text)[1].strip().endswith(", with retries")
    assert re.search(r"Named pattern</th>.*?>sequential 100.% ?</small>.*?the same", text, re.S)


def test_another_pattern_and_another_busy_range_of_a_table_are_told_beside_each_other(
    client: Client, design: Design
) -> None:
    first, second, table = played_run(design), played_run(design, retries="true"), table_of(design).id
    made = unpack({part.name: part.data for part in second.parts.all()})
    spread = PatternSeen("evenly_spread", 1.0, ours=False, advice="")
    other = replace(made.tables[table], patterns=(spread,), node_ns=made.tables[table].node_ns // 4)
    dearer = replace(made, tables={table: other}, cost=(made.cost or 0) + Decimal(100), cost_at_least=True)
    for name, data in pack(dearer).items():
        second.parts.filter(name=name).update(data=data)

    text = client.get(f"/designs/{design.key}/runs/{first.pk}/beside/{second.pk}").content.decode()

    assert re.search(
        r"The load pattern of metrics is evenly spread in the second \(100.%\), sequential in the first", text
    )
    told = re.search(
        r"At the peak, the busiest key range of metrics requires ([\d.]+) nodes in the second and ([\d.]+)", text
    )
    assert told
    assert float(told[2]) == pytest.approx(4 * float(told[1]), rel=0.02)
    assert re.search(r"Busiest key range at its peak</th>.*?better", text, re.S)
    assert "Among lines with a price, the second costs $100 a month more." in text


def test_the_days_of_a_month_are_opened_by_editors_and_led_to_for_all(client: Client, design: Design) -> None:
    month = played_run(design, period="month", from_day="30")
    day, other = played_run(design, from_day="32"), played_run(design, from_day="33", retries="true")

    edited = page_of(client, month)
    design.team.members.update(role="viewer")
    viewed = page_of(client, month)

    assert edited.count('data-day="') == 30
    assert "data-day" not in page_of(client, day)
    days = viewed.partition("data-days")[2].partition("</div>")[0]
    assert re.findall(r"/runs/(\d+)/", days) == [str(day.pk)] != [str(other.pk)]


def test_a_run_that_is_not_done_has_no_result(client: Client, design: Design) -> None:
    run, _ = Run.objects.find_or_start(design, "simulate", {}, Person.objects.get_or_create_local())
    base = f"/designs/{design.key}/runs/{run.pk}"

    addresses = (f"{base}/map/{table_of(design).id}/head.json", f"{base}/beside/{run.pk}", f"{base}/charts/busy-x.svg")

    assert {client.get(address).status_code for address in addresses} == {404}
    assert "Cancel run" in client.get(f"{base}/").content.decode()


def test_a_result_of_a_version_that_packed_it_otherwise_is_to_be_run_again(client: Client, design: Design) -> None:
    run = played_run(design, seed=7)
    part = run.parts.get(name=f"ranges/{table_of(design).id}")
    Part.objects.filter(pk=part.pk).update(data=zlib.compress(b'{"keys": []}'))

    answer = client.get(f"/designs/{design.key}/runs/{run.pk}/")

    assert answer.status_code == 200
    assert "This result was created by an earlier version of Keywright" in answer.content.decode()
