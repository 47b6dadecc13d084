"""The styles: every custom property and class has a use, no selector stands twice, colours have names."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tinycss2

NESTING = ("container", "layer", "media", "scope", "starting-style", "supports")
LITERAL = re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(hsl|hwb|lab|lch|light-dark|oklab|oklch|rgba?)\(")
SHADOW = re.compile(r"rgb\(0 0 0 / [\d.]+\)")
SIZES = {"var(--size-data)", "var(--size-1)", "var(--size-2)", "var(--size-3)", "var(--size-4)", "inherit"}
# its scales are whole, used or not
TOKENS = "tokens.css"
# of other programs: plotly's own elements, and what htmx adds
FOREIGN_CLASSES = {"htmx-request"}
FILES_WITH_FOREIGN_CLASSES = {"plotly.css"}
# may only fall
IMPORTANT = {
    "compare.css": 3,
    "frame.css": 3,
    "insight.css": 2,
    "keywright.css": 7,
    "part-editors.css": 13,
    "review.css": 2,
}


class Rule(NamedTuple):
    """One rule of a style sheet, with the at-rules and selectors that it is nested in."""

    context: tuple[str, ...]
    selector: str
    declarations: list[Any]


def read_rules(nodes: list[Any], context: tuple[str, ...] = ()) -> Iterator[Rule]:
    for node in nodes:
        if node.type == "at-rule" and node.lower_at_keyword in NESTING and node.content is not None:
            name = f"@{node.lower_at_keyword} {tinycss2.serialize(node.prelude).strip()}"
            yield from read_rules(tinycss2.parse_blocks_contents(node.content, True, True), (*context, name))
        elif node.type == "qualified-rule":
            selector = " ".join(tinycss2.serialize(node.prelude).split())
            contents = tinycss2.parse_blocks_contents(node.content, True, True)
            yield Rule(context, selector, [part for part in contents if part.type == "declaration"])
            yield from read_rules(contents, (*context, selector))


def walk(nodes: list[Any]) -> Iterator[Any]:
    for node in nodes:
        yield node
        yield from walk(getattr(node, "arguments", None) or getattr(node, "content", None) or [])


@cache
def sheets(root: Path) -> dict[str, list[Rule]]:
    """File name → its rules."""
    files = sorted((root / "static/css").glob("*.css"))
    parsed = {file.name: tinycss2.parse_stylesheet(file.read_text(encoding="utf-8"), True, True) for file in files}
    return {name: list(read_rules(nodes)) for name, nodes in parsed.items()}


@cache
def users(root: Path) -> str:
    """The text of all that may name a class or a custom property."""
    folders = ("templates", "static/js", "config", "designer", "estimator", "reviews")
    files = (file for folder in folders for file in (root / folder).rglob("*"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files if file.suffix in (".html", ".js", ".py"))


def test_every_icon_of_the_sprite_is_used_and_every_used_one_is_there(root: Path) -> None:
    sprite = (root / "static/icons.svg").read_text(encoding="utf-8")
    styles = "".join(file.read_text(encoding="utf-8") for file in (root / "static/css").glob("*.css"))
    named = set(re.findall(r'{% icon "([\w-]+)"', users(root))) | set(re.findall(r"#sign-([\w-]+)", styles))

    assert set(re.findall(r'<symbol id="([\w-]+)"', sprite)) == named
    assert set(re.findall(r'<view id="sign-([\w-]+)"', sprite)) == set(re.findall(r"#sign-([\w-]+)", styles))


def test_every_custom_property_is_defined_and_used(root: Path) -> None:
    declarations = [part for rules in sheets(root).values() for rule in rules for part in rule.declarations]
    defined = {part.name for part in declarations if part.name.startswith("--")}
    anchors = [part for part in declarations if part.name == "anchor-name"]
    defined |= {node.value for part in anchors for node in walk(part.value) if node.type == "ident"}
    tokens = {part.name for rule in sheets(root)[TOKENS] for part in rule.declarations}
    used = {node.value for part in declarations for node in walk(part.value) if node.type == "ident"}
    used = {name for name in used if name.startswith("--")}
    named = set(re.findall(r"--[a-z][\w-]*", users(root)))

    assert sorted(used - defined - named) == []
    assert sorted(defined - tokens - used - named) == []


def test_no_selector_stands_twice_in_one_place(root: Path) -> None:
    for name, rules in sheets(root).items():
        counts = Counter((rule.context, rule.selector) for rule in rules)

        assert [place for place, count in counts.items() if count > 1] == [], name


def test_no_property_is_set_twice_in_one_rule_but_as_a_fallback(root: Path) -> None:
    for name, rules in sheets(root).items():
        for rule in rules:
            counts = Counter((part.name, tinycss2.serialize(part.value)) for part in rule.declarations)

            assert max(counts.values(), default=1) == 1, (name, rule.selector)


def test_colours_have_names(root: Path) -> None:
    """A colour is written in a custom property, or black in a shadow."""
    for name, rules in sheets(root).items():
        for rule in rules:
            for part in rule.declarations:
                text = tinycss2.serialize(part.value)
                named = part.name.startswith("--") or not LITERAL.search(SHADOW.sub("", text))

                assert named, (name, rule.selector, text)


def test_text_has_four_sizes_and_one_for_data(root: Path) -> None:
    """All sizes of text are tokens; 100 % and the smaller one of print are the root's."""
    for name, rules in sheets(root).items():
        for rule in rules:
            for part in rule.declarations:
                if part.name == "font-size":
                    found = {tinycss2.serialize(part.value).strip()}
                elif part.name == "font":
                    found = set(re.findall(r"var\(--size-[\w-]+\)|\binherit\b", tinycss2.serialize(part.value)))
                    assert found or rule.selector == "html", (name, rule.selector)
                else:
                    continue

                assert rule.selector == "html" or found <= SIZES, (name, rule.selector, found)


def test_important_is_rare(root: Path) -> None:
    found = {
        name: sum(part.important for rule in rules for part in rule.declarations)
        for name, rules in sheets(root).items()
    }

    assert {name: count for name, count in found.items() if count} == IMPORTANT


def test_every_class_is_named_by_a_page_or_a_script(root: Path) -> None:
    words = set(re.findall(r"[\w-]+", users(root)))
    for name, rules in sheets(root).items():
        if name in FILES_WITH_FOREIGN_CLASSES:
            continue
        classes = {each for rule in rules for each in re.findall(r"\.([a-zA-Z][\w-]*)", rule.selector)}
        counted = {
            re.sub(r"\d+$", "", each) for each in classes - words - FOREIGN_CLASSES
        }  # tint-3: "tint-" and a number

        assert sorted(counted - words) == [], name


def test_lines_are_short(root: Path) -> None:
    files = [file for pattern in ("static/css/*.css", "static/js/*.js", "tests/js/*.js") for file in root.glob(pattern)]

    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()

        assert [number for number, line in enumerate(lines, 1) if len(line) > 120] == [], file.name


def test_the_filter_of_dark_pages_turns_the_light_ramp_of_heat_into_the_dark_one(root: Path) -> None:
    tokens = (root / "static/css/tokens.css").read_text(encoding="utf-8")
    stops = re.findall(r"--heat-\d: light-dark\(#(\w+), #(\w+)\)", tokens)
    light, dark = (np.array([list(bytes.fromhex(stop[n])) for stop in stops]) / 255 for n in (0, 1))
    tables = re.findall(r'tableValues="([^"]+)"', (root / "templates/_heat_filter.html").read_text(encoding="utf-8"))
    at = np.linspace(0, 8, 200)
    shades = [np.column_stack([np.interp(at, range(9), ramp[:, i]) for i in range(3)]) for ramp in (light, dark)]
    lightness = shades[0] @ [0.2126, 0.7152, 0.0722]

    for i, table in enumerate(tables):
        values = [float(value) for value in table.split()]
        drawn = np.interp(lightness, np.linspace(0, 1, len(values)), values)

        np.testing.assert_allclose(drawn, shades[1][:, i], atol=0.03)
