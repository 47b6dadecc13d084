"""Finds every text to be translated: in templates, in Python, on fields of the document, in rules and examples.

Needs no gettext on the machine. Only the command `collect_messages` and its test use it.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import polib
from babel.messages.extract import extract_python
from django.utils.translation.template import templatize
from pydantic import BaseModel

PACKAGES = ("config", "designer", "estimator", "reviews")
KEYWORDS: dict[str, Any] = {
    "N_": None,
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}
CALLED = re.compile(rb"(?:\b_|N_|gettext|gettext_lazy)\s*\(")
"""Whether any of them may be called in a file."""
# the calls that Django's templatize() writes, each with literals as its first arguments
LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
CALL = re.compile(rf"\b(?P<call>n?p?gettext|_)\((?P<texts>{LITERAL}(?:\s*,\s*{LITERAL})*)", re.DOTALL)
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{[^{}]*\}|%[sd]")


class Message(NamedTuple):
    """Identity of a text in the catalogue."""

    context: str
    text: str
    plural: str


@dataclass
class MessageIndex:
    """Messages with the files that they stand in."""

    places: dict[Message, set[str]]

    def add(self, place: str, text: str, *, plural: str = "", context: str = "") -> None:
        if text.strip():
            self.places.setdefault(Message(context, text, plural), set()).add(place)


def collect_messages(root: Path) -> dict[Message, set[str]]:
    """Every message of the project in `root`, with the files that it stands in."""
    index = MessageIndex({})
    for path in sorted(path for kind in ("html", "txt") for path in root.glob(f"**/templates/**/*.{kind}")):
        # Packages of the environment bring templates of their own, with texts of their own.
        if ".venv" not in path.parts:
            collect_from_template(index, path.read_text(encoding="utf-8"), place(root, path))
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                collect_from_python(index, path, place(root, path))
    collect_from_fields(index)
    collect_from_rules(index)
    collect_from_examples(index)
    return index.places


def place(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def collect_from_template(index: MessageIndex, source: str, place: str) -> None:
    # `templatize` is what Django's `makemessages` gives to xgettext: template tags as calls, everything else as noise.
    for match in CALL.finditer(templatize(source, origin=place)):
        texts = ast.literal_eval(f"({match['texts']},)")
        context = texts[0] if match["call"] in ("pgettext", "npgettext") else ""
        texts = texts[1:] if context else texts
        plural = texts[1] if match["call"] in ("ngettext", "npgettext") else ""
        index.add(place, texts[0], plural=plural, context=context)


def collect_from_python(index: MessageIndex, path: Path, place: str) -> None:
    source = path.read_bytes()
    if not CALLED.search(source):  # sooner than all of its tokens are read
        return
    for _, function, texts, _ in extract_python(BytesIO(source), KEYWORDS, [], {}):
        call = str(function)
        arguments = [text for text in ([texts] if isinstance(texts, str) else texts or []) if text is not None]
        if not arguments:
            continue
        context = arguments.pop(0) if call.startswith("pgettext") else ""
        index.add(place, arguments[0], plural=arguments[1] if call.startswith("ngettext") else "", context=context)


def collect_from_fields(index: MessageIndex) -> None:
    """Titles, helps and units of the design document's fields, where they are described once."""
    spec = importlib.import_module("designer.document")
    # Subclasses are known once their modules are loaded; a module that nothing has imported would hide its fields.
    for module in pkgutil.walk_packages(spec.__path__, "designer.document."):
        importlib.import_module(module.name)
    for model in subclasses(BaseModel):
        if model.__module__.startswith("designer.document"):
            for field in model.model_fields.values():
                extra = field.json_schema_extra
                unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
                for text in (field.title, field.description, unit):
                    index.add(model.__module__.replace(".", "/") + ".py", text or "")


def subclasses(cls: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for sub in cls.__subclasses__():
        yield sub
        yield from subclasses(sub)


def collect_from_rules(index: MessageIndex) -> None:
    """Add the explanations in the docstrings of the rules."""
    for code, explanation in importlib.import_module("estimator.advice.rules").explanations().items():
        for text in explanation.texts:
            index.add(f"estimator/advice/rules/ ({code})", text)


def collect_from_examples(index: MessageIndex) -> None:
    """Titles and stories of the built-in designs, which are in their files."""
    for example in importlib.import_module("designer.examples").examples():
        for text in (example.title, example.story):
            index.add(f"designer/examples/{example.slug}.json", text)


def update_catalogue(catalogue: polib.POFile, places_by_message: dict[Message, set[str]]) -> polib.POFile:
    """Return the catalogue with exactly these messages, in an order that merges well.

    Existing translations are kept.
    """
    entries = {Message(e.msgctxt or "", e.msgid, e.msgid_plural or ""): e for e in catalogue if not e.obsolete}
    fresh = polib.POFile(wrapwidth=110)
    fresh.metadata = catalogue.metadata
    for message in sorted(places_by_message):
        entry = entries.get(message) or polib.POEntry(
            msgid=message.text, msgctxt=message.context or None, msgid_plural=message.plural
        )
        if message.plural and not entry.msgstr_plural:
            entry.msgstr_plural = {0: ""}
        entry.occurrences = []  # they would change with every move of a file
        entry.comment = entry.tcomment = ""
        fresh.append(entry)
    return fresh


def find_gaps(catalogue: polib.POFile, expected_messages: Iterable[Message]) -> list[str]:
    """Return the problems of an incomplete catalogue.

    There is one sentence for each message that is missing, marked as unsure, or different in its placeholders.
    """
    entries = {Message(e.msgctxt or "", e.msgid, e.msgid_plural or ""): e for e in catalogue if not e.obsolete}
    problems = []
    for message in sorted(expected_messages):
        entry = entries.get(message)
        short = repr(message.text if len(message.text) <= 100 else message.text[:99] + "…")
        translations = (
            [] if entry is None else ([entry.msgstr] if not message.plural else list(entry.msgstr_plural.values()))
        )
        if entry is None or not translations or not all(text.strip() for text in translations):
            problems.append(f"no translation: {short}")
        elif "fuzzy" in entry.flags:
            problems.append(f"marked as unsure: {short}")
        elif any(placeholders(text) != placeholders(message.plural or message.text) for text in translations):
            # A plural's translation may use what only the plural names; Japanese has one form for both.
            problems.append(f"other placeholders than its text: {short}")
    return problems


def placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text.replace("{{", "").replace("}}", "")))  # doubled braces stand for themselves
