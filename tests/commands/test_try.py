"""`keywright try` as a person runs it, on Google's emulator: what it prints, how it ends, and what it leaves."""

import io
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from config.commandline import main
from designer.document import dump
from designer.examples import example
from designer.management.base import CommandError
from estimator.management.commandline import FAILED, FOUND, UNUSABLE, USABLE
from reviews.management.bigtable_engine import EMULATED, BigtableEngine
from reviews.trials.reports import schema
from tests.exports.code_calls import EXAMPLES
from tests.exports.conftest import emulator

__all__ = ["emulator"]
FEW = ("iot-fleet", "timestamp-first")


def run(*arguments: str) -> tuple[int, str]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("try", *arguments, stdout=out, stderr=io.StringIO())
    return int(ended.value.code or 0), out.getvalue()


@pytest.fixture
def file_of(tmp_path: Path):
    def write(name: str) -> str:
        path = tmp_path / f"{name}.json"
        path.write_text(dump(example(name).spec), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def client() -> None:
    pytest.importorskip("google.cloud.bigtable_v2", reason="Google's client is not installed: designs are not tried")


def left(emulator: str) -> list[str]:
    engine = BigtableEngine.at_emulator(emulator, 0)
    return [one.name for one in engine.admin.list_tables(parent=EMULATED) if "/kwtry-" in one.name]


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in FEW else pytest.mark.slow) for n in EXAMPLES])
def test_every_read_of_an_example_is_answered_as_planned(name: str, file_of, client: None, emulator: str) -> None:
    code, text = run(file_of(name), "--emulator", emulator, "--json", "--rows", "50")

    result = json.loads(text)
    Draft202012Validator(schema()).validate(result)
    reads = [read for _, kind in example(name).spec.row_kinds() for read in kind.reads]
    assert (code, result["findings"]) == (USABLE, [])
    assert [one["read"] for one in result["reads"]] == [read.id for read in reads]
    assert all(one["found"] == one["planned"] and one["rows_seen"] == one["rows_met"] for one in result["reads"])
    assert left(emulator) == []


def test_text_shows_reads_and_says_that_nothing_differs(file_of, client: None, emulator: str) -> None:
    code, text = run(file_of("timestamp-first"), "--emulator", emulator)

    assert code == USABLE
    assert f"Tried on {emulator}" in text
    assert "RowKey(\\C*#machine_" in text
    assert text.rstrip().endswith("No difference.")


def test_differences_end_it_with_1(file_of, client: None, emulator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviews.management.bigtable_engine.gc_rule", lambda rule: None)

    code, text = run(file_of("timestamp-first"), "--emulator", emulator)

    assert code == FOUND
    assert "garbage collection of family m: never, designed (maxage=30d)" in text


STOPPED_AFTER_WRITING = """
import os, signal, sys
from config.commandline import main
from reviews.management.bigtable_engine import EMULATED, BigtableEngine

write = BigtableEngine.write

def write_and_stop(engine, table):
    write(engine, table)
    print(len(list(engine.admin.list_tables(parent=EMULATED))), "tables", flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

BigtableEngine.write = write_and_stop
sys.exit(main("manage.py", sys.argv[1:]))
"""
"""A trial that gets a signal when its first table has rows."""


def test_a_trial_that_is_stopped_deletes_its_tables(root: Path, file_of, client: None, emulator: str) -> None:
    command = [sys.executable, "-c", STOPPED_AFTER_WRITING, "try", file_of("multi-tenant-devices"), "--rows", "50"]
    stopped = subprocess.run([*command, "--emulator", emulator], capture_output=True, text=True, cwd=root, timeout=120)

    assert stopped.returncode == 130, stopped.stderr
    assert re.search(r"^[1-9]\d* tables$", stopped.stdout, re.MULTILINE)
    assert left(emulator) == []


def test_a_plan_asks_nobody(file_of) -> None:
    code, text = run(file_of("karte"), "--plan", "--json")

    result = json.loads(text)
    Draft202012Validator(schema()).validate(result)
    assert (code, result["target"], {one["found"] for one in result["reads"]}) == (USABLE, "", {None})


def test_nobody_who_answers_is_said_in_a_sentence(file_of, client: None) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"

    with pytest.raises(CommandError, match=f"{address} does not answer") as refused:
        call_command("try", file_of("karte"), "--emulator", address)

    assert refused.value.returncode == UNUSABLE
    assert "kwtry" not in str(refused.value)  # nothing was made, so nothing may be left


def test_an_engine_that_answers_no_more_is_a_failure_with_what_may_be_left(
    file_of, monkeypatch: pytest.MonkeyPatch, client: None
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr(BigtableEngine, "reach", lambda _: None)

    with pytest.raises(CommandError, match=f"{address} answers no more: .*kwtry-") as refused:
        call_command("try", file_of("karte"), "--emulator", address)

    assert refused.value.returncode == FAILED


def test_an_instance_is_written_to_by_the_clients_own_channel(
    file_of, client: None, emulator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The emulator stands for the instance: only the channel's encryption and the credentials are not Google's."""
    import google.auth
    import grpc
    from google.api_core import grpc_helpers
    from google.auth.credentials import AnonymousCredentials

    hosts: list[str] = []

    def channel(host: str, **_: object) -> grpc.Channel:
        hosts.append(host)
        return grpc.insecure_channel(emulator)

    monkeypatch.setattr(google.auth, "default", lambda **_: (AnonymousCredentials(), "p"))
    monkeypatch.setattr(grpc_helpers, "create_channel", channel)

    code, text = run(file_of("timestamp-first"), "--yes-write-to", "p/i", "--json", "--rows", "40")

    result = json.loads(text)
    assert (code, result["target"], result["findings"]) == (USABLE, "p/i", [])
    assert all(one["found"] == one["planned"] for one in result["reads"])
    assert {host.split(":")[0] for host in hosts} == {"bigtableadmin.googleapis.com", "bigtable.googleapis.com"}
    engine = BigtableEngine.at_emulator(emulator, 0)
    assert [one.name for one in engine.admin.list_tables(parent="projects/p/instances/i")] == []


@pytest.mark.parametrize("name", ["p", "p/", "/i", "p/i/t"])
def test_a_real_instance_needs_both_its_names(name: str, file_of) -> None:
    with pytest.raises(CommandError, match="PROJECT/INSTANCE") as refused:
        call_command("try", file_of("karte"), "--yes-write-to", name)

    assert refused.value.returncode == UNUSABLE


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["--emulator", "bigtable.googleapis.com:443"], ["--emulator", "x"], ["--emulator", "http://x:1"],
        ["--emulator", "localhost:1", "--yes-write-to", "p/i"], ["--plan", "--rows", "0"],
    ],
)  # fmt: skip
def test_without_a_place_to_write_to_nothing_is_tried(arguments: list[str], file_of, capsys) -> None:
    code = main("keywright", ["try", str(file_of("karte")), *arguments])

    assert code == UNUSABLE
    assert re.search(r"emulator|--rows", capsys.readouterr().err)


@pytest.mark.parametrize("is_installed", [False, True])
def test_a_client_that_is_missing_is_named_with_how_to_install_it(root: Path, file_of, is_installed: bool) -> None:
    calls = (
        ("bigtable", ["try", file_of("karte"), "--emulator", "localhost:1"]),
        ("tablestore", ["try", file_of("campus-cards"), "--endpoint", "http://localhost:1", "--yes-write-to", "i"]),
        ("bigtable", ["observe", file_of("karte"), "--live", "project/instance"]),
    )
    program = (
        f"import sys; sys.path.insert(0, {str(root)!r}); sys.modules |= dict.fromkeys(('google', 'tablestore'))\n"
        f"from config.commandline import main\n"
        f"sys.modules['config.commandline.main'].IS_INSTALLED = {is_installed}\n"
        f"sys.exit(sum(main('keywright', call) for call in {[call for _, call in calls]!r}))"
    )
    environment = {**os.environ, "OTS_ACCESS_KEY_ID": "x", "OTS_ACCESS_KEY_SECRET": "x"}
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )

    assert ended.returncode == 2 + 2 + 2
    for (client, _), line in zip(calls, ended.stderr.splitlines(), strict=True):
        clone = "" if is_installed else f", or in a clone python3 run.py --with {client}"
        assert line.endswith(f"pip install 'keywright[{client}]'{clone}.")
