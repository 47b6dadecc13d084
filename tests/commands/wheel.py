"""Installing in an environment of its own, where there is a registry."""

import subprocess

import pytest

OFFLINE = ("No matching distribution", "Could not find a version", "NewConnectionError", "ReadTimeoutError")


def pip(*arguments: str) -> None:
    """Run pip; where there is no registry, nothing can be said of the wheel."""
    done = subprocess.run([*arguments], text=True, capture_output=True, timeout=900, check=False)
    if done.returncode and any(sign in done.stderr for sign in OFFLINE):
        pytest.skip(f"NOT TESTED: pip has no registry here: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
