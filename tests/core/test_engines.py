"""Engines differ behind `engines/` only: no other module or template asks for an engine's name."""

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from designer.document.engines import DESCRIPTIONS
from designer.document.instance import Instance
from estimator.advice.rules import RULES
from estimator.advice.rules.shared import Violation
from tests import sources

pytestmark = sources.OF_SOURCES

HOME = Path(__file__).parents[2]
NAMES = frozenset(("bigtable", "tablestore"))
CONSTANTS = frozenset(("BIGTABLE", "TABLESTORE"))
ASKS = re.compile(r"""{%-?\s*(?:el)?if\b[^%]*?(?:\bengine\b|["'](?:bigtable|tablestore)["'])""")

TERM = re.compile(r'\|term:"([^"]+)"')
PART = re.compile(r'{%-?\s*engine_include\s+\S+\s+"([^"]+)"')

ALLOWED: dict[str, int] = {
    "estimator/price_books/catalogue/build.py": 1,  # Google's price list is searched for the service's name
    "templates/estimator/rules/rules.html": 1,  # the engine that is chosen is marked in a list of engines
}
"""Comparisons with an engine's name that are left, by file. A count may only fall."""

ENGINES_AS_DATA = {
    ("designer/views/editor/books.py", "following.engine == spec.engine"),
    ("estimator/advice/catalogue/rule_list.py", "rule_filter.engine not in rule.engines"),
    ("estimator/advice/catalogue/rule_pages.py", "key in r.engines"),
    ("estimator/advice/rules/shared/run.py", "spec.engine in rule.engines"),
    ("estimator/comparison/designs/steps.py", "before.spec.engine == after.spec.engine"),
    ("estimator/management/pricebooks/repricing.py", "new.engine != spec.engine"),
    ("estimator/price_books/comparison.py", "old.engine != new.engine"),
    ("estimator/price_books/collection.py", "book.engine != engine"),
    ("estimator/price_books/collection.py", "book.engine == engine"),
    ("reviews/views/exports.py", "spec.engine in chosen.engines"),
    ("reviews/views/exports.py", "spec.engine in exporter.engines"),
    ("reviews/views/sides.py", "example.spec.engine == design.spec.engine"),
}
"""Comparisons of the engines of two things, or of an engine with a list of engines: neither names one."""

TABLES = {
    "estimator/facts/servers.py",
    "estimator/kernels/pricing/cost_models.py",
    "estimator/kernels/traffic/work.py",
    "estimator/simulation/servers.py",
    "estimator/management/commands/new_rule.py",  # the option's values and the constants that a rule is written with
    "reviews/management/commands/new_export.py",  # the same
    "reviews/management/commands/try.py",  # the options with which an engine is reached
    "config/commandline/main.py",  # extras of the package, one of which is named for the engine whose client it is
    "estimator/advice/rules/shared/cards.py",  # a field of tables that has the engine's name
}
"""Modules with a table from an engine's name to what stands for it, beside the messages of rules."""


def _sources() -> Iterator[tuple[str, tuple[ast.AST, ...]]]:
    for name in sources.modules():
        path = Path(name)
        if not {"engines", "migrations"} & {*path.parts} and path.stem not in NAMES:
            yield name, sources.nodes(name)


def _templates() -> Iterator[tuple[str, Path]]:
    for path in sorted((HOME / "templates").rglob("*")):
        if path.is_file() and not NAMES & {*path.relative_to(HOME).parts}:
            yield path.relative_to(HOME).as_posix(), path


def _is_name(node: ast.AST) -> bool:
    """Return whether the node is the name of one engine, or holds one."""
    if isinstance(node, ast.Tuple | ast.Set | ast.List):
        return any(map(_is_name, node.elts))
    if isinstance(node, ast.Attribute | ast.Name):
        return (node.attr if isinstance(node, ast.Attribute) else node.id) in CONSTANTS
    return isinstance(node, ast.Constant) and node.value in NAMES


def _is_engine(node: ast.AST) -> bool:
    """Return whether the node is an engine's name that a variable holds."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in ("engine", "engines")


def _comparisons(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, bool]]:
    """Yield each comparison of engines as it is written, and whether it names an engine."""
    for node in nodes:
        if isinstance(node, ast.MatchValue) and _is_name(node.value):
            yield f"case {ast.unparse(node.value)}", True
        elif isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            if any(map(_is_name, sides)):
                yield ast.unparse(node), True
            elif any(map(_is_engine, sides)):
                yield ast.unparse(node), False


def _count() -> Counter[str]:
    found = Counter[str]()
    for name, nodes in _sources():
        found[name] += sum(names for _, names in _comparisons(nodes))
    for name, path in _templates():
        found[name] += len(ASKS.findall(path.read_text("utf-8")))
    return +found


def test_no_module_and_no_template_asks_for_an_engines_name() -> None:
    assert dict(_count()) == ALLOWED, "ask engines/ instead; where a count fell, lower its allowance"


def test_engines_are_compared_as_data_only_where_two_things_have_one() -> None:
    found = {(name, text) for name, nodes in _sources() for text, names in _comparisons(nodes) if not names}

    assert found == ENGINES_AS_DATA


def test_tables_by_engine_are_in_the_modules_that_choose_for_a_room() -> None:
    found = {
        name
        for name, nodes in _sources()
        for node in nodes
        if isinstance(node, ast.Dict) and any(key is not None and _is_name(key) for key in node.keys)
    }

    assert {name for name in found if not name.startswith("estimator/advice/rules/")} | TABLES == TABLES
    assert found >= TABLES


def test_rules_have_messages_of_their_own_only_for_engines_that_they_look_at() -> None:
    others = {code: set(rule.messages) - set(rule.engines) for code, rule in RULES.items()}

    assert {code for code, engines in others.items() if engines} == set()


def test_a_rule_says_its_message_in_the_words_of_the_engine() -> None:
    rule = RULES["K004"]
    own = rule.messages["tablestore"]

    assert rule.message_of(Violation("x"), "bigtable") == rule.message
    assert rule.message_of(Violation("x"), "tablestore") == own[""]
    assert rule.message_of(Violation("x", message="other"), "tablestore") == "other"


def test_a_field_means_something_where_the_engine_has_it() -> None:
    assert DESCRIPTIONS["bigtable"].has_field(Instance, "storage")
    assert not DESCRIPTIONS["tablestore"].has_field(Instance, "storage")
    assert DESCRIPTIONS["tablestore"].has_field(Instance, "name")


def test_every_engine_has_words_for_the_same_things() -> None:
    keys = {name: set(description.terms) for name, description in DESCRIPTIONS.items()}

    assert len(set(map(frozenset, keys.values()))) == 1, keys


def test_words_that_templates_ask_an_engine_for_are_there() -> None:
    asked = {word for _, path in _templates() for word in TERM.findall(path.read_text("utf-8"))}

    assert asked
    assert asked <= set(DESCRIPTIONS["bigtable"].terms)


def test_parts_that_templates_include_by_engine_are_there_for_every_engine() -> None:
    parts = {part for _, path in _templates() for part in PART.findall(path.read_text("utf-8"))}

    assert parts
    assert [
        f"{folder}/{engine}/{file}"
        for folder, _, file in (part.rpartition("/") for part in parts)
        for engine in DESCRIPTIONS
        if not (HOME / "templates" / folder / engine / file).is_file()
    ] == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("spec.engine == 'tablestore'", [True]),
        ("'bigtable' in engines", [True]),
        ("spec.engine in BIGTABLE", [True]),
        ("spec.engine in ('bigtable', other)", [True]),
        ("match engine:\n    case 'bigtable':\n        pass", [True]),
        ("old.engine != new.engine", [False]),
        ("spec.name == 'x'", []),
    ],
)
def test_a_comparison_of_engines_is_noticed(source: str, names: list[bool]) -> None:
    assert [named for _, named in _comparisons(ast.walk(ast.parse(source)))] == names


@pytest.mark.parametrize(
    ("template", "count"),
    [
        ('{% if spec.engine == "tablestore" %}', 1),
        ("{% if a %}{% elif 'bigtable' == shown.engine %}", 1),
        ('{% include "estimator/tablestore/_bill.html" %}', 0),
        ("{{ engine }}", 0),
    ],
)
def test_a_condition_on_an_engine_is_noticed_in_a_template(template: str, count: int) -> None:
    assert len(ASKS.findall(template)) == count
