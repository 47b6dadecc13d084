"""The command line: what is printed, and how it ends."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from types import SimpleNamespace
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from config.commandline import main
from designer.document import dump
from designer.document.edits import Clear, Set, apply
from designer.examples import example
from estimator.advice.catalogue.rule_template import next_code
from estimator.advice.rules import RULES
from estimator.management.commands import simulate
from estimator.presentation.lint_reports.sarif import address
from tests.cases import cases
from tests.core.advice.rules.catalogue import MUST_BE_CAUGHT
from tests.designs import scanned_profiles
from tests.pdfs import page_texts


@dataclass
class Done:
    """How a command ended."""

    returncode: int
    stdout: bytes
    stderr: bytes


@pytest.fixture
def run(capfdbinary, monkeypatch):
    """Runs `manage.py` with these arguments, in this process."""

    def call(*arguments, given=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        capfdbinary.readouterr()
        code = main("manage.py", [*map(str, arguments)])
        return Done(code, *capfdbinary.readouterr())

    return call


@pytest.fixture
def file_of(tmp_path):
    """Writes a built-in design into a file."""

    def write(slug):
        path = tmp_path / f"{slug}.json"
        path.write_text(dump(example(slug).spec), encoding="utf-8")
        return path

    return write


def test_an_estimate_of_what_lacks_a_rate_says_at_least_and_never_nothing(run, tmp_path):
    plain = json.loads(dump(example("timestamp-first").spec))
    plain["activities"] = [{"id": each["id"], "name": "report"} for each in plain["activities"]]
    plain.pop("instance", None)
    file = tmp_path / "plain.json"
    file.write_text(json.dumps(plain), encoding="utf-8")

    said = run("estimate", file).stdout.decode()
    assert "us-central1: at least 1, without" in said
    assert "no table has a known load" in said
    assert re.findall(r"\s-0|removed|between|in any place", said) == []


def test_lint_tells_what_is_wrong_and_fails(run, file_of):
    done = run("lint", file_of("timestamp-first"))

    assert done.returncode == 1, done.stderr
    text = done.stdout.decode()
    assert "1 error" in text
    assert "K004 error" in text


def test_a_reader_that_has_gone_ends_a_command_without_a_word(root, file_of):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "manage.py", "lint", str(file_of("timestamp-first"))]
    done = subprocess.run(command, cwd=root, stdout=write, stderr=subprocess.PIPE)
    os.close(write)

    assert (done.returncode, done.stderr) == (128 + 13, b"")


def test_lint_of_a_good_design_passes(run, file_of):
    done = run("lint", file_of("mobile-devices"))

    assert done.returncode == 0, done.stdout
    assert b"warning" not in done.stdout


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("note", 1), ("never", 0)])
def test_lint_fails_from_the_level_that_is_asked_for(run, file_of, level, code):
    assert run("lint", file_of("unpadded-numbers"), "--fail-on", level).returncode == code


def test_lint_as_sarif_points_at_the_line_of_the_element(run, file_of, tmp_path):
    path = file_of("timestamp-first").rename(tmp_path / "天 #1.json")
    log = json.loads(run("lint", path, "--sarif").stdout)

    [result] = [r for r in log["runs"][0]["results"] if r["ruleId"] == "K004"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    at = result["locations"][0]["logicalLocations"][0]["name"]
    around = "\n".join(path.read_text(encoding="utf-8").splitlines()[line - 1 : line + 2])
    assert f'"{at}"' in around
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (uri, address("ci/a b.json")) == (f"file://{quote(str(path))}", "ci/a%20b.json")
    assert {"K004", "R001"} <= {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_fix_of_sarif_changes_the_lines_that_it_names_and_keeps_the_rest(run, file_of, tmp_path, form):
    text = dump(example("timestamp-first").spec)
    if form == "yaml":
        text = (
            run("fmt", file_of("timestamp-first"), "--to", "yaml")
            .stdout.decode()
            .replace("tables:", "tables: # ours", 1)
        )
    path = tmp_path / f"written.keywright.{form}"
    path.write_text(text, encoding="utf-8")
    results = json.loads(run("lint", path, "--sarif").stdout)["runs"][0]["results"]

    [fix] = next(each["fixes"] for each in results if each["ruleId"] == "K004")
    [change] = fix["artifactChanges"]
    lines = text.splitlines(keepends=True)
    for one in reversed(change["replacements"]):
        region = one["deletedRegion"]
        lines[region["startLine"] - 1 : region["endLine"] - 1] = [one["insertedContent"]["text"]]
    path.write_text("".join(lines), encoding="utf-8")

    again = json.loads(run("lint", path, "--sarif").stdout)["runs"][0]["results"]
    assert "K004" not in {each["ruleId"] for each in again}
    assert sum(map(len, change["replacements"])) < 10
    assert ("# ours" in "".join(lines)) == (form == "yaml")


def test_lint_as_json_holds_the_finding_with_its_parameters(run, file_of):
    found = json.loads(run("lint", file_of("timestamp-first"), "--json").stdout)["findings"]

    assert found[0]["rule"] == "K004"
    assert (found[0]["severity"], found[0]["own_severity"]) == ("error", "warning")  # one node above 100 % is under it
    assert found[0]["effect"] > 0.2
    assert found[0]["title"] == "The row key starts with a time."
    assert found[0]["sentence"].startswith("The key of metrics starts with")
    assert "{" not in found[0]["sentence"]
    assert found[0]["place"].startswith("metrics / ")
    assert found[0]["line"] > 1
    assert found[0]["fix_sentence"].startswith("Start the key with")
    assert [below["rule"] for below in found[0]["under"]]
    assert all(below["sentence"] and below["title"] and below["place"] for below in found[0]["under"])


def test_lint_says_what_a_fix_adds(run, tmp_path):
    path = tmp_path / "day.json"
    path.write_text(dump(MUST_BE_CAUGHT["a readable day first"].spec()), encoding="utf-8")

    lines = run("lint", path).stdout.decode().splitlines()
    found = json.loads(run("lint", path, "--json").stdout)["findings"]

    place = lines.index("       fix (unsafe): One row per hour")
    assert lines[place + 1].startswith("         adds I006 error: The load on events does not spread")
    assert [one["rule"] for one in found[0]["fix_adds"]] == ["I006"]
    assert {one["rule"]: one["fix_adds"] for one in found}["K004"] == []
    assert {one["rule"]: one["fix_adds"] for one in found}["I024"] is None  # it has no fix

    results = json.loads(run("lint", path, "--sarif").stdout)["runs"][0]["results"]
    told = {one["ruleId"]: one.get("properties") for one in results}
    assert told[found[0]["rule"]]["fix"] == found[0]["fix_sentence"] == "One row per hour"
    assert told[found[0]["rule"]]["fixAdds"] == found[0]["fix_adds"]
    assert (told["K004"]["fixAdds"], told["I024"]) == ([], None)


def _breaks(*_):
    raise ZeroDivisionError("division by zero")


_breaks.__module__ = RULES["K004"].check.__module__  # a rule has the name and the docstring of its module


def test_lint_names_a_rule_that_fails_and_judges_the_others(run, file_of, monkeypatch):
    monkeypatch.setitem(RULES, "K004", replace(RULES["K004"], check=_breaks))

    done = run("lint", file_of("timestamp-first"), "--json")

    assert done.returncode == 3
    assert "K004 timestamp-first could not be checked: ZeroDivisionError: division by zero." in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    result = json.loads(done.stdout)
    assert result["failed"] == [done.stderr.decode().strip()]
    assert "I024" in {each["rule"] for each in result["findings"]}


def test_lint_says_that_a_design_could_not_be_estimated(run, file_of, monkeypatch):
    monkeypatch.setattr("estimator.management.linting.estimate", _breaks)

    done = run("lint", file_of("timestamp-first"))

    assert (done.returncode, done.stdout) == (3, b"")
    assert (
        "could not be checked: ZeroDivisionError: division by zero. This is an error in Keywright"
        in done.stderr.decode()
    )
    assert b"Traceback" not in done.stderr


@cases("form", ["json", "sarif", "github", "gitlab", "junit"])
def test_a_report_on_an_unusable_file_alone_is_one_that_names_it(run, tmp_path, form):
    path = tmp_path / "bad.keywright.json"
    path.write_text('{"name": 1,\n "tabels": []}', encoding="utf-8")

    done = run("lint", path, "--format", form)

    assert (done.returncode, done.stderr.count(b"bad.keywright.json, line")) == (2, 2)
    report = done.stdout.decode()
    if form != "github":
        assert ElementTree.fromstring(report) if form == "junit" else json.loads(report)
    assert report.count("tabels: unknown key") in (1, 2)  # JUnit has it as the message and as the text


ASKED = {
    "name": "Profiles",
    "fields": [{"id": "tenant", "name": "tenant", "distinct": 10_000}],
    "activities": [{"id": "a", "name": "saved", "rate_per_second": 2_000}],
    "tables": [
        {
            "id": "t",
            "name": "profiles",
            "row_kinds": [
                {
                    "id": "k",
                    "key": [{"id": "s", "kind": "field", "field": "tenant"}],
                    "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}],
                }
            ],
            "families": [
                {
                    "id": "f",
                    "name": "f",
                    "gc": {"kind": "max_versions", "versions": 1},
                    "columns": [{"id": "c", "qualifier": "v"}],
                }
            ],
        }
    ],
}
"""Nobody has said how busy its busiest tenant is."""


def test_a_question_is_printed_with_its_answers_and_never_fails(run, tmp_path):
    path = tmp_path / "asked.json"
    path.write_text(json.dumps(ASKED), encoding="utf-8")

    done = run("lint", path, "--fail-on", "warning")
    text = done.stdout.decode()
    [question] = [each for each in json.loads(run("lint", path, "--json").stdout)["findings"] if each["choices"]]
    results = json.loads(run("lint", path, "--sarif").stdout)["runs"][0]["results"]

    assert done.returncode == 0, text
    assert "1 question" in text
    assert "How busy is the busiest tenant? The answer decides 1 finding" in text
    assert "answers: All are equally busy · " in text
    assert question["severity"] == "question"
    assert question["choices"][0]["edit"]["at"] == "tenant"
    assert {each["severity"] for each in question["under"]} == {"question"}
    assert {each["level"] for each in results if each["ruleId"] == "G001"} == {"note"}


def test_the_priced_example_comes_out_to_the_cent(run, file_of):
    done = run("estimate", file_of("ggen-tokyo"))

    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "$612.00" in text
    assert "$11.00" in text
    assert "$623.00" in text


def test_the_nodes_beside_the_bill_of_a_month_are_that_months(run, file_of):
    first, last = (run("estimate", file_of("saas-tenants"), "--month", month).stdout.decode() for month in ("1", "999"))

    assert "Nodes at the end of month 1\n" in first
    assert "Nodes\n" in last
    for text, nodes, cause in ((first, 4, "load"), (last, 6, "storage")):
        assert f"iowa: {nodes}, limited by {cause}" in text
        assert re.search(rf"\bNodes +{nodes}  nodes", text)


def test_a_file_without_a_start_date_starts_on_the_day_of_the_command(run, tmp_path):
    undated = apply(example("ggen-tokyo").spec, Clear(at="", name="start", was=str(example("ggen-tokyo").spec.start)))[
        0
    ]
    path = tmp_path / "undated.json"
    path.write_text(dump(undated), encoding="utf-8")

    said = run("estimate", path, "--today", "2031-05-09").stdout.decode()
    document = run("export", path, "--to", "markdown", "--today", "2031-05-09").stdout.decode()

    assert "Starts on 2031-05-09: no start date is set" in said
    assert "| Starts on | 2031-05-09 (no start date is set) |" in document
    assert "Bill of month 12, from 2032-04-09" in document


def test_an_estimate_as_json_has_the_same_total(run, file_of):
    made = json.loads(run("estimate", file_of("ggen-tokyo"), "--json").stdout)

    assert made["bills"][-1]["total"] == "623.00"
    assert len(made["tables"]) == 1


def test_keys_are_printed_in_byte_order(run, file_of):
    done = run("keys", file_of("mobile-devices"), "--count", "500")

    keys = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert len(keys) == 500
    assert keys == sorted(keys)
    assert all(key.count(b"#") == 2 for key in keys)


def test_keys_as_they_arrive_are_the_same_each_time(run, file_of):
    first, again = (run("keys", file_of("mobile-devices"), "--count", "50", "--arrival").stdout for _ in range(2))

    assert first == again
    assert first.splitlines() != sorted(first.splitlines())


def test_keys_of_primary_key_columns_are_csv_and_lists(run, file_of):
    lines = run("keys", file_of("campus-cards"), "--count", "20").stdout.decode().splitlines()
    made = json.loads(run("keys", file_of("campus-cards"), "--count", "20", "--json").stdout)

    assert lines[0] == "CardID,OrderNumber"
    assert [[card, int(order)] for card, order in (line.split(",") for line in lines[1:])] == made["keys"]


def test_keys_as_json_are_a_list_of_texts(run, file_of):
    made = json.loads(run("keys", file_of("mobile-devices"), "--count", "30", "--json").stdout)

    assert len(made["keys"]) == 30


def test_a_simulated_day_says_first_what_suffers(run, file_of, tmp_path):
    done = run("simulate", file_of("timestamp-first"), "--png", tmp_path / "day.png", "--assume", "split_ways=2")

    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0, done.stderr
    assert "96 windows of 15 minutes" in lines[0]
    assert lines[2].startswith("✗")
    assert "of writes go to one of 3 nodes" in lines[2]
    assert lines[2].endswith("(K004)")
    assert any(line.split()[:2] == ["split_ways", "2"] for line in lines)
    assert (tmp_path / "day.png").read_bytes().startswith(b"\x89PNG")


def test_a_simulated_day_on_tablestore_speaks_of_partitions():
    nothing = SimpleNamespace(tables={})
    heads = [next(simulate._clusters([], nothing, partitioned=True)), next(simulate._tables(nothing, partitioned=True))]

    assert ["partitions" in head for head in heads] == [True, True]
    assert not any(word in "".join(heads) for word in ("node", "tablets"))


def test_a_simulated_day_as_json_is_the_same_for_the_same_seed(run, file_of):
    path = file_of("ggen-tokyo")
    first, again = (run("simulate", path, "--seed", "7", "--json") for _ in range(2))

    made = json.loads(first.stdout)
    assert first.stdout == again.stdout
    assert len(made["window_starts"]) == 96
    assert made["parameters"]["seed"] == 7


def test_a_heatmap_is_a_png(run, file_of, tmp_path):
    done = run("heatmap", file_of("timestamp-first"), "--png", tmp_path / "heat.png")

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "heat.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_diff_tells_what_changed_and_what_it_leads_to(run, file_of):
    done = run("diff", file_of("timestamp-first"), file_of("machine-metrics"))

    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "all stored keys of metrics must be rewritten ({time}#{machine} becomes {machine}#{time})" in text
    assert "$1,684.80 → $1,210.30 a month (−$474.50, −28\u00a0%)" in text


@pytest.mark.parametrize(
    ("limit", "code"), [("cost", 0), ("warnings", 0), ("keys", 1), ("cost,keys", 1), ("cost:-5", 2)]
)
def test_diff_fails_on_what_is_asked_for(run, file_of, limit, code):
    files = file_of("timestamp-first"), file_of("machine-metrics")

    assert run("diff", *files, "--together", "--fail-on", limit).returncode == code


def test_diff_as_json_and_as_a_comment_of_a_file_and_standard_input(run, file_of):
    one, other = file_of("timestamp-first"), file_of("machine-metrics").read_bytes()
    data = json.loads(run("diff", one, "-", "--json", "--fail-on", "keys", given=other).stdout)

    assert [change["sign"] for change in data["changes"]].count("added") == 2
    assert data["bill"]["difference"] == {"amount": "-474.50", "currency": "USD"}
    assert data["failed"] == [
        "all stored keys of metrics must be rewritten ({time}#{machine} becomes {machine}#{time})"
    ]
    told = run("diff", one, "-", "--format", "github", "--path", "designs/a.json", given=other).stdout.decode()
    assert told.startswith("<!-- keywright:designs/a.json -->\n### Machine metrics\n")
    assert "hottest node at the peak: 144\u00a0% → 47\u00a0%" in told


def test_diff_of_a_new_yaml_design_with_nothing(run, file_of, tmp_path):
    new = tmp_path / "new.keywright.yaml"
    new.write_bytes(run("fmt", "--to", "yaml", file_of("machine-metrics")).stdout)
    done = run("diff", os.devnull, new, "--format", "github", "--fail-on", "cost:+1000")

    assert done.returncode == 1, done.stderr
    assert "$0.00 → $1,210.30 a month (+$1,210.30)" in done.stdout.decode()
    assert "❌ the bill is +$1,210.30 a month; $1,000.00 more would be allowed" in done.stdout.decode()
    assert run("diff", os.devnull, os.devnull).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lint", "nowhere.json"), "no such file"),
        (("diff", "{file}", "nowhere.json"), "no such file"),
        (("diff", "-", "-"), "only one of the files can be standard input"),
        (("drift", "-", "-"), "only one of the files can be standard input"),
        (("observe", "-", "-"), "only one of the files can be standard input"),
        (("trace", "-", "-"), "only one of the files can be standard input"),
        (("trace", "-", "--replay", "-"), "only one of the files can be standard input"),
        (("diff", "{file}", "{file}", "--fail-on", "sense"), "none of cost"),
        (("keys", "{file}", "--table", "nope"), "the design has no table 'nope'"),
        (("keys", "{file}", "--count", "0"), "--count is between"),
        (("heatmap", "{file}"), "--png OUT"),
        (("simulate", "{file}", "--assume", "luck=1"), "unknown assumption “luck”"),
        (("simulate", "{file}", "--assume", "split_ways"), "NAME=VALUE"),
        (("simulate", "{file}", "--seeds", "0"), "greater than or equal to 1"),
        (("simulate", "{file}", "--month", "--generated", "--seeds", "20"), "play it all the same with --anyway"),
    ],
)
def test_what_cannot_be_used_ends_with_2_and_a_sentence(run, file_of, arguments, said):
    path = file_of("mobile-devices")
    done = run(*(a.format(file=path) for a in arguments))

    assert done.returncode == 2
    assert said.lower() in done.stderr.decode().lower()
    assert "Traceback" not in done.stderr.decode()


def test_what_is_wrong_with_one_of_several_files_stands_line_by_line(run, file_of, tmp_path):
    (tmp_path / "empty.yaml").write_text("# nothing yet\n\n")
    (tmp_path / "wrong.json").write_text('{"nam": "a",\n "tabels": []}')

    done = run("lint", file_of("mobile-devices"), tmp_path / "wrong.json", tmp_path / "empty.yaml")

    told = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert [line.rpartition("/")[2].partition(":")[0] for line in told] == [
        "wrong.json, line 1", "wrong.json, line 2", "empty.yaml",
    ]  # fmt: skip


def test_an_unusable_design_is_refused_with_line_and_place(run):
    text = b'{\n "tables": [\n  {"id": "t", "history_month": 3}\n ]\n}'
    done = run("lint", "-", given=text)

    assert done.returncode == 2
    assert "line 3" in done.stderr.decode()
    assert "history_months" in done.stderr.decode()


def test_commands_of_files_load_nothing_that_they_do_not_need(root, file_of, tmp_path):
    heavy = (
        "celery", "plotly", "typst", "redis", "babel", "psycopg", "cramjam", "designer.models", "django.contrib.auth",
        "numpy.ma", "numpy.polynomial",
    )  # fmt: skip
    file, terraform = str(file_of("mobile-devices")), str(tmp_path / "made.tf")
    given = [
        ["lint", file], ["diff", file, file], ["export", file, "--to", "terraform", "--out", terraform],
        ["import", terraform, "--out", os.devnull], ["approved", file, "--by-link", "no link"],
    ]  # fmt: skip
    code = f"""
import os, runpy, sys
os._exit = sys.exit  # by which a command of files ends, as all here in one process
for given in {given}:
    sys.argv, ended = ["manage.py", *given], 0
    try:
        runpy.run_path("manage.py", run_name="__main__")
    except SystemExit as end:
        ended = end.code
    print(given[0], ended, [module for module in {heavy} if module in sys.modules], file=sys.stderr)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        cwd=root,
        env={**_without_settings(), "KEYWRIGHT_DATA": str(tmp_path / "data")},
        timeout=300,
    )

    wanted = {"lint 0 []", "diff 0 []", "export 0 []", "import 0 []", "approved 2 []"}
    assert wanted <= set(done.stderr.decode().splitlines())


def _without_settings() -> dict[str, str]:
    """The environment as a person has it: manage.py chooses its settings."""
    return {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}


def test_bytes_that_are_no_text_are_written_as_escapes(run, tmp_path):
    path = tmp_path / "raw.json"
    key = [{"id": "key-n", "kind": "field", "field": "n", "transforms": [{"kind": "big_endian", "length": 4}]}]
    path.write_text(
        json.dumps(
            {
                "fields": [{"id": "n", "name": "n", "values": {"kind": "range", "min": 1, "max": 300}}],
                "tables": [{"id": "t", "row_kinds": [{"id": "r", "key": key}]}],
            }
        )
    )

    texts = run("keys", path, "--count", "50").stdout.decode().splitlines()
    raw = run("keys", path, "--count", "50", "--raw").stdout

    assert len(texts) == 50
    assert all(text.startswith("\\x00\\x00") for text in texts)
    assert len(raw) == 50 * 5


def test_measure_compression_prints_the_bracket_of_each_table(run, file_of):
    done = run("measure_compression", file_of("machine-metrics"), "--json")

    assert done.returncode == 0, done.stderr
    (table,) = json.loads(done.stdout)["tables"]
    assert table["table"] == "metrics"
    assert 0 < table["low_share"] < table["high_share"] < table["uncompressed_share"]
    assert table["blocks"] == 32
    assert table["seconds"] > 0


def test_estimate_uses_what_it_measures_when_asked_to(run, file_of):
    file = file_of("machine-metrics")

    assert "(guess)" in run("estimate", file).stdout.decode()
    assert "(measured)" in run("estimate", file, "--measure").stdout.decode()


def test_an_estimate_says_what_a_calibration_changes_and_which_skew_is_only_guessed(run, tmp_path):
    spec = scanned_profiles()
    seen = {"nodes": 3, "cpu_share": 0.41, "reads_per_second": 12_000}
    path = tmp_path / "calibrated.json"
    path.write_text(dump(apply(spec, Set(at="", name="instance.calibration", value=seen))[0]), encoding="utf-8")

    text = run("estimate", path).stdout.decode()

    assert (
        "Calibrated: 3 nodes at 41\u00a0% CPU served 12,000/s reads and 0/s writes, 0.574× the published figures."
        in text
    )
    assert "each calibrated to 0.574× the published throughput" in text
    assert "assumed, as no distribution is set: some values of tenant are far busier than others" in text
    assert " if assumed values differ\n" in text


@pytest.fixture
def elsewhere(settings, root, tmp_path):
    """Another folder in the place of the project's, with the catalogue of codes."""
    for folder in ("estimator/advice/rules/keys", "tests/core/advice/rules"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(root / "tests/core/advice/rules/codes.py", tmp_path / "tests/core/advice/rules")
    settings.BASE_DIR = tmp_path
    return tmp_path


def test_a_new_rule_is_begun_with_its_test_and_a_list_of_what_is_left(run, elsewhere):
    done = run("new_rule", "too-sleepy", "--code", "K", "--severity", "note", "--engines", "bigtable")

    assert done.returncode == 0, done.stderr
    code = next_code("K", RULES)
    assert f"{code} is in tests/core/advice/rules/codes.py" in done.stdout.decode()
    catalogue = (elsewhere / "tests/core/advice/rules/codes.py").read_text(encoding="utf-8").splitlines()
    assert f"{code} too-sleepy bigtable note" in catalogue
    assert f'code="{code}"' in (elsewhere / "estimator/advice/rules/keys/too_sleepy.py").read_text(encoding="utf-8")
    assert (elsewhere / "tests/core/advice/rules/test_too_sleepy.py").is_file()


@pytest.mark.parametrize(
    ("name", "code"), [("hot-row", "K"), ("Sleepy", "K"), ("too-sleepy", "K004"), ("too-sleepy", "X")]
)
def test_a_rule_that_is_there_already_or_has_no_proper_name_is_not_begun(run, elsewhere, name, code):
    done = run("new_rule", name, "--code", code)

    assert done.returncode == 2
    assert list((elsewhere / "estimator/advice/rules/keys").iterdir()) == []


def test_a_rule_that_was_begun_is_left_as_it_is(run, elsewhere):
    begun = elsewhere / "estimator/advice/rules/keys/too_sleepy.py"
    begun.write_text("mine", encoding="utf-8")

    done = run("new_rule", "too-sleepy", "--code", "K")

    assert done.returncode == 2
    assert b"nothing was written" in done.stderr
    assert begun.read_text(encoding="utf-8") == "mine"


def test_export_and_import_give_the_schema_back(run, file_of, tmp_path):
    done = run("export", file_of("iot-fleet"), "--to", "terraform", "--out", tmp_path / "fleet.tf")
    assert done.returncode == 0, done.stderr

    back = run("import", tmp_path / "fleet.tf", "--out", tmp_path / "back.json")

    assert back.returncode == 0, back.stderr
    assert b"read as terraform: 3 tables" in back.stderr
    names = [table["name"] for table in json.loads((tmp_path / "back.json").read_text())["tables"]]
    assert names == ["telemetry", "latest", "alerts"]
    run("import", tmp_path / "fleet.tf", "--out", tmp_path / "back.yaml")
    assert (tmp_path / "back.yaml").read_text().startswith("format: 1\n")


def test_families_that_cbt_lists_are_of_the_table_that_their_file_is_named_after(run, tmp_path):
    families = "Family Name\tGC Policy\n-----------\t---------\nd\t\tage() > 7d\n"
    (tmp_path / "readings.txt").write_text(families)
    (tmp_path / "told.txt").write_text(f"$ cbt ls alerts\n{families}")
    (tmp_path / "no name.txt").write_text(families)

    named, told, unnamed = (run("import", tmp_path / name) for name in ("readings.txt", "told.txt", "no name.txt"))

    assert (named.returncode, json.loads(named.stdout)["tables"][0]["name"]) == (0, "readings"), named.stderr
    assert b"named after the file: readings" in named.stderr
    assert (told.returncode, json.loads(told.stdout)["tables"][0]["name"]) == (0, "alerts")
    assert b"named after" not in told.stderr
    assert (unnamed.returncode, json.loads(unnamed.stdout)["tables"][0]["name"]) == (1, "table1")


def test_a_folder_of_terraform_is_one_text_and_its_lines_are_those_of_its_files(run, tmp_path):
    (tmp_path / "variables.tf").write_text('variable "name" {\n  default = "orders"\n}\n')
    table = 'resource "google_bigtable_table" "t" {\n  name = %s\n  instance_name = "shop-prod"\n}\n'
    (tmp_path / "main.tf").write_text(table % "var.name")
    read = run("import", tmp_path)
    (tmp_path / "other.tf").write_text("\n\n" + table.replace('"t"', '"u"') % "var.absent")
    unknown = run("import", tmp_path)
    (tmp_path / "other.tf").write_text("\n\nresource {{{")
    broken = run("import", tmp_path)

    assert read.returncode == 0, read.stderr
    assert [table["name"] for table in json.loads(read.stdout)["tables"]] == ["orders"]
    assert unknown.returncode == 1
    assert f"{tmp_path}/other.tf, line 3".encode() in unknown.stderr
    assert broken.returncode == 2
    assert f"{tmp_path}/other.tf, line 3: ".encode() in broken.stderr
    (tmp_path / "other.tf").unlink()
    (tmp_path / "main.tf").write_text("# all tables are those of a module\n")
    (tmp_path / "variables.tf").write_text('module "bt" {\n  source = "./bt"\n}\n')
    called = run("import", tmp_path)
    (tmp_path / "variables.tf").unlink()
    for one in (called, run("import", tmp_path)):  # lines of a module or a comment are no sample keys
        assert (one.returncode, b"no Bigtable resources found" in one.stderr) == (2, True)
    (tmp_path / "empty").mkdir()
    assert b"no file of Terraform" in run("import", tmp_path / "empty").stderr


def test_export_ends_with_1_where_something_is_refused_and_names_the_element(run, file_of, tmp_path):
    done = run("export", file_of("iot-fleet"), "--to", "cbt", "--out", tmp_path)

    assert done.returncode == 1
    assert b'refused: alerts: cbt does not support "Deletion protection"' in done.stderr
    assert len(list(tmp_path.glob("*.sh"))) == 2


def test_a_file_that_is_there_is_replaced_only_where_that_is_said(run, file_of, tmp_path):
    path = tmp_path / "fleet.tf"
    path.write_text("mine")
    asked = ("export", file_of("iot-fleet"), "--to", "terraform", "--out", path)

    kept, replaced, same = run(*asked), run(*asked, "--overwrite"), run(*asked)

    assert (kept.returncode, b"--overwrite replaces it" in kept.stderr) == (2, True)
    assert (replaced.returncode, same.returncode, "google_bigtable" in path.read_text()) == (0, 0, True)
    assert run("import", path, "--out", path).returncode == 2
    assert b"--with is for --to json" in run(*asked, "--with", "findings").stderr
    assert b"--language is for --to pdf and --to code" in run(*asked, "--language", "ja").stderr
    drawn = file_of("timestamp-first")
    for command in (("keys", drawn, "--out"), ("heatmap", drawn, "--png"), ("simulate", drawn, "--png")):
        assert b"--overwrite replaces it" in run(*command, path).stderr
    assert "google_bigtable" in path.read_text()


def test_a_file_without_an_end_is_refused_and_not_read_for_ever(run):
    assert b"larger than" in run("import", "/dev/zero").stderr
    assert b"larger than" in run("export", "/dev/zero", "--to", "json").stderr


def test_a_pdf_is_in_the_language_and_has_the_sections_that_are_asked_for(run, file_of, tmp_path):
    asked = ("--to", "pdf", "--language", "ja", "--today", "2026-11-20", "--section", "keys")

    done = [run("export", file_of("timestamp-first"), *asked, "--out", tmp_path / name) for name in ("a.pdf", "b.pdf")]

    assert [one.returncode for one in done] == [0, 0], done[0].stderr
    contents = page_texts((tmp_path / "a.pdf").read_bytes())[1]
    assert ("目次" in contents, "行キー" in contents, "費用" in contents) == (True, True, False)
    assert (tmp_path / "a.pdf").read_bytes() == (tmp_path / "b.pdf").read_bytes()
    assert b"is no section" in run("export", file_of("timestamp-first"), "--to", "pdf", "--section", "wish").stderr


def test_code_for_keys_is_in_the_language_that_is_asked_for(run, file_of):
    asked = ("export", file_of("iot-fleet"), "--to", "code", "--language")

    assert b"export function verify(): number" in run(*asked, "typescript").stdout
    assert b"ja is no language of code: python, typescript, go, java" in run(*asked, "ja").stderr


def test_what_cannot_be_imported_or_exported_is_said(run, tmp_path):
    assert run("import", "-", given=b"").returncode == 2
    assert b"say which design" in run("export", "--to", "json").stderr
    assert b"terraform" in run("export").stdout
    assert run("export", "-", given=b"{}").returncode == 2
    assert b"sample_keys" in run("import").stdout
