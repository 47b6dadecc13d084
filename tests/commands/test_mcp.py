"""`keywright mcp`, asked by the SDK's own client: in this process, and over standard input and output."""

import asyncio
import base64
import datetime
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="NOT TESTED: the SDK of the Model Context Protocol is not installed here")

from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from config.commandline import main
from designer.document import dump
from designer.document.compact import dump_compact
from designer.document.load import load
from designer.examples import example
from estimator.advice.rules import RULES
from estimator.management.commandline import file_context
from reviews.management.mcp_server.results import FindingSummary
from reviews.management.mcp_server.server import Desk, build_server
from reviews.management.mcp_server.site_store import SiteStore
from reviews.management.mcp_server.stores import FolderStore, StoreError
from tests.exports.conftest import emulator

__all__ = ["emulator"]

TODAY = datetime.date(2026, 11, 26)
BAD = "bad.keywright.yaml"
GOOD = "sub/good.keywright.json"
READING = {
    "list_designs", "read_design", "example_document", "explain_rule", "lint", "finding_details", "estimate",
    "estimate_details", "advise", "compare", "list_fixes", "preview_fix", "simulate", "export", "heatmap",
    "plan_trial", "propose_schemas",
}  # fmt: skip
WRITING = {"apply_fix", "replace_design", "create_design"}
RULE = {"rule": "F003", "at": "family"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one design that a rule finds fault with, and one without faults; beside it a secret."""
    root = tmp_path / "designs"
    (root / "sub").mkdir(parents=True)
    (root / BAD).write_text(f"# kept\n{dump_compact(RULES['F003'].bad())}")
    (root / GOOD).write_text(dump(example("mobile-devices").spec))
    (tmp_path / "secret.keywright.yaml").write_text("format: 1\n")
    return root


Call = tuple[str, dict[str, Any]]
Asked = Callable[..., list[Any]]


@pytest.fixture
def ask(folder: Path) -> Asked:
    """Asks a server about the folder in this process; what each tool answers."""

    def run(*calls: Call, can_write: bool = False, on_emulator: str = "") -> list[Any]:
        desk = Desk(FolderStore(folder), file_context(TODAY), can_write, TODAY, on_emulator)

        async def session() -> list[Any]:
            async with Client(build_server(desk)) as client:
                return [await client.call_tool(name, arguments) for name, arguments in calls]

        return asyncio.run(session())

    return run


def data(answers: Iterable[Any]) -> list[dict[str, Any]]:
    """What the tools answered, none of them with an error."""
    answers = list(answers)
    assert not [one.content for one in answers if one.is_error]
    return [one.structured_content for one in answers]


@pytest.mark.parametrize("can_write", [False, True])
def test_tools_that_change_designs_are_there_only_where_that_is_allowed(folder: Path, can_write: bool) -> None:
    desk = Desk(FolderStore(folder), file_context(TODAY), can_write, TODAY)

    async def session() -> Any:
        async with Client(build_server(desk)) as client:
            return await client.list_tools(), await client.list_resources(), await client.list_prompts()

    tools, resources, prompts = asyncio.run(session())

    by_name = {tool.name: tool for tool in tools.tools}
    assert set(by_name) == READING | (WRITING if can_write else set())
    assert all(by_name[name].annotations.read_only_hint for name in READING)
    assert all(len(tool.description) > 60 for tool in tools.tools)
    for tool in tools.tools:
        Draft202012Validator.check_schema(tool.output_schema)
    assert [str(one.uri) for one in resources.resources] == [f"keywright://designs/{name}" for name in (BAD, GOOD)]
    assert [one.name for one in prompts.prompts] == ["review"]


def test_a_design_is_judged_and_its_figures_are_those_of_the_commands(ask: Asked) -> None:
    listed, lint, details, estimate, bill, rule = data(
        ask(
            ("list_designs", {}),
            ("lint", {"design": BAD}),
            ("finding_details", {"design": BAD, **RULE}),
            ("estimate", {"design": GOOD}),
            ("estimate_details", {"design": GOOD, "element": "bill"}),
            ("explain_rule", {"rule": "F003"}),
        )
    )

    assert [one["design"] for one in listed["designs"]] == [BAD, GOOD]
    [finding] = [one for one in lint["findings"] if one["rule"] == "F003"]
    assert finding["sentence"].startswith("For c in family m of events")
    assert finding["line"] > 1
    assert lint["counts"]["warning"] == 1
    assert details["format"] == "keywright-lint/1"
    assert details["data"]["fix"]["kind"] == "batch"
    assert estimate["tables"][0]["rows"] > 1e9
    assert estimate["bill"]["is_complete"]
    assert sum(float(line["cost"]) for line in bill["data"]["lines"]) == pytest.approx(float(estimate["bill"]["total"]))
    assert "**" in rule["markdown"]


def test_a_trial_is_planned_and_run_only_on_the_emulator_that_a_person_named(ask: Asked, emulator: str) -> None:
    draft = {"document": dump_compact(example("timestamp-first").spec), "rows": 20}
    [plan] = data(ask(("plan_trial", draft)))
    [done] = data(ask(("try_on_emulator", draft), can_write=True, on_emulator=emulator))
    [unasked, unreachable] = [
        *ask(("try_on_emulator", draft), on_emulator=emulator),
        *ask(("try_on_emulator", draft), can_write=True, on_emulator="localhost:1"),
    ]

    assert (plan["ran_on"], plan["tables"][0]["rows_found"]) == ("", None)
    assert (done["ran_on"], done["differences"]) == (emulator, [])
    assert done["tables"][0]["rows_written"] == done["tables"][0]["rows_found"] > 0
    assert [one["rows_found"] for one in done["reads"]] == [one["rows_planned"] for one in plan["reads"]]
    assert unasked.is_error
    assert "localhost:1 does not answer" in unreachable.content[0].text


def test_an_emulator_needs_the_permission_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert main("keywright", ["mcp", "--emulator", "localhost:1"]) == 2
    assert "--emulator goes with --write" in capsys.readouterr().err


def test_a_fix_is_listed_previewed_and_applied_once(ask: Asked, folder: Path) -> None:
    fixes, preview = data(ask(("list_fixes", {"design": BAD}), ("preview_fix", {"design": BAD, **RULE})))
    version = fixes["version"]
    before = (folder / BAD).read_text()
    change = {"design": BAD, "version": version, **RULE}
    applied, again = ask(("apply_fix", change), ("apply_fix", change), can_write=True)

    assert [(one["rule"], one["adds"]) for one in fixes["fixes"]] == [("F003", [])]
    assert [one["rule"] for one in preview["findings_gone"]] == ["F003"]
    assert float(preview["monthly_difference"]) < 0
    assert applied.structured_content["warnings"] == 0
    assert again.is_error
    assert "not this version" in again.content[0].text
    text = (folder / BAD).read_text()
    assert text != before
    assert text.startswith("# kept\n")


def test_a_draft_is_judged_without_being_stored_and_then_written(ask: Asked, folder: Path) -> None:
    draft = dump_compact(RULES["F003"].good())
    [read] = data(ask(("read_design", {"design": BAD})))
    lint, compare = data(
        ask(("lint", {"document": draft}), ("compare", {"before": BAD, "document": draft})),
    )
    replaced, created, twice = ask(
        ("replace_design", {"design": BAD, "version": read["version"], "document": draft}),
        ("create_design", {"design": "new.keywright.json", "document": draft}),
        ("create_design", {"design": "new.keywright.json", "document": draft}),
        can_write=True,
    )

    assert "F003" not in {one["rule"] for one in lint["findings"]}
    assert compare["changes"]
    assert replaced.structured_content["warnings"] == 0
    assert load((folder / BAD).read_text(), name=BAD) == RULES["F003"].good()
    assert load((folder / "new.keywright.json").read_text()) == RULES["F003"].good()
    assert created.structured_content["design"] == "new.keywright.json"
    assert twice.is_error
    assert "exists: replace_design changes it" in twice.content[0].text


def test_keys_simulations_exports_and_pictures_are_answered(ask: Asked) -> None:
    answers = ask(
        ("advise", {"design": BAD}),
        ("simulate", {"design": BAD}),
        ("export", {"design": GOOD, "to": "cbt"}),
        ("heatmap", {"design": GOOD}),
        ("export", {"design": GOOD, "to": "terraform", "adopt": True}),
    )
    advice, played, exported, figures, adopting = data(answers)

    assert advice["row_kinds"][0]["present"]["key"] == "{device_id}"
    assert played["clusters"]
    assert played["diagnoses"]
    assert any("createtable" in file["text"] for file in exported["files"])
    assert any("import {" in file["text"] for file in adopting["files"])
    assert figures["ranges"] > 10
    [picture] = [one for one in answers[3].content if one.type == "image"]
    assert picture.mime_type == "image/png"
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "name",
    [
        "../secret.keywright.yaml", "sub/../../secret.keywright.yaml", "/etc/passwd", "link.keywright.yaml",
        "way/secret.keywright.yaml", "absent.keywright.yaml", "secret.txt", "a\\..\\secret.keywright.yaml",
        "\0.keywright.yaml", ".", "C:x.keywright.yaml",
    ],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(ask: Asked, folder: Path, name: str) -> None:
    (folder / "link.keywright.yaml").symlink_to(folder.parent / "secret.keywright.yaml")
    (folder / "way").symlink_to(folder.parent, target_is_directory=True)

    listed, *answers = ask(
        ("list_designs", {}),
        ("read_design", {"design": name}),
        ("lint", {"design": name}),
        ("create_design", {"design": name, "document": "format: 1\n"}),
        can_write=True,
    )

    assert [one["design"] for one in listed.structured_content["designs"]] == [BAD, GOOD]
    assert all(one.is_error for one in answers[:2])
    assert answers[2].is_error or name == "absent.keywright.yaml"
    assert (folder.parent / "secret.keywright.yaml").read_text() == "format: 1\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names of files")
def test_a_pipe_with_the_name_of_a_design_is_refused_and_not_waited_for(ask: Asked, folder: Path) -> None:
    os.mkfifo(folder / "pipe.keywright.yaml")

    listed, read = ask(("list_designs", {}), ("read_design", {"design": "pipe.keywright.yaml"}))

    assert [one["design"] for one in listed.structured_content["designs"]] == [BAD, GOOD]
    assert read.is_error


def test_names_of_a_design_cannot_steer_who_reads_the_answer(ask: Asked) -> None:
    spec = RULES["F003"].bad()
    hostile = spec.model_copy(
        update={"tables": (spec.tables[0].model_copy(update={"name": "a\x1b[2J\u202eb"}), *spec.tables[1:])}
    )
    answers = data(
        ask(*((name, {"document": dump(hostile)}) for name in ("lint", "estimate", "list_fixes", "simulate")))
    )

    text = json.dumps(answers, ensure_ascii=False)
    assert "\u202e" not in text
    assert "\\\\x1b" in text
    assert not any("\x1b" in str(one) for one in answers)


def test_what_a_caller_can_mend_is_a_sentence_with_its_place(ask: Asked) -> None:
    answers = ask(
        ("lint", {"document": "format: 1\nbogus: 2\n"}),
        ("lint", {}),
        ("export", {"design": GOOD, "to": "nothing"}),
        ("heatmap", {"design": GOOD, "table": "absent"}),
        ("finding_details", {"design": GOOD, **RULE}),
        ("simulate", {"design": GOOD, "seed": -1}),
    )

    assert all(one.is_error for one in answers)
    assert "line 2, column 1: bogus: unknown key" in answers[0].content[0].text
    assert "mobile" not in answers[4].content[0].text


def test_an_argument_that_a_tool_does_not_take_is_refused_by_name(ask: Asked) -> None:
    simulated, listed, missing, wrong = ask(
        ("simulate", {"design": GOOD, "tabel": "devices"}),
        ("list_designs", {"folder": "x\x1b[2J"}),
        ("preview_fix", {"design": GOOD}),
        ("compare", {"before": GOOD, "document": "format: 1\n", "first": "no"}),
    )

    assert all(one.is_error for one in (simulated, listed, missing, wrong))
    told = [one.content[0].text for one in (simulated, listed, missing, wrong)]
    assert told[0] == "simulate has no argument tabel; it takes design, document, period, seed."
    assert told[1] == "list_designs has no argument folder; it takes none."
    assert told[2] == "preview_fix: rule: Field required; at: Field required."
    assert told[3].startswith("compare: first: Input should be a valid integer")
    assert not any("http" in one for one in told)


def test_long_lines_are_one_line_in_results() -> None:
    fields = dict.fromkeys(("rule", "severity", "at", "place", "sentence", "fix"), "a\nb")

    made = FindingSummary(**fields, line=1, fix_is_safe=False, accepted=False, consequences=0)

    assert made.sentence == "a\\nb"


@pytest.mark.parametrize(
    ("address", "token"),
    [
        ("ftp://example.com", "kw_1"), ("http://example.com", "kw_1"), ("https://a:b@example.com", "kw_1"),
        ("https://example.com?x=1", "kw_1"), ("https://example.com", "kw\n1"), ("example.com", "kw_1"),
    ],
)  # fmt: skip
def test_a_token_goes_over_https_to_a_site_only(address: str, token: str) -> None:
    with pytest.raises(StoreError):
        SiteStore(address, token)


def test_it_serves_on_standard_input_and_output(folder: Path, root: Path) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=[str(root / "manage.py"), "mcp", str(folder), "--today", "2026-11-26"],
        env={"PATH": os.environ["PATH"]},
    )  # fmt: skip

    async def session() -> tuple[Any, Any, Any]:
        async with Client(stdio_client(server)) as client:
            tools = await client.list_tools()
            return (
                tools,
                await client.call_tool("lint", {"design": BAD}),
                await client.read_resource(f"keywright://designs/{GOOD}"),
            )

    tools, lint, resource = asyncio.run(session())

    assert {tool.name for tool in tools.tools} == READING
    assert lint.structured_content["counts"]["warning"] == 1
    assert resource.contents[0].text == (folder / GOOD).read_text()


def test_what_is_not_utf_8_is_refused_and_stays_as_it_is(ask: Asked, folder: Path) -> None:
    raw = (folder / BAD).read_bytes().replace(b"# kept", b"# k\xffpt")
    (folder / BAD).write_bytes(raw)

    change = {"design": BAD, "version": hashlib.sha256(raw).hexdigest(), **RULE}
    answers = ask(("lint", {"design": BAD}), ("apply_fix", change), can_write=True)

    assert [one.is_error for one in answers] == [True, True]
    assert all("not UTF-8 text: byte 3 is 0xff" in one.content[0].text for one in answers)
    assert (folder / BAD).read_bytes() == raw


@pytest.mark.parametrize("name", ["a%20b", "a b", "50%", "q?x#y", "zwölf名"])
def test_a_resource_of_any_name_opens(folder: Path, name: str) -> None:
    (folder / f"{name}.keywright.yaml").write_text("format: 1\nname: Mine\n")

    async def session() -> list[str]:
        async with Client(build_server(Desk(FolderStore(folder), file_context(TODAY), False, TODAY))) as client:
            listed = {one.name: one.uri for one in (await client.list_resources()).resources}
            opened = await client.read_resource(listed[f"{name}.keywright.yaml"])
            return [content.text for content in opened.contents]  # type: ignore[union-attr]

    assert asyncio.run(session()) == ["format: 1\nname: Mine\n"]


def test_errors_are_in_words_of_the_tools(ask: Asked, folder: Path) -> None:
    (folder / "two.keywright.yaml").write_text("format: 1\ntables:\n  a: {}\n  b: {}\n")
    (folder / "none.keywright.yaml").write_text("format: 1\n")

    calls = [
        *((tool, {"design": f"{name}.keywright.yaml"}) for name in ("two", "none") for tool in ("advise", "heatmap")),
        ("lint", {"design": "n" * 5_000 + ".keywright.yaml"}),
    ]
    texts = [one.content[0].text for one in ask(*calls)]

    assert [text.partition(": ")[2] for text in texts[:4]] == [
        "Name one in `table`: a, b.", "Name one in `table`: a, b.",
        "The design has no table yet.", "The design has no table yet.",
    ]  # fmt: skip
    assert texts[4].endswith("nnn: File name too long")


@pytest.mark.parametrize("address", ["https://[x", "https://h:99999", "https://h:x", "https://h:0", "//h", "https://"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(StoreError, match="takes the address of a site"):
        SiteStore(address, "kw_x")
