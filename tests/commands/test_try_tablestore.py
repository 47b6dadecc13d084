"""`keywright try` for Tablestore by Alibaba's own client, on a server that speaks its protocol.

The client has another protobuf than the environment of tests: both run in processes of their own, with the folder that
`run.py --with tablestore` makes and `run.py test` makes, too. Without it these tests are skipped.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from config.commandline import main
from designer.document import Spec, dump
from designer.examples import GROUPS, example
from estimator.management.commandline import FOUND, UNUSABLE, USABLE
from reviews.trials.reports import schema
from tests.tablestore_designs import design

ROOT = Path(__file__).parents[2]
EXAMPLES = GROUPS["Tablestore"]
FAULTS = {
    "loss": {"rows", "rows_missing", "cells", "bytes"},
    "versions": {"max_versions"},
    "refusal": {"write_refused"},
    "forward": {"read_order", "rows_missing", "rows_surplus"},
    "index": {"rows", "rows_missing"},
    "pages": set[str](),
    "unready": set[str](),
}
"""What a trial finds where the server loses rows, keeps other versions, takes none, reads in one direction only, fills
no index, gives few rows at a time, or is not ready at first."""
DRIVER = """
import io, json, sys, urllib.request
import config.commandline.main
from django.core.management import call_command
from designer.management.base import CommandError
import django
django.setup()
from reviews.management import tablestore_engine
tablestore_engine.INDEX_SECONDS = 0.2
for line in sys.stdin:
    fault, arguments = json.loads(line)
    urllib.request.urlopen(urllib.request.Request(f"{sys.argv[1]}/fault/{fault}", data=b"")).read()
    out, error, code = io.StringIO(), "", 0
    try:
        call_command("try", *arguments, stdout=out, stderr=io.StringIO())
    except SystemExit as ended:
        code = ended.code
    except CommandError as refused:
        code, error = refused.returncode, str(refused)
    tables = json.loads(urllib.request.urlopen(sys.argv[1]).read())
    print(json.dumps({"code": code, "out": out.getvalue(), "error": error, "left": tables}), flush=True)
"""
Run = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    folder = ROOT / ".venv" / "clients" / "tablestore"
    if not (folder / "tablestore").is_dir():
        pytest.skip("Alibaba's client is not installed (run.py --with tablestore): designs are not tried")
    keys = {"OTS_ACCESS_KEY_ID": "key-of-tests", "OTS_ACCESS_KEY_SECRET": "secret-of-tests"}
    return {**os.environ, **keys, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


def start(environment: dict[str, str], *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    with start(environment, "-m", "tests.tablestore_server") as server:
        assert server.stdin is not None
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.stdin.close()


@pytest.fixture(scope="module")
def run(environment: dict[str, str], address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run the command on a design, in one process for all tests."""
    folder = tmp_path_factory.mktemp("designs")
    with start(environment, "-c", DRIVER, address) as driver:
        assert driver.stdin is not None
        assert driver.stdout is not None
        to, back = driver.stdin, driver.stdout

        def try_(spec: Spec, *arguments: str, fault: str = "") -> dict[str, Any]:
            file = folder / "design.json"
            file.write_text(dump(spec), encoding="utf-8")
            where = () if "--endpoint" in arguments else ("--endpoint", address, "--yes-write-to", "inst")
            to.write(json.dumps([fault, [str(file), *where, *arguments]]) + "\n")
            to.flush()
            answer: dict[str, Any] = json.loads(back.readline())
            assert answer["left"] == []
            return answer

        yield try_
        to.close()


def result_of(answer: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(answer["out"])
    Draft202012Validator(schema()).validate(result)
    return result


def test_every_kind_of_read_is_answered_as_planned(run: Run) -> None:
    answer = run(design(), "--json", "--rows", "60")

    result = result_of(answer)
    reads = [read.id for _, kind in design().row_kinds() for read in kind.reads]
    assert (answer["code"], result["findings"], result["not_tried"]) == (USABLE, [], [])
    assert [one["read"] for one in result["reads"]] == reads
    assert all(one["found"] == one["planned"] and one["rows_wanted"] for one in result["reads"])
    assert all(one["found"] == one["written"] and one["written"]["rows"] for one in result["tables"])
    assert all(d["found"] == d["designed"] for one in result["tables"] for d in one["definitions"])


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n == "campus-cards" else pytest.mark.slow)
                                  for n in EXAMPLES])  # fmt: skip
def test_every_read_of_an_example_is_answered_as_planned(name: str, run: Run) -> None:
    answer = run(example(name).spec)

    assert answer["code"] == USABLE
    assert "Tried on http://127.0.0.1:" in answer["out"]
    assert "  – / " in answer["out"]  # how many rows it looks at the service does not tell
    assert answer["out"].rstrip().endswith("No difference.")


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_service_does_otherwise_is_found_and_nothing_is_left(fault: str, run: Run) -> None:
    spec = design() if fault == "index" else example("campus-cards").spec
    answer = run(spec, "--json", "--rows", "20", fault=fault)

    kinds = {one["kind"] for one in result_of(answer)["findings"]}
    assert answer["code"] == (FOUND if FAULTS[fault] else USABLE)
    assert kinds & FAULTS[fault] if FAULTS[fault] else kinds == set()


def test_an_instance_that_does_not_let_us_in_is_said_in_a_sentence(run: Run, address: str) -> None:
    other = run(design(), "--endpoint", address, "--yes-write-to", "another")
    nobody = run(design(), "--endpoint", "http://127.0.0.1:9", "--yes-write-to", "inst")

    assert other["code"] == nobody["code"] == UNUSABLE
    assert "does not answer, or not to us: OTSAuthFailed: Signature mismatch" in other["error"]
    assert "http://127.0.0.1:9 inst does not answer" in nobody["error"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "design.json"
    path.write_text(dump(design()), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--yes-write-to", "inst"], "--endpoint URL --yes-write-to INSTANCE"),
        (["--emulator", "localhost:1"], "--endpoint URL --yes-write-to INSTANCE"),
        (["--endpoint", "https://x.y", "--yes-write-to", "p/i"], "--endpoint URL --yes-write-to INSTANCE"),
        (["--endpoint", "https://x.y", "--yes-write-to", "i"], "an access key is needed in the environment"),
        (["--endpoint", "ftp://x.y", "--yes-write-to", "i"], "must be an address"),
        (["--endpoint", "https://x.y"], "one of the arguments"),
    ],
)
def test_without_a_place_to_write_to_nothing_is_tried(
    arguments: list[str], message: str, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("OTS_ACCESS_KEY_ID", "OTS_AK_ENV", "ALIBABA_CLOUD_ACCESS_KEY_ID"):
        monkeypatch.delenv(name, raising=False)

    assert main("keywright", ["try", file, *arguments]) == UNUSABLE
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_plan_asks_nobody(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("try", file, "--plan")

    text = capsys.readouterr().out
    assert ended.value.code == USABLE
    assert "PK (user STRING, day INTEGER, item BINARY), TTL 86400 s, MaxVersions 2" in text
    assert "newest orders: from (ü2, +inf) to before (ü2, -inf), the first 2 rows, backwards" in text


def test_the_server_refuses_what_is_not_signed(address: str) -> None:
    headers = {"x-ots-contentmd5": base64.b64encode(hashlib.md5(b"").digest()).decode(), "x-ots-signature": "x"}

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(urllib.request.Request(f"{address}/GetRange", data=b"", headers=headers))

    assert refused.value.code == 403
