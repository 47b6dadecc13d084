"""What other repositories take from this one: hooks, an action and a template, run on a repository of the test."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.commandline import main
from designer.document.compact import dump_compact
from designer.examples import example

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `keywright` with these arguments in this process."""

    def call(*arguments: str) -> tuple[int, str, str]:
        return (main("keywright", arguments), *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def examples() -> dict[str, str]:
    """Two built-in designs in compact form: one that is fine, one whose key begins with the time."""
    return {name: dump_compact(example(name).spec) for name in ("machine-metrics", "timestamp-first")}


def git(*arguments: str) -> str:
    """Run git in the current folder as nobody in particular."""
    who = ("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *who, *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: dict[str, str]) -> Path:
    """A repository with one design, in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "designs").mkdir()
    (tmp_path / "designs/machines.keywright.yaml").write_text(examples["machine-metrics"])
    (tmp_path / "designs/README.md").write_text("no design\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "Design")
    return tmp_path


# --- pre-commit -------------------------------------------------------------------------------------------------------


@pytest.fixture
def hooks(root: Path) -> dict[str, dict[str, Any]]:
    return {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text())}


def run_hook(run: Run, hook: dict[str, Any]) -> tuple[int, str, str]:
    """Run a hook's entry with the tracked files that it is for, as pre-commit does."""
    files = [file for file in git("ls-files").splitlines() if re.search(hook["files"], file)]
    program, *arguments = shlex.split(hook["entry"])
    assert program == "keywright"
    return run(*arguments, *hook["args"], *files)


def test_hooks_have_what_pre_commit_asks_for(hooks: dict[str, dict[str, Any]]) -> None:
    assert set(hooks) == {"keywright-lint", "keywright-fmt"}
    for hook in hooks.values():
        assert set(hook) == {
            "id",
            "name",
            "description",
            "entry",
            "args",
            "language",
            "files",
            "minimum_pre_commit_version",
        }
        assert hook["language"] == "python"


def test_hooks_pass_a_good_design_and_find_a_bad_one(
    run: Run, hooks: dict[str, dict[str, Any]], repository: Path, examples: dict[str, str]
) -> None:
    assert run_hook(run, hooks["keywright-lint"])[0] == 0
    assert run_hook(run, hooks["keywright-fmt"]) == (0, "", "")

    bad = repository / "designs/events.keywright.yml"
    bad.write_text(f"# kept\n\n\n{examples['timestamp-first']}")
    git("add", ".")
    code, found, _ = run_hook(run, hooks["keywright-lint"])
    assert code == 1
    assert "K004 error" in found
    assert run_hook(run, hooks["keywright-fmt"])[:2] == (0, "designs/events.keywright.yml written\n")
    assert "designs/events.keywright.yml" in git("diff", "--name-only")  # by which pre-commit fails


def test_the_name_of_a_file_is_no_option_of_a_hook(
    run: Run, hooks: dict[str, dict[str, Any]], repository: Path, examples: dict[str, str]
) -> None:
    # Were the name an option, what the second file knows already would be found no more.
    bad = repository / "--baseline=known.keywright.yaml"
    bad.write_text(examples["timestamp-first"])
    (repository / "known.keywright.yaml").write_text(run("lint", "--format", "json", "--", bad.name)[1])
    git("add", "--", bad.name)

    assert run_hook(run, hooks["keywright-lint"])[0] == 1
    assert run_hook(run, hooks["keywright-fmt"])[0] == 0


# --- comparing with git -----------------------------------------------------------------------------------------------


def hotter(text: str) -> str:
    """Return the design with the time at the start of its key and more to store."""
    changed = text.replace("key: '{machine}#{time}'", "key: '{time}#{machine}'")
    assert changed != text
    return changed


def test_designs_are_compared_with_a_revision(run: Run, repository: Path, examples: dict[str, str]) -> None:
    assert run("diff", "--since", "HEAD", "--format", "github") == (
        0, "<!-- keywright -->\nNo design changed.\n", "",
    )  # fmt: skip
    file = repository / "designs/machines.keywright.yaml"
    file.write_text(hotter(file.read_text()))
    (repository / "designs/new-- @team.keywright.yaml").write_text(examples["timestamp-first"])
    (repository / "designs/broken.keywright.json").write_text("{}}")
    (repository / "designs/README.md").write_text("still none\n")
    git("add", "-N", ".")
    code, comment, stderr = run("diff", "--since", "main", "--format", "github", "--fail-on", "keys")

    assert code == 2
    assert "broken.keywright.json" in stderr
    assert comment.startswith("<!-- keywright -->\n<!-- keywright:designs/broken.keywright.json -->\n")
    assert "<!-- keywright:designs/machines.keywright.yaml -->" in comment
    assert "❌ all stored keys of metrics must be rewritten" in comment
    assert "<!-- keywright:designs/new-%2D%20%40team.keywright.yaml -->" in comment
    assert "@team" not in comment
    assert "README" not in comment
    git("rm", "-qrf", "designs/broken.keywright.json", "designs/new-- @team.keywright.yaml")
    assert run("diff", "--since", "main", "--fail-on", "keys", "designs/*.yaml")[0] == 1
    assert run("diff", "--since", "main", "docs")[:2] == (0, "\n")


def test_a_design_that_git_does_not_track_is_new(run: Run, repository: Path, examples: dict[str, str]) -> None:
    for name in ("designs/new", "designs/ignored", "top"):
        (repository / f"{name}.keywright.yaml").write_text(examples["timestamp-first"])
    (repository / ".gitignore").write_text("ignored*\n")
    _, everything, _ = run("diff", "--since", "HEAD", "--format", "github")
    _, of_folder, _ = run("diff", "--since", "HEAD", "--format", "github", "designs")
    _, ignored, _ = run("diff", "--since", "HEAD", "--format", "github", "designs/ignored.keywright.yaml")

    compared = [re.findall(r"<!-- keywright:(.+) -->", text) for text in (everything, of_folder, ignored)]
    assert compared == [
        ["designs/new.keywright.yaml", "top.keywright.yaml"],
        ["designs/new.keywright.yaml"],
        ["designs/ignored.keywright.yaml"],
    ]
    assert run("diff", "--since", "HEAD", "--fail-on", "cost", "top.keywright.yaml")[0] == 1


def test_a_design_that_git_tracks_no_longer_is_compared_with_its_file(run: Run, repository: Path) -> None:
    git("rm", "-q", "--cached", "designs/machines.keywright.yaml")
    code, unchanged, _ = run("diff", "--since", "HEAD", "--format", "github", "--fail-on", "cost")

    assert code == 0
    assert unchanged.count("<!-- keywright:") == 1
    assert "Nothing changed in the design." in unchanged


def test_a_renamed_design_is_one_and_a_deleted_one_costs_nothing(run: Run, repository: Path) -> None:
    git("mv", "designs/machines.keywright.yaml", "designs/metrics.keywright.yaml")
    code, renamed, _ = run("diff", "--since", "HEAD", "--format", "github", "--fail-on", "cost")
    assert code == 0
    assert "Nothing changed in the design." in renamed
    git("rm", "-qf", "designs/metrics.keywright.yaml")
    code, deleted, _ = run("diff", "--since", "HEAD", "--fail-on", "cost")
    assert code == 0
    assert "→ $0.00 a month" in deleted


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--since", "nowhere"), "git has no revision 'nowhere'"),
        (("--since", "--output=x"), "git has no revision '--output=x'"),
        (("--since", "HEAD", "--json"), "--since has no JSON form"),
        (("one.json",), "name two designs"),
    ],
)
def test_what_cannot_be_compared_is_said(run: Run, repository: Path, arguments: tuple[str, ...], reason: str) -> None:
    given = ("--since=--output=x",) if "--output=x" in arguments else arguments
    code, _, stderr = run("diff", *given)

    assert code == 2
    assert reason in stderr
    assert not (repository / "x").exists()


def test_a_link_to_another_file_is_not_read(run: Run, repository: Path) -> None:
    file = repository / "designs/machines.keywright.yaml"
    file.unlink()
    file.symlink_to("/etc/passwd")
    code, comment, _ = run("diff", "--since", "HEAD", "--format", "github")

    assert code == 2
    assert "is a symbolic link" in comment
    assert "root" not in comment
