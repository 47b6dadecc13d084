"""The documents name files that exist."""

import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("document", ["README.md", "SECURITY.md", "docs/architecture.md"])
def test_a_document_names_files_that_exist(root: Path, document: str) -> None:
    text = (root / document).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:config|designer|estimator|docs|tests)/[\w/.-]+\.(?:py|md|json|po))`", text))
    links = re.findall(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)\)", text)
    linked = {(Path(document).parent / link).as_posix() for link in links}

    assert [path for path in sorted(named | linked) if not (root / path).exists()] == []


def test_decisions_are_numbered_one_after_another(root: Path) -> None:
    numbers = [int(path.name[:4]) for path in sorted((root / "docs" / "decisions").glob("*.md"))]

    assert numbers == list(range(1, len(numbers) + 1))
