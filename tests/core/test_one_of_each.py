"""What the program does once: other places that do the same by themselves are listed with their lines."""

import ast
import re
from collections.abc import Iterator

import numpy as np
import pytest
from django.template import Context, Template
from django.utils import translation

from designer.document.texts import Text, TextList
from designer.wording.formatting import SUFFIXES, at_least, english, format_message
from reviews.api.computed import translate
from tests import sources
from tests.cases import cases

pytestmark = sources.OF_SOURCES


def nodes(*, outside: tuple[str, ...]) -> Iterator[tuple[str, ast.AST]]:
    """Return every node of the syntax trees outside some rooms, with its place."""
    for name in sources.modules():
        if not name.startswith(outside):
            for node in sources.nodes(name):
                yield f"{name}:{getattr(node, 'lineno', 0)}", node


def names_by_itself(node: ast.AST) -> bool:
    match node:
        case ast.BoolOp(op=ast.Or(), values=[ast.Attribute(attr="name"), ast.Attribute(attr="id"), *_]):
            return True
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value="name"), ast.Constant(value="")]):
            return True
    return False


def test_only_the_document_and_its_wording_name_elements():
    places = [
        place for place, node in nodes(outside=("designer/document", "designer/wording")) if names_by_itself(node)
    ]

    assert places == []


@pytest.mark.parametrize("source", ["table.name or table.id", "getattr(element, 'name', '')"])
def test_another_way_to_name_an_element_would_be_seen(source):
    assert names_by_itself(ast.parse(source, mode="eval").body)


def test_only_the_formatter_marks_a_lower_bound_on_pages():
    pages = [
        each.name for each in (sources.ROOT / "templates").rglob("*.html") if re.search(r"≥\s*\{", each.read_text())
    ]
    texts = [
        name
        for name in sources.modules()
        if re.match("(estimator|reviews)/(presentation|pdf)/", name)
        and re.search("≥ *{", (sources.ROOT / name).read_text())
    ]

    assert pages == texts == []
    assert at_least("$1", is_bound=True) == "≥\u00a0$1"


PAGE = Template("{% load keywright %}{{ text|translate }}")


@cases("suffix", [*SUFFIXES, "rows"])
def test_a_figure_has_one_text_on_pages_in_commands_and_in_the_api(suffix):
    rng = np.random.default_rng(7)
    values = [0, 1, 1.0, 999.5, *range(2, 50), *(10.0 ** rng.uniform(-9, 16, 148)).tolist()]
    message, name = f"{{some_{suffix}}}", f"some_{suffix}"

    with translation.override("en"):
        pages = [PAGE.render(Context({"text": Text(message, {name: value})}, autoescape=False)) for value in values]
        answers = [translate(message, {name: value}) for value in values]

    assert len(values) == 200
    assert pages == answers == [english(message, {name: value}) for value in values]


# What is written where `, ` is code, English alone for a terminal, or the text of an input field.
CODE_AND_TERMINALS = re.compile(
    r"designer/(document/(compact|columnkey|texts)|imports/gcloud|editing/conflict_sides|wording/(names|edit_messages))"
    r"|estimator/(presentation/(lint_reports|charts/types)|traces/(report|replays/replay)|observations/report"
    r"|comparison/designs/(report|github)|kernels|views/schemas|advice/(catalogue|rules/shared))"
    r"|reviews/(trials|drift/(reports|definitions|tablestore|row_keys))"
)
OF_PAGES = re.compile(
    r"designer/(document|editing|imports|wording|views)/"
    r"|estimator/(advice|comparison|estimates|facts|kernels|observations|presentation|runs|traces|views)/"
    r"|reviews/(drift|pdf|trials|verdicts|discussion)/"
)


def joins_with_comma(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=", "), attr="join")):
            return True
    return False


def test_lists_of_pages_have_the_comma_of_the_reader():
    places = [
        place
        for place, node in nodes(outside=())
        if OF_PAGES.match(place) and not CODE_AND_TERMINALS.match(place) and joins_with_comma(node)
    ]
    templates = [each.name for each in (sources.ROOT / "templates").rglob("*.html") if 'join:", "' in each.read_text()]

    assert places == templates == []
    regions = Text("{regions}", {"regions": TextList(("us-west1", "us-central1"))})
    assert str(regions) == english(regions.message, regions.params) == "us-west1, us-central1"
    assert format_message(regions.message, regions.params, "ja") == "us-west1、us-central1"


def test_another_comma_would_be_seen():
    assert joins_with_comma(ast.parse("', '.join(names)", mode="eval").body)
