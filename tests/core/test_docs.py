"""The documents name files that exist."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    *("README.md", "SECURITY.md", "CONTRIBUTING.md"),
    *(
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "docs").glob("**/*.md"))
        if path.parent.name != "decisions"
    ),
)
FILE = r"`((?:benchmarks|config|designer|estimator|reviews|docs|tests)/[\w/.-]+\.(?:py|md|json|po))`"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_document_names_files_that_exist(root: Path, document: str) -> None:
    text = (root / document).read_text(encoding="utf-8")
    named = set(re.findall(FILE, text))
    links = re.findall(r"(?<!!)\[[^\]]*\]\((?!https?:)([^)#]+)\)", text)
    linked = {(Path(document).parent / link).as_posix() for link in links}

    assert [path for path in sorted(named | linked) if not (root / path).exists()] == []


def test_decisions_are_numbered_one_after_another(root: Path) -> None:
    paths = sorted((root / "docs" / "decisions").glob("*.md"))
    titles = [path.read_text(encoding="utf-8").split(". ")[0] for path in paths]

    assert [int(path.name[:4]) for path in paths] == list(range(1, len(paths) + 1))
    assert titles == [f"# {number}" for number in range(1, len(paths) + 1)]


ITEMS = """
    1.1.1-7 1.2.1-4 1.4.1 1.4.4-5 1.5.1-4 1.6.1-4 1.7.1-2 1.8.1-2 1.9.1-2 1.10.1 1.11.1-2 1.12.2 1.14.1-6
    2.1.1-12 2.2.1-3 2.3.1-3 2.4.1-6 2.5.1-7 2.6.1-3 2.7.1-6 2.8.1-7 2.9.1-3 2.10.1-4
    3.1.1 3.2.1-4 3.3.1-4 3.4.1-5 3.5.1-3 3.7.1 4.1.1-3 4.1.5 4.2.1-2 4.3.1-3
    5.1.1-5 5.2.1-8 5.3.1-10 5.4.1-3 5.5.1-4 6.1.1-3 6.2.1-6 6.3.1-2 6.4.1-2 7.1.1-4 7.2.1-2 7.3.1 7.3.3-4 7.4.1-3
    8.1.1-4 8.2.1-3 8.3.1-8 9.1.1-3 9.2.1-4 10.2.1-2 10.3.1-3 11.1.1-8 12.1.1-3 12.2.1 12.3.1-6 12.4.1-2 12.5.1-2 12.6.1
    13.1.1 13.1.3-5 13.2.1-3 13.2.5-6 13.3.1-2 13.4.1-2 14.1.1-4 14.2.1-6 14.3.2-3 14.4.1-7 14.5.1-4
"""
"""Of level 1 and 2, by the table of ASVS 4.0.3 in https://github.com/OWASP/ASVS (4.0/docs_en, read 2026-11-29)."""


def test_the_security_check_has_every_item_of_the_standard(root: Path) -> None:
    text = (root / "docs" / "security.md").read_text(encoding="utf-8")
    expected = []
    for first, last in re.findall(r"([\d.]+)(?:-(\d+))?", ITEMS):
        section, _, number = first.rpartition(".")
        expected += [f"{section}.{count}" for count in range(int(number), int(last or number) + 1)]

    assert re.findall(r"^\| (\d+\.\d+\.\d+) \|", text, re.MULTILINE) == expected


def files_with(pattern: str) -> set[str]:
    """The program's own files that hold something, as the documents name them."""
    rooms = [ROOT / room for room in ("config", "designer", "estimator", "reviews")]
    paths = [path for room in rooms for path in room.rglob("*.py") if "migrations" not in path.parts]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {path for path, text in texts.items() if re.search(pattern, text, re.MULTILINE)}


def security_item(number: str) -> set[str]:
    """The files of the program that an item of the check names."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    [row] = re.findall(rf"^\| {re.escape(number)} \|.*$", text, re.MULTILINE)
    return {path for path in re.findall(FILE, row) if not path.startswith("tests/")}


def test_the_security_check_names_every_file_with_statements_of_its_own() -> None:
    assert security_item("5.3.4") == files_with(r"\.cursor\(\)|\.raw\(|RawSQL|\.extra\(")


def test_the_security_check_names_every_file_that_starts_programs() -> None:
    assert security_item("5.3.8") == files_with(r"^ *import subprocess|^ *from subprocess|os\.system\(|os\.exec")


def test_the_security_check_names_tests_that_exist_and_counts_its_verdicts(root: Path) -> None:
    text = (root / "docs" / "security.md").read_text(encoding="utf-8")
    items = re.findall(
        r"^\| (\d+\.\d+\.\d+) \| [^|]+ \| (met|not met|not applicable) \| ([^|]+) \|$", text, re.MULTILINE
    )
    tests = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text)
    verdicts = Counter(verdict for _, verdict, _ in items)
    counts = [str(verdicts[verdict]) for verdict in ("met", "not met", "not applicable")]

    missing = [one for one in tests if f"def {one[1]}(" not in (root / one[0]).read_text(encoding="utf-8")]
    assert missing == []
    assert len({number for number, *_ in items}) == len(items) == len(re.findall(r"^\| \d", text, re.MULTILINE))
    assert f"| **All {len(items)}** | **{'** | **'.join(counts)}** |" in text
    vague = [n for n, verdict, why in items if verdict == "met" and "tests/" not in why and "by reading: " not in why]
    assert vague == []
