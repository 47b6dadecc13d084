"""The REST API: every operation for every kind of token, errors as sentences with their place, pages, ETags."""

import base64
import datetime
import gzip
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from django.db import connection, transaction
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.views import internal_error
from designer.document.dump import dump
from designer.document.edits import Set
from designer.models import Attempt, Design, Person, Team, Token
from designer.permissions import Action, is_allowed
from designer.views.accounts.limits import MOST_OF_ADDRESS
from estimator.worker.log_reader import read_next_log
from reviews.api import errors, review_schemas, run_schemas, schemas, trace_schemas, webhook_schemas
from reviews.api.errors import Failure
from reviews.api.examples import EXAMPLES
from reviews.api.operations import api, designs
from reviews.api.views import openapi_description
from reviews.models import Asked
from tests.db.reviews.api_scene import DOCUMENT, V1, Scene, make_scene
from tests.jobs import tiny


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return make_scene(settings, monkeypatch)


EDIT = {"kind": "set", "at": "t", "name": "name", "value": "events", "was": "readings"}
TRIAL = {
    "format": "keywright-try/1", "design": "x", "sha256": "", "engine": "bigtable", "target": "localhost:8086",
    "date": "2026-11-26", "rows_per_kind": 1, "tables": [], "reads": [], "findings": [], "not_tried": [],
}  # fmt: skip
OPERATIONS: dict[str, tuple[Action, Any]] = {
    "get /designs": ("view", None),
    "post /designs": ("keep", DOCUMENT),
    "get /designs/{key}": ("view", None),
    "patch /designs/{key}": ("edit", {"name": "Balloons"}),
    "delete /designs/{key}": ("keep", None),
    "post /designs/{key}/undelete": ("keep", {}),
    "post /designs/{key}/copies": ("keep", {}),
    "get /designs/{key}/variants": ("view", None),
    "post /designs/{key}/adopt": ("edit", {"variant": "none", "was": ""}),
    "get /designs/{key}/comparison": ("view", None),
    "get /designs/{key}/advice/{row_kind}": ("view", None),
    "get /designs/{key}/observations": ("view", None),
    "patch /designs/{key}/revisions/{number}": ("edit", {"name": "first"}),
    "post /designs/{key}/revisions/{number}/restore": ("edit", {}),
    "get /designs/{key}/exports/{name}/file": ("view", None),
    "get /designs/{key}/links": ("share", None),
    "post /designs/{key}/links": ("share", {"name": "Partners"}),
    "get /designs/{key}/links/{id}": ("share", None),
    "patch /designs/{key}/links/{id}": ("share", {"name": "Partners"}),
    "post /designs/{key}/links/{id}/revoke": ("share", {}),
    "get /designs/{key}/threads": ("view", None),
    "post /designs/{key}/threads": ("comment", {"on": ["section", "keys"], "text": "Why?"}),
    "get /designs/{key}/threads/{number}": ("view", None),
    "patch /designs/{key}/threads/{number}": ("comment", {"resolved": True}),
    "post /designs/{key}/threads/{number}/comments": ("comment", {"text": "Because."}),
    "get /designs/{key}/requests": ("share", None),
    "post /designs/{key}/requests": ("share", {"sections": ["keys"], "person": "ana@example.com"}),
    "get /designs/{key}/requests/{id}": ("share", None),
    "delete /designs/{key}/requests/{id}": ("share", None),
    "get /designs/{key}/mail": ("view", None),
    "put /designs/{key}/mail": ("comment", {"mail": True}),
    "get /designs/{key}/verdicts": ("view", None),
    "post /designs/{key}/verdicts": ("comment", {"section": "keys", "verdict": "changes", "mark": "x", "text": "x"}),
    "get /designs/{key}/document": ("view", None),
    "put /designs/{key}/document": ("edit", {**DOCUMENT, "name": "Kites"}),
    "post /designs/{key}/edits": ("edit", EDIT),
    "get /designs/{key}/revisions": ("view", None),
    "get /designs/{key}/revisions/{number}": ("view", None),
    "get /designs/{key}/revisions/{number}/document": ("view", None),
    "get /designs/{key}/findings": ("view", None),
    "get /designs/{key}/estimate": ("view", None),
    "post /designs/{key}/drift": ("view", {"files": ['{"name": "projects/p/instances/i/tables/x"}']}),
    "get /designs/{key}/trials": ("view", None),
    "post /designs/{key}/trials": ("edit", {"result": TRIAL}),
    "post /designs/{key}/measured": ("view", {"files": ["key,offset\na,1"]}),
    "post /designs/{key}/replay": ("view", {"text": "time,key\n1790000000,u1\n"}),
    "post /designs/{key}/replay/file": ("view", b"time,key\n1790000000,u1\n"),
    "post /designs/{key}/replay/runs": ("view", b"time,key\n1790000000,u1\n"),
    "get /designs/{key}/replay/runs/{run}": ("view", None),
    "post /designs/{key}/replay/runs/{run}/cancel": ("view", {}),
    "get /designs/{key}/runs": ("view", None),
    "post /designs/{key}/runs": ("edit", {"kind": "tiny", "parameters": {"seconds": 12.0}}),
    "get /designs/{key}/runs/{number}": ("view", None),
    "get /designs/{key}/runs/{number}/result": ("view", None),
    "get /designs/{key}/runs/{number}/file": ("view", None),
    "post /designs/{key}/runs/{number}/cancel": ("edit", {}),
    "get /formats": ("view", None),
    "get /designs/{key}/exports/{name}": ("view", None),
    "post /traces": ("view", {"text": "time,key\n1790000000,u1\n"}),
    "post /traces/file": ("view", b"time,key\n1790000000,u1\n"),
    "get /webhooks": ("notify", None),
    "post /webhooks": ("notify", {"address": "https://example.com/", "events": ["run.ended"]}),
    "get /webhooks/{hook}": ("notify", None),
    "patch /webhooks/{hook}": ("notify", {"events": ["verdict.given"]}),
    "get /webhooks/{hook}/deliveries": ("notify", None),
    "get /webhooks/{hook}/deliveries/{delivery}": ("notify", None),
    "post /webhooks/{hook}/deliveries/{delivery}/again": ("notify", {}),
    "delete /webhooks/{hook}": ("notify", None),
    "post /schemas": ("view", {"sentences": ["A click is added 5/s"]}),
    "post /imports": ("view", {"text": "Family Name\tGC Policy\nm\tversions() > 1\n"}),
}
"""What each asks of a token's role, and what is sent. A new one is added here, or the first test fails."""


def test_every_operation_says_what_it_asks_of_a_token() -> None:
    told = {
        f"{method} {path.removeprefix(V1)}"
        for path, methods in openapi_description()["paths"].items()
        for method in methods
    }

    assert told == set(OPERATIONS)


CREATES = {
    "post /designs", "post /designs/{key}/copies", "post /designs/{key}/links", "post /designs/{key}/threads",
    "post /designs/{key}/threads/{number}/comments", "post /designs/{key}/runs", "post /webhooks",
    "post /designs/{key}/requests",
    "post /webhooks/{hook}/deliveries/{delivery}/again",
}  # fmt: skip
REFUSED = {
    "get /designs/{key}/runs/{number}/file": 409,  # this run makes none; one that does: tests/db/runs
    "post /designs/{key}/undelete": 404,  # it is not deleted
    "post /designs/{key}/adopt": 422,  # there is no such variant
    "post /designs/{key}/verdicts": 409,  # the mark is of another content
    "post /designs/{key}/replay": 422,  # this design has no row key
    "post /designs/{key}/replay/file": 422,
    "post /designs/{key}/replay/runs": 422,
    "get /designs/{key}/replay/runs/{run}": 404,  # nor is one under way
    "post /designs/{key}/replay/runs/{run}/cancel": 404,
}
"""What the scene has nothing for, asked by somebody who may."""
ROLE_OF = {"reading": "token_read", "reviewing": "token_review"}


def test_every_operation_answers_every_token_as_the_table_says(scene: Scene) -> None:
    wrong = []
    for operation, (action, body) in OPERATIONS.items():
        Attempt.objects.all().delete()
        method, path = operation.split()
        number = scene.run.pk if "runs" in path else 1
        names: dict[str, Any] = {"run": "0" * 64, "id": scene.link.pk, "row_kind": "k", "name": "json"}
        if "requests" in path:
            names["id"] = Asked.objects.create(
                design=scene.design, person=scene.design.team.people.first(), sections=["keys"]
            ).pk
        names |= {"hook": scene.hook.pk, "delivery": scene.hook.deliveries.get().pk}
        path = path.format(key=scene.design.key, number=number, **names)
        for token in (None, "unknown", "revoked", "ended", "elsewhere", "reading", "writing", "reviewing"):
            with transaction.atomic():
                head = f'"{Design.objects.get(pk=scene.design.pk).head_id}"'
                headers = {"If_Match": head} if method == "put" and token != "elsewhere" else {}
                answer = scene.ask(method, path, token, body, **headers)
                transaction.set_rollback(True)
            role: Any = ROLE_OF.get(token or "", "token_write")
            wanted = 201 if operation in CREATES else 204 if method == "delete" else REFUSED.get(operation, 200)
            if token in (None, "unknown", "revoked", "ended"):
                wanted = 401
            elif token == "elsewhere" and ("{key}" in operation or "{hook}" in operation):
                wanted = 404
            elif not is_allowed(role, action) and not operation.endswith("/undelete"):
                wanted = 403
            told = answer.json() if wanted >= 400 and answer.status_code >= 400 else {}
            is_told = wanted < 400 or (told.get("status"), told.get("error")) == (wanted, told.get("detail"))
            if answer.status_code != wanted or not is_told or not told.get("error", ".").endswith((".", "page.")):
                wrong.append(f"{operation} with {token}: {answer.status_code}, not {wanted}")
            if wanted == 201 and "Location" not in answer.headers:
                wrong.append(f"{operation}: no address of what was created")

    assert not wrong, "\n".join(wrong)


def test_a_browser_that_is_signed_in_is_nobody_here(scene: Scene) -> None:
    client = Client()
    client.force_login(Person.objects.get(email="ana@example.com"))

    assert client.get(f"{V1}/designs").status_code == 401
    assert client.post(f"{V1}/designs", DOCUMENT, content_type="application/json").status_code == 401


def test_many_unknown_tokens_from_one_address_have_to_wait_and_known_ones_do_not(scene: Scene) -> None:
    for _ in range(MOST_OF_ADDRESS):
        assert scene.ask("get", "/designs", "unknown").status_code == 401

    answer = scene.ask("get", "/designs", "unknown")

    assert (answer.status_code, "minutes" in answer.json()["error"]) == (429, True)
    assert int(answer.headers["Retry-After"]) > 0
    assert scene.ask("get", "/designs").status_code == 200


def test_a_list_comes_in_pages_with_the_address_of_the_next(scene: Scene) -> None:
    for n in range(2):
        scene.ask("post", "/designs", body={"name": f"another {n}"})

    first = scene.ask("get", "/designs?limit=2").json()
    last = scene.ask("get", first["next"].partition(V1)[2]).json()

    assert (first["count"], len(first["items"]), len(last["items"]), last["next"]) == (3, 2, 1, None)
    assert scene.ask("get", "/designs?limit=101").status_code == 422
    refused = scene.ask("delete", "/designs")
    assert (refused.headers["Allow"], refused.json()["status"]) == ("GET, HEAD, OPTIONS, POST", 405)


def test_an_address_that_is_read_answers_head_and_none_else_does(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}"

    assert scene.ask("head", f"{path}/document").headers["ETag"] == f'"{scene.design.head_id}"'
    assert [scene.ask("head", path, token).status_code for token in (None, "elsewhere", "reading")] == [401, 404, 200]
    assert scene.ask("head", f"{path}/edits").headers["Allow"] == "OPTIONS, POST"


def test_what_is_no_design_is_refused_with_a_sentence_and_its_place(scene: Scene) -> None:
    answer = scene.ask("post", "/designs", body={"name": "x", "tables": [{"id": "t", "nam": "y"}]})

    problem = answer.json()["problems"][0]
    assert answer.status_code == 422
    assert ("tables" in problem["place"], "nam" in problem["sentence"], problem["line"]) == (True, True, 1)


def test_a_document_is_its_own_etag_and_is_replaced_only_by_who_saw_it(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/document"
    read = scene.ask("get", path)
    tag = read.headers["ETag"]

    assert read.content.decode() == dump(scene.design.spec)
    assert scene.ask("get", path, If_None_Match=tag).status_code == 304
    assert scene.ask("put", path, body={"name": "Kites"}).status_code == 428
    done = scene.ask("put", path, body={"name": "Kites"}, If_Match=f'"another", {tag}')
    assert (done.status_code, done.json()["revision"]) == (200, 2)
    assert scene.ask("get", path, If_None_Match=f'"another", {tag}').status_code == 200
    assert scene.ask("put", path, body={"name": "Kites"}, If_Match="*").json()["changed"] is False
    assert scene.ask("put", path, body={"name": "Planes"}, If_Match=tag).status_code == 412
    told = scene.ask("get", f"/designs/{scene.design.key}/revisions").json()["items"][0]
    assert ("Import" in told["what"], told["by"]) == (True, "ana")


def test_who_saves_while_a_document_is_replaced_is_not_covered(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    path, load = f"/designs/{scene.design.key}/document", designs._load
    tag = scene.ask("get", path)["ETag"]

    def load_while_another_saves(request: Any) -> Any:
        spec = scene.design.spec
        scene.design.apply(Set(at="", name="name", value="Kites", was=spec.name), by=Person.objects.all()[0])
        return load(request)

    monkeypatch.setattr(designs, "_load", load_while_another_saves)
    answer = scene.ask("put", path, body={"name": "Planes"}, If_Match=tag)

    assert (answer.status_code, answer.json()["type"]) == (412, "/api/#problem-outdated-document")
    assert Design.objects.get(pk=scene.design.pk).title == "Kites"


def test_an_edit_that_does_not_fit_says_what_is_there_now(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/edits"
    assert scene.ask("post", path, body=EDIT).json()["changed"] is True

    answer = scene.ask("post", path, body={**EDIT, "value": "other"})
    invalid = scene.ask("post", path, body={**EDIT, "value": 7, "was": "events"})

    assert (answer.status_code, answer.json()["problems"][0]["place"]) == (409, "t.name")
    assert "events" in answer.json()["problems"][0]["sentence"]
    assert (invalid.status_code, invalid.json()["problems"][0]["place"]) == (422, "t.name")
    wrong = {"kind": "batch", "edits": [{"kind": "set", "name": 7, "value": 1}, {"kind": "wish"}]}
    missing, number, kind = scene.ask("post", path, body=wrong).json()["problems"]
    at = {"place": "edits[0].at", "pointer": "#/edits/0/at"}
    assert missing == {"sentence": "required value missing", **at, "line": None}
    assert (number["sentence"], number["place"]) == ("7 is not text", "edits[0].name")
    assert (kind["sentence"].startswith('"wish" is not one of set'), kind["place"]) == (True, "edits[1].kind")
    assert scene.ask("post", path, body={"kind": "batch", "edits": [EDIT] * 1500}).status_code == 422


def test_findings_and_estimate_are_those_of_the_revision_that_is_asked_for(scene: Scene) -> None:
    base = f"/designs/{scene.design.key}"
    scene.ask("post", f"{base}/edits", body=EDIT)

    first = scene.ask("get", f"{base}/estimate?revision=1").json()
    newest = scene.ask("get", f"{base}/findings").json()

    assert first["tables"][0]["name"] == "readings"
    assert first["unknown"][0]["sentence"]
    assert newest["sha256"] == Design.objects.get(pk=scene.design.pk).head_id
    assert {"K001"} <= {one["rule"] for one in newest["items"]}
    assert scene.ask("get", f"{base}/estimate?revision=9").status_code == 404


def test_a_run_is_started_once_followed_and_read(scene: Scene) -> None:
    base = f"/designs/{scene.design.key}/runs"

    same = scene.ask("post", base, body={"kind": "tiny"})
    other = scene.ask("post", base, body={"kind": "tiny", "parameters": {"seconds": 12.0}})

    assert (same.status_code, same.json()["id"], same.json()["state"]) == (200, scene.run.pk, "done")
    assert (other.status_code, other.json()["state"], other.json()["asked_by"]) == (201, "queued", "ana")
    assert scene.ask("get", f"{base}/{scene.run.pk}/result").json()["parts"]["head"] == len(tiny.right(8))
    pending = other.json()["id"]
    assert scene.ask("get", f"{base}/{pending}/result").status_code == 409
    assert scene.ask("post", f"{base}/{pending}/cancel", body={}).json()["state"] == "cancelled"
    assert "tiny" in scene.ask("post", base, body={"kind": "wish"}).json()["error"]
    wrong = scene.ask("post", base, body={"kind": "tiny", "parameters": {"second": 12}}).json()["error"]
    assert wrong.startswith("second is not a parameter of tiny. Use: ")
    assert scene.ask("get", base).json()["count"] == 2


def test_an_export_has_its_files_and_what_the_target_cannot_express(scene: Scene) -> None:
    base = f"/designs/{scene.design.key}/exports"

    told = {one["name"]: one for one in scene.ask("get", "/formats").json()}
    document = scene.ask("get", f"{base}/json").json()
    paper = scene.ask("get", f"{base}/pdf?sections=keys").json()

    assert "bigtable" in told["terraform"]["engines"]
    assert document["files"] == [{"name": "balloons.json", "text": dump(scene.design.spec), "base64": None}]
    assert base64.b64decode(paper["files"][0]["base64"]).startswith(b"%PDF")
    assert scene.ask("get", f"{base}/pdf?sections=wishes").status_code == 422
    assert scene.ask("get", f"{base}/wish").status_code == 404
    carrying = json.loads(scene.ask("get", f"{base}/json?with=findings").json()["files"][0]["text"])
    assert (set(carrying), carrying["sha256"]) == ({"design", "sha256", "findings"}, scene.design.head_id)
    assert scene.ask("get", f"{base}/json?with=wishes").status_code == 422
    assert "json" in scene.ask("get", f"{base}/csv?with=findings").json()["error"]
    assert scene.ask("get", f"{base}/code?language=typescript").json()["refusals"]
    adopting = scene.ask("get", f"{base}/terraform?adopt=true").json()["files"]
    assert any("import {" in one["text"] for one in adopting)
    assert not any("import {" in one["text"] for one in scene.ask("get", f"{base}/terraform").json()["files"])
    assert "terraform" in scene.ask("get", f"{base}/cbt?adopt=true").json()["error"]
    assert scene.ask("get", f"{base}/code?language=klingon").status_code == 422
    assert "code" in scene.ask("get", f"{base}/csv?language=typescript").json()["error"]


def test_an_import_says_what_was_understood_and_saves_nothing(scene: Scene) -> None:
    answer = scene.ask("post", "/imports", "reading", {"text": "Family Name\tGC Policy\nm\tversions() > 1\nn\t?\n"})

    told = answer.json()
    assert (told["format"], [one["where"] for one in told["not_understood"]]) == ("cbt", ["line 1", "line 3"])
    assert [family["name"] for family in told["document"]["tables"][0]["families"]] == ["m", "n"]
    assert (Design.objects.count(), "private" in answer.headers["Cache-Control"]) == (1, True)
    assert scene.ask("post", "/designs", body=told["document"]).status_code == 201
    assert Design.objects.latest("pk").spec.start is not None
    assert scene.ask("post", "/imports", body={"text": ""}).json()["problems"][0]["sentence"]
    assert "terraform" in scene.ask("post", "/imports", body={"text": "x", "format": "wish"}).json()["error"]
    headers = {"Authorization": f"Bearer {scene.tokens['reading']}"}
    unread = Client().post(f"{V1}/imports", "{", content_type="application/json", headers=headers)
    assert (unread.status_code, unread.json()["error"]) == (400, "The request body must be a valid JSON object.")


def test_numbers_that_no_database_counts_to_are_refused(scene: Scene) -> None:
    base, huge = f"/designs/{scene.design.key}", 10**30
    paths = ("/designs?offset={}", base + "/revisions/{}", base + "/runs/{}", base + "/findings?revision={}")

    assert {scene.ask("get", path.format(huge)).status_code for path in paths} == {422}


def test_every_answer_is_typed() -> None:
    untyped = [
        f"{method} {path} {status}"
        for path, methods in openapi_description()["paths"].items()
        for method, one in methods.items()
        for status, told in one["responses"].items()
        if str(status) not in ("204", "304")
        and not all("schema" in held for held in told.get("content", {"": {}}).values())
    ]

    assert not untyped
    assert api.docs_url is None


def test_a_python_client_knows_every_kind_of_content() -> None:
    """The generator warns of others, and leaves them out; a test with the generator itself needs it installed."""
    given = yaml.safe_load((Path(__file__).parents[1] / "clients" / "generator.yaml").read_text())
    known = {f"application/{kind}" for kind in ("json", "problem+json", "octet-stream")} | {
        *given["content_type_overrides"]
    }
    operations = [one for methods in openapi_description()["paths"].values() for one in methods.values()]
    sent = {kind for one in operations for kind in one.get("requestBody", {}).get("content", {})}
    # of an answer it reads the first kind alone, whatever comes: a file is bytes
    answers = {
        next(iter(told["content"])) for one in operations for told in one["responses"].values() if "content" in told
    }

    assert not (sent | answers) - known


def test_every_parameter_is_described_and_every_example_is_of_its_type() -> None:
    parameters = [
        parameter
        for methods in openapi_description()["paths"].values()
        for one in methods.values()
        for parameter in one["parameters"]
    ]

    assert all(parameter["description"] for parameter in parameters)
    without = {parameter["name"] for parameter in parameters if "example" not in parameter}
    assert without == {"Idempotency-Key"}  # one that is sent is used up
    assert {"If-Match", "with", "revision"} <= {parameter["name"] for parameter in parameters}
    modules = (schemas, review_schemas, run_schemas, trace_schemas, webhook_schemas)
    ours = [
        shape
        for module in modules
        for shape in vars(module).values()
        if isinstance(shape, type) and shape.__module__ == module.__name__
    ]
    fields = [(shape.__name__, *each) for shape in (*ours, Failure) for each in shape.model_fields.items()]
    assert [(shape, name) for shape, name, field in fields if not field.description] == []
    for name, example in EXAMPLES.items():
        shape = next((getattr(module, name) for module in (*modules, errors) if hasattr(module, name)), None)
        assert shape is not None, name
        shape.model_validate(example)
        assert set(example) == set(shape.model_fields), name


def test_every_type_that_is_named_is_described() -> None:
    text = json.dumps(openapi_description())

    named = set(re.findall(r"#/components/schemas/([^\"]+)", text))
    assert named <= set(openapi_description()["components"]["schemas"])
    assert {"Spec", "Failure", "EstimateInfo"} <= named


def test_too_large_a_body_is_refused_in_json_too(scene: Scene) -> None:
    answer = scene.ask("post", "/designs", body={"name": "x" * 9_000_000})

    assert (answer.status_code, "MB" in answer.json()["error"]) == (413, True)


def test_a_fault_of_ours_is_told_in_json_too(scene: Scene) -> None:
    answer = internal_error(RequestFactory().get(f"{V1}/designs"))

    told = json.loads(answer.content)
    assert (answer.status_code, answer["Content-Type"], told["type"]) == (
        500, "application/problem+json", "/api/#problem-internal-error",
    )  # fmt: skip
    assert scene.ask("get", "/designs/a%00b").status_code == 404


def test_the_page_of_the_api_names_every_operation_and_loads_nothing_from_elsewhere(scene: Scene) -> None:
    client = Client()
    client.force_login(Person.objects.get(email="ana@example.com"))

    text = client.get("/api/").content.decode()

    assert all(f"<code>{path}</code>" in text for path in openapi_description()["paths"])
    assert "<script>" not in text
    assert "http://" not in text.replace("http://testserver", "").replace("http://www.w3.org", "")
    assert client.get(f"{V1}/openapi.json").json()["info"]["title"] == "Keywright"
    assert Client().get("/api/v1/nowhere").json()["error"]


def test_a_token_is_made_by_an_owner_shown_once_and_worth_nothing_when_it_is_revoked(scene: Scene) -> None:
    client, team = Client(), Team.objects.get(name="Platform")
    client.force_login(Person.objects.get(email="ana@example.com"))

    text = client.post(f"/teams/{team.pk}/tokens", {"name": "Nightly", "scope": "read"}).content.decode()

    made = Token.objects.get(name="Nightly")
    shown = text.partition('value="kw_')[2].partition('"')[0]
    assert (len(shown), made.scope, "kw_" in made.token_hash) == (43, "read", False)
    assert shown not in client.get(f"/teams/{team.pk}/").content.decode()
    assert scene.ask("get", "/designs", f"kw_{shown}").status_code == 200
    assert Token.objects.get(name="Nightly").used is not None
    assert round((made.ends - made.made).total_seconds() / 86_400) == 30
    assert "short" in client.get(f"/teams/{team.pk}/tokens").content.decode()
    client.post(f"/teams/{team.pk}/tokens/{made.pk}/revoke")
    assert scene.ask("get", "/designs", f"kw_{shown}").status_code == 401


def test_the_command_prints_a_token_for_the_one_person_of_this_machine(settings: Any, capsys: Any) -> None:
    from django.core.management import CommandError, call_command

    settings.KEYWRIGHT_MODE = "embedded"
    Person.objects.get_or_create_local()
    call_command("api_token", "script", "--write", "--days", "7")

    token = capsys.readouterr().out.strip()
    assert Client().get(f"{V1}/designs", headers={"Authorization": f"Bearer {token}"}).json()["count"] == 0
    assert Token.objects.get().ends is not None
    with pytest.raises(CommandError, match="1 to 3,650"):
        call_command("api_token", "script", "--days", "0")
    settings.KEYWRIGHT_MODE = "team"
    with pytest.raises(CommandError, match="--owner"):
        call_command("api_token", "script")


def test_its_use_is_noted_at_most_once_a_minute(scene: Scene) -> None:
    scene.ask("get", "/designs")
    before = Token.objects.get(name="Import").used

    with CaptureQueriesContext(connection) as asked:
        scene.ask("get", "/designs")

    assert Token.objects.get(name="Import").used == before
    assert {query["sql"].split()[0] for query in asked.captured_queries} <= {"SELECT", "SAVEPOINT", "RELEASE"}
    Token.objects.update(used=timezone.now() - datetime.timedelta(minutes=5))
    scene.ask("get", "/designs")
    assert Token.objects.get(name="Import").used > timezone.now() - datetime.timedelta(minutes=1)


def assert_is(told: Any, shape: str) -> None:
    """That the description of the API has this shape for it."""
    parts = {"components": openapi_description()["components"]}
    jsonschema.validate(told, {"$ref": f"#/components/schemas/{shape}", **parts})


@pytest.mark.parametrize("shape", ["MeasuredInfo", "TraceInfo", "DriftInfo", "TrialInfo"])
def test_examples_of_reports_are_such_reports(shape: str) -> None:
    assert_is(EXAMPLES[shape], shape)


STATS = '{"name": "projects/p/instances/i/tables/readings", "stats": {"rowCount": "5"}}'


def test_measurements_are_compared_and_kept_where_the_token_may_write(scene: Scene) -> None:
    path, today = f"/designs/{scene.design.key}/measured", timezone.now().date().isoformat()
    answer = scene.ask("post", path, "reading", {"files": [STATS], "date": today}).json()
    assert answer["kept"] is False
    assert answer["report"]["format"] == "keywright-observe/1"
    assert_is(answer["report"], "ObserveReport")
    assert scene.ask("post", path, "reading", {"files": [STATS], "keep": True}).status_code == 403
    kept = scene.ask("post", path, "writing", {"files": [STATS], "date": today, "keep": True})
    assert (kept.status_code, scene.design.observations.get().data) == (200, {"t": {"rows": 5.0}})
    unread = scene.ask("post", path, "reading", {"files": [STATS, "hello"]})
    assert (unread.status_code, "files[1]: not recognised" in unread.json()["error"]) == (422, True)
    beside = scene.ask("post", path, "reading", {"files": ["[]", STATS], "date": today})
    assert (beside.status_code, beside.json()["empty_files"]) == (200, ["files[0]"])
    assert scene.ask("post", path, "reading", {"files": ["[]"]}).status_code == 422


def test_an_access_log_is_told_and_made_a_design(scene: Scene) -> None:
    lines = "".join(f"{1_790_000_000 + n},put,user{n * n % 97:03}#{n},9\n" for n in range(2_000))
    body = {"text": f"time,op,key,bytes\n{lines}never,put,k,1\n", "name": "Measured"}
    answer = scene.ask("post", "/traces", "reading", body).json()
    assert_is(answer["report"], "TraceReport")
    assert (answer["report"]["events"], answer["report"]["unread"][0]["first_lines"]) == (2_000, [2_002])
    assert (answer["document"]["name"], answer["document"]["measured"][0]["source"]) == ("Measured", "trace")
    hashed = scene.ask("post", "/traces", "reading", {**body, "hash_keys": True}).json()
    assert "user" in answer["report"]["tables"][0]["busiest_keys"][0]["key"]
    assert "user" not in hashed["report"]["tables"][0]["busiest_keys"][0]["key"]
    for text, said in (("hello", "name the columns"), ("time,key\nnever,k\n", "No line"), ("PAR1", "Parquet")):
        unread = scene.ask("post", "/traces", "reading", {"text": text})
        assert (unread.status_code, said in unread.json()["error"]) == (422, True)


@pytest.mark.parametrize("kind", ["text", "gzip", "zstd", "parquet"])
def test_an_access_log_is_told_as_it_is_in_its_file(scene: Scene, kind: str) -> None:
    keys = [f"user{n * n % 97:03}#{n}" for n in range(500)]
    text = "".join(f"{1_790_000_000 + n};MutateRow;{key.encode().hex()}\n" for n, key in enumerate(keys)).encode()
    query = "columns=time,operation,key&keys=hex&design_name=Measured"
    data = text
    if kind == "gzip":
        data = gzip.compress(text)
    elif kind == "zstd":
        data = pytest.importorskip("pyarrow").compress(text, "zstd", asbytes=True)
    elif kind == "parquet":
        parquet, arrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
        columns = {"when": [1_790_000_000 + n for n in range(500)], "op": ["MutateRow"] * 500, "id": keys}
        parquet.write_table(arrow.table(columns), held := io.BytesIO())
        data, query = held.getvalue(), "columns=time=when,operation=op,key=id&design_name=Measured"
    answer = scene.ask("post", f"/traces/file?{query}", "reading", data).json()
    assert_is(answer["report"], "TraceReport")
    (table,) = answer["report"]["tables"]
    assert (answer["report"]["events"], answer["report"]["is_cut"], table["key"]) == (500, False, "{user}#{id}")
    assert [one["operation"] for one in table["operations"]] == ["write"]
    assert answer["document"]["name"] == "Measured"
    if kind != "text":
        damaged = scene.ask("post", f"/traces/file?{query}", "reading", data[: len(data) // 2])
        assert (damaged.status_code, "damaged or cut off" in damaged.json()["error"]) == (422, True)
    refused = scene.ask("post", "/traces/file?keys=octal", "reading", data)
    assert (refused.status_code, refused.json()["problems"][0]["place"]) == (422, "keys")


def test_an_access_log_is_replayed_under_two_keys(scene: Scene) -> None:
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "u", "after": "#"}, {"id": "s2", "kind": "time"}]}
    fields = [{"id": "u", "name": "user"}]
    document = {**DOCUMENT, "fields": fields, "tables": [{"id": "t", "name": "readings", "row_kinds": [kind]}]}
    made = scene.ask("post", "/designs", "writing", document).json()
    lines = "".join(f"{1_790_000_000 + n},put,user{n * n % 97:03}#{1_790_000_000_000 + n},9\n" for n in range(500))
    body = {"text": f"time,op,key,bytes\n{lines}", "other_key": "{time}#{user}"}
    path = f"/designs/{made['key']}/replay"
    told = scene.ask("post", path, "reading", body).json()
    packed = gzip.compress(body["text"].encode())
    assert scene.ask("post", f"{path}/file?other_key=%7Btime%7D%23%7Buser%7D", "reading", packed).json() == told
    assert_is(told, "ReplayInfo")
    own, other = told["replays"]
    assert (own["replayed_events"], len(own["keys"]), other["keys"][-1]["key"]) == (500, 1, "{time}#{user}")
    assert other["keys"][-1]["hottest_ranges"][0]["first"].startswith("1790000000")
    begun = scene.ask("post", f"{path}/runs?other_key=%7Btime%7D%23%7Buser%7D", "reading", packed)
    assert (begun.status_code, begun.json()["state"], begun.json()["result"]) == (201, "queued", None)
    run = f"{path}/runs/{begun.json()['id']}"
    assert begun["Location"].endswith(run)
    assert scene.ask("post", f"{path}/runs?other_key=%7Btime%7D%23%7Buser%7D", "reading", packed).status_code == 200
    while read_next_log():
        pass
    done = scene.ask("get", run, "reading").json()
    assert (done["state"], done["fraction"], done["reason"], done["result"]) == ("done", 1.0, "", told)
    wrong_run = scene.ask("post", f"{path}/runs?other_key=%7Bsite%7D", "reading", packed)
    assert (wrong_run.status_code, "site" in wrong_run.json()["error"]) == (422, True)
    cut = scene.ask("post", f"{path}/runs", "reading", packed[:500]).json()
    assert scene.ask("post", f"{path}/runs/{cut['id']}/cancel", "reading", {}).json()["state"] == "cancelled"
    body_of_two = {**body, "other_key": "", "other_design": made["key"]}
    beside = scene.ask("post", path, "reading", body_of_two).json()["replays"]
    assert [one["keys"][-1]["key"] for one in beside] == ["{user}#{time}"] * 2
    for wrong, said in (
        ({"other_key": "{site}"}, "site"), ({"table": "no"}, "one table"), ({"text": "x"}, "columns"),
        ({"other_key": "advisor"}, "advisor"), ({"other_design": "nothing"}, "no such design"),
    ):  # fmt: skip
        refused = scene.ask("post", path, "reading", {**body, **wrong})
        assert (refused.status_code, said in refused.json()["error"]) == (422, True)


def test_drift_is_told_with_its_places_and_what_is_unreadable_is_refused(scene: Scene) -> None:
    path, table = f"/designs/{scene.design.key}/drift", {"name": "projects/p/instances/i/tables/strange"}
    told = scene.ask("post", path, "reading", {"files": [json.dumps(table)]}).json()
    assert told["has_drift"]
    assert_is(told, "DriftInfo")
    assert [(one["change"], one["place"]) for one in told["report"]["differences"]] == [("extra", "table/strange")]
    ignored = scene.ask("post", path, "reading", {"files": [json.dumps(table)], "ignore": ["table/str*"]}).json()
    assert not ignored["has_drift"]
    refused = scene.ask("post", path, "reading", {"files": ["a#1\nb#2\nc#3"]})
    assert (refused.status_code, "not recognised" in refused.json()["error"]) == (422, True)


def test_a_trial_is_planned_and_its_result_kept(scene: Scene) -> None:
    path = f"/designs/{scene.design.key}/trials"
    plan = scene.ask("get", path, "reading").json()["plan"]
    assert (plan["format"], plan["target"]) == ("keywright-try/1", "")
    refused = scene.ask("post", path, "writing", {"result": plan})
    assert (refused.status_code, "it has not run" in refused.json()["error"]) == (422, True)
    kept = scene.ask("post", path, "writing", {"result": {**plan, "target": "localhost:8086"}})
    assert_is(kept.json(), "TrialInfo")
    assert (kept.status_code, [one["target"] for one in kept.json()["results"]]) == (200, ["localhost:8086"])
    wrong = scene.ask("post", path, "writing", {"result": {"format": "x"}})
    assert (wrong.status_code, "is not what" in wrong.json()["error"]) == (422, True)


def test_bodies_have_no_keys_but_those_described(scene: Scene) -> None:
    described = openapi_description()
    unread = [body["schema"] for methods in described["paths"].values() for one in methods.values()
              for body in one.get("requestBody", {}).get("content", {}).values()]  # fmt: skip
    seen, open_ones = set(), set()
    while unread:
        part = unread.pop()
        if isinstance(part, list):
            unread += part
        elif isinstance(part, dict):
            unread += [value for key, value in part.items() if key not in ("default", "examples", "$ref")]
            name = part.get("$ref", "").rpartition("/")[2]
            # what a trial reports comes from a command, which may be a newer one
            if name and name not in seen and not name.startswith("TrialReport"):
                seen.add(name)
                unread.append(described["components"]["schemas"][name])
                if "properties" in unread[-1] and unread[-1].get("additionalProperties") is not False:
                    open_ones.add(name)

    assert len(seen) > 30
    assert not open_ones
    told = scene.ask("post", "/webhooks", body={"address": "https://example.com/", "events": ["x"], "zzz": 1})
    assert {one["place"]: one["sentence"].partition(";")[0] for one in told.json()["problems"]} == {
        "events[0]": '"x" is not one of revision.created, verdict.given, run.ended, forecast.missed, price_book.added',
        "zzz": "unknown key",
    }
    assert "use one of address, events" in next(
        one["sentence"] for one in told.json()["problems"] if one["place"] == "zzz"
    )
    told = scene.ask("post", f"/designs/{scene.design.key}/copies", body={"varaint": True})
    assert (told.status_code, [(one["place"], one["sentence"]) for one in told.json()["problems"]]) == (
        422, [("varaint", 'unknown key; did you mean "variant"?')],
    )  # fmt: skip
