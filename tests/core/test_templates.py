"""Templates are read as code is: lines of at most 120 characters, texts that can be wrapped."""

import re
from pathlib import Path

import pytest

LINE_CHARACTERS = 120
BLOCK_TEXT = re.compile(r"{%-?\s*(?:blocktranslate|blocktrans)\b(?!\s+trimmed\b)")
NAMED = re.compile(r"\"((?:\w+/)+\w+\.(?:html|txt))\"")
BORROWED = {  # parts of another view's page
    "designer/views/accounts/single_sign_on.py: designer/sign_in/sign_in.html",
    "designer/views/designs/designs.py: designer/start/_problems.html",
    "designer/views/editor/elements.py: designer/editor/_message.html",
    "designer/views/editor/keys.py: designer/editor/_message.html",
    "estimator/views/design.py: estimator/_chart.html",
    "estimator/views/design.py: estimator/_rows.html",
    "reviews/views/review.py: estimator/_chart.html",
    "reviews/views/review.py: reviews/comparison/_body.html",
    "reviews/views/verdict_form.py: reviews/review/review.html",
}


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


def test_the_templates_of_a_view_are_in_a_folder_of_its_name(root: Path) -> None:
    elsewhere = {
        f"{path.relative_to(root).as_posix()}: {name}"
        for app in ("designer", "estimator", "reviews")
        for path in (root / app / "views").rglob("*.py")
        for name in NAMED.findall(path.read_text(encoding="utf-8"))
        if path.stem not in name.split("/")
    }
    assert elsewhere == BORROWED
