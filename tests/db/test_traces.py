"""An access log in the browser: what it tells, what it cannot, and the design made of it."""

import datetime
import gzip
import html
import io
import re
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.document.edits import Set
from designer.models import Design, Person
from designer.wording.formatting import english
from estimator.models import AccessLog
from estimator.runs import delivery
from estimator.traces import TraceSummary
from estimator.traces.report import summary_data
from estimator.views import traces
from estimator.worker import log_reader
from estimator.worker.log_reader import read_next_log
from estimator.worker.sweeper import sweep

pytestmark = pytest.mark.django_db
ADDRESS = "/designs/access-log"
LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,%s,user%04d#%d,%d\n" % (1_790_000_000 + 60 * n, b"put" if n % 3 else b"get", n * n % 97, n, 80 + n % 9)
    for n in range(3_000)
)


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Messages to workers, which are not there."""
    messages: list[int] = []
    monkeypatch.setattr(delivery, "send", lambda count=1: messages.append(count) or True)
    return messages


def send(client: Client, content: bytes, **more: str) -> Any:
    """Upload a log, let a worker read it, and return the page of its address."""
    file = io.BytesIO(content)
    file.name = "access.log"
    answer = client.post(ADDRESS, {"file": file, **more})
    while read_next_log():
        pass
    return client.get(answer["Location"]) if answer.status_code == 302 else answer


def queue(content: bytes = LOG, **more: Any) -> AccessLog:
    given = {"columns": "", "keys": "text", "keeps_keys": True, **more}
    return AccessLog.objects.find_or_queue(Person.objects.get_or_create_local(), content, **given)[0]


def result(log: AccessLog) -> TraceSummary:
    found = AccessLog.objects.get(pk=log.pk).summary
    assert found is not None
    return found


def test_a_log_is_shown_and_becomes_a_design(client: Client) -> None:
    assert "Read log" in client.get(ADDRESS).content.decode()

    shown = send(client, gzip.compress(LOG + b"never,get,k,1\n"))
    text = shown.content.decode()
    assert "3,000 requests in 2.08 days" in text
    assert "no time: 1 (line 3002)" in text
    log = AccessLog.objects.get()
    assert f"log={log.digest}" in shown.request["QUERY_STRING"]

    made = client.post(ADDRESS, {"save": "1", "digest": log.digest, "name": "Measured"})
    design = Design.objects.get()
    assert made["Location"] == f"/designs/{design.key}/"
    assert (design.title, [table.name for table in design.spec.tables]) == ("Measured", ["rows"])
    assert design.spec.tables[0].row_kinds[0].reads[0].rate_per_second == pytest.approx(1_000 / 3_000 / 60, rel=0.01)


@pytest.mark.parametrize(
    ("file_name", "name"),
    [("orders.csv", "orders"), ("orders 2026.log.gz", "orders 2026"), ("orders & <items>.csv.zst", "orders & <items>")],
)
def test_a_design_of_a_log_is_named_after_its_file(client: Client, file_name: str, name: str) -> None:
    file = io.BytesIO(LOG)
    file.name = file_name
    waiting = client.post(ADDRESS, {"file": file})["Location"]
    assert client.get(waiting)["Refresh"] == "2"  # the same address again
    while read_next_log():
        pass
    field = re.search(r'<input\s+id="trace-name"[^>]*value="([^"]*)"', client.get(waiting).content.decode())

    assert field is not None
    assert html.unescape(field[1]) == name


def test_a_parquet_file_is_read_where_pyarrow_is_and_else_it_is_said_what_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet, written = pytest.importorskip("pyarrow.parquet"), io.BytesIO()
    rows = [line.split(b",") for line in LOG.splitlines()[1:]]
    names = ("time", "operation", "key", "bytes")
    parquet.write_table(pyarrow.table({name: [row[n] for row in rows] for n, name in enumerate(names)}), written)

    assert "3,000 requests in 2.08 days" in send(client, written.getvalue()).content.decode()

    AccessLog.objects.all().delete()
    monkeypatch.setattr("estimator.traces.arrow._load", lambda name: None)
    text = " ".join(send(client, written.getvalue()).content.decode().split())
    assert "the log is a Parquet file: install keywright[traces] to read it" in text


def test_a_small_log_is_read_at_once_and_a_larger_or_packed_one_by_a_worker(client: Client, sent: list[int]) -> None:
    small = LOG[: LOG.index(b"\n", 20_000) + 1]
    client.post(ADDRESS, {"file": io.BytesIO(small)})
    assert (AccessLog.objects.get().state, sent) == ("done", [])

    for number, data in enumerate((LOG, gzip.compress(small)), 1):
        answer = client.post(ADDRESS, {"file": io.BytesIO(data)})
        waiting = client.get(answer["Location"])
        assert (waiting.status_code, waiting["Refresh"], len(sent)) == (200, "2", number)
        assert "waits for a worker" in waiting.content.decode()


def read_despite_deaths(monkeypatch: pytest.MonkeyPatch, log: AccessLog) -> tuple[int, int]:
    """Read a log by workers each of which dies at its third report; return how many died, and all reports."""
    beat, beats = AccessLog.beat, []

    def die(read: AccessLog, *args: Any) -> None:
        beat(read, *args)
        beats.append(read.fraction)
        if len(beats) % 3 == 0:
            raise SystemExit

    monkeypatch.setattr(AccessLog, "beat", die)
    deaths = 0
    while AccessLog.objects.get(pk=log.pk).is_active:
        try:
            read_next_log()
        except SystemExit:
            deaths += 1
            stored = AccessLog.objects.get(pk=log.pk)
            assert stored.stored_reader is not None
            AccessLog.objects.filter(pk=log.pk).update(lease=timezone.now() - datetime.timedelta(seconds=1))
            sweep()
    return deaths, len(beats)


def test_the_file_and_its_keys_are_gone_when_it_is_read(client: Client) -> None:
    kept = send(client, LOG, keep_keys="on").content.decode()
    hashed = send(client, LOG).content.decode()
    assert "user0001#" in kept or "user00" in kept
    assert "user00" not in hashed
    assert "Busiest keys, as hashes:" in hashed
    for log in AccessLog.objects.all():
        assert (log.data, log.checkpoint, b"user00" in bytes(log.result or b"")) == (None, None, log.keeps_keys)


def test_a_log_whose_worker_dies_is_read_on_from_its_checkpoint_to_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("estimator.traces.streams.BYTES_AT_ONCE", 8_000)
    monkeypatch.setattr(log_reader, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(log_reader, "CHECKPOINT_SHARE", float("inf"))
    damaged = LOG.replace(b"\n1790006000", b"\n\0, oops\n1790006000", 1)
    whole = queue(damaged)
    assert read_next_log(whole)
    hurt = queue(gzip.compress(damaged))
    deaths, reports = read_despite_deaths(monkeypatch, hurt)
    assert deaths > 2
    assert reports - 1 <= len(damaged) // 8_000 + 1, "no chunk is read twice"
    assert summary_data(result(hurt)) == summary_data(result(whole))
    assert result(hurt).unread.counts.total() == 1


def test_a_log_that_no_worker_survives_fails_in_a_sentence(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    log = queue()
    monkeypatch.setattr(log_reader, "_read", lambda log: 1 / 0)
    while read_next_log():
        pass
    assert "A worker stopped 3 times" in client.get(f"{ADDRESS}?log={log.digest}").content.decode()


def test_a_log_can_be_stopped_while_it_is_read(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    log = queue()
    claimed = AccessLog.objects.claim()
    assert claimed is not None
    shown = client.get(f"{ADDRESS}?log={log.digest}").content.decode()
    assert "0% read" in shown
    client.post(ADDRESS, {"stop": "1", "digest": log.digest})
    with pytest.raises(log_reader.LogReleasedError):
        claimed.beat(0.5)
    stopped = AccessLog.objects.get()
    assert (stopped.state, stopped.data) == ("cancelled", None)
    assert "reading was stopped" in client.get(f"{ADDRESS}?log={log.digest}").content.decode()


def test_a_changed_row_is_not_unpickled(client: Client) -> None:
    log = queue()
    read_next_log()
    AccessLog.objects.filter(pk=log.pk).update(result=b"x" * 32 + b"cos\nsystem\n")
    assert "choose the file again" in client.get(f"{ADDRESS}?log={log.digest}").content.decode()


def test_the_log_of_somebody_else_is_not_shown(anas: Client) -> None:
    log = queue()
    read_next_log()
    assert "choose the file again" in anas.get(f"{ADDRESS}?log={log.digest}").content.decode()


def test_more_logs_than_a_person_may_have_wait_for_none(client: Client, settings: Any) -> None:
    settings.KEYWRIGHT_MOST_RUNS = 1
    queue()
    assert "1 access logs that are being read" in send_only(client, LOG + b"\n")


def send_only(client: Client, content: bytes) -> str:
    return str(client.post(ADDRESS, {"file": io.BytesIO(content)}).content.decode())


def test_what_is_not_read_of_a_long_log_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "LOG_BYTES_MAX", 10_000)
    assert "Only the first 64 MiB" in send(client, LOG).content.decode()
    assert "Only the first 64 MiB" not in send(client, LOG[:5_000]).content.decode()


def test_logs_read_long_ago_are_purged(settings: Any) -> None:
    log = queue()
    read_next_log()
    AccessLog.objects.filter(pk=log.pk).update(asked=timezone.now() - datetime.timedelta(days=91))
    waiting = queue(LOG + b"\n")
    call_command("purge", verbosity=0)
    assert AccessLog.objects.get().pk == waiting.pk


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        (b"", {}, "the log is empty"),
        (
            b"hello\nworld\n",
            {},
            "no columns of times and row keys were found; the file looks like lines of text, the first “hello”",
        ),
        (LOG, {"columns": "time,what"}, "&quot;what&quot; is no column; use time, operation"),
        (gzip.compress(LOG)[:1_000], {}, "the file is damaged or cut off"),
        (gzip.compress(LOG)[:1_000] + b"\xff" * 500, {}, "the file is damaged or cut off"),
        (b"time,key\nnever,k\n", {}, "no line contains a request"),
        (b"x" * (traces.FILE_BYTES_MAX + 1), {}, "larger than 7.5 MB"),
    ],
)
def test_a_log_that_cannot_be_read_is_refused_in_a_sentence(
    client: Client, content: bytes, more: dict[str, str], said: str
) -> None:
    answer = send(client, content, **more)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not Design.objects.exists()


def test_a_log_that_is_gone_is_asked_for_again(client: Client) -> None:
    assert "choose the file again" in client.get(f"{ADDRESS}?log=unknown").content.decode()


def test_a_log_corrects_a_design_by_one_change_that_is_shown_first(client: Client) -> None:
    send(client, LOG)
    log = AccessLog.objects.get()
    client.post(ADDRESS, {"save": "1", "digest": log.digest, "name": "Measured"})
    design = Design.objects.get()
    before = design.spec
    activity = before.activities[0]
    design.apply(Set(at=activity.id, name="rate_per_second", value=9.0, was=activity.rate_per_second), by=log.person)

    chosen = client.get(ADDRESS, {"log": log.digest, "correct": design.key})
    address = f"/designs/{design.key}/correct"
    assert chosen["Location"] == f"{address}?log={log.digest}"
    shown = client.get(chosen["Location"]).content.decode()
    assert "Rate changed from 9/s to" in shown
    design.refresh_from_db()
    assert client.post(address, {"log": log.digest, "head": "old"}).status_code == 422
    head = design.head_id
    made = client.post(address, {"log": log.digest, "head": head})
    assert made["Location"] == f"/designs/{design.key}/"

    design = Design.objects.get()
    assert design.spec.activities == before.activities
    told = design.revisions.order_by("-number").first().text.translate(english)
    assert told.startswith("corrected from an access log: ")
    assert "Rate changed from 9/s to" in told
    assert "has the log’s values already" in client.get(f"{address}?log={log.digest}").content.decode()
    design.undo(by=log.person)
    assert Design.objects.get().head_id == head
    assert client.get(f"{address}?log=none").status_code == 422
