"""The wheel: built, installed in an empty environment, and used there by somebody who has no clone."""

import asyncio
import gzip
import os
import re
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from designer.http.version import VERSION
from tests.commands.wheel import pip

pytestmark = pytest.mark.slow  # a minute and a registry: pip installs what the wheel asks for
MOST_WHEEL_BYTES = 5_000_000
MOST_CORE_BYTES = 100_000_000
"""Without pip and compiled modules; numpy with its linear algebra is most of it."""
MOST_SECONDS = 0.4
"""Of a processor, for a design that was judged before."""
TOOLS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence")


def installed_bytes(python: Path) -> int:
    """Return the bytes in site-packages, without those of pip and of compiled modules."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    there = Path(subprocess.run([python, "-c", code], text=True, capture_output=True, check=True).stdout.strip())
    files = [file for file in there.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    return sum(f.stat().st_size for f in files if not f.relative_to(there).parts[0].startswith(TOOLS))


@dataclass
class Core:
    """What there is with an installation without extras."""

    installed_bytes: int
    linted: tuple[int, str, str]
    again: tuple[int, str, str]
    again_seconds: float
    """Of a processor, for the same once more."""
    served: tuple[int, str, str]


@pytest.fixture(scope="module")
def core(folder: Path, tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Core:
    """An environment of its own with the wheel and no extras, asked to lint and to serve."""
    python = tmp_path_factory.mktemp("core") / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    pip(str(python), "-m", "pip", "install", "-q", str(wheel))
    file = folder / "core.keywright.json"
    with zipfile.ZipFile(wheel) as files:
        file.write_bytes(files.read("keywright/app/designer/examples/mobile-devices.json"))

    cache = folder / "core-cache"

    def run(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [python.with_name("keywright"), *arguments], text=True, capture_output=True, timeout=120, check=False,
            env={"PATH": os.environ["PATH"], "KEYWRIGHT_DATA": str(folder / "core"), "KEYWRIGHT_CACHE": str(cache)},
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    linted = run("lint", str(file))
    before = os.times()
    again = run("lint", str(file))
    after = os.times()
    again_seconds = sum(after[2:4]) - sum(before[2:4])
    return Core(installed_bytes(python), linted, again, again_seconds, run("serve"))


@pytest.fixture(scope="module")
def keywright(folder: Path, installed_command: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts the installed command in an empty folder, for somebody with an empty home."""
    (folder / "home").mkdir()
    (folder / "here").mkdir()
    names = ("PATH", "SYSTEMROOT", "TEMP", "TMP")
    environ = {name: os.environ[name] for name in names if name in os.environ}
    home = str(folder / "home")
    environ |= {
        "HOME": home,
        "USERPROFILE": home,
        "LOCALAPPDATA": home,
        "PYTHONUNBUFFERED": "1",
        "KEYWRIGHT_CACHE": str(folder / "cache"),
    }

    def start(*arguments: str, **settings: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [installed_command, *arguments],
            cwd=folder / "here", env=environ | settings, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return start


@pytest.fixture
def ended(keywright: Callable[..., subprocess.Popen[str]]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command to its end."""

    def run(*arguments: str, **settings: str) -> tuple[int, str, str]:
        process = keywright(*arguments, **settings)
        stdout, stderr = process.communicate(timeout=120)
        return process.returncode, stdout, stderr

    return run


@pytest.fixture
def design(folder: Path, wheel: Path) -> str:
    """A built-in design, out of the wheel."""
    with zipfile.ZipFile(wheel) as files:
        data = files.read("keywright/app/designer/examples/mobile-devices.json")
    (folder / "here" / "mobile.keywright.json").write_bytes(data)
    return "mobile.keywright.json"


def test_the_wheel_holds_one_package_with_all_that_a_clone_has(wheel: Path, root: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        there = {name for name in files.namelist() if ".dist-info/" not in name}
    tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.split()
    folders = ("config/", "designer/", "estimator/", "reviews/", "static/", "templates/")
    wanted = {f"keywright/app/{name}" for name in tracked if name.startswith(folders) and (root / name).exists()}

    assert {name.split("/")[0] for name in there} == {"keywright"}
    assert not wanted - there
    assert "keywright/app/locale/ja/LC_MESSAGES/django.mo" in there
    assert not any("tests" in name.split("/") or name.endswith((".pyc", ".sqlite3")) for name in there)
    assert wheel.stat().st_size < MOST_WHEEL_BYTES


def test_without_extras_it_lints_and_names_the_extra_that_serves(core: Core) -> None:
    assert core.linted[0] == 0, core.linted
    assert core.again == core.linted
    assert core.again_seconds < MOST_SECONDS
    assert core.served[0] == 2
    assert "keywright[site]" in core.served[2]
    assert core.installed_bytes < MOST_CORE_BYTES, f"{core.installed_bytes:,} bytes"


def test_all_extras_install_into_one_environment(python: Path, wheel: Path) -> None:
    """Alibaba's client asks for protobuf before 6, the newest one of Google's for 6.33 or newer."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]

    pip(str(python), "-m", "pip", "install", "-q", "--dry-run", f"{wheel}[{','.join(extras)}]")


def test_it_says_its_version_and_its_commands(ended: Callable[..., tuple[int, str, str]]) -> None:
    assert ended("--version") == (0, f"keywright {VERSION}\n", "")
    code, listed, _ = ended("--help")
    assert code == 0
    assert "lint" in listed
    assert "new_rule" not in listed  # is about a clone


def test_commands_on_files_answer_and_leave_nothing_behind(
    ended: Callable[..., tuple[int, str, str]], design: str, folder: Path
) -> None:
    linted, estimated = ended("lint", design), ended("estimate", design)
    exported = ended("export", design, "--to", "terraform", "--out", "out")

    assert (linted[0], linted[2]) == (0, "")
    assert (estimated[0], estimated[2]) == (0, "")
    assert "total" in estimated[1]
    assert exported[0] in (0, 1), exported
    assert "google_bigtable_table" in "".join(file.read_text() for file in (folder / "here/out").iterdir())
    assert ended("lint", "absent.json")[0] == 2
    assert ended("diff", os.devnull, design, "--format", "github")[1].startswith("<!-- keywright:mobile")
    assert ended("approved", design, "--by-link", "http://127.0.0.1:1/review/token/")[0] == 3
    assert not list((folder / "home").iterdir())
    assert list((folder / "cache").iterdir())


def test_agents_are_served_where_the_sdk_is_installed(
    ended: Callable[..., tuple[int, str, str]], design: str, folder: Path, python: Path, wheel: Path
) -> None:
    mcp = pytest.importorskip("mcp", reason="NOT TESTED: the SDK of the Model Context Protocol is not installed here")
    stdio = pytest.importorskip("mcp.client.stdio")
    code, _, stderr = ended("mcp", ".")
    assert (code, "keywright[mcp]" in stderr) == (2, True)
    pip(str(python), "-m", "pip", "install", "-q", f"{wheel}[mcp]")
    server = mcp.StdioServerParameters(
        command=str(python.with_name("keywright")), args=["mcp", str(folder / "here")],
        env={"PATH": os.environ["PATH"], "HOME": str(folder / "home")},
    )  # fmt: skip

    async def session() -> Any:
        async with mcp.Client(stdio.stdio_client(server)) as client:
            return await client.call_tool("estimate", {"design": design})

    answer = asyncio.run(session())

    assert not answer.is_error
    assert answer.structured_content["bill"]["is_complete"]


def test_a_pdf_is_set_in_japanese(ended: Callable[..., tuple[int, str, str]], design: str, folder: Path) -> None:
    code, _, stderr = ended("export", design, "--to", "pdf", "--language", "ja", "--out", "ja.pdf")

    assert code in (0, 1), stderr
    assert any(file.suffix == ".pdf" for file in (folder / "here").rglob("*"))


def test_a_drill_restores_what_was_backed_up_into_an_empty_folder(
    ended: Callable[..., tuple[int, str, str]], folder: Path
) -> None:
    site, drill = {"KEYWRIGHT_DATA": str(folder / "site")}, {"KEYWRIGHT_DATA": str(folder / "drill")}
    assert ended("manage", "migrate", **site)[0] == 0
    token, backup = ended("api_token", "a program", **site), ended("backup", "night.jsonl.gz", **site)
    restored = ended("restore", "night.jsonl.gz", **drill)
    again, found = ended("backup", "drill.jsonl.gz", **drill), ended("doctor", **drill)

    assert [each[0] for each in (token, backup, restored, again, found)] == [0] * 5
    assert "1 person" in restored[1]
    first, second = (
        gzip.decompress((folder / "here" / f"{name}.jsonl.gz").read_bytes()) for name in ("night", "drill")
    )
    assert first.splitlines()[1:] == second.splitlines()[1:]  # before these, each says when it was made
    assert ended("restore", "night.jsonl.gz", **site)[0] == 2  # which holds something


@pytest.fixture
def running_site(
    keywright: Callable[..., subprocess.Popen[str]], folder: Path
) -> Generator[tuple[str, str], None, None]:
    """The address of a site without arguments, and where it says that it keeps data."""
    process = keywright()
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    found = re.search(r"http://127\.0\.0\.1:\d+", lines[0])
    try:
        assert found, (lines, process.stderr)
        yield found[0], lines[1]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_the_site_starts_and_keeps_its_data_in_the_persons_folder(running_site: tuple[str, str], folder: Path) -> None:
    address, said = running_site
    ends = time.monotonic() + 120
    while True:
        try:
            request = urllib.request.Request(f"{address}/", headers={"Accept-Language": "ja"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                html = answer.read().decode()
            break
        except urllib.error.URLError:
            assert time.monotonic() < ends
            time.sleep(0.2)
    stylesheet = re.search(r'href="(/static/css/keywright\.[0-9a-f]{12}\.css)"', html)

    assert 'lang="ja"' in html
    assert stylesheet
    with urllib.request.urlopen(f"{address}{stylesheet[1]}", timeout=60) as answer:
        assert answer.status == 200
    assert str(folder / "home") in said
    assert list((folder / "home").rglob("keywright.sqlite3"))
