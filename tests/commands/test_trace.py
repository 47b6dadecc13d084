"""`keywright trace` as a person runs it: files in all forms, what is printed and written, and exit codes."""

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command

from designer.document import load
from designer.management.base import CommandError
from estimator.management import kept_reader
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
    assert (data["format"], data["events"], data["unread"]) == ("keywright-trace/1", 3_000, [])
    assert {use["operation"]: use["requests"] for use in data["tables"][0]["operations"]} == {
        "read": 1_000,
        "write": 2_000,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the log is empty"),
        (b"hello\nworld\n", "name the columns in their order"),
        (b"\x28\xb5\x2f\xfd----", "zstd -dc|damaged or cut off"),
        (gzip.compress(LOG)[:2_000], "damaged or cut off"),
        (b"time,key\nnever,k\n", "no line contains a request: no time in 1 lines"),
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


DESIGN = """
name: replay
fields:
  user: string
tables:
  rows:
    key: '{time:second:unit=s}#{user}'
"""
LOG_OF_TIMES = b"time,op,key\n" + b"".join(
    b"%d,put,u%03d#%d\n" % (1_790_000_000 + 30 * n, n * n % 97, 1_790_000_000 + 30 * n) for n in range(2_000)
)


def test_requests_are_replayed_under_a_design_s_key(log: Path, tmp_path: Path) -> None:
    log.write_bytes(LOG_OF_TIMES)
    design = tmp_path / "design.yaml"
    design.write_text(DESIGN)
    key = "{user}#{time:second:unit=s}"
    text, _ = run(str(log), "--replay", str(design), "--key", key)
    assert "replayed 2,000 requests" in text
    assert "{time:second:unit=s}#{user}  2,000  <\N{NO-BREAK SPACE}0.1" in text
    data = json.loads(run(str(log), "--replay", str(design), "--key", key, "--json")[0])
    old, new = data["replay"]["keys"]
    assert (old["key"], old["rows"], new["rows"]) == (key, 2_000, 2_000)
    shares = [each["operations"]["write"]["busiest_range_share"] for each in (old, new)]
    assert shares[0] < 0.2 < shares[1]


def test_no_key_and_no_value_is_told_where_keys_are_hashed(log: Path, tmp_path: Path) -> None:
    names = ("smith", "jones", "garcia", "tanaka")
    log.write_bytes(
        b"time,op,key\n"
        + b"".join(b"%d,put,%b#%d\n" % (1_790_000_000 + n, names[n * 7 % 4].encode(), n) for n in range(3_000))
    )
    out = tmp_path / "design.yaml"
    for options in ((), ("--json",)):
        plain = run(str(log), *options, "--out", str(out), "--overwrite")[0] + out.read_text()
        assert "smith" in plain
        hashed = run(str(log), *options, "--hash-keys", "--out", str(out), "--overwrite")[0] + out.read_text()
        assert not any(name in hashed for name in names)
    assert len(load(out.read_bytes(), name="design.yaml").tables) == 1


KEY = "{user}#{time:second:unit=s}"
DESIGN_WITH_RATES = """
name: replay
fields:
  user: string, distinct=97
activities:
  an event: 0.01/s
tables:
  rows:
    key: '{user}#{time:second:unit=s}'
    writes: [an event]
    families: {d: {columns: {v: 100B}}}
"""


def test_two_keys_stand_side_by_side_each_beside_its_model(log: Path, tmp_path: Path) -> None:
    log.write_bytes(LOG_OF_TIMES)
    designs = [tmp_path / "a.yaml", tmp_path / "b.yaml"]
    designs[0].write_text(DESIGN_WITH_RATES)
    designs[1].write_text(DESIGN_WITH_RATES.replace("{user}#{time:second:unit=s}", "{time:second:unit=s}#{user}"))
    options = [str(log), *(part for design in designs for part in ("--replay", str(design)))]
    options += ["--key", "{user}#{time:second:unit=s}"]
    text, _ = run(*options)
    assert [line for line in text.splitlines() if line.startswith(str(tmp_path))] == [f"{one}, rows" for one in designs]
    assert "writes, busiest range" in text
    found = json.loads(run(*options, "--json")[0])["replays"]
    ranges = [one["model"]["operations"]["write"]["busiest_range_share"] for one in found]
    assert max(ranges[0].values()) < 0.25
    assert min(ranges[1].values()) > 0.7
    rate = found[0]["model"]["operations"]["write"]["rate_per_second"]
    assert rate == {"replayed": pytest.approx(1 / 30, rel=0.01), "modelled": pytest.approx(0.01)}


def test_key_text_and_candidates_of_the_advisor_are_replayed_beside_the_design(log: Path, tmp_path: Path) -> None:
    design = tmp_path / "hot.yaml"
    design.write_text(DESIGN_WITH_RATES.replace(KEY, "{time}#{user}").replace("0.01/s", "20k/s"))
    log.write_bytes(LOG_OF_TIMES)
    options = [str(log), "--key", KEY, "--replay", str(design)]
    text, _ = run(*options, "--under", "advisor:all", "--under", KEY)
    names = [line for line in text.splitlines() if line.startswith("(")]
    assert names[-1].endswith(f"Other key {KEY}")
    assert "Best candidate of the advisor" in names[1]
    assert len(names) >= 3
    heads = next(line for line in text.splitlines() if line.startswith("  the log under each key"))
    assert heads.split()[-len(names) :] == [f"({number})" for number in range(1, len(names) + 1)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--under", "advisor"), "the advisor found no other key"),
        (("--under", "{site}"), "the other key: unknown field site"),
        (("--key", "{user"), "the pattern of the log's keys: character 6"),
        (("--key", "{time:second:unit=s}"), "do not hold user"),
        (("--table", "other"), "the design has no table 'other'"),
    ],
)
def test_a_replay_that_is_not_possible_is_refused_in_a_sentence(
    log: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    design = tmp_path / "design.yaml"
    design.write_text(DESIGN)
    with pytest.raises(CommandError, match=said):
        call_command("trace", str(log), "--replay", str(design), *options, stdout=io.StringIO())
    with pytest.raises(CommandError, match="go with --replay"):
        call_command("trace", str(log), *options, stdout=io.StringIO())


def test_a_design_is_corrected_and_written(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, corrected = tmp_path / "made.json", tmp_path / "corrected.json"
    with pytest.raises(SystemExit):
        call_command("trace", str(log), "--out", str(made))
    data = json.loads(made.read_text())
    data["activities"][0]["rate_per_second"] = 77.0
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data))
    with pytest.raises(SystemExit):
        call_command("trace", str(log), "--correct", str(wrong), "--out", str(corrected))
    told = capsys.readouterr().out
    assert "Rate changed from 77/s to" in told
    written = json.loads(corrected.read_text())
    assert written["activities"] == json.loads(made.read_text())["activities"]
    with pytest.raises(SystemExit):
        call_command("trace", str(log), "--correct", str(made), "--json")
    assert "already" in json.loads(capsys.readouterr().out)["correction"][0]


def test_a_call_that_was_stopped_goes_on_where_it_was(log: Path, tmp_path: Path) -> None:
    packed, state = tmp_path / "access.csv.gz", tmp_path / "state"
    packed.write_bytes(gzip.compress(LOG)[:-20])
    files = [str(log), str(packed), "--resume", str(state)]
    with pytest.raises(CommandError, match="damaged or cut off"):
        call_command("trace", *files, stdout=io.StringIO())
    assert state.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError, match="is not of this call"):
        call_command("trace", str(packed), "--resume", str(state), stdout=io.StringIO())
    log.write_bytes(b"is not read again")
    packed.write_bytes(gzip.compress(LOG))
    text, _ = run(*files)
    log.write_bytes(LOG)
    assert text == run(str(log), str(packed))[0]
    assert not state.exists()


def test_a_reader_is_kept_after_a_second_and_then_after_twice_as_long(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, kept = [0.0], list[float]()
    monkeypatch.setattr(kept_reader.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(kept_reader, "dump_reader", lambda reader, file: kept.append(now[0]))
    reader = SimpleNamespace(can_be_kept=True)
    keeper = kept_reader.KeptReader(tmp_path / "state", "")
    for second in range(100):
        now[0] = float(second)
        keeper.keep(reader)  # type: ignore[arg-type]
    assert kept == [1, 3, 7, 15, 31, 61, 91]
