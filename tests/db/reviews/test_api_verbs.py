"""Programs do what people do: designs, variants, reviews and files by the API, under the rules of the pages."""

import io
import json
import re
import tracemalloc
import zipfile
from typing import Any

import jsonschema
import pytest
from django.test import Client

from designer.document import Spec
from designer.document.dump import dump
from designer.document.load import from_data
from designer.models import AuditEvent, Design, Membership, Person, Token
from estimator.models import KeptObservation, Part
from estimator.presentation.advice_data import advice_data
from reviews.api.examples import DOCUMENT, KEY, REQUESTS, SHA256
from reviews.api.openapi import operations
from reviews.api.views import openapi_description
from reviews.models import Comment, Following, Link, Mail, Verdict
from tests.contexts import advise
from tests.db.reviews.api_scene import V1, Scene, make_scene


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return make_scene(settings, monkeypatch)


def acts() -> list[tuple[str, str]]:
    """What the audit log has, by whom."""
    return list(AuditEvent.objects.order_by("pk").values_list("kind", "person"))


def test_a_design_is_renamed_archived_deleted_and_brought_back(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}"

    renamed = scene.ask("patch", path, body={"name": "Kites", "archived": True}).json()
    assert (renamed["name"], renamed["archived"], renamed["revision"]) == ("Kites", True, 2)
    assert scene.ask("get", "/designs").json()["count"] == 0
    assert scene.ask("patch", path, body={"archived": False}).json()["archived"] is False
    assert scene.ask("patch", path, body={}).json()["name"] == "Kites"
    gone = scene.ask("delete", path)
    assert (gone.status_code, gone.content) == (204, b"")
    assert scene.ask("get", path).status_code == 404
    assert [one["key"] for one in scene.ask("get", "/designs?deleted=true").json()["items"]] == [scene.design.key]
    assert scene.ask("post", f"{path}/undelete", body={}).json()["name"] == "Kites"
    kinds = ["design_archived", "design_unarchived", "design_deleted", "design_brought_back"]
    assert acts() == [(kind, "token Import") for kind in kinds]


def test_a_revision_is_named_and_restored(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}"
    scene.ask("patch", path, body={"name": "Kites"})

    named = scene.ask("patch", f"{path}/revisions/1", body={"name": "for the\nreview"}).json()
    restored = scene.ask("post", f"{path}/revisions/1/restore", body={}).json()

    assert (named["name"], restored["revision"], restored["changed"]) == ("for the review", 3, True)
    assert scene.ask("get", path).json()["name"] == "Balloons"
    assert scene.ask("post", f"{path}/revisions/9/restore", body={}).status_code == 404
    assert acts() == [("revision_restored", "token Import")]


def test_a_variant_is_made_compared_and_adopted(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}"
    made = scene.ask("post", f"{path}/copies", body={"variant": True})
    variant = made.json()
    scene.ask("patch", f"/designs/{variant['key']}", body={"name": "Kites"})
    edit = {"kind": "set", "at": "t", "name": "name", "value": "events", "was": "readings"}
    scene.ask("post", f"/designs/{variant['key']}/edits", body=edit)

    assert (variant["variant_of"], variant["name"]) == (scene.design.key, "Balloons (variant)")
    assert [one["key"] for one in scene.ask("get", f"{path}/variants").json()["items"]] == [variant["key"]]
    told = scene.ask("get", f"{path}/comparison?before=now&after={variant['key']}").json()["report"]
    assert (told["format"], told["before"]["name"], told["after"]["name"]) == ("keywright-diff/1", "Balloons", "Kites")
    assert "events" in json.dumps(told["changes"])
    description = openapi_description()
    jsonschema.validate(told, {"$ref": "#/components/schemas/DiffReport", "components": description["components"]})
    assert scene.ask("get", f"/designs/{variant['key']}/comparison").json()["before"] == "origin"
    assert scene.ask("get", f"{path}/comparison?before=now&after={variant['key']}", "elsewhere").status_code == 404
    body = {"variant": variant["key"], "was": scene.design.head_id}
    adopted = scene.ask("post", f"{path}/adopt", body=body)
    assert (adopted.status_code, Design.objects.get(pk=scene.design.pk).spec.tables[0].name) == (200, "events")
    assert (scene.ask("get", path).json()["name"], acts()) == ("Balloons", [("design_copied", "token Import")])
    other = {"kind": "set", "at": "t", "name": "name", "value": "other", "was": "events"}
    scene.ask("post", f"{path}/edits", body=other)
    assert scene.ask("post", f"{path}/adopt", body=body).status_code == 409


def test_a_design_of_another_team_is_on_no_side_of_a_comparison(scene: Scene) -> None:
    other = scene.ask("post", "/designs", "elsewhere", {"name": "Theirs"}).json()

    answer = scene.ask("get", f"/designs/{scene.design.key}/comparison?after={other['key']}")

    assert answer.status_code == 404


def test_a_link_is_made_changed_and_revoked_and_its_address_told_once(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/links"
    body = {"name": "Partners", "role": "link_comment", "revision": 1, "hides_cost": True, "password": "long enough"}
    made = scene.ask("post", path, "reviewing", body)
    told = made.json()
    row = Link.objects.get(pk=told["id"])

    assert (made.status_code, made["Location"]) == (201, f"{V1}{path}/{row.pk}")
    assert (row.hides_cost, row.number, row.made_by.name, row.is_password("long enough")) == (True, 1, "ben", True)
    visitor, address = Client(), told["address"].partition("testserver")[2]
    assert "password" in visitor.get(address).content.decode()
    changed = scene.ask("patch", f"{path}/{row.pk}", "reviewing", {"password": "", "days": None, "name": "All"}).json()
    assert (changed["name"], changed["ends"], changed["has_password"]) == ("All", None, False)
    assert visitor.get(address).status_code == 200
    assert scene.ask("patch", f"{path}/{row.pk}", "reviewing", {"allows_files": True}).json()["allows_files"] is True
    assert visitor.get(f"{address}files/json").status_code == 404  # cost is hidden still
    scene.ask("patch", f"{path}/{row.pk}", "reviewing", {"hides_cost": False})
    assert visitor.get(f"{address}files/json").status_code == 200
    kept = scene.ask("patch", f"{path}/{row.pk}", "reviewing", {"hides_samples": True}).json()
    assert (kept["ends"], kept["hides_samples"], kept["name"]) == (None, True, "All")
    assert scene.ask("post", f"{path}/{row.pk}/revoke", "reviewing", {}).json()["state"] == "revoked"
    assert visitor.get(address).status_code == 404
    assert scene.ask("patch", f"{path}/{row.pk}", "reviewing", {"name": "x"}).status_code == 409
    listed = scene.ask("get", path, "reviewing").json()["items"]
    assert (listed[0]["name"], listed[0]["state"], "address" in listed[0]) == ("All", "revoked", False)
    kinds = ["link_created", *["link_changed"] * 4, "link_revoked"]
    assert [act for act in acts() if act[0] not in ("link_password_failed", "link_file_taken")] == [
        (kind, "token Bot") for kind in kinds
    ]
    short = scene.ask("post", path, "reviewing", {"name": "x", "password": "short"})
    assert (short.status_code, short.json()["problems"][0]["place"]) == (422, "password")
    assert scene.ask("post", path, "reviewing", {"name": "\u0007"}).json()["problems"][0]["place"] == "name"
    assert scene.ask("patch", f"{path}/{row.pk}", "reviewing", [None]).status_code == 400


def test_what_a_token_made_ends_with_the_role_of_its_person(scene: Scene) -> None:
    told = scene.ask("post", f"/designs/{scene.design.key}/links", "reviewing", {"name": "Partners"}).json()
    address = told["address"].partition("testserver")[2]
    assert Client().get(address).status_code == 200

    Membership.objects.filter(person__name="ben").delete()

    assert Client().get(address).status_code == 404
    assert scene.ask("get", "/designs", "reviewing").status_code == 401


def test_threads_are_begun_answered_resolved_and_name_the_token(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/threads"
    made = scene.ask("post", path, "reviewing", {"on": ["element", "t", ""], "text": " Why?\r\nSay. "})
    told = made.json()

    assert (made.status_code, made["Location"]) == (201, f"{V1}{path}/2")
    assert (told["comments"][0]["by"], told["comments"][0]["text"]) == ("ben (API token Bot)", "Why?\nSay.")
    assert (told["label"], told["section"]) == ("table “readings”", "keys")
    answered = scene.ask("post", f"{path}/2/comments", "reviewing", {"text": "So."}).json()
    assert [one["text"] for one in answered["comments"]] == ["Why?\nSay.", "So."]
    assert (
        scene.ask("patch", f"{path}/2", "reviewing", {"resolved": True}).json()["resolved_by"] == "ben (API token Bot)"
    )
    numbers = {
        state: [one["number"] for one in scene.ask("get", f"{path}?state={state}").json()["items"]]
        for state in ("open", "resolved", "all")
    }
    assert numbers == {"open": [1], "resolved": [2], "all": [2, 1]}
    assert scene.ask("patch", f"{path}/2", "reviewing", {"resolved": False}).json()["resolved"] is None
    for wrong, place in (({"on": ["element", "no", ""]}, "on"), ({"on": ["wish", "t"]}, "on"), ({"text": " "}, "text")):
        body = {"on": ["element", "t", ""], "text": "Why?", **wrong}
        refused = scene.ask("post", path, "reviewing", body)
        assert (refused.status_code, refused.json()["problems"][0]["place"]) == (422, place)
    ana = Client()
    ana.force_login(scene.design.made_by)
    assert "ben (API token Bot)" in ana.get(f"/designs/{scene.design.key}/review/").content.decode()
    assert Comment.objects.filter(by_program=True).count() == 2


def mark(scene: Scene, section: str = "keys") -> str:
    told = scene.ask("get", f"/designs/{scene.design.key}/verdicts").json()
    return str(next(one["mark"] for one in told["sections"] if one["section"] == section))


def test_a_verdict_is_given_on_what_was_read_and_names_the_token(scene: Scene) -> None:
    path, body = f"/designs/{scene.design.key}/verdicts", {"section": "keys", "verdict": "approve"}
    made = scene.ask("post", path, "reviewing", {**body, "mark": mark(scene)})

    assert (made.status_code, made["Location"], made.json()["state"]) == (201, f"{V1}{path}", "approved")
    assert made.json()["verdicts"][0]["by"] == "ben (API token Bot)"
    assert (Verdict.objects.get().by_program, acts()) == (True, [("verdict_given", "token Bot")])
    old = mark(scene)
    edit = {"kind": "set", "at": "t", "name": "name", "value": "events", "was": "readings"}
    scene.ask("post", f"/designs/{scene.design.key}/edits", body=edit)
    stale = scene.ask("post", path, "reviewing", {**body, "mark": old})
    assert (stale.status_code, "changed while" in stale.json()["detail"]) == (409, True)
    without = scene.ask("post", path, "reviewing", {**body, "verdict": "changes", "mark": mark(scene)})
    assert (without.status_code, Verdict.objects.count()) == (409, 1)


def test_nobody_approves_their_own_work_by_a_token(scene: Scene) -> None:
    """What a token changed, its person changed."""
    edit = {"kind": "set", "at": "t", "name": "name", "value": "events", "was": "readings"}
    scene.ask("post", f"/designs/{scene.design.key}/edits", "reviewing", edit)
    body = {"section": "keys", "verdict": "approve", "mark": mark(scene)}

    refused = scene.ask("post", f"/designs/{scene.design.key}/verdicts", "reviewing", body)

    assert (refused.status_code, "Another person must approve it" in refused.json()["detail"]) == (409, True)
    assert Verdict.objects.count() == 0


def test_keys_are_advised_as_the_command_prints_them(scene: Scene) -> None:
    made = scene.ask("post", "/designs", body=DOCUMENT).json()
    spec = Design.objects.get(key=made["key"]).spec

    told = scene.ask("get", f"/designs/{made['key']}/advice/reading").json()

    assert told["sha256"] == made["sha256"]
    assert told["report"]["present"]["key"] == "{balloon}#{time}"
    parts = {"components": openapi_description()["components"]}
    jsonschema.validate(told["report"], {"$ref": "#/components/schemas/AdviceReport", **parts})
    assert told["report"].keys() == advice_data(advise(spec, "reading")).keys()
    assert scene.ask("get", f"/designs/{made['key']}/advice/readings").status_code == 404


def test_kept_measurements_are_listed(scene: Scene) -> None:
    kept = {"t": {"rows": 5.0}}
    KeptObservation.store(scene.design, kept, {}, date="2026-11-20", digest="x", by=scene.design.made_by)

    told = scene.ask("get", f"/designs/{scene.design.key}/observations").json()

    assert [(one["date"], one["figures"], one["by"]) for one in told["items"]] == [
        ("2026-11-20", {"t": {"rows": 5.0}}, "ana")
    ]


def test_exports_come_as_files(scene: Scene) -> None:
    base = f"/designs/{scene.design.key}/exports"
    document, paper = scene.ask("get", f"{base}/json/file"), scene.ask("get", f"{base}/pdf/file?sections=keys")

    assert (document.content.decode(), document["Content-Disposition"]) == (
        dump(scene.design.spec), 'attachment; filename="balloons.json"',
    )  # fmt: skip
    assert paper.content.startswith(b"%PDF")
    assert [one["Content-Type"] for one in (document, paper)] == ["application/json", "application/pdf"]
    base = f"/designs/{scene.ask('post', '/designs', body=DOCUMENT).json()['key']}/exports"
    files = {one["name"]: one["text"] for one in scene.ask("get", f"{base}/row_key_schema").json()["files"]}
    archive = scene.ask("get", f"{base}/row_key_schema/file")
    assert archive["Content-Type"] == "application/zip"
    together = zipfile.ZipFile(io.BytesIO(archive.content))
    assert {name: together.read(name).decode() for name in together.namelist()} == files
    name = next(iter(files))
    assert scene.ask("get", f"{base}/row_key_schema/file?file={name}").content.decode() == files[name]
    assert scene.ask("get", f"{base}/row_key_schema/file?file=other").status_code == 404
    assert scene.ask("get", f"{base}/json/file?sections=keys").status_code == 422
    assert {kind for kind, _ in acts()} == {"design_exported"}


def test_both_forms_of_an_export_take_the_same_options(scene: Scene) -> None:
    base = f"/designs/{scene.design.key}/exports"
    for options in ("json?with=findings", "json?revision=1", "code?language=go", "terraform?adopt=true", "csv?with="):
        name, query = options.split("?")
        files = scene.ask("get", f"{base}/{name}?{query}").json()["files"]
        for file in files:
            content = scene.ask("get", f"{base}/{name}/file?{query}&file={file['name']}").content.decode()
            assert content == file["text"]
    for refused in ("csv?with=findings", "pdf?language=go", "cbt?adopt=true", "json?revision=x"):
        name, query = refused.split("?")
        answers = [scene.ask("get", f"{base}/{name}{form}?{query}") for form in ("", "/file")]
        assert [answer.status_code for answer in answers] == [422, 422]
        assert answers[0].json()["error"] == answers[1].json()["error"]


def test_a_webhook_is_made_changed_and_ended_by_a_token_that_the_audit_log_names(scene: Scene) -> None:
    asked = {"address": "https://example.com/hooks", "events": ["run.ended"]}
    made = scene.ask("post", "/webhooks", "reviewing", asked)
    path = made["Location"].removeprefix(V1)
    first = scene.ask("get", f"{path}/deliveries", "reviewing").json()["items"][0]["id"]
    again = scene.ask("post", f"{path}/deliveries/{first}/again", "reviewing")
    for change in ({"events": ["verdict.given"]}, {"enabled": False}, {"enabled": True}):
        assert scene.ask("patch", path, "reviewing", change).status_code == 200
    places = [
        scene.ask("patch", path, "reviewing", wrong).json()["problems"][0]["pointer"]
        for wrong in ({"address": "https://10.0.0.1/"}, {"events": ["wish"]}, {"events": []})
    ]

    assert (made.json()["made_by"], again.status_code) == ("ben", 201)
    assert scene.ask("get", again["Location"].removeprefix(V1), "reviewing").json()["event"] == "ping"
    assert places == ["#/address", "#/events/0", "#/events"]
    assert scene.ask("delete", path, "reviewing").status_code == 204
    kinds = ["webhook_created", "webhook_resent", "webhook_changed", "webhook_disabled", "webhook_enabled"]
    assert acts() == [(kind, "token Bot") for kind in (*kinds, "webhook_deleted")]


def test_a_verdict_of_a_token_is_told_to_webhooks(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/verdicts"
    mark = scene.ask("get", path, "reviewing").json()["sections"][0]
    body = {"section": mark["section"], "verdict": "changes", "mark": mark["mark"], "text": "Put the time last."}

    for _ in range(2):
        assert scene.ask("post", path, "reviewing", body, Idempotency_Key="once").status_code == 201

    told = json.loads(scene.hook.deliveries.get(kind="verdict.given").body)["data"]["verdict"]
    assert (told["by"], told["approves"], told["revision"]) == ("ben (API token Bot)", False, 1)


def test_scopes_hold_also_for_what_programs_say(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}"

    refused = scene.ask("post", f"{path}/threads", "writing", {"on": ["section", "keys"], "text": "Why?"})

    assert (refused.status_code, "review access" in refused.json()["detail"]) == (403, True)
    assert scene.ask("get", f"{path}/links", "writing").status_code == 403
    assert Token.objects.get(name="Bot").role == "token_review"
    assert Person.objects.get(name="ben")


def test_every_example_can_be_sent(scene: Scene) -> None:
    """Each by itself, on a design that has what the examples name; keys and hashes stand for what was read before."""
    sent, refused = 0, []
    for path, methods in openapi_description()["paths"].items():
        for method, one in methods.items():
            bodies = one.get("requestBody", {"content": {}})["content"].values()
            for name, example in (pair for body in bodies for pair in body.get("examples", {}).items()):
                made = Design.objects.start(from_data(DOCUMENT), team=scene.design.team, by=scene.design.made_by)
                answer = _send(scene, made, method, path.removeprefix(V1), one["operationId"], example["value"])
                sent += 1
                if answer.status_code >= 300:
                    refused.append(f"{one['operationId']} {name}: {answer.content.decode()}")

    assert not refused, "\n".join(refused)
    assert sent == sum(map(len, REQUESTS.values())) >= 33
    asked = {one["operationId"] for one in operations(openapi_description()) if "requestBody" in one}
    assert asked == set(REQUESTS)


def _send(scene: Scene, design: Design, method: str, path: str, operation: str, body: Any) -> Any:
    place = f"/designs/{design.key}"
    threads = scene.ask("post", f"{place}/threads", "reviewing", {"on": ["section", "keys"], "text": "Why?"}).json()
    made = scene.ask("post", f"{place}/links", "reviewing", {"name": "Review", "role": "link_comment"}).json()
    variant = Design.objects.start(Spec(name="Other"), team=design.team, by=design.made_by, variant_of=design)
    if isinstance(body, str):
        return scene.ask(method, path.format(key=design.key), "reviewing", body.encode())
    marks = {one["section"]: one["mark"] for one in scene.ask("get", f"{place}/verdicts").json()["sections"]}
    stands_for = {KEY: variant.key, SHA256: marks.get(body.get("section"), design.head_id)}
    body = {name: stands_for.get(value, value) if isinstance(value, str) else value for name, value in body.items()}
    body |= {"link": made["id"]} if "link" in body else {}
    number = 1 if "revisions" in path else threads["number"]
    path = path.format(key=design.key, number=number, id=made["id"], name="json", hook=scene.hook.pk)
    headers = {"If_Match": f'"{design.head_id}"'} if method == "put" else {}
    return scene.ask(method, path, "reviewing", body, **headers)


def test_a_member_is_asked_for_a_review_told_by_mail_and_asked_no_more(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/requests"
    Following.objects.create(
        design=scene.design, person=Person.objects.get(name="ana"), language="en", address="https://x/", number=1
    )
    body = {
        "sections": ["families", "keys"],
        "person": "ANA@example.com",
        "due": "2027-01-31",
        "note": "Before we pay.",
    }

    made = scene.ask("post", path, "reviewing", body)
    told = made.json()
    assert (made.status_code, made["Location"]) == (201, f"{V1}{path}/{told['id']}")
    assert (told["reviewer"], told["sections"], told["by"]) == ("ana", ["keys", "families"], "ben")
    assert scene.ask("get", path, "reviewing").json() == {"items": [told], "count": 1, "next": None}
    assert scene.ask("get", f"{path}/{told['id']}", "reviewing").json() == told
    assert Mail.objects.filter(person__name="ana").count() == 1
    section = scene.ask("get", f"/designs/{scene.design.key}/verdicts").json()["sections"]
    assert {one["section"] for one in section if one["asked"]} == {"keys", "families"}

    assert scene.ask("delete", f"{path}/{told['id']}", "reviewing").status_code == 204
    assert scene.ask("get", path, "reviewing").json()["items"] == []


def test_requests_for_reviews_come_in_pages_with_links_to_the_others(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/requests"
    bodies = [{"sections": [section], "person": "ana@example.com"} for section in ("keys", "families", "instance")]
    ids = [scene.ask("post", path, "reviewing", body).json()["id"] for body in bodies]

    first = scene.ask("get", f"{path}?limit=2", "reviewing")
    links = {name: address for address, name in re.findall(r'<([^>]+)>; rel="(\w+)"', first["Link"])}
    rest = scene.ask("get", links["next"].partition(V1)[2], "reviewing").json()

    assert set(links) == {"first", "last", "next"}
    assert (first.json()["count"], first.json()["next"]) == (3, links["next"])
    assert [one["id"] for one in (*first.json()["items"], *rest["items"])] == ids[::-1]
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"sections": ["keys"]}, "person"), ({"sections": ["keys"], "person": "eve@example.com"}, "person"),
        ({"sections": ["keys"], "person": "ana@example.com", "link": 1}, "person"),
        ({"sections": ["keys"], "link": 2**31 - 1}, "link"),
        ({"sections": [], "person": "ana@example.com"}, "sections"),
    ],
)  # fmt: skip
def test_nobody_else_can_be_asked(scene: Scene, body: dict[str, Any], place: str) -> None:
    answer = scene.ask("post", f"/designs/{scene.design.key}/requests", "reviewing", body)

    assert answer.status_code == 422
    assert answer.json()["problems"][0]["place"].startswith(place)


def test_mail_about_a_design_is_that_of_the_person_who_made_the_token(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/mail"

    before = scene.ask("get", path, "reviewing").json()
    wanted = scene.ask("put", path, "reviewing", {"mail": True, "miss_percent": 5}).json()
    row = Following.objects.get(design=scene.design)
    assert (before, wanted) == ({"mail": False, "miss_percent": None}, {"mail": True, "miss_percent": 5})
    assert (row.person.name, row.miss_share, row.address.startswith("http")) == ("ben", 0.05, True)
    assert scene.ask("get", path, "writing").json()["mail"] is False  # another person's token
    assert scene.ask("put", path, "reviewing", {"mail": False}).json()["mail"] is False
    assert not Following.objects.exists()


def test_a_result_is_told_without_reading_its_grids(scene: Scene) -> None:
    grid = bytes(16 << 20)
    Part.objects.create(run=scene.run, name="grid", data=grid)
    Part.objects.create(run=scene.run, name="measurement", data=b'{"bytes": 7}')

    tracemalloc.start()
    result = scene.ask("get", f"/designs/{scene.design.key}/runs/{scene.run.pk}/result", "reading").json()
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert (result["parts"]["grid"], result["parts"]["measurement"]) == (16_777_216, 12)
    assert result["content"]["measurement"] == {"bytes": 7}
    assert peak_bytes < 8 << 20
