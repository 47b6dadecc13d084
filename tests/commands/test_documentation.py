"""The documentation site: every page has its place, every link leads somewhere, the program writes its own pages."""

from pathlib import Path

import pytest

from config.commandline.catalogue import GROUPS
from config.documentation.generated import api_pages, command_pages, decision_index
from config.documentation.pages import BrokenLinkError, Linker, menu, repository_pages, site_paths
from config.documentation.site import build, write_html
from config.documentation.transcripts import renew_text
from estimator.advice.rules import RULES
from reviews.api.description import operations
from reviews.api.views import openapi_description

TWO_PAGES = "# One\n\n[Other](other.md#a-place)\n\n```{toctree}\nother.md\n```\n"


def test_every_document_is_in_the_menu_once(root: Path) -> None:
    listed = [page for part in menu(root) for page in part.pages]
    documents = {page for page in repository_pages(root) if not page.startswith("docs/decisions/")}

    assert documents - {*listed, "docs/README.md"} == set()
    assert len(listed) == len(set(listed))


def test_every_decision_is_in_the_list_of_decisions(root: Path) -> None:
    index = decision_index(root)

    assert [path.name for path in (root / "docs/decisions").glob("*.md") if f"({path.name})" not in index] == []


def test_every_command_and_operation_has_its_place() -> None:
    commands, told = command_pages(), "".join(api_pages().values())

    assert {f"{entry.name}.md" for group in GROUPS.values() for entry in group} < commands.keys()
    assert [one.id for one in operations(openapi_description()) if f"## {one.id}\n" not in told] == []


def test_a_command_is_told_by_its_own_parser() -> None:
    page = command_pages()["lint.md"]

    assert "keywright lint [options] FILE" in page
    assert "| `--baseline" in page
    assert "--settings" not in page


def test_links_of_documents_lead_to_files_and_pages(root: Path) -> None:
    linker, paths = Linker(root), site_paths(root)

    for path in repository_pages(root):
        linker.rewrite((root / path).read_text(encoding="utf-8"), path)
        assert path in paths


def test_a_link_is_written_as_the_site_has_it(root: Path) -> None:
    linker = Linker(root)

    assert linker.rewrite("[x](../CONTRIBUTING.md#set-up)", "docs/tour.md") == "[x](contributing.md#set-up)"
    assert linker.rewrite("[`x`](../../README.md)", "docs/how-to/try.md") == "[`x`](../index.md)"
    assert linker.rewrite("[rules](../estimator/advice/rules/)", "docs/tour.md") == "[rules](rules/index.md)"
    assert linker.rewrite("[gaps](../tests/oracle/gaps.py)", "docs/tour.md") == "gaps"
    assert linker.rewrite("`[x](y.md)`\n\n    [x](y.md)\n", "docs/tour.md") == "`[x](y.md)`\n\n    [x](y.md)\n"
    assert Linker(root, "https://x.example").rewrite("[r](../run.py)", "docs/a.md") == "[r](https://x.example/run.py)"


def test_a_link_to_a_file_that_is_not_there_is_refused(root: Path) -> None:
    with pytest.raises(BrokenLinkError, match=r"docs/tour.md: there is no docs/nothing.md"):
        Linker(root).rewrite("[x](nothing.md)", "docs/tour.md")


def test_what_commands_print_is_written_into_a_document() -> None:
    design = "<!-- file: a.keywright.yaml -->\n```yaml\nname: Empty\n```\n"

    text = renew_text(f"{design}\n```console\n$ keywright lint a.keywright.yaml\nstale\n```\n")

    assert "stale" not in text
    assert "$ keywright lint a.keywright.yaml\nEmpty: nothing can be judged yet\n" in text
    assert text.startswith(design)


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(root: Path, tmp_path: Path) -> None:
    assert build(root, tmp_path) == 0
    assert [
        rule.code for rule in RULES.values() if not (tmp_path / f"rules/{rule.code}-{rule.name}.html").is_file()
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize(("text", "failed"), [("## A place\n", 0), ("## Another place\n", 1)])
def test_a_link_to_a_heading_that_is_not_there_is_refused(root: Path, tmp_path: Path, text: str, failed: int) -> None:
    assert write_html(root, {"index.md": TWO_PAGES, "other.md": f"# Other\n\n{text}"}, tmp_path) == failed


@pytest.mark.slow
def test_a_page_that_is_in_no_menu_is_refused(root: Path, tmp_path: Path) -> None:
    assert write_html(root, {"index.md": "# One\n", "other.md": "# Other\n"}, tmp_path) == 1
