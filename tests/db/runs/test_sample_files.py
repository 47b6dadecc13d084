"""Files of sample keys: made by a run in pieces, downloaded while or after they are made."""

import dataclasses
import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from designer.examples import example
from designer.http.errors import DesignError
from designer.models import Design, Person, Token
from estimator.contexts import current_context
from estimator.kernels.keys import sample_keys as keys_of
from estimator.models import Part, Run, Step
from estimator.models.runs import RunEndedError
from estimator.runs import delivery
from estimator.runs.kinds import sample_keys
from estimator.worker.worker import run_next_step

ASKED = {"row_kind": "vehicle-now", "count": "40000"}


@pytest.fixture
def design(monkeypatch: pytest.MonkeyPatch) -> Design:
    monkeypatch.setattr(delivery, "send", lambda count=1: True)
    local = Person.objects.get_or_create_local()
    return Design.objects.start(example("iot-fleet").spec, team=local.teams.get(), by=local)


def ask(design: Design, **more: Any) -> Run:
    return Run.objects.find_or_start(design, "sample_keys", ASKED | more, Person.objects.get_or_create_local())[0]


def test_the_file_holds_the_keys(design: Design, client: Client) -> None:
    run = ask(design)
    _, token = Token.objects.issue(design.team, name="CI", scope="read", by=Person.objects.get_or_create_local())
    address, headers = f"/api/v1/designs/{design.key}/runs/{run.pk}/file", {"Authorization": f"Bearer {token}"}
    assert client.get(address, headers=headers).status_code == 409  # not begun: a program would wait in vain
    assert run_next_step("w")

    response = client.get(reverse("run_file", args=[design.key, run.pk]))
    lines = gzip.decompress(b"".join(response.streaming_content)).decode().splitlines()  # type: ignore[attr-defined]

    assert response["Content-Disposition"].endswith('-keys.csv.gz"')
    assert lines[0] == "key"
    assert lines[1:] == [key.decode() for key in keys_of(design.spec, "vehicle-now", 40_000)]
    told = client.get(address, headers=headers)
    assert gzip.decompress(b"".join(told.streaming_content)).decode().splitlines() == lines  # type: ignore[attr-defined]
    assert Run.objects.get(pk=run.pk).size_bytes == sum(len(part.data) for part in Part.objects.filter(run=run))
    assert lines[1] in client.get(reverse("run", args=[design.key, run.pk])).content.decode()


def test_the_form_begins_with_what_was_asked_for(design: Design, client: Client) -> None:
    address = reverse("runs", args=[design.key])
    form = client.get(address, {"kind": "sample_keys", "row_kind": "alert-row"}).content.decode()
    form = form[form.index('id="sample-keys"') :]

    assert '<option value="alert-row" selected>' in form
    assert 'name="values" value="true">' in form
    assert " open>" in form[:40]


def test_a_file_can_be_read_while_it_is_made(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ask(design)
    step = Step.objects.claim("w")
    assert step is not None
    step.append(0, sample_keys.gzip_member(b"first\n"))
    reading = run.pieces()

    assert gzip.decompress(next(reading)) == b"first\n"

    step.append(1, sample_keys.gzip_member(b"second\n"))
    step.finish({}, file_bytes=2)
    assert [gzip.decompress(piece) for piece in reading] == [b"second\n"]


def test_a_file_that_is_not_finished_is_no_file(design: Design, client: Client) -> None:
    run = ask(design)
    step = Step.objects.claim("w")
    assert step is not None
    step.append(0, b"piece")
    reading = run.pieces()
    next(reading)
    run.cancel()

    with pytest.raises(RunEndedError):
        next(reading)
    assert Part.objects.count() == 0
    assert client.get(reverse("run_file", args=[design.key, run.pk])).status_code == 404


def test_another_attempt_goes_on_with_the_same_bytes(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_keys, "PIECE_BYTES", 100_000)
    run = ask(design, count="150000")
    whole = list(
        sample_keys.pieces(
            sample_keys.plan(design.spec, run.parameters, current_context()), lambda fraction, doing=None: None
        )
    )
    made = sample_keys.pieces

    def dies(*given: Any) -> Iterator[bytes]:
        for number, piece in enumerate(made(*given)):
            if number == 2:
                raise RuntimeError("gone")
            yield piece

    broken = dataclasses.replace(sample_keys.KIND, pieces=dies)
    with monkeypatch.context() as once:
        once.setattr(sample_keys, "KIND", broken)
        assert run_next_step("w")
    assert Run.objects.get(pk=run.pk).state == "running"
    assert run_next_step("w")

    assert len(whole) > 3
    assert list(Run.objects.get(pk=run.pk).pieces()) == whole


@pytest.mark.parametrize(("given", "words"), [
    ({"count": "9999"}, "A file contains at least"), ({"count": "many"}, "is not a whole number"),
    ({"order": "upwards"}, "must be one of"),
    ({"count": "10000001"}, "You requested 10M keys; the maximum is 10M."),
    ({"row_kind": "gone"}, "This row kind was removed from the design."),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_beside_the_form(
    design: Design, client: Client, given: dict[str, str], words: str
) -> None:
    response = client.post(reverse("runs", args=[design.key]), {"kind": "sample_keys", **ASKED, **given})

    assert words in response.content.decode()
    assert response.status_code in (400, 422)
    assert not Run.objects.exists()


def test_a_file_that_would_be_too_large_is_refused_with_its_size(design: Design, settings: Any) -> None:
    settings.KEYWRIGHT_FILE_MB = 1
    with pytest.raises(DesignError, match="The file would have"):
        ask(design, count="5000000", values="on")
