"""The tools that verify exports, where this machine has them. A test that lacks one says so and is skipped."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

EMULATOR = "KEYWRIGHT_BIGTABLE_EMULATOR"
"""May name the emulator's program; else it is looked for beside gcloud and on the PATH."""


def needs(tool: str) -> str:
    """The path of a program; skips the test where there is none."""
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not on this machine: what it would verify is not verified")
    return found


@cache
def emulator() -> str | None:
    """Google's Bigtable emulator, or None."""
    if named := os.environ.get(EMULATOR):
        return named
    gcloud = shutil.which("gcloud")
    beside = Path(os.path.realpath(gcloud)).parent.parent / "platform/bigtable-emulator/cbtemulator" if gcloud else None
    return str(beside) if beside and beside.is_file() else shutil.which("cbtemulator")


def run(
    *command: str, folder: Path | None = None, given: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, with more in its environment."""
    own = {**os.environ, "LC_ALL": "C.UTF-8", **environment}
    return subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, env=own, timeout=300, check=False
    )
