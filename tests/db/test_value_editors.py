"""Editors of parts, by a client without scripts: buttons and inputs of one form post one value."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.document.edits import Insert, current_value
from designer.document.load import from_data
from designer.models import Design, Person, Team
from designer.templatetags.editing_tags import guess_beside

DESIGN: Any = {
    "name": "Balloons",
    "fields": [{"id": "balloon", "name": "balloon", "distinct": 1000}],
    "activities": [{"id": "a", "name": "a reading", "rate_per_second": 100}],
    "tables": [{"id": "t", "name": "readings", "families": [{"id": "f"}]}],
}


@pytest.fixture
def design() -> Design:
    team = Team.objects.create(name="Platform")
    ana = Person.objects.create_user("ana@example.com", name="Ana")
    team.add(ana, "owner")
    return Design.objects.start(from_data(DESIGN), team=team, by=ana)


@pytest.fixture
def client(design: Design, settings: Any) -> Client:
    settings.KEYWRIGHT_MODE = "team"
    client = Client(headers={"HX-Request": "true"})
    client.force_login(Person.objects.get())
    return client


def head(design: Design) -> Spec:
    return Design.objects.get(pk=design.pk).spec


def post(client: Client, design: Design, at: str, name: str, **inputs: Any) -> str:
    data = {"at": at, "name": name, "was": json.dumps(current_value(head(design), at, name)), **inputs}
    response = client.post(f"/designs/{design.key}/edit", data)
    assert response.status_code == 200, response.content.decode()
    return str(response.content.decode())


def test_a_policy_is_built_by_its_buttons_alone(client: Client, design: Design) -> None:
    shown = post(client, design, "f", "gc", do="rule keep age")
    assert "Deletes cells older than 30 days." in shown

    shown = post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": "45"}, do="rule group ")
    assert 'name="v.rules.1.versions"' in shown
    assert "older than 45 days or not among the newest 3" in shown


@pytest.mark.parametrize(("typed", "days", "value", "unit"), [("6h", 0.25, "6h", ""), ("36 h", 1.5, "1.5", "days")])
def test_a_length_of_time_is_typed_and_shown_with_the_unit_that_fits(
    client: Client, design: Design, typed: str, days: float, value: str, unit: str
) -> None:
    post(client, design, "f", "gc", do="rule keep age")
    post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": typed})

    page = client.get(f"/designs/{design.key}/at/f").content.decode()

    assert head(design).find("f").gc.age_days == days
    shown = re.search(r'<input[^>]*name="v.age_days"[^>]*value="([^"]*)"[^>]*>\s*<span class="muted">([^<]*)', page)
    assert shown is not None
    assert (shown[1], shown[2].strip()) == (value, unit)


@pytest.mark.parametrize("typed", ["30000", "30,000/s", "30k", "30 000"])
def test_a_large_number_is_shown_in_groups_of_digits_and_taken_however_it_is_typed(
    client: Client, design: Design, typed: str
) -> None:
    post(client, design, "a", "rate_per_second", v=typed)

    page = client.get(f"/designs/{design.key}/at/a").content.decode()
    sheet = client.get(f"/designs/{design.key}/").content.decode()

    assert head(design).find("a").rate_per_second == 30_000
    assert re.search(r'<input[^>]*name="v"[^>]*value="30,000"', page)
    assert not re.search(r'<input[^>]*name="v"[^>]*value="30000"', page + sheet)


def test_a_typed_number_brings_the_sentence_and_the_picture_but_not_the_input(client: Client, design: Design) -> None:
    post(client, design, "f", "gc", do="rule keep age")

    shown = post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": "60"})

    assert re.search(
        r'id="c-f-gc-live" hx-swap-oob="true">\s*<p class="sentence">Deletes cells older than 60 days', shown
    )
    assert 'name="v.age_days"' not in shown


def test_the_instance_has_a_page_with_its_own_fields_clusters_and_backups(client: Client, design: Design) -> None:
    post(client, design, "", "instance.edition", v="enterprise_plus")
    page = client.get(f"/designs/{design.key}/instance").content.decode()

    assert head(design).instance.edition == "enterprise_plus"
    assert 'id="c-design-instance-edition"' in page
    assert 'data-at="-instance"' in page
    assert "us-central1 · Iowa" in page
    japanese = client.get(f"/designs/{design.key}/instance", headers={"Accept-Language": "ja"}).content.decode()
    assert "us-central1 · アイオワ" in japanese
    assert "Add backup of readings" in page
    assert "tablestore_type" not in page
    assert "Instance" in client.get(f"/designs/{design.key}/at/-instance").content.decode()


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [(30, "bytes", "30"), (4096, "bytes", "4 KiB"), (20_000, "events per second", "20,000"), (12, "months", "12")],
)
def test_an_assumed_value_does_not_repeat_the_unit_beside_it(value: float, unit: str, shown: str) -> None:
    assert guess_beside(value, unit).replace("\xa0", " ") == shown


def test_a_region_that_is_chosen_becomes_a_cluster_and_is_open(client: Client, design: Design) -> None:
    page = client.get(f"/designs/{design.key}/instance").content.decode()
    assert '<option value="europe-west1"' in page

    given = {"parent": "", "list": "instance.clusters", "region": "europe-west1"}
    opened = client.post(f"/designs/{design.key}/add", given)

    (cluster,) = head(design).instance.clusters
    assert cluster.region == "europe-west1"
    assert opened["HX-Push-Url"].endswith(f"/at/{cluster.id}")
    assert '<option value="europe-west1-b"' in opened.content.decode()  # its zones are suggested

    sizes = {"v.kind": "autoscaling", "v.min": "1", "v.max": "9"}
    post(client, design, cluster.id, "nodes", **sizes, **{"v.cpu_target": "55 %"})
    assert current_value(head(design), cluster.id, "nodes")["cpu_target"] == 0.55
    told = '<span class="unit">share</span>'
    assert told in client.get(f"/designs/{design.key}/at/{cluster.id}").content.decode()
    post(client, design, cluster.id, "nodes", **sizes, **{"v.cpu_target": ""})
    shown = client.get(f"/designs/{design.key}/at/{cluster.id}").content.decode()
    assert 'placeholder="60\xa0%"' in shown
    assert told not in shown  # it would read: 60 % share


def test_what_an_accepted_risk_is_about_is_said_by_name(client: Client, design: Design) -> None:
    given = {"id": "kept", "rule": "F009", "at": "f", "reason": "known", "owner": "Ana"}
    design.apply(Insert(parent="", list="ignores", element=given), by=design.made_by)

    page = client.get(f"/designs/{design.key}/at/kept").content.decode()

    assert '<option value="f" selected>readings › f</option>' in page


def test_prices_are_entered_beside_the_list_and_taken_back(client: Client, design: Design) -> None:
    cluster = {"id": "c", "region": "us-central1", "nodes": {"kind": "fixed", "count": 3}}
    edit = {"kind": "insert", "parent": "", "list": "instance.clusters", "element": cluster}
    client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(edit)})
    sha = Design.objects.get().head_id
    shown = client.get(f"/designs/{design.key}/of/{sha}/prices").content.decode()
    assert "$0.65" in shown
    assert "1 Oct 2026" in shown
    assert "bigtable-2026-11-20" in client.get(f"/designs/{design.key}/of/{sha}/books").content.decode()

    names = dict(re.findall(r'name="(v\.\d+\.(?:sku|where))" value="([^"]*)"', shown))
    node = next(name.rpartition(".")[0] for name, value in names.items() if value == "bigtable.node.enterprise")
    answer = post(client, design, "", "instance.prices", **names, **{f"{node}.usd": "0.5"})

    assert "hx-swap-oob" in answer
    assert "<form" not in answer
    assert [(one.sku, str(one.usd)) for one in head(design).instance.prices] == [("bigtable.node.enterprise", "0.5")]
    after = client.get(f"/designs/{design.key}/of/{Design.objects.get().head_id}/prices").content.decode()
    assert 'value="0.5"' in after
    source = f"{node}.source"
    assert f'name="{source}" value="" placeholder="source?"' in after
    post(client, design, "", "instance.prices", **names, **{f"{node}.usd": "0.5", source: "our contract of May"})
    assert head(design).instance.prices[0].source == "our contract of May"
    assert "$0.50" in after

    post(client, design, "", "instance.prices", **names, **{f"{node}.usd": ""})
    assert head(design).instance.prices == ()


def test_who_uses_which_app_profile_is_chosen_in_one_place(client: Client, design: Design) -> None:
    insert = {"kind": "insert", "parent": "t", "list": "row_kinds", "element": {"id": "k", "reads": [{"id": "r"}]}}
    client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(insert)})

    assert 'id="c-r-app_profile"' in client.get(f"/designs/{design.key}/instance/callers").content.decode()


def day(name: str, hours: list[Any]) -> dict[str, Any]:
    return {f"{name}.{hour}": height for hour, height in enumerate(hours)}


def test_an_edited_bar_brings_the_numbers_but_never_the_bars(client: Client, design: Design) -> None:
    untouched = [100] * 24

    shown = post(client, design, "a", "profile", **day("bar", [300, *untouched[1:]]), **day("hour", untouched))

    week: Any = head(design).find("a").profile
    assert week.kind == "week"
    assert week.hours[:25] == (300, *untouched[1:], 300)
    assert 'id="c-a-profile-hours" hx-swap-oob' in shown
    assert 'id="c-a-profile-preset" hx-swap-oob' in shown
    assert 'id="c-a-profile-bars"' not in shown
    assert "277/s in the busiest hour (00:00 UTC): 2.77× the mean" in shown


def test_a_preset_brings_new_bars_and_its_own_typed_number_does_not_come_back(client: Client, design: Design) -> None:
    untouched = day("bar", [100] * 24) | day("hour", [100] * 24)
    chosen = post(client, design, "a", "profile", **{"v.kind": "batch"}, **untouched)
    assert 'id="c-a-profile-bars" hx-swap-oob' in chosen
    assert 'name="v.hours"' in chosen

    heights = [0, 600, 600, 600, 600] + [0] * 19
    typed = post(
        client, design, "a", "profile", **{"v.kind": "batch", "v.start_hour": "1", "v.hours": "6"},
        **day("bar", heights), **day("hour", heights),
    )  # fmt: skip
    assert head(design).find("a").profile.hours == 6
    assert 'id="c-a-profile-bars" hx-swap-oob' in typed
    assert 'name="v.hours"' not in typed


def test_a_text_among_the_numbers_is_refused_beside_them(client: Client, design: Design) -> None:
    data = {"at": "a", "name": "profile", "was": "null", **day("hour", [100] * 23 + ["lots"])}

    response = client.post(f"/designs/{design.key}/edit", data)

    assert response.status_code == 422
    assert 'id="c-a-profile-problem"' in response.content.decode()
    assert response.content.decode().count("&quot;lots&quot; is not a number") == 1  # and not once for each weekday
    assert "profile.hours" not in response.content.decode()


def test_each_day_of_the_week_can_have_bars_of_its_own(client: Client, design: Design) -> None:
    shown = client.get(f"/designs/{design.key}/control?at=a&name=profile&days=own").content.decode()

    assert 'name="bar.167"' in shown
    assert "Sun 23:00 UTC" in shown
    assert 'name="bar.24"' not in client.get(f"/designs/{design.key}/at/a").content.decode()


def test_a_fields_page_shows_examples_and_what_the_popular_values_take(client: Client, design: Design) -> None:
    page = client.get(f"/designs/{design.key}/at/balloon").content.decode()
    content = f"/designs/{design.key}/of/{Design.objects.get().head_id}"

    assert 'data-slot="values?at=balloon"' in page
    assert 'data-slot="popularity?at=balloon"' in page
    assert "<code>balloon0001</code>" in client.get(f"{content}/values?at=balloon").content.decode()
    assert "the top 100" in client.get(f"{content}/popularity?at=balloon").content.decode()
    assert client.get(f"{content}/values?at=t").status_code == 404


def test_another_field_that_a_read_knows_is_one_that_it_does_not_know_yet(client: Client, design: Design) -> None:
    kind = {"id": "k", "reads": [{"id": "r", "binds": [{"field": "balloon"}]}]}
    for parent, listed, element in (("t", "row_kinds", kind), ("", "fields", {"id": "place", "name": "place"})):
        edit = {"kind": "insert", "parent": parent, "list": listed, "element": element}
        client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(edit)})

    post(client, design, "r", "binds", do="add ", **{"v.0.field": "balloon", "v.0.values": "1"})

    assert [bind.field for bind in head(design).find("r").binds] == ["balloon", "place"]


def test_a_read_offers_the_columns_of_its_own_table_to_tick(client: Client, design: Design) -> None:
    for parent, listed, element in (
        ("t", "row_kinds", {"id": "k", "reads": [{"id": "r"}]}),
        ("f", "columns", {"id": "mine", "qualifier": "mine"}),
        ("", "tables", {"id": "u", "families": [{"id": "g", "columns": [{"id": "other", "qualifier": "other"}]}]}),
    ):
        edit = {"kind": "insert", "parent": parent, "list": listed, "element": element}
        client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(edit)})

    page = client.get(f"/designs/{design.key}/control?at=r&name=columns").content.decode()
    assert 'type="checkbox" name="v" value="mine"' in page
    assert "other" not in page

    second = {"id": "g2", "name": "state", "columns": [{"id": "alike", "qualifier": "mine"}]}
    added = {"kind": "insert", "parent": "t", "list": "families", "element": second}
    client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(added)})
    told = client.get(f"/designs/{design.key}/control?at=r&name=columns").content.decode()
    assert re.findall(r'value="(\w+)"> ([^<]+)</label>', told) == [("mine", "f › mine"), ("alike", "state › mine")]

    post(client, design, "r", "columns", v=["mine"])
    assert head(design).find("r").columns == ("mine",)
    post(client, design, "r", "columns")
    assert head(design).find("r").columns == ()
