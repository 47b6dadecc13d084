"""`keywright trace` as a person runs it: files in all forms, what is printed and written, and exit codes."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from designer.document import load
from estimator.management.commandline import FOUND, UNUSABLE, USABLE

LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,%s,user%04d#%d,%d\n" % (1_790_000_000 + 60 * n, b"put" if n % 3 else b"get", n * n % 97, n, 80 + n % 9)
    for n in range(3_000)
)


def run(*arguments: str) -> tuple[str, int]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("trace", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue(), int(ended.value.code or 0)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "access.csv"
    path.write_bytes(LOG)
    return path


def test_a_log_is_told_of_and_becomes_a_design(log: Path, tmp_path: Path) -> None:
    design = tmp_path / "measured.yaml"
    text, code = run(str(log), "--out", str(design))
    assert code == USABLE
    assert text.startswith("3,000 requests in 2.08 days, 2026-09-21 14:13 to 2026-09-23 16:12 UTC")
    assert "write: 2,000 requests" in text
    spec = load(design.read_bytes(), name=design.name)
    assert [read.name for read in spec.tables[0].row_kinds[0].reads] == ["read rows"]


def test_it_may_be_compressed_and_come_in_parts(log: Path, tmp_path: Path) -> None:
    packed = tmp_path / "access.csv.gz"
    packed.write_bytes(gzip.compress(LOG))
    text, _ = run(str(log), str(packed))
    assert text.startswith("6,000 requests")


def test_lines_that_cannot_be_read_end_it_with_1(log: Path) -> None:
    log.write_bytes(LOG + b"tomorrow,get,k,1\n" * 12)
    text, code = run(str(log))
    assert code == FOUND
    assert "not read: 12 lines, no time (line 3002, 3003, " in text


def test_json_has_the_same_figures(log: Path) -> None:
    text, _ = run(str(log), "--json")
    data: dict[str, Any] = json.loads(text)
    assert (data["format"], data["events"], data["unread"]) == (1, 3_000, [])
    assert {use["operation"]: use["requests"] for use in data["tables"][0]["operations"]} == {
        "read": 1_000,
        "write": 2_000,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the log is empty"),
        (b"hello\nworld\n", "name the columns with --columns"),
        (b"\x28\xb5\x2f\xfd----", "zstd -dc"),
        (gzip.compress(LOG)[:2_000], "damaged or cut off"),
        (b"time,key\nnever,k\n", "no line tells a request: no time in 1 lines"),
    ],
)
def test_a_log_that_cannot_be_used_is_refused_in_a_sentence(log: Path, content: bytes, said: str) -> None:
    log.write_bytes(content)
    with pytest.raises(CommandError, match=said) as refused:
        call_command("trace", str(log), stdout=io.StringIO())
    assert refused.value.returncode == UNUSABLE


def test_a_design_that_is_there_is_not_replaced(log: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("{}")
    with pytest.raises(CommandError, match="--overwrite replaces it"):
        call_command("trace", str(log), "--out", str(there), stdout=io.StringIO())
    assert there.read_text() == "{}"
