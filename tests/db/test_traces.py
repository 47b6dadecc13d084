"""An access log in the browser: what it tells, what it cannot, and the design made of it."""

import gzip
import io
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.models import Design
from designer.models.memory import MEMORY
from estimator.views import traces

pytestmark = pytest.mark.django_db
ADDRESS = "/designs/access-log"
LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,%s,user%04d#%d,%d\n" % (1_790_000_000 + 60 * n, b"put" if n % 3 else b"get", n * n % 97, n, 80 + n % 9)
    for n in range(3_000)
)


def send(client: Client, content: bytes, **more: str) -> Any:
    file = io.BytesIO(content)
    file.name = "access.log"
    return client.post(ADDRESS, {"file": file, **more}, follow=True)


def test_a_log_is_shown_and_becomes_a_design(client: Client) -> None:
    assert "Read log" in client.get(ADDRESS).content.decode()

    shown = send(client, gzip.compress(LOG + b"never,get,k,1\n"))
    text = shown.content.decode()
    assert "3,000 requests in 2.08 days" in text
    assert "no time: 1 (line 3002)" in text
    digest = shown.context["digest"]
    assert f"log={digest}" in shown.request["QUERY_STRING"]

    made = client.post(ADDRESS, {"save": "1", "digest": digest, "name": "Measured"})
    design = Design.objects.get()
    assert made["Location"] == f"/designs/{design.key}/"
    assert (design.title, [table.name for table in design.spec.tables]) == ("Measured", ["rows"])
    assert design.spec.tables[0].row_kinds[0].reads[0].rate_per_second == pytest.approx(1_000 / 3_000 / 60, rel=0.01)


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        (b"", {}, "the log is empty"),
        (b"hello\nworld\n", {}, "no column of times and of row keys was found"),
        (LOG, {"columns": "time,what"}, "&quot;what&quot; is no column; use time, operation"),
        (gzip.compress(LOG)[:1_000], {}, "the file is damaged or cut off"),
        (b"time,key\nnever,k\n", {}, "no line tells a request"),
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


def test_a_log_that_is_still_read_is_waited_for_and_one_that_is_gone_is_asked_for_again(client: Client) -> None:
    MEMORY.put(traces.UNDER_WAY, "soon", timezone.now(), seconds=1.0)
    waiting = client.get(f"{ADDRESS}?log=soon")
    assert (waiting.status_code, waiting["Refresh"]) == (200, "2")
    MEMORY.put(traces.UNDER_WAY, "late", timezone.now() - 2 * traces.UNDER_WAY_MAX, seconds=1.0)
    for digest in ("late", "unknown"):
        assert "choose the file again" in client.get(f"{ADDRESS}?log={digest}").content.decode()
