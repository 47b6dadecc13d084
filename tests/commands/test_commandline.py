"""The command line as a whole: which commands there are, how they end, and what is said where one cannot."""

import errno
import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError

from config.commandline import main
from config.commandline.catalogue import GROUPS, commands
from config.commandline.completion import PARTS
from config.commandline.main import EXTRAS, usage
from designer.document import dump
from designer.examples import example
from designer.http.version import VERSION
from estimator.management.commandline import ProgressBar
from estimator.management.commands import lint

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `keywright` with these arguments in this process."""

    def call(*arguments: str, program: str = "keywright") -> tuple[int, str, str]:
        code = main(program, arguments)
        return (code, *capsys.readouterr())

    return call


def test_every_command_of_the_program_is_listed_with_its_module(root: Path) -> None:
    there = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for path in root.glob("*/management/commands/[a-z]*.py")
        if path.parts[-4] in ("config", "designer", "estimator", "reviews")
    }
    listed = [entry for group in GROUPS.values() for entry in group]

    assert {entry.module for entry in listed} == there
    assert len({entry.name for entry in listed}) == len(listed)
    for entry in listed:
        assert hasattr(importlib.import_module(entry.module), "Command")
        assert re.fullmatch(r"[A-Z][^\n]{10,75}\.", entry.summary), entry.name


def test_an_installed_copy_offers_nothing_that_changes_its_own_files() -> None:
    assert not {"new_rule", "messages"} & commands(is_installed=True).keys()
    assert {"new_rule", "messages", "lint"} <= commands(is_installed=False).keys()


def test_help_lists_the_commands_in_groups_with_a_line_each(run: Run) -> None:
    code, listed, _ = run("--help")

    assert (code, listed) == (0, usage("keywright") + "\n")
    assert "\nJudge designs:\n  lint  " in listed
    assert "runserver" not in listed
    assert all(len(line) <= 100 for line in listed.splitlines())
    assert run("help")[1] == run("-h")[1] == listed


def test_help_of_a_command_shows_its_own_options_alone(run: Run) -> None:
    code, shown, _ = run("help", "lint")

    assert code == 0
    assert "usage: keywright lint" in shown
    assert "--fail-on" in shown
    assert "--pythonpath" not in shown
    assert run("lint", "--help")[1] == shown


def test_the_version_is_the_programs(run: Run) -> None:
    assert run("--version") == (0, f"keywright {VERSION}\n", "")
    assert run("--version", program="manage.py")[1] == f"keywright {VERSION}\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("lnt",), "keywright: There is no command 'lnt'. Did you mean lint? `keywright --help` lists them.\n"),
        (("migrate",), "keywright: There is no command 'migrate'. `keywright --help` lists them.\n"),
        (("manage", "migrat"), "keywright manage: There is no command 'migrat'. Did you mean migrate?"),
        (("lint", "absent.json"), "keywright lint: absent.json: No such file or directory\n"),
        (("prices", "show", "absent"), "keywright prices: there is no price book 'absent'; there are: "),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line_and_ends_with_2(
    run: Run, arguments: tuple[str, ...], sentence: str
) -> None:
    code, printed, said = run(*arguments)

    assert (code, printed) == (2, "")
    assert said.startswith(sentence), said
    assert said.count("\n") == 1


def test_an_option_that_is_none_ends_with_2(run: Run) -> None:
    code, _, said = run("lint", "--nonsense", "x.json")

    assert code == 2
    assert "unrecognized arguments: --nonsense" in said


def test_a_command_of_django_that_refuses_ends_with_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    assert run("backup", str(tmp_path / "notes.txt"))[0] == 2


def test_what_fails_in_the_program_ends_with_3_and_says_where(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: lint.Command, **_: object) -> None:
        raise LookupError("no such strata")

    monkeypatch.setattr(lint.Command, "handle", broken)
    code, _, said = run("lint", "x.json")
    _, _, all_of_it = run("lint", "x.json", "--traceback")

    assert code == 3
    assert re.match(r"keywright lint: LookupError: no such strata \(tests/commands/\S+\.py, line \d+\)\.", said)
    assert "Traceback" not in said
    assert "Traceback" in all_of_it


def test_what_the_machine_refuses_is_said_as_it_is(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: lint.Command, **_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "taken").write_text("")
    monkeypatch.setattr(lint.Command, "handle", full)

    assert run("lint", "x.json") == (3, "", "keywright lint: No space left on device\n")
    assert run("rule_docs", "--out", f"{tmp_path}/taken/x") == (
        3, "", f"keywright rule_docs: {tmp_path}/taken/x: Not a directory\n",
    )  # fmt: skip


def test_a_full_disk_at_the_end_of_what_is_printed_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main("keywright", ["--version"]) == 3
    assert capsys.readouterr().err == "keywright: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_file_or_pipe_gets_utf_8_whatever_the_encoding_of_the_system_is(
    monkeypatch: pytest.MonkeyPatch, folder: Path, encoding: str
) -> None:
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(held, encoding=encoding))

    assert main("keywright", ["estimate", "a.keywright.json"]) == 0
    assert "\N{NO-BREAK SPACE}" in held.getvalue().decode()


def test_without_docstrings_nothing_is_judged(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-OO", root / "manage.py", "--version"], text=True, capture_output=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("run Python without -OO and PYTHONOPTIMIZE=2.\n")


def test_a_full_disk_is_said_with_the_file(run: Run, folder: Path) -> None:
    code, _, said = run("import", "a.keywright.json", "--out", "/dev/full", "--overwrite")

    assert (code, said.splitlines()[-1]) == (2, "keywright import: /dev/full: No space left on device")


def test_help_of_completion_names_the_shells(run: Run) -> None:
    code, printed, _ = run("completion", "--help")

    assert code == 0
    assert printed.startswith("usage: keywright completion {bash,zsh,fish}\n")


def test_a_damaged_database_is_said_in_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_damage(self: lint.Command, **_: object) -> None:
        raise DatabaseError("file is not a database")

    monkeypatch.setattr(lint.Command, "handle", raise_damage)
    sentence = "The database cannot be read (file is not a database). Put a backup in its place: see keywright doctor."

    assert run("lint", "x.json") == (2, "", f"keywright lint: {sentence}\n")


def test_a_database_without_tables_is_said_in_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def empty(self: lint.Command, **_: object) -> None:
        raise OperationalError("no such table: designer_design")

    monkeypatch.setattr(lint.Command, "handle", empty)
    code, _, said = run("lint", "x.json")

    assert code == 2
    assert said == (
        "keywright lint: The database does not answer or has no tables yet (no such table: designer_design). "
        "Make them first: keywright manage migrate\n"
    )


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("django_htmx", ["serve"], "site"),
        ("django_htmx", ["manage", "check"], "site"),
        ("typst", ["export"], "pdf"),
        ("mcp", ["mcp"], "mcp"),
    ],
)
def test_a_part_that_is_not_installed_is_named_with_its_extra(
    root: Path, tmp_path: Path, module: str, arguments: list[str], extra: str
) -> None:
    (tmp_path / "a.json").write_text(dump(example("timestamp-first").spec), encoding="utf-8")
    if arguments == ["export"]:
        arguments = ["export", "a.json", "--to", "pdf", "--out", "a.pdf"]
    program = (
        f"import sys; sys.path.insert(0, {str(root)!r}); sys.modules[{module!r}] = None\n"
        f"from config.commandline import main; sys.exit(main('keywright', {arguments!r}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={"PATH": os.environ["PATH"], "KEYWRIGHT_DATA": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert ended.returncode == 2
    sentence = f"{module} is not installed: it comes with the extra {extra}, as in pip install 'keywright[{extra}]'."
    assert ended.stderr.strip().endswith(sentence)
    assert len(ended.stderr.splitlines()) == 1


def test_commands_of_files_start_without_django(root: Path) -> None:
    modules = [entry.module for group in GROUPS.values() for entry in group if entry.of_files]
    program = (
        "import importlib, sys; sys.modules['django'] = None\n"
        f"for module in {modules!r}: importlib.import_module(module).Command().create_parser('keywright', 'x')"
    )
    environ = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_every_extra_says_what_is_installed_with_it(root: Path) -> None:
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    needed = {name: " ".join(given).lower().replace("-", "_") for name, given in extras.items()}

    assert EXTRAS.keys() == needed.keys()
    for extra, modules in EXTRAS.items():
        for module in modules:
            assert module in needed[extra] or module in ("csp", "ninja"), module


def test_settings_that_make_no_sense_are_said_without_a_traceback(root: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "KEYWRIGHT_DATA": str(tmp_path), "KEYWRIGHT_MODE": "taem"}
    environ.pop("DJANGO_SETTINGS_MODULE", None)
    command = [sys.executable, "-m", "keywright", "purge"]
    done = subprocess.run(command, cwd=root, env=environ, text=True, capture_output=True, check=False)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "keywright purge: KEYWRIGHT_MODE is 'taem'; it must be one of: embedded, team.\n"


def test_no_color_reaches_what_django_prints(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_COLORS", "")  # put back as it was
    monkeypatch.setenv("NO_COLOR", "1")
    run("--version")

    assert os.environ["DJANGO_COLORS"] == "nocolor"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three designs below the folder that the person is in; only two have the ending of designs."""
    for name, slug in {"a.keywright.json": "timestamp-first", "sub/b.keywright.json": "mobile-devices"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(dump(example(slug).spec), encoding="utf-8")
    (tmp_path / "other.json").write_text("{", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "given",
    [(".",), ("**/*.keywright.json",), ("a.keywright.json", "sub"), ("sub/../a.keywright.json", "sub/*.json")],
)
def test_lint_takes_files_folders_and_patterns(run: Run, folder: Path, given: tuple[str, ...]) -> None:
    code, printed, _ = run("lint", *given, "--format", "json")
    report = json.loads(printed)

    assert code == 1
    assert [Path(file).name for file in report["files"]] == ["a.keywright.json", "b.keywright.json"]
    assert {finding["file"] for finding in report["findings"]} == set(report["files"])


def test_the_compact_form_is_written_linted_and_turned_back(run: Run, folder: Path) -> None:
    file = folder / "compact" / "a.keywright.yaml"
    file.parent.mkdir()
    code, text, _ = run("fmt", "a.keywright.json", "--to", "yaml")
    assert code == 0
    file.write_text(f"# ours\n{text}".replace("name:", "name:   "), encoding="utf-8")

    assert run("fmt", "compact", "--check") == (1, "compact/a.keywright.yaml would change\n", "")
    assert run("fmt", "compact") == (0, "compact/a.keywright.yaml written\n", "")
    assert file.read_text(encoding="utf-8") == f"# ours\n{text}"
    assert run("fmt", str(file), "a.keywright.json", "--check") == (0, "", "")
    assert run("fmt", str(file), "--to", "json")[1] == (folder / "a.keywright.json").read_text(encoding="utf-8")
    findings = json.loads(run("lint", "compact", "--json")[1])["findings"]
    [found] = [one for one in findings if one["rule"] == "K004"]
    assert text.splitlines()[found["line"] - 2].lstrip().startswith("key")


def test_fmt_keeps_the_schema_of_an_editor_and_refuses_what_is_no_design(run: Run, folder: Path) -> None:
    file = folder / "a.keywright.json"
    text = file.read_text(encoding="utf-8").replace("{", '{\n  "$schema": "keywright.schema.json",', 1)
    file.write_text(text, encoding="utf-8")

    assert run("fmt", str(file), "--check") == (0, "", "")
    code, _, said = run("fmt", "other.json", str(file))
    assert code == 2
    assert "other.json, line 1" in said


def test_a_full_disk_leaves_the_design_as_it_was(run: Run, folder: Path) -> None:
    resource = pytest.importorskip("resource")
    file = folder / "a.keywright.json"
    untidy = json.dumps(json.loads(file.read_bytes()))
    file.write_text(untidy, encoding="utf-8")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        code, _, said = run("fmt", str(file))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert code == 2
    assert "a.keywright.json: File too large" in said
    assert file.read_text(encoding="utf-8") == untidy
    assert not [one.name for one in folder.iterdir() if one.name.startswith(".a.")]


def test_fmt_replaces_the_file_that_a_link_leads_to(run: Run, folder: Path) -> None:
    file = folder / "a.keywright.json"
    tidy = file.read_bytes()
    file.write_text(json.dumps(json.loads(tidy)), encoding="utf-8")
    link = folder / "linked.keywright.json"
    link.symlink_to(file)

    assert run("fmt", str(link))[0] == 0
    assert link.is_symlink()
    assert file.read_bytes() == tidy


@pytest.mark.parametrize("given", ["*.yaml", "empty"])
def test_a_pattern_or_folder_without_designs_is_unusable(run: Run, folder: Path, given: str) -> None:
    (folder / "empty").mkdir()
    code, _, said = run("lint", given)

    assert code == 2
    assert said.startswith(f"keywright lint: {given} ")


@pytest.mark.parametrize("command", ["lint", "fmt", "import"])
def test_an_empty_name_is_not_this_folder(run: Run, folder: Path, command: str) -> None:
    (folder / "main.tf").write_text('resource "google_bigtable_table" "t" {\n  name = "t"\n}\n')
    before = {file: file.read_bytes() for file in folder.rglob("*.*")}

    assert run(command, "")[0] == 2
    assert {file: file.read_bytes() for file in folder.rglob("*.*")} == before


def test_a_file_that_cannot_be_used_hides_no_other(run: Run, folder: Path) -> None:
    code, printed, said = run("lint", "a.keywright.json", "other.json", "absent.json")

    assert code == 2
    assert "K004" in printed
    assert "other.json, line 1" in said
    assert "absent.json: No such file" in said


def test_only_what_a_baseline_has_not_is_shown_and_fails(run: Run, folder: Path) -> None:
    (folder / "base.json").write_text(run("lint", ".", "--json")[1], encoding="utf-8")

    assert run("lint", ".", "--baseline", "base.json")[0] == 0
    (folder / "new.keywright.json").write_text((folder / "a.keywright.json").read_text())
    code, printed, _ = run("lint", ".", "--baseline", "base.json", "--format", "github")
    assert code == 1
    assert set(re.findall(r"file=([^,]+)", printed)) == {"new.keywright.json"}
    assert run("lint", ".", "--baseline", "a.keywright.json")[0] == 2
    assert run("lint", ".", "--baseline", "absent.json")[0] == 2


def test_a_baseline_knows_a_file_however_it_is_named(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    file = "hot.keywright.json"
    (folder / file).write_text(dump(example("sequential-id").spec))
    (folder / "before.json").write_text(run("lint", file, "--json")[1])

    for named in (file, f"./{file}", str(folder / file), f"../{folder.name}/{file}"):
        assert "nothing found, 3 in the baseline" in run("lint", named, "--baseline", "before.json")[1]
    assert f"file={file}," in run("lint", str(folder / file), "--format", "github")[1]
    assert run("lint", file, f"./{file}", "--json")[1] == run("lint", file, "--json")[1]


@pytest.mark.parametrize("streams", [("stdout",), ("stderr",), ("stdin", "stdout", "stderr")])
def test_closed_streams_change_no_exit_code(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, streams: tuple[str, ...]
) -> None:
    for arguments, code in ((("--help",), 0), (("--version",), 0), (("lint", "absent.json"), 2), (("nope",), 2)):
        for name in streams:
            monkeypatch.setattr(sys, name, None)
        assert run(*arguments)[0] == code, arguments
    monkeypatch.setattr(sys, "stdin", None)
    assert run("lint", "-")[0] == 2


def test_a_process_ends_with_all_that_it_printed_and_made_undone(root: Path, folder: Path) -> None:
    code = (
        "import atexit, runpy, sys; atexit.register(print, 'undone');"
        "sys.argv[1:] = ['lint', 'a.keywright.json', '--sarif']; runpy.run_module('keywright', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, text=True, capture_output=True, check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (1, "")
    report, _, last = done.stdout.rstrip().rpartition("\n")
    assert json.loads(report)["version"] == "2.1.0"
    assert last == "undone"


def test_a_day_that_is_none_is_said(run: Run, folder: Path) -> None:
    code, _, said = run("lint", "x.json", "--today", "2026-13-01")
    assert (code, said.splitlines()[-1]) == (
        2,
        "keywright lint: error: argument --today: '2026-13-01' is no day, such as 2026-11-28",
    )


def test_one_format_is_printed(run: Run, folder: Path) -> None:
    assert run("lint", ".", "--json", "--format", "github")[0] == 2
    assert run("lint", ".", "--sarif")[1] == run("lint", ".", "--format", "sarif")[1]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_and_then_files(run: Run, folder: Path) -> None:
    script = run("completion", "bash")[1]
    asked = script + "COMP_WORDS=(keywright li); COMP_CWORD=1; _keywright; echo ${COMPREPLY[@]}\n"
    asked += "COMP_WORDS=(keywright lint a); COMP_CWORD=2; _keywright; echo ${#COMPREPLY[@]}\n"
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["lint", "0"]  # none of ours: bash goes on to files
    assert "complete -o bashdefault -o default" in script


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_options_and_their_choices(run: Run, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "keywright"
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{root}' exec '{sys.executable}' -m keywright \"$@\"\n")
    program.chmod(0o755)
    asked = run("completion", "bash")[1]
    for line in (
        "lint --ba",
        "lint --format g",
        "lint --format json --fail-on ''",
        "export --to te",
        "prices fetch --ke",
        "prices re",
        "completion z",
        "nothing --x",
    ):
        words = ["keywright", *line.split(" ")]
        asked += f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _keywright; echo ${{COMPREPLY[@]}}\n"
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True, env=environ)

    assert done.stdout.split("\n") == [
        "--baseline",
        "github gitlab",
        "note warning error never",
        "terraform",
        "--key",
        "reprice",
        "zsh",
        "",
        "",
    ]


@pytest.mark.skipif(shutil.which("fish") is None, reason="there is no fish")
def test_fish_completes_options_their_choices_and_parts(run: Run, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "keywright"
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{root}' exec '{sys.executable}' -m keywright \"$@\"\n")
    program.chmod(0o755)
    script = run("completion", "fish")[1]
    lines = ("lint --ba", "lint --format g", "lint --format json --fail-on n", "export --to te", "prices fetch --ke",
             "prices re", "completion z")  # fmt: skip
    for line in lines:
        script += f"\ncomplete -C 'keywright {line}'; echo ."
    environ = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["fish", "-N", "-c", script], capture_output=True, text=True, check=True, env=environ, cwd=tmp_path
    )

    assert [block.split() for block in done.stdout.split(".\n")] == [
        ["--baseline"], ["github", "gitlab"], ["never", "note"], ["terraform"], ["--key"], ["reprice"], ["zsh"], []
    ]  # fmt: skip


ZSH_TERMINAL = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; source ./completion.zsh; show() { print -r -- "<$BUFFER>"; BUFFER=; zle .accept-line }'
zpty -w shell 'zle -N show; bindkey "^X" show; print READY-$((1+1))'
zpty -r shell output '*READY-2*'
for line in "$@"; do
  zpty -w -n shell "$line"$'\t\x18'
  zpty -r shell output '*<*>*'
  print -r -- ${${output##*<}%%>*}
done
zpty -d shell
"""
"""Types each line and Tab into a shell with a terminal of its own, and prints what then stands there."""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="there is no zsh")
def test_zsh_completes_options_their_choices_and_parts(run: Run, root: Path, tmp_path: Path) -> None:
    program = tmp_path / "keywright"
    program.write_text(f"#!/bin/sh\nPYTHONPATH='{root}' exec '{sys.executable}' -m keywright \"$@\"\n")
    program.chmod(0o755)
    (tmp_path / "completion.zsh").write_text(run("completion", "zsh")[1])
    lines = ("lin", "lint --ba", "lint --format gith", "export --to te", "prices re", "completion z")
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "dumb"}
    done = subprocess.run(
        ["zsh", "-f", "-c", ZSH_TERMINAL, "zsh", *(f"keywright {line}" for line in lines)],
        capture_output=True, text=True, check=True, env=environ, cwd=tmp_path, timeout=120,
    )  # fmt: skip

    assert [line.split()[1:] for line in done.stdout.splitlines()] == [
        ["lint"], ["lint", "--baseline"], ["lint", "--format", "github"], ["export", "--to", "terraform"],
        ["prices", "reprice"], ["completion", "zsh"],
    ]  # fmt: skip


def test_the_parts_that_are_completed_are_those_of_the_commands(run: Run) -> None:
    told = re.findall(r"^ {4}(\w+) ", run("prices", "--help")[1], flags=re.MULTILINE)

    assert told == list(PARTS["prices"])


def test_every_command_is_completed_in_every_shell(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = run("completion", shell)[1]
        assert all(re.search(rf"\b{name}\b", script) for name in (*commands(is_installed=False), "manage"))
    assert run("completion", "tcsh")[0] == run("completion")[0] == 2


def test_progress_is_told_in_percent_where_somebody_watches(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with ProgressBar(1_000, "%") as bar:
        bar.show(255)
    assert capsys.readouterr().err == f"\r{'█' * 10}{'░' * 30} 25 %\n"

    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with ProgressBar(1_000, "%") as bar:
        bar.show(255)
    assert capsys.readouterr().err == ""
