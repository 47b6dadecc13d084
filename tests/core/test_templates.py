"""Templates are read as code is: lines of at most 120 characters, texts that can be wrapped."""

import re
from pathlib import Path

import pytest

LINE_CHARACTERS = 120
BLOCK_TEXT = re.compile(r"{%-?\s*(?:blocktranslate|blocktrans)\b(?!\s+trimmed\b)")


@pytest.fixture
def templates(root: Path) -> dict[str, str]:
    """Every template by its path."""
    folder = root / "templates"
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".html", ".txt"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def test_lines_are_at_most_120_characters_long(templates: dict[str, str]) -> None:
    long = [
        f"{name}:{number}"
        for name, text in templates.items()
        if name.endswith(".html")
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > LINE_CHARACTERS
    ]
    assert long == []


def test_a_text_may_be_wrapped_without_a_change_of_its_message(templates: dict[str, str]) -> None:
    assert [name for name, text in templates.items() if name.endswith(".html") and BLOCK_TEXT.search(text)] == []
