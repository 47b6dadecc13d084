"""The action for GitHub and the jobs for GitLab: their shell, run here on a pull request that a test makes."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from designer.document.compact import dump_compact
from designer.examples import example

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
JOBS: dict[str, Any] = yaml.safe_load((ROOT / "docs/ci/gitlab.yml").read_text())
RECORDER = """#!/bin/bash
printf '%s\\n' "$*" >> "$RECORDS/{name}"
{body}
"""
GH = 'case "$*" in *--method*) cp "$FILE" "$RECORDS/body" ;; *) cat "$RECORDS/known" ;; esac'
PYTHON = (
    'if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; ln -sf "$KEYWRIGHT" "$3/bin/keywright"; fi'
)
CURL = """cat > /dev/null
case "$*" in
  */user*) echo '{"username": "bot"}' ;;
  *--request*) cp keywright.md "$RECORDS/body" ;;
  *) cat "$RECORDS/known" ;;
esac"""


# --- what is written --------------------------------------------------------------------------------------------------


def test_no_input_of_the_action_becomes_shell() -> None:
    for step in STEPS:
        if "run" in step:
            assert "${{" not in step["run"], step["name"]
            assert step["shell"] == "bash"
            assert step["run"].startswith("set -euo pipefail\n")
            done = subprocess.run(["bash", "-n"], input=step["run"], text=True, capture_output=True, check=False)
            assert (done.returncode, done.stderr) == (0, "")


def test_the_action_pins_others_and_tells_each_input() -> None:
    text = (ROOT / "action.yml").read_text()
    used = set(re.findall(r"inputs\.([\w-]+)", text))

    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+\.\d+\.\d+", step["uses"]) for step in STEPS if "uses" in step)
    assert set(ACTION["inputs"]) == used
    assert all(len(each["description"]) > 20 and "default" in each for each in ACTION["inputs"].values())
    page = (ROOT / "docs/ci.md").read_text()
    assert all(f"`{name}`" in page for name in ACTION["inputs"])
    assert all(name in page for name in JOBS["variables"])


# --- what is run ------------------------------------------------------------------------------------------------------


@dataclass
class PullRequest:
    """A clone in which a pull request is checked out, and programs that only record what is asked of them."""

    folder: Path
    base: str
    environ: dict[str, str]

    def run(self, script: str, **environ: str) -> tuple[int, str]:
        """Run shell as a job does; return its code and all that it printed."""
        done = subprocess.run(
            ["bash", "-c", script], cwd=self.folder / "clone", env=self.environ | environ, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout

    def record(self, name: str) -> str:
        """Return what was asked of a program."""
        file = self.folder / "records" / name
        return file.read_text() if file.exists() else ""


@pytest.fixture
def pull_request(tmp_path: Path, installed_command: Path) -> PullRequest:
    """It puts the time in front of a key, which costs $949 more a month; its clone is as shallow as those of CI."""
    origin, clone, programs, records = (tmp_path / name for name in ("origin", "clone", "programs", "records"))
    for folder in (origin / "designs", programs, records):
        folder.mkdir(parents=True)
    for name, body in (("gh", GH), ("python", PYTHON), ("curl", CURL)):
        (programs / name).write_text(RECORDER.format(name=name, body=body))
        (programs / name).chmod(0o755)
    (programs / "keywright").symlink_to(installed_command)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environ = {"PATH": path, "HOME": str(tmp_path), "RECORDS": str(records), "KEYWRIGHT": str(installed_command)}
    for who in ("AUTHOR", "COMMITTER"):
        environ |= {f"GIT_{who}_NAME": "n", f"GIT_{who}_EMAIL": "n@example.com"}

    def git(*arguments: str, cwd: Path = origin) -> str:
        done = subprocess.run(["git", *arguments], cwd=cwd, env=environ, text=True, capture_output=True, check=True)
        return done.stdout.strip()

    design = origin / "designs/metrics of $(touch x) `y`.keywright.yaml"
    hot = dump_compact(example("timestamp-first").spec)
    cold = hot.replace("'{time}#{machine}'", "'{machine}#{time}'")
    assert hot != cold
    git("init", "-q", "--initial-branch=main")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    for content in (cold, hot):
        design.write_text(content)
        git("add", ".")
        git("commit", "-qm", "Design")
    base = git("rev-parse", "HEAD^")
    git("clone", "-q", "--depth=1", origin.as_uri(), str(clone), cwd=tmp_path)
    return PullRequest(tmp_path, base, environ)


def run_action(pull_request: PullRequest, step_id: str, values: dict[str, str]) -> tuple[int, str]:
    """Run a step, with these values of expressions, as the runner does."""
    [step] = [step for step in STEPS if step.get("id") == step_id]
    environ = {name: EXPRESSION.sub(lambda found: values[found[1]], text) for name, text in step["env"].items()}
    files = {"GITHUB_OUTPUT": "outputs", "GITHUB_STEP_SUMMARY": "summary", "GITHUB_PATH": "paths"}
    environ |= {name: str(pull_request.folder / file) for name, file in files.items()}
    environ |= {"RUNNER_TEMP": str(pull_request.folder / "temp"), "GITHUB_REPOSITORY": "team/store"}
    environ |= {"GITHUB_ACTION_PATH": "/actions/keywright"}
    found = pull_request.run(step["run"], **environ)
    outputs = pull_request.folder / "outputs"
    for line in outputs.read_text().splitlines() if outputs.exists() else ():
        name, _, value = line.partition("=")
        values[f"steps.{step_id}.outputs.{name}"] = value
    outputs.unlink(missing_ok=True)
    return found


@pytest.mark.slow
def test_the_action_finds_comments_and_fails(pull_request: PullRequest) -> None:
    values = {f"inputs.{name}": str(each["default"]) for name, each in ACTION["inputs"].items()}
    values |= {"inputs.diff-fail-on": "cost:+100,errors", "inputs.token": "t", "github.event.pull_request.number": "7"}
    values |= {"github.event.pull_request.base.sha": pull_request.base}
    records = pull_request.folder / "records"
    (records / "known").write_text("")

    assert run_action(pull_request, "install", values)[0] == 0
    assert "--quiet --disable-pip-version-check /actions/keywright" in pull_request.record("python")
    assert (pull_request.folder / "temp/keywright/bin/keywright").exists()
    assert run_action(pull_request, "lint", values) == (0, "")
    sarif = Path(values["steps.lint.outputs.sarif"]).read_text()
    assert '"ruleId": "K004"' in sarif
    assert "metrics%20of%20%24%28touch%20x%29%20%60y%60" in sarif
    assert run_action(pull_request, "diff", values) == (0, "")
    values["steps.diff.outputs.code || '0'"] = values["steps.diff.outputs.code"]
    assert run_action(pull_request, "comment", values) == (0, "")
    assert "--method POST repos/team/store/issues/7/comments " in pull_request.record("gh")
    body = pull_request.record("body")
    assert body.startswith("<!-- keywright -->\n<!-- keywright:designs/")
    assert re.search(r"\*\*\$[\d,.]+ → \$[\d,.]+ a month \(\+\$9\d\d\.\d\d", body), body.splitlines()[3]
    assert "🔴 error [K004 timestamp-first](https://" in body
    assert "🟥" in body
    assert body.count("❌") >= 2
    assert (pull_request.folder / "summary").read_text() == body
    code, said = run_action(pull_request, "result", values)
    assert (code, said.partition(" (")[0]) == (1, "keywright lint ended with 1, keywright diff with 1")

    (records / "known").write_text("41\n42\n")
    assert run_action(pull_request, "comment", values) == (0, "")
    assert "--method PATCH repos/team/store/issues/comments/41 " in pull_request.record("gh").splitlines()[-1]
    (records / "known").unlink()
    assert "may not write the comment" in run_action(pull_request, "comment", values)[1]
    annotated = run_action(pull_request, "lint", values | {"inputs.upload-sarif": "false"})
    assert "::error file=designs/metrics of $(touch x) `y`.keywright.yaml,line=" in annotated[1]
    assert not list(pull_request.folder.rglob("x"))


@pytest.mark.slow
def test_the_jobs_of_gitlab_find_comment_and_fail(pull_request: PullRequest) -> None:
    environ = {name: str(value) for name, value in JOBS["variables"].items()}
    environ |= {"CI_MERGE_REQUEST_DIFF_BASE_SHA": pull_request.base, "CI_API_V4_URL": "https://gitlab.example/api/v4"}
    environ |= {"CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7", "KEYWRIGHT_TOKEN": "secret"}
    environ |= {"KEYWRIGHT_DIFF_FAIL_ON": "cost:+100", "CI_BUILDS_DIR": str(pull_request.folder / "builds")}
    scripts = {
        name: "\n".join(["set -eo pipefail", *JOBS[name]["script"]]) for name in ("keywright-lint", "keywright-diff")
    }
    install = "\n".join(["set -eo pipefail", *JOBS[".keywright"]["before_script"]])
    clone = pull_request.folder / "clone"

    assert "names no package" in pull_request.run(install, **environ)[1]
    assert pull_request.run(install, **environ | {"KEYWRIGHT_PACKAGE": "keywright==9"})[0] == 0
    assert pull_request.run(scripts["keywright-lint"], **environ) == (1, "")
    assert "K004" in (clone / "gl-code-quality-report.json").read_text()
    (pull_request.folder / "programs/python").unlink()
    (pull_request.folder / "programs/python").symlink_to(sys.executable)
    records = pull_request.folder / "records"
    (records / "known").write_text('[{"id": 3, "body": "<!-- keywright -->", "author": {"username": "other"}}]')
    assert pull_request.run(scripts["keywright-diff"], **environ) == (1, "")
    assert "--request POST" in pull_request.record("curl")
    assert "secret" not in pull_request.record("curl")
    assert pull_request.record("body").startswith("<!-- keywright -->\n<!-- keywright:designs/")
    (records / "known").write_text('[{"id": 4, "body": "<!-- keywright -->\\n", "author": {"username": "bot"}}]')
    assert pull_request.run(scripts["keywright-diff"], **environ | {"KEYWRIGHT_DIFF_FAIL_ON": ""}) == (0, "")
    assert pull_request.record("curl").splitlines()[-1].endswith("/merge_requests/7/notes/4")
