"""What the program does once: other places that do the same by themselves are listed with their lines."""

import ast
import re
from collections.abc import Iterator

import numpy as np
import pytest
from django.template import Context, Template
from django.utils import translation

from designer.document.texts import Text
from designer.wording.formatting import SUFFIXES, at_least, english
from reviews.api.computed import say
from tests import sources

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


PAGE = Template("{% load keywright %}{{ text|said }}")


@pytest.mark.parametrize("suffix", [*SUFFIXES, "rows"])
def test_a_figure_has_one_text_on_pages_in_commands_and_in_the_api(suffix):
    rng = np.random.default_rng(7)
    values = [0, 1, 1.0, 999.5, *range(2, 50), *(10.0 ** rng.uniform(-9, 16, 148)).tolist()]
    message, name = f"{{some_{suffix}}}", f"some_{suffix}"

    with translation.override("en"):
        pages = [PAGE.render(Context({"text": Text(message, {name: value})}, autoescape=False)) for value in values]
        answers = [say(message, {name: value}) for value in values]

    assert len(values) == 200
    assert pages == answers == [english(message, {name: value}) for value in values]
