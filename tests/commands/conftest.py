"""The wheel, built and installed once for all tests of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.wheel import pip


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("wheel")


@pytest.fixture(scope="session")
def python(folder: Path) -> Path:
    """The Python of an empty environment."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    return folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@pytest.fixture(scope="session")
def wheel(folder: Path, python: Path) -> Path:
    """Built from the sdist, as installers build where there is no wheel: so that has all that is needed, too."""
    root = Path(__file__).parents[2]
    pip(str(python), "-m", "pip", "install", "-q", "build")
    pip(str(python), "-m", "build", "--outdir", str(folder / "dist"), str(root))
    [built] = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="session")
def installed_command(python: Path, wheel: Path) -> Path:
    """The command of an environment with the wheel and what the site needs."""
    pip(str(python), "-m", "pip", "install", "-q", f"{wheel}[site]")
    return python.with_name("keywright")
