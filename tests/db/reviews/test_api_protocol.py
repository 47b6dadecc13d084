"""What every operation of the API keeps: problem details, keys against repetition, pages by links, rates."""

import json
import re
import threading
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from django.db import connection, transaction
from django.test import Client

from designer.http.problems import BY_STATUS, TITLES
from designer.http.shares import REQUESTS
from designer.models import Design, KeptAnswer, Token, Webhook, WebhookDelivery
from designer.models.requests import KEPT_FOR
from designer.wording.webhook_events import KINDS, EventName
from reviews.api.views import openapi_description
from reviews.models import Comment, Link
from tests.db.reviews.api_scene import DOCUMENT, V1, Scene, make_scene

KEY = "8e03978e-40d5-43dd-bc93-6894a57f9324"


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return make_scene(settings, monkeypatch)


def test_every_error_is_problem_details_with_its_place(scene: Scene, settings: Any) -> None:
    wrong = {"name": "x", "tables": [{"id": "t", "nam": "y"}]}
    answers = {
        400: scene.ask("post", "/imports", body=None),
        401: scene.ask("get", "/designs", None),
        403: scene.ask("post", "/designs", "reading", DOCUMENT),
        404: scene.ask("get", "/designs/none"),
        405: scene.ask("put", "/designs"),
        412: scene.ask("put", f"/designs/{scene.design.key}/document", body=DOCUMENT, If_Match='"other"'),
        413: scene.ask("post", "/designs", body={"name": "x" * 9_000_000}),
        422: scene.ask("post", "/designs", body=wrong),
        428: scene.ask("put", f"/designs/{scene.design.key}/document", body=DOCUMENT),
    }
    nowhere = Client().get("/api/v1/nowhere")

    for status, answer in {**answers, 404: nowhere}.items():
        told = answer.json()
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json"), status
        assert {"type", "title", "status", "detail", "error", "problems"} == set(told)
        assert (told["status"], told["error"], bool(told["title"])) == (status, told["detail"], True)
        assert told["type"].removeprefix("/api/#problem-") in TITLES
    assert answers[422].json()["problems"][0]["pointer"] == "#/tables/0/nam"
    assert answers[422].json()["type"].endswith("invalid-document")
    query = scene.ask("get", "/designs?limit=0").json()["problems"][0]
    assert (query["place"], query["pointer"]) == ("limit", None)
    run = scene.ask("post", f"/designs/{scene.design.key}/runs", body={"kind": "wish"}).json()
    assert run["problems"][0]["pointer"] == "#/kind"


WRONG: tuple[Any, ...] = ([], -1.5)
"""Values of which a property takes at most some."""
WRONG_RUNS = {
    "parameters.count": {"kind": "sample_keys", "parameters": {"row_kind": "k", "count": 1}},
    "parameters.seed": {"kind": "sample_keys", "parameters": {"row_kind": "k", "seed": "x"}},
    "parameters.order": {"kind": "sample_keys", "parameters": {"row_kind": "k", "order": "x"}},
    "parameters.row_kind": {"kind": "sample_keys", "parameters": {"row_kind": "none"}},
    "parameters.table": {"kind": "compression", "parameters": {"table": "none"}},
    "parameters.period": {"kind": "simulate", "parameters": {"period": "x"}},
    "parameters.assumptions": {"kind": "simulate", "parameters": {"assumptions": "x"}},
    "parameters.assumptions.x": {"kind": "simulate", "parameters": {"assumptions": {"x": "y"}}},
    "parameters.wish": {"kind": "simulate", "parameters": {"wish": 1}},
    "kind": {"kind": "simulate", "parameters": {}},  # of a design without rates
}


@pytest.mark.parametrize("place", WRONG_RUNS)
def test_a_run_is_refused_with_the_place_of_the_parameter(scene: Scene, place: str) -> None:
    answer = scene.ask("post", f"/designs/{scene.design.key}/runs", body=WRONG_RUNS[place])

    [problem] = answer.json()["problems"]
    assert (answer.status_code, problem["place"]) == (400 if "row_kind" in place or "table" in place else 422, place)
    assert problem["pointer"] == f"#/{place.replace('.', '/')}"


def _wrong_requests(operation: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield queries and bodies of which most are refused."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "query":
            yield from ((f"?{parameter['name']}={value}", None) for value in ("%00", "-1", "wish"))
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        yield from (("", body) for body in (None, b"\0", b"\x1f\x8b\x08damaged") if content)
        return
    schemas = openapi_description()["components"]["schemas"]
    shape = schemas.get(content["application/json"]["schema"].get("$ref", "").rpartition("/")[2], {})
    yield from (("", body) for body in ({}, [], {"wish": 1}, {"kind": "set", "at": "none", "name": "x", "value": 1}))
    for name in shape.get("properties", ()):
        yield from (("", {name: value}) for value in WRONG)
    for example in list(content["application/json"].get("examples", {}).values())[:1]:
        yield from (("", {**example["value"], name: value}) for name in example["value"] for value in WRONG)


def test_every_refused_content_is_told_with_a_sentence_and_a_place(scene: Scene, settings: Any) -> None:
    settings.KEYWRIGHT_TOKEN_REQUESTS = 100_000
    refusing = set()
    where = {"key": scene.design.key, "name": "json", "hook": str(scene.hook.pk), "section": "keys"}
    for path, methods in openapi_description()["paths"].items():
        for method, operation in methods.items():
            etag = {"If_Match": "*"} if method == "put" else {}
            before = transaction.savepoint()  # a body that is taken, such as one that archives, changes no other
            for query, body in _wrong_requests(operation):
                address = re.sub(r"\{(\w+)\}", lambda name: where.get(name[1], "1"), path.removeprefix(V1)) + query
                answer = scene.ask(method, address, "reviewing", body, **etag)
                if answer.status_code in (400, 422):
                    refusing.add(operation["operationId"])
                    problems = answer.json()["problems"]
                    assert problems, (method, address, body)
                    for problem in problems:
                        assert problem["sentence"], (method, address, body)
                        assert problem["place"] or problem["pointer"] == "#", (method, address, body)
            transaction.savepoint_rollback(before)

    with_body = {one["operationId"] for methods in openapi_description()["paths"].values() for one in methods.values()
                 if "requestBody" in one}  # fmt: skip
    assert with_body - refusing == set()


def test_options_asks_for_the_methods_of_every_address_and_needs_no_token(scene: Scene) -> None:
    for path, methods in openapi_description()["paths"].items():
        where = path.removeprefix("/api/v1").replace("{number}", "1").replace("{key}", scene.design.key)
        answer = scene.ask("options", where.replace("{", "").replace("}", ""), None)
        reading = {"head"} if "get" in methods else set()
        assert (answer.status_code, answer.content) == (204, b""), path
        assert set(answer["Allow"].lower().split(", ")) == {*methods, *reading, "options"}, path


def test_a_parameter_that_an_address_does_not_have_is_refused_by_name(scene: Scene) -> None:
    answer = scene.ask("get", "/designs?page=2")
    told = answer.json()
    [problem] = told["problems"]
    assert (answer.status_code, problem["place"], problem["pointer"]) == (422, "page", None)
    assert told["detail"] == "page is not a parameter of this address; it takes archived, deleted, limit, offset."
    none = scene.ask("post", "/designs?name=x", body=DOCUMENT)
    assert (none.status_code, none.json()["detail"]) == (422, "This address takes no parameters in its query.")
    assert Design.objects.count() == 1
    assert scene.ask("get", "/designs?page=2", None).status_code == 401
    assert scene.ask("get", "/designs?limit=1&offset=0").status_code == 200


def test_the_page_describes_every_type_of_error(scene: Scene) -> None:
    client = Client()
    client.force_login(scene.design.made_by)

    text = client.get("/api/").content.decode()

    assert all(f'id="problem-{name}"' in text for name in TITLES)
    assert set(BY_STATUS.values()) <= set(TITLES)


def test_a_japanese_reader_is_told_in_japanese(scene: Scene) -> None:
    told = scene.ask("get", "/designs/none", Accept_Language="ja").json()

    assert told["title"] != TITLES["not-found"]
    assert (told["type"], told["title"].isascii()) == ("/api/#problem-not-found", False)


# --- the same request again -----------------------------------------------------------------------------------------


def test_the_same_key_makes_one_thing_and_gives_the_same_answer(scene: Scene) -> None:
    first = scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=f'"{KEY}"')
    again = scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=KEY)
    other = scene.ask("post", "/designs", body={**DOCUMENT, "name": "Kites"}, Idempotency_Key=KEY)
    elsewhere = scene.ask("post", "/designs", "elsewhere", DOCUMENT, Idempotency_Key=KEY)

    assert (first.status_code, again.status_code, Design.objects.count()) == (201, 201, 3)
    assert (again.json(), again["Location"]) == (first.json(), first["Location"])
    assert first["Location"] == f"{V1}/designs/{first.json()['key']}"
    assert ("Idempotency-Replayed" in first, again["Idempotency-Replayed"]) == (False, "true")
    assert (other.status_code, other.json()["type"]) == (422, "/api/#problem-key-reused")
    assert (elsewhere.status_code, elsewhere.json()["key"] == first.json()["key"]) == (201, False)


def test_what_failed_keeps_no_key_and_a_key_has_a_form(scene: Scene) -> None:
    refused = scene.ask("post", "/designs", body={"nam": 1}, Idempotency_Key=KEY)

    assert (refused.status_code, KeptAnswer.objects.count()) == (422, 0)
    assert scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=KEY).status_code == 201
    for wrong in ("", '""', "x" * 256, "x" * 3_000, "é", "a\tb"):
        assert scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=wrong).status_code == 400, wrong
    assert scene.ask("post", "/designs", "unknown", DOCUMENT, Idempotency_Key="new").status_code == 401
    assert KeptAnswer.objects.count() == 1


def test_a_key_is_forgotten_after_a_day_or_behind_many_others(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("designer.models.requests.MOST_OF_TOKEN", 2)
    made = [scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=f"k{n}").json()["key"] for n in range(3)]

    assert KeptAnswer.objects.count() == 2
    assert scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key="k2").json()["key"] == made[2]
    KeptAnswer.objects.update(at=KeptAnswer.objects.latest("pk").at - KEPT_FOR)
    assert scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key="k2").json()["key"] not in made
    assert (KeptAnswer.objects.purge(), KeptAnswer.objects.count()) == (0, 1)


def test_the_address_of_a_link_is_not_kept(scene: Scene) -> None:
    path, body = f"/designs/{scene.design.key}/links", {"name": "Partners"}
    first = scene.ask("post", path, "reviewing", body, Idempotency_Key=KEY).json()
    again = scene.ask("post", path, "reviewing", body, Idempotency_Key=KEY).json()

    assert again == {**first, "address": None}
    assert "/review/" not in KeptAnswer.objects.get().body
    assert Link.objects.filter(name="Partners").count() == 1


def test_the_secret_of_a_webhook_is_not_kept_and_a_message_is_sent_again_once(scene: Scene) -> None:
    body = {"address": "https://example.com/hooks", "events": ["run.ended"]}
    first, again = (scene.ask("post", "/webhooks", body=body, Idempotency_Key=KEY) for _ in range(2))
    path = f"/webhooks/{first.json()['id']}/deliveries"
    sent = scene.ask("get", path).json()["items"][0]["id"]
    one, same = (scene.ask("post", f"{path}/{sent}/again", Idempotency_Key=f"again-{KEY}") for _ in range(2))

    assert set(get_args(EventName)) == set(KINDS)
    assert first.json()["secret"].startswith("whsec_")
    assert again.json() == {**first.json(), "secret": None}
    assert not KeptAnswer.objects.filter(body__contains="whsec_").exists()
    assert (Webhook.objects.count(), WebhookDelivery.objects.filter(hook=first.json()["id"]).count()) == (2, 2)
    assert (one.status_code, same.json()) == (201, one.json())
    assert scene.ask("get", first["Location"].removeprefix(V1)).json()["address"] == body["address"]
    assert scene.ask("get", one["Location"].removeprefix(V1)).json() == one.json()
    assert scene.ask("get", f"{path}?limit=1").json()["next"]


def test_an_edit_with_a_key_is_applied_once(scene: Scene) -> None:
    path, element = f"/designs/{scene.design.key}/edits", {"id": "copies", "name": "copies"}
    body = {"kind": "insert", "parent": "", "list": "tables", "element": element}
    first = scene.ask("post", path, body=body, Idempotency_Key=KEY)
    scene.ask("post", path, body={"kind": "remove", "at": "copies"})
    again = scene.ask("post", path, body=body, Idempotency_Key=KEY)
    other = scene.ask("post", path, body={**body, "list": "fields"}, Idempotency_Key=KEY)

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 422)
    assert (first.json()["changed"], again.json(), again["Idempotency-Replayed"]) == (True, first.json(), "true")
    scene.design.refresh_from_db()
    assert "copies" not in {table.id for table in scene.design.spec.tables}

    assert scene.ask("post", path, body=body).json()["changed"]  # without a key, it is another request


def test_a_restored_revision_with_a_key_takes_nothing_back_that_came_after_it(scene: Scene) -> None:
    edits, restore = f"/designs/{scene.design.key}/edits", f"/designs/{scene.design.key}/revisions/1/restore"
    body = {"kind": "set", "at": "", "name": "description", "value": "First."}
    scene.ask("post", edits, body=body)
    first = scene.ask("post", restore, Idempotency_Key=KEY)
    scene.ask("post", edits, body={**body, "value": "Later."})
    again = scene.ask("post", restore, Idempotency_Key=KEY)

    assert (first.json()["changed"], again.json()) == (True, first.json())
    scene.design.refresh_from_db()
    assert scene.design.spec.description == "Later."


def test_every_operation_that_changes_something_takes_a_key_and_says_where(scene: Scene) -> None:
    told = {
        one["operationId"]
        for methods in openapi_description()["paths"].values()
        for one in methods.values()
        if "Idempotency-Key" in {parameter["name"] for parameter in one["parameters"]}
    }

    assert told == {
        "createDesign", "copyDesign", "startRun", "createLink", "createThread", "createComment", "giveVerdict",
        "createWebhook", "resendDelivery", "createReviewRequest", "startReplay",
        "applyEdit", "adoptVariant", "restoreRevision", "undeleteDesign",
    }  # fmt: skip
    path = f"/designs/{scene.design.key}/threads/1/comments"
    for _ in range(2):
        assert scene.ask("post", path, "reviewing", {"text": "Because."}, Idempotency_Key=KEY).status_code == 201
    assert Comment.objects.filter(text="Because.").count() == 1


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_with_one_key_make_one_thing(scene: Scene) -> None:
    answers: list[Any] = []
    start = threading.Barrier(4)

    def work() -> None:
        start.wait()
        answers.append(scene.ask("post", "/designs", body={"name": "Once"}, Idempotency_Key=KEY))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.json()["key"] for answer in answers}) == 1
    assert sum("Idempotency-Replayed" in answer for answer in answers) == 3
    assert Design.objects.filter(title="Once").count() == 1


# --- pages and rates ------------------------------------------------------------------------------------------------


def links(answer: Any) -> dict[str, str]:
    """Addresses by their relation."""
    found = (each.split("; rel=") for each in answer["Link"].split(", "))
    return {name.strip('"'): address.strip("<>").partition(V1)[2] for address, name in found}


def test_pages_of_a_list_are_linked(scene: Scene) -> None:
    for n in range(4):
        scene.ask("post", "/designs", body={"name": f"another {n}"})

    seen, path, answers = [], "/designs?limit=2&archived=true", []
    while path:
        answers.append(scene.ask("get", path))
        seen += [one["key"] for one in answers[-1].json()["items"]]
        path = links(answers[-1]).get("next", "")

    assert (len(seen), len(set(seen)), len(answers)) == (5, 5, 3)
    assert set(links(answers[0])) == {"first", "last", "next"}
    assert set(links(answers[2])) == {"first", "last", "prev"}
    assert links(answers[0])["last"] == "/designs?limit=2&archived=true&offset=4"
    assert answers[0].json()["next"].endswith(links(answers[0])["next"])
    behind = scene.ask("get", "/designs?limit=2&offset=99")
    assert (behind.json()["items"], links(behind)["prev"]) == ([], "/designs?limit=2&offset=3")


def test_a_token_has_so_many_requests_in_a_minute_and_is_told(scene: Scene, settings: Any) -> None:
    settings.KEYWRIGHT_TOKEN_REQUESTS = 3

    answers = [scene.ask("get", "/formats") for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer["RateLimit"].partition(";t=")[0] for answer in answers] == [
        f'"requests";r={left}' for left in (2, 1, 0, 0)
    ]
    assert {answer["RateLimit-Policy"] for answer in answers} == {'"requests";q=3;w=60'}
    assert 5 <= int(answers[3]["Retry-After"]) <= 60
    assert answers[3].json()["type"] == "/api/#problem-too-many-requests"
    assert scene.ask("get", "/formats", "reading").status_code == 200
    assert "RateLimit" not in scene.ask("get", "/formats", "unknown")
    REQUESTS.clear()
    scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=KEY)
    assert scene.ask("post", "/designs", body=DOCUMENT, Idempotency_Key=KEY)["RateLimit"].startswith('"requests";r=1')
    reused = [scene.ask("post", "/designs", body={"format": 1}, Idempotency_Key=KEY) for _ in range(2)]
    assert [one.status_code for one in reused] == [422, 429]
    assert [one["RateLimit"].partition(";t=")[0] for one in reused] == ['"requests";r=0'] * 2


def test_alone_nobody_is_limited(scene: Scene, settings: Any) -> None:
    settings.KEYWRIGHT_MODE, settings.KEYWRIGHT_TOKEN_REQUESTS = "embedded", 1

    answers = [scene.ask("get", "/formats") for _ in range(3)]

    assert {(answer.status_code, "RateLimit" in answer) for answer in answers} == {(200, False)}


def test_a_token_of_an_unknown_scope_reads_at_most() -> None:
    assert Token(scope="wish").role == "token_read"
    assert json.dumps(openapi_description())
