"""run.py, which must be right before anything is installed."""

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def run(root: Path) -> dict[str, Any]:
    return runpy.run_path(str(root / "run.py"), run_name="run")


def test_an_old_python_is_told_which_one_is_needed(root: Path) -> None:
    pretend = "import runpy, sys; sys.version_info = (3, 9, 2); runpy.run_path('run.py', run_name='__main__')"
    result = subprocess.run([sys.executable, "-c", pretend], cwd=root, capture_output=True, text=True, check=False)

    assert result.returncode == 1
    assert "needs Python 3.11 or newer, and this is Python 3.9" in result.stderr


def test_it_needs_nothing_but_the_standard_library(root: Path) -> None:
    tree = ast.parse((root / "run.py").read_text(encoding="utf-8"))
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}

    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_an_old_python_can_read_it_far_enough_to_say_so(root: Path) -> None:
    ast.parse((root / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_the_environments_own_python_does_not_make_it_anew(
    run: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run["stamp"].__globals__["HERE"] = tmp_path
    (tmp_path / "requirements.txt").write_text("django==5.2\n")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    before = run["stamp"]("requirements.txt")
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert run["stamp"]("requirements.txt") == before


def test_a_changed_requirement_file_makes_a_new_environment(run: dict[str, Any], tmp_path: Path) -> None:
    run["stamp"].__globals__["HERE"] = tmp_path
    (tmp_path / "requirements.txt").write_text("django==5.2.19\n")
    before = run["stamp"]("requirements.txt")
    (tmp_path / "requirements.txt").write_bytes(b"django==5.2.19\r\n")

    assert run["stamp"]("requirements.txt") == before  # as git writes it on Windows
    (tmp_path / "requirements.txt").write_text("django==5.2.20\n")
    assert run["stamp"]("requirements.txt") != before


def test_every_folder_of_tests_is_in_a_part(root: Path, run: dict[str, Any]) -> None:
    parts = (*run["COMPUTING_PARTS"], *run["WAITING_PARTS"])
    given = {re.match(r"(tests/\w+)?", argument)[0] for part in parts for argument in part.arguments}
    folders = {
        f"tests/{path.name}" for path in (root / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"
    }

    assert given - {""} == folders


def test_parts_that_ci_leaves_out_are_there_and_run_whole_in_its_next_steps(root: Path, run: dict[str, Any]) -> None:
    steps = (root / ".ci/run").read_text(encoding="utf-8")
    without = set(re.findall(r'"--without=([^"]+)"', steps))

    assert without == {"PostgreSQL", "jobs, alone"}
    assert without <= {part.name for part in (*run["COMPUTING_PARTS"], *run["WAITING_PARTS"])}
    assert re.search(r'-p tests\.postgres -m "" .*tests/db$', steps, re.MULTILINE)
    assert re.search(r"test -q tests/jobs$", steps, re.MULTILINE)
    with pytest.raises(SystemExit, match="no part of the tests: none"):
        run["run_parts"]({"none"})


def test_ci_installs_every_program_without_which_tests_are_skipped_and_that_debian_has(root: Path) -> None:
    other = {  # java comes with javac, node with a wheel; bash is there, and no package of Debian has the rest
        "bash", "cbt", "cbtemulator", "docker", "gcloud", "java", "node", "terraform",
        "debootstrap",  # of a nightly test
    }  # fmt: skip
    sources = [path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.py")]
    programs = {name for text in sources for name in re.findall(r'which\("(\w+)"\)', text)}

    steps = (root / ".ci/run").read_text(encoding="utf-8")
    assert {"fish", "zsh", "go", "javac", "pdftoppm"} <= programs - other
    assert [name for name in programs - other if f"command -v {name} " not in steps] == []


def test_what_runs_on_postgresql_is_there(root: Path) -> None:
    for test in (root / "tests/db/postgres.txt").read_text(encoding="utf-8").splitlines():
        file, name = re.match(r"([^:]+)::(\w+)", test).groups()

        assert f"def {name}(" in (root / file).read_text(encoding="utf-8"), test


@pytest.mark.parametrize(
    ("arguments", "client", "rest"),
    [
        ([], "", []), (["lint", "--with", "x"], "", ["lint", "--with", "x"]),
        (["--with", "bigtable", "try", "a"], "bigtable", ["try", "a"]), (["--with=bigtable"], "bigtable", []),
    ],
)  # fmt: skip
def test_a_client_is_asked_for_before_the_command(
    run: dict[str, Any], arguments: list[str], client: str, rest: list[str]
) -> None:
    assert run["take_client"](arguments) == (client, rest)


@pytest.mark.parametrize("arguments", [["--with"], ["--with", "x"], ["--with=bigtable", "--with", "bigtable"]])
def test_a_client_that_is_not_known_is_refused(run: dict[str, Any], arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="--with needs one of bigtable"):
        run["take_client"](arguments)


def test_a_client_is_installed_once_into_a_folder_of_its_own(
    run: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[str]] = []
    inside = run["make_client"].__globals__
    monkeypatch.setitem(inside, "VENV", tmp_path / ".venv")
    monkeypatch.setitem(inside, "HERE", tmp_path)
    (tmp_path / "requirements-bigtable.txt").write_text("x==1\n")

    def install(arguments: list[str], **_: object) -> int:
        calls.append(arguments)
        Path(arguments[arguments.index("--target") + 1]).mkdir(parents=True)
        return 0

    monkeypatch.setattr(inside["shutil"], "which", lambda name: None)
    monkeypatch.setattr(inside["subprocess"], "call", lambda command, **_: 0)
    monkeypatch.setitem(inside, "run", install)

    folders = [run["make_client"]("bigtable") for _ in range(2)]

    assert folders == [tmp_path / ".venv/clients/bigtable"] * 2
    assert len(calls) == 1
    assert {"--require-hashes", "--no-deps"} <= set(calls[0])
    (tmp_path / "requirements-bigtable.txt").write_text("x==2\n")
    run["make_client"]("bigtable")
    assert len(calls) == 2


def test_benchmarks_have_the_environment_of_development(run: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """They read PDF files and drive a browser."""
    made = list[tuple[str, ...]]()
    inside = run["main"].__globals__
    monkeypatch.setitem(inside, "make_environment", lambda *arguments: made.append(arguments))
    monkeypatch.setitem(inside, "run", lambda arguments: 0)

    assert run["main"](["--with", "bench", "bench", "traces"]) == 0
    assert made == [("requirements-dev.txt", "bench")]
