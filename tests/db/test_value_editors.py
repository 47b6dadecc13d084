"""Editors of parts, by a client without scripts: buttons and inputs of one form post one value."""

import html
import json
import re
from typing import Any

import pytest
from django.test import Client

from designer.models import Design, Person, Team
from designer.spec import Spec
from designer.spec.edits import value_of
from designer.spec.load import from_data

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
    data = {"at": at, "name": name, "was": json.dumps(value_of(head(design), at, name)), **inputs}
    response = client.post(f"/designs/{design.key}/edit", data)
    assert response.status_code == 200, response.content.decode()
    return str(response.content.decode())


def test_a_policy_is_built_by_its_buttons_alone(client: Client, design: Design) -> None:
    shown = post(client, design, "f", "gc", do="rule keep age")
    assert "Deletes cells older than 30 days." in shown

    shown = post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": "45"}, do="rule group ")
    assert 'name="v.rules.1.versions"' in shown
    assert "older than 45 days or not among the newest 3" in shown


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
    assert "Add a backup of readings" in page
    assert "tablestore_type" not in page
    assert "Instance" in client.get(f"/designs/{design.key}/at/-instance").content.decode()


def test_a_region_that_is_chosen_becomes_a_cluster(client: Client, design: Design) -> None:
    page = client.get(f"/designs/{design.key}/instance").content.decode()
    chosen = re.search(r'<option value="([^"]+europe-west1[^"]+)"', page)
    assert chosen

    client.post(f"/designs/{design.key}/edit", {"edit": html.unescape(chosen[1])})

    assert [cluster.region for cluster in head(design).instance.clusters] == ["europe-west1"]
    assert "europe-west1-b" in client.get(f"/designs/{design.key}/instance").content.decode()


def test_prices_are_entered_beside_the_list_and_taken_back(client: Client, design: Design) -> None:
    cluster = {"id": "c", "region": "us-central1", "nodes": {"kind": "fixed", "count": 3}}
    edit = {"kind": "insert", "parent": "", "list": "instance.clusters", "element": cluster}
    client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(edit)})
    sha = Design.objects.get().head_id
    shown = client.get(f"/designs/{design.key}/of/{sha}/prices").content.decode()
    assert "$0.65" in shown
    assert "2026-10-01" in shown
    assert "bigtable-2026-11-20" in client.get(f"/designs/{design.key}/of/{sha}/books").content.decode()

    names = dict(re.findall(r'name="(v\.\d+\.(?:sku|where))" value="([^"]*)"', shown))
    node = next(name.rpartition(".")[0] for name, value in names.items() if value == "bigtable.node.enterprise")
    answer = post(client, design, "", "instance.prices", **names, **{f"{node}.usd": "0.5"})

    assert "hx-swap-oob" in answer
    assert "<form" not in answer
    assert [(one.sku, str(one.usd)) for one in head(design).instance.prices] == [("bigtable.node.enterprise", "0.5")]
    after = client.get(f"/designs/{design.key}/of/{Design.objects.get().head_id}/prices").content.decode()
    assert 'value="0.5"' in after
    assert "$0.50" in after

    post(client, design, "", "instance.prices", **names, **{f"{node}.usd": ""})
    assert head(design).instance.prices == ()


def test_who_uses_which_app_profile_is_chosen_in_one_place(client: Client, design: Design) -> None:
    insert = {"kind": "insert", "parent": "t", "list": "row_kinds", "element": {"id": "k", "reads": [{"id": "r"}]}}
    client.post(f"/designs/{design.key}/edit", {"edit": json.dumps(insert)})

    assert 'id="c-r-app_profile"' in client.get(f"/designs/{design.key}/instance/callers").content.decode()
