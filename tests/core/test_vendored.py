"""Files taken from elsewhere are what their tables say, and fit the packages that they work with."""

import hashlib
import re
from pathlib import Path

import pytest
from plotly.offline import get_plotlyjs_version

TABLES = ("static/vendor/README.md", "tests/browser/axe.md")


def vendored(table: Path) -> list[list[str]]:
    """The rows of the table: file, origin, version, licence, SHA-256."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.read_text().splitlines()]
    return [row for row in rows if len(row) == 5 and re.fullmatch("[0-9a-f]{64}", row[4])]


@pytest.mark.parametrize("table", TABLES)
def test_a_vendored_file_has_the_hash_that_its_table_gives(root: Path, table: str) -> None:
    rows = vendored(root / table)

    assert rows
    for file, _, version, licence, sha256 in rows:
        content = (root / table).parent.joinpath(file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sha256
        assert (file.endswith(".woff2") and content[:4] == b"wOF2") or f"v{version}" in content[:400].decode()
        assert (root / table).parent.joinpath(licence.split("(")[1].strip(")")).is_file()


def test_the_browser_draws_with_the_plotly_that_python_checks_against(root: Path) -> None:
    (row,) = [row for row in vendored(root / TABLES[0]) if row[0].startswith("plotly")]

    assert row[2] == get_plotlyjs_version()
