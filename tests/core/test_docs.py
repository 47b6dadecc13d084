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
