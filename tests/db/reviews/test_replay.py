"""Replaying an access log in the browser: two keys on one day, and what is refused."""

import gzip
import io
import json
import re
from collections import Counter
from functools import partial
from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.models import Design, Person
from estimator.models import AccessLog
from estimator.traces.replays import replay_plan, whole_log
from estimator.worker import log_reader
from estimator.worker.log_reader import read_next_log
from reviews.views import replay as replay_view
from tests.db.test_traces import read_despite_deaths

pytestmark = pytest.mark.django_db
KEY, OTHER = "{user}#{time}", "{time}#{user}"
LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,%s,user%03d#%d,90\n" % (at, b"put" if n % 3 else b"get", n * n % 97, 1_000 * at)
    for n in range(3_000)
    for at in [1_790_000_000 + 28 * n]
)
DOCUMENT: dict[str, Any] = {
    "name": "Visits",
    "start": "2026-09-21",
    "fields": [{"id": "user", "name": "user", "distinct": 97}],
    "activities": [{"id": "a", "name": "visits", "rate_per_second": 0.02}],
    "tables": [
        {
            "id": "t",
            "name": "visits",
            "row_kinds": [
                {
                    "id": "k",
                    "key": [
                        {"id": "s1", "kind": "field", "field": "user", "after": "#"},
                        {"id": "s2", "kind": "time"},
                    ],
                    "writes": [{"id": "w", "activity": "a"}],
                    "reads": [{"id": "r", "name": "of one", "rate_per_second": 0.01, "binds": [{"field": "user"}]}],
                }
            ],
            "families": [{"id": "f", "name": "d", "columns": [{"id": "c", "qualifier": "v"}]}],
        }
    ],
}


HOT = json.loads(json.dumps(DOCUMENT))
HOT["activities"][0]["rate_per_second"] = 20_000.0
HOT["tables"][0]["row_kinds"][0]["reads"] = []
HOT["tables"][0]["row_kinds"][0]["key"] = [
    {"id": "s1", "kind": "time", "after": "#"},
    {"id": "s2", "kind": "field", "field": "user"},
]
"""Every row comes after the last one."""


@pytest.fixture
def design() -> Design:
    local = Person.objects.get_or_create_local()
    return Design.objects.start(Spec.model_validate(DOCUMENT), team=local.teams.get(), by=local)


def send(client: Client, design: Design, content: bytes = LOG, **more: str) -> tuple[int, str]:
    answer = client.post(f"/designs/{design.key}/replay/", {"file": io.BytesIO(content), **more})
    return answer.status_code, re.sub(r"\s+", " ", answer.content.decode())


def test_two_keys_are_shown_on_one_day_each_beside_its_model(client: Client, design: Design) -> None:
    status, text = send(client, design, gzip.compress(LOG), **{"with": "text", "other_key": OTHER})
    assert status == 200
    assert "3,000 requests in" in text
    assert text.count('colspan="3"') == 2
    assert text.count("<svg") >= 8, "writes and reads, of two keys, in the log and in the model"
    for figure in ("writes, busiest range", "rows scanned by", "node time, mean", "the bill of a month"):
        assert figure in text
    assert text.count("Hottest ranges") == 2


def test_a_key_that_is_written_is_replayed_though_the_list_says_none(client: Client, design: Design) -> None:
    status, text = send(client, design, **{"with": "", "other_key": OTHER})

    assert (status, text.count('colspan="3"')) == (200, 2)
    assert '<option value="text" selected>' in text


def test_another_design_and_the_advisor_give_the_second_key(client: Client, design: Design) -> None:
    hot = Design.objects.start(Spec.model_validate(HOT), team=design.team, by=design.made_by)
    status, text = send(client, hot, log_key=KEY, **{"with": "advisor:1"})
    assert (status, text.count('colspan="3"')) == (200, 2)
    assert "Best candidate of the advisor <span" in text
    status, text = send(client, hot, log_key=KEY, **{"with": "advisor:99"})
    assert (status, "candidates of the advisor for this table: 1" in text) == (422, True)
    status, text = send(client, design, **{"with": "1"})
    assert (status, text.count('colspan="3"')) == (200, 2)


def test_a_candidate_of_the_advisor_is_chosen_by_a_link(client: Client, design: Design) -> None:
    page = client.get(f"/designs/{design.key}/replay/", {"kind": "k", "with": "text", "other_key": OTHER})
    text = re.sub(r"\s+", " ", page.content.decode())
    assert 'value="text" selected' in text
    assert f'value="{OTHER}"' in text


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        (b"", {}, "choose a file"),
        (b"\x1f\x8b damaged", {}, "damaged or cut off"),
        (b"hello", {}, "name the columns"),
        (b"PAR1...", {}, "Parquet"),
        (b"time,key\n1790000000,a b c\n", {}, "another pattern"),
        (LOG, {"with": "text", "other_key": "{site}"}, "the other key:"),
        (LOG, {"with": "zzzzzzzzzzzz"}, "there is no such design"),
        (LOG, {"log_key": "{time}"}, "do not hold user"),
        (LOG, {"log_key": "{user"}, "the pattern of the log"),
        (LOG, {"with": "example-timestamp-first"}, "the pattern of the log"),
    ],
)
def test_what_cannot_be_replayed_is_refused_in_a_sentence(
    client: Client, design: Design, content: bytes, more: dict[str, str], said: str
) -> None:
    status, text = send(client, design, content, **more)
    assert status == 422
    assert "This log cannot be replayed:" in text
    assert said in text


def test_maps_show_the_limit_of_a_node_where_the_log_comes_near_it(client: Client, design: Design) -> None:
    _, text = send(client, design)
    assert "limit of one node: " in text
    assert "the busiest range of the log takes &lt; 0.1 % of it" in text
    assert text.count("limit of one node</text>") == 0, "it is far above the scale"
    heavy = json.loads(json.dumps(DOCUMENT))
    heavy["tables"][0]["families"][0]["columns"][0]["value"] = {"typical_bytes": 5_000_000}
    big = Design.objects.start(Spec.model_validate(heavy), team=design.team, by=design.made_by)
    status, text = send(client, big, b"time,op,key\n" + b"1790000000,put,user001#1790000000000\n" * 90_000)
    assert status == 200
    assert text.count("limit of one node</text>") == 2, "in the log's map and in the model's"


def test_one_of_several_row_kinds_is_replayed_under_the_second_key(client: Client, design: Design) -> None:
    document = json.loads(json.dumps(DOCUMENT))
    (kind,) = document["tables"][0]["row_kinds"]
    kind["name"] = "visit"
    document["tables"][0]["row_kinds"].append(
        {"id": "k2", "name": "person", "key": [{"id": "s3", "kind": "literal", "text": "p", "after": "#"},
                                               {"id": "s4", "kind": "field", "field": "user"}],
         "reads": [{"id": "r2", "name": "a person", "rate_per_second": 0.01, "binds": [{"field": "user"}]}]}
    )  # fmt: skip
    two = Design.objects.start(Spec.model_validate(document), team=design.team, by=design.made_by)
    log = LOG + b"1790000000,get,p#user001,90\n"
    status, text = send(client, two, log, **{"with": "text", "other_key": OTHER})
    assert (status, "specify the one whose key this is: visit, person" in text) == (422, True)
    assert re.search(r'<option value="?k"? ?>visit', text)
    status, text = send(client, two, log, row_kind="k", **{"with": "text", "other_key": OTHER})
    assert (status, text.count('colspan="3"')) == (200, 2)
    assert "3,001 requests in" in text
    assert "left out" not in text


def test_a_log_that_is_too_long_to_be_held_is_a_run_over_all_its_requests(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, at_once = send(client, design, **{"with": "text", "other_key": OTHER})
    assert status == 200
    hold_few(monkeypatch)
    answer = client.post(
        f"/designs/{design.key}/replay/", {"file": io.BytesIO(LOG), "with": "text", "other_key": OTHER}
    )
    assert answer.status_code == 302
    waiting = client.get(answer["Location"])
    assert (waiting["Refresh"], "waits for a worker" in waiting.content.decode()) == ("2", True)
    while read_next_log():
        pass
    log = AccessLog.objects.get()
    assert (log.state, log.data, log.checkpoint) == ("done", None, None)
    text = re.sub(r"\s+", " ", client.get(answer["Location"]).content.decode())
    assert "drawn from all" not in text
    assert figures(text) == figures(at_once)
    row = re.search(r'rows scanned by of one</th><td class="number">([0-9.]+)<', text)
    assert row is not None
    rows, read = Counter(n * n % 97 for n in range(0, 3_000, 3)), list[int]()
    for n in range(3_000):
        rows[n * n % 97] += bool(n % 3)
        read += [] if n % 3 else [rows[n * n % 97]]
    assert float(row[1]) == pytest.approx(sum(read) / len(read), rel=0.001), "all rows of then, all reads"


def hold_few(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replay_plan.ReplayPlan.for_table
    monkeypatch.setattr(replay_plan.ReplayPlan, "for_table", partial(whole, most_requests=1_000))
    monkeypatch.setattr("estimator.traces.streams.BYTES_AT_ONCE", 8_000)
    monkeypatch.setattr(whole_log, "BATCH", 700)


def figures(text: str) -> list[str]:
    return [re.sub(r"<[^>]*>", "", one) for one in re.findall(r'<td class="number">(.*?)</td>', text)]


def test_a_run_whose_worker_dies_goes_on_to_the_same_result(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_few(monkeypatch)
    monkeypatch.setattr(log_reader, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(log_reader, "CHECKPOINT_SHARE", float("inf"))
    answers = [
        client.post(f"/designs/{design.key}/replay/", {"file": io.BytesIO(content)})["Location"]
        for content in (LOG, gzip.compress(LOG))
    ]
    whole, hurt = AccessLog.objects.order_by("asked")
    assert read_next_log(whole)
    deaths, _ = read_despite_deaths(monkeypatch, hurt)
    assert deaths > 4
    one, other = (figures(client.get(answer).content.decode()) for answer in answers)
    assert one == other


def test_a_run_is_stopped_and_is_nobody_else_s(client: Client, design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    hold_few(monkeypatch)
    address = client.post(f"/designs/{design.key}/replay/", {"file": io.BytesIO(LOG)})["Location"]
    log = AccessLog.objects.get()
    AccessLog.objects.update(person=Person.objects.create_user("ben@example.com", name="Ben"))
    assert "choose the file again" in client.get(address).content.decode()
    AccessLog.objects.update(person=log.person)
    client.post(f"/designs/{design.key}/replay/", {"stop": "1", "digest": log.digest})
    assert "reading was stopped" in client.get(address).content.decode()
    assert AccessLog.objects.get().data is None
    lost = client.get(f"/designs/{design.key}/replay/", {"log": "0" * 64})
    assert "choose the file again" in lost.content.decode()


def test_what_a_run_cannot_replay_is_said_on_its_page(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_few(monkeypatch)
    other = b"time,key\n" + b"".join(b"%d,a b c\n" % (1_790_000_000 + n) for n in range(3_000))
    address = client.post(f"/designs/{design.key}/replay/", {"file": io.BytesIO(other)})["Location"]
    while read_next_log():
        pass
    assert "its keys have another pattern" in client.get(address).content.decode()


def test_a_log_of_which_a_part_is_read_says_how_much(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay_view, "LOG_BYTES_MAX", len(LOG) // 4)
    monkeypatch.setattr(log_reader, "REPLAY_BYTES_MAX", len(LOG) // 2)
    address = client.post(f"/designs/{design.key}/replay/", {"file": io.BytesIO(LOG)})["Location"]
    while read_next_log():
        pass
    text = re.sub(r"\s+", " ", client.get(address).content.decode())
    shares = re.findall(r"The log is longer than what is read here: ([0-9]+) % of the file was read", text)
    assert [float(share) for share in shares] == [pytest.approx(50, abs=10)], "it is read in blocks"
