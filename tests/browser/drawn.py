"""What the pages of a PDF look like: drawn by poppler, where it is."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import CI

DRAWS = shutil.which("pdftoppm")
MISSING = "no pdftoppm on this machine, so no page was drawn: apt-get install poppler-utils"


def inks(file: Path) -> list[float]:
    """How much of each page is not white, as it is drawn."""
    if DRAWS is None:
        if CI:
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    subprocess.run([DRAWS, "-r", "40", "-gray", str(file), str(file.with_suffix(""))], check=True)
    found = []
    for drawn in sorted(file.parent.glob("*.pgm")):
        pixels = np.frombuffer(drawn.read_bytes().split(b"\n", 3)[3], dtype=np.uint8)
        found.append(float((pixels < 200).mean()))
    return found
