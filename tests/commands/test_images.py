"""The images of the Dockerfile: built step by step in a bare Debian root, and used as people use them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from designer.http.version import VERSION
from tests.commands.images import Stage, bare_root, build_stages, python_version, requirements_of
from tests.commands.wheel import pip

pytestmark = [pytest.mark.slow, pytest.mark.nightly]  # minutes: a Debian root, two environments
MOST_CLI_BYTES = 155_000_000
"""What the command's image may have beyond its base; numpy and Django are most of it."""


def debian() -> tuple[str, str]:
    """Return a mirror of Debian and its suite, as this machine's own apt has them."""
    if not shutil.which("debootstrap") or os.geteuid() != 0:
        pytest.skip("NOT TESTED: needs root and debootstrap (apt-get install debootstrap)")
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        pytest.skip("NOT TESTED: this machine gives no mounts of its own to a process")
    asked = ["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME)"]
    printed = subprocess.run(asked, text=True, capture_output=True, check=False).stdout
    lines = [line.split() for line in printed.splitlines() if "security" not in line and "-updates" not in line]
    if not lines:
        pytest.skip("NOT TESTED: apt knows no mirror of Debian here")
    return lines[0][0], lines[0][1]


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Stage]:
    """All stages of the Dockerfile."""
    root = Path(__file__).parents[2]
    mirror, suite = debian()
    folder = tmp_path_factory.mktemp("images")
    bare = bare_root(folder, mirror, suite)
    version, wheels, wanted = python_version(bare), folder / "wheels", folder / "requirements.txt"
    wanted.write_text(requirements_of(root / "requirements.txt", version), encoding="utf-8")
    options = ["--no-deps", "--only-binary", ":all:", "--python-version", version.rpartition(".")[0]]
    options += ["-d", str(wheels), "--require-hashes", "-r", str(wanted)]
    pip(sys.executable, "-m", "pip", "download", "-q", *options)
    return build_stages(root / "Dockerfile", bare, folder, wheels)


@pytest.fixture
def designs(root: Path, tmp_path: Path) -> Path:
    """A folder with a built-in design, as somebody mounts it."""
    shutil.copyfile(root / "designer/examples/mobile-devices.json", tmp_path / "mobile.keywright.json")
    tmp_path.chmod(0o777)
    return tmp_path


def test_the_command_reads_files_without_root_on_a_root_that_is_read_only(
    stages: dict[str, Stage], designs: Path
) -> None:
    cli = stages["cli"]

    def keywright(*arguments: str) -> tuple[int, str, str]:
        done = cli.run(*cli.entry, *arguments, mounted={designs: "/designs"})
        return done.returncode, done.stdout, done.stderr

    assert cli.user == "10001"
    assert keywright("--version") == (0, f"keywright {VERSION}\n", "")
    assert keywright("lint", ".")[0] == 0
    assert "total" in keywright("estimate", "mobile.keywright.json")[1]
    assert keywright("export", "mobile.keywright.json", "--to", "terraform", "--out", "out")[0] in (0, 1)
    assert list((designs / "out").glob("*.tf"))
    assert "keywright[site]" in keywright("serve")[2]


def test_the_command_in_its_image_is_small_and_has_no_pip(stages: dict[str, Stage]) -> None:
    cli = stages["cli"]
    files = [file for part in ("opt/cli", "app") for file in (cli.root / part).rglob("*") if file.is_file()]

    assert sum(file.stat().st_size for file in files if not file.is_symlink()) < MOST_CLI_BYTES
    assert not (cli.root / "opt/cli/bin/pip").exists()
    assert not (cli.root / "app/static").exists()


def test_nothing_can_be_written_in_an_image(stages: dict[str, Stage]) -> None:
    for name in ("cli", "site"):
        done = stages[name].run("sh", "-c", "id -u; touch /app/x")
        assert (done.stdout, done.returncode) == ("10001\n", 1), done.stderr


def test_the_site_has_its_files_and_asks_for_its_settings(stages: dict[str, Stage]) -> None:
    site = stages["site"]
    refused = site.run("python", "manage.py", "check")
    site.environment |= {
        "SECRET_KEY": "k" * 20 + "xYz0123456789-abcdefghijklmnop",
        "ALLOWED_HOSTS": "keywright.example.com",
    }
    site.environment |= {"DATABASE_URL": "postgresql://k:k@127.0.0.1:1/k", "REDIS_URL": "redis://127.0.0.1:1/0"}
    server = site.run(site.command[0], "--check-config", *site.command[1:])

    assert refused.returncode != 0
    assert "SECRET_KEY" in refused.stderr
    assert server.returncode == 0, server.stderr
    assert list((site.root / "app/var/static").rglob("*.css"))
    assert list((site.root / "app/locale").rglob("*.mo"))
    assert not list((site.root / "app/var").glob("secret_key*"))
