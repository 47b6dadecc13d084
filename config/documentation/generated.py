"""Pages that the program writes about itself: rules, commands, the API and the list of decisions."""

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from config.commandline.catalogue import GROUPS, Entry
from config.commandline.main import OF_DJANGO
from estimator.advice.catalogue.rule_pages import markdown_pages
from reviews.api.description import SECTIONS, Operation, SchemaShape, SchemaType, operations, shapes
from reviews.api.views import openapi_description


def generated_pages(root: Path) -> dict[str, str]:
    """Return the text of every generated page by its path in the site."""
    rules = {("index.md" if name == "README.md" else name): text for name, text in markdown_pages().items()}
    return {
        **{f"rules/{name}": text for name, text in rules.items()},
        **{f"commands/{name}": text for name, text in command_pages().items()},
        **{f"api/{name}": text for name, text in api_pages().items()},
        "decisions/index.md": decision_index(root),
    }


def toctree(names: Iterator[str] | list[str], *, caption: str = "") -> str:
    """Return a list of pages for the menu, which the page itself does not show."""
    head = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + head + "\n" + "\n".join(names) + "\n```\n"


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*")


# --- commands ---------------------------------------------------------------------------------------------------


def command_pages() -> dict[str, str]:
    """Return a page for each command, and the list of all."""
    entries = [entry for group in GROUPS.values() for entry in group]
    return {"index.md": _command_index(), **{f"{entry.name}.md": command_page(entry) for entry in entries}}


def _command_index() -> str:
    lines = [
        "# Command reference\n",
        "In a clone, write `python3 run.py` instead of `keywright`. Every command ends with 0 if all is fine, "
        "1 for findings, 2 for unusable input and 3 if Keywright itself failed.\n",
    ]
    for group, entries in GROUPS.items():
        lines += [f"## {group}\n", *(f"- [`keywright {e.name}`]({e.name}.md): {e.summary}" for e in entries), ""]
    return "\n".join(lines)


def command_page(entry: Entry) -> str:
    """Return the page of one command, from its own parser."""
    parser = import_module(entry.module).Command().create_parser("keywright", entry.name)
    visible_actions = [action for action in parser._actions if _is_shown(action)]
    options = [action for action in visible_actions if action.option_strings]
    positionals = [action for action in visible_actions if not action.option_strings]
    lines = [f"# keywright {entry.name}\n", f"{parser.description or entry.summary}\n"]
    lines += [f"```text\n{_usage(parser, entry.name, visible_actions)}\n```\n"]
    for title, actions in (("Arguments", positionals), ("Options", options)):
        if actions:
            lines += [f"## {title}\n", f"| {title[:-1]} | Meaning |\n|---|---|"]
            lines += [f"| {_names(action)} | {_meaning(action, parser)} |" for action in actions] + [""]
    where = "Runs without a site and a database." if entry.of_files else "Needs the site's settings and database."
    return "\n".join([*lines, "Only in a clone." if entry.of_clone else where, ""])


def _is_shown(action: Action) -> bool:
    return action.help != SUPPRESS and "-h" not in action.option_strings and not {*action.option_strings} & {*OF_DJANGO}


def _usage(parser: ArgumentParser, name: str, actions: list[Action]) -> str:
    options = "[options] " if any(action.option_strings for action in actions) else ""
    positional = " ".join(_value(action) for action in actions if not action.option_strings)
    return f"keywright {name} {options}{positional}".rstrip()


def _value(action: Action) -> str:
    name = action.metavar if action.metavar is not None else (action.dest if not action.choices else "CHOICE")
    text = " ".join(name) if isinstance(name, tuple) else name.upper()
    return {"*": f"[{text} …]", "+": f"{text} …", "?": f"[{text}]"}.get(str(action.nargs), text)


def _names(action: Action) -> str:
    value = "" if action.nargs == 0 or not action.option_strings else f" {_value(action)}"
    names = action.option_strings or [_value(action)]
    return ", ".join(f"`{name}{value}`" for name in names).replace("|", "\\|")


def _meaning(action: Action, parser: ArgumentParser) -> str:
    formatter = parser._get_formatter()
    text = cell(formatter._expand_help(action) if action.help else "")
    choices = ", ".join(f"`{choice}`" for choice in action.choices or ())
    is_told = action.default in (None, SUPPRESS, False, [], ()) or "default" in text
    default = "" if is_told or callable(action.default) else f"Default: `{action.default}`."
    parts = (text, f"One of: {choices}.".replace("|", "\\|") if choices else "", default)
    return " ".join(filter(None, parts))


# --- the API ----------------------------------------------------------------------------------------------------


def api_pages() -> dict[str, str]:
    """Return a page for each part of the API, one with all types, and the list of all operations."""
    description = openapi_description()
    all_operations = list(operations(description))
    by_part = {tag: [entry for entry in all_operations if entry.tag == tag] for tag in SECTIONS}
    pages = {f"{tag}.md": _operations_page(SECTIONS[tag], ones) for tag, ones in by_part.items()}
    return {"index.md": _api_index(by_part), **pages, "types.md": _types_page(list(shapes(description)))}


def _api_index(by_part: Mapping[str, list[Operation]]) -> str:
    lines = ["# API reference\n", "Made from the OpenAPI description, which a running site has at "]
    lines[-1] += "`/api/v1/openapi.json`. [All types](types.md).\n"
    for tag, ones in by_part.items():
        rows = [
            f"| [`{operation.id}`]({tag}.md#{operation.id.lower()}) | `{operation.method} {operation.path}` "
            f"| {cell(operation.summary)} |"
            for operation in ones
        ]
        lines += [f"## {SECTIONS[tag]}\n", "| Operation | Request | Result |\n|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _operations_page(title: str, ones: list[Operation]) -> str:
    return "\n".join([f"# {title} in the API\n", *(_operation(operation) for operation in ones)])


def _operation(operation: Operation) -> str:
    lines = [f"## {operation.id}\n", f"{operation.summary}\n", f"`{operation.method} {operation.path}`\n"]
    if operation.parameters:
        lines += ["| Parameter | In | Type | Meaning |\n|---|---|---|---|"]
        for each in operation.parameters:
            needed = "" if each.required else " (optional)"
            lines += [f"| `{each.name}`{needed} | {each.where} | {_type(each.kind)} | {cell(each.about)} |"]
        lines += [""]
    if operation.body:
        lines += [f"Body: {_type(operation.body)}\n"]
    answers = ", ".join(f"{answer.status} {_type(answer.kind)}".rstrip() for answer in operation.answers)
    return "\n".join([*lines, f"Answers: {answers}\n"])


def _type(kind: SchemaType) -> str:
    words = cell(kind.words)
    return f"[{words}](types.md#{kind.shape.lower()})" if kind.shape else words


def _types_page(shapes: list[SchemaShape]) -> str:
    lines = ["# Types of the API\n"]
    for shape in shapes:
        lines += [f"## {shape.name}\n", f"{shape.about}\n"]
        if shape.properties:
            lines += ["| Key | Type | Meaning |\n|---|---|---|"]
            for shape_property in shape.properties:
                needed = "" if shape_property.required else " (optional)"
                lines += [
                    f"| `{shape_property.name}`{needed} | {_type(shape_property.kind)} | {cell(shape_property.about)} |"
                ]
            lines += [""]
    return "\n".join(lines)


# --- decisions --------------------------------------------------------------------------------------------------


def decision_index(root: Path) -> str:
    """Return the list of decisions, by number."""
    lines = ["# Decisions\n", "Why the program is as it is: the context, the choice and its cost, each on a page.\n"]
    for path in sorted((root / "docs" / "decisions").glob("*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        lines += [f"- [{title}]({path.name})"]
    return "\n".join([*lines, ""])
