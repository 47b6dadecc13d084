"""Import of Terraform files (HCL): the Bigtable resources.

Literals, references to other resources, variables with a default, locals, templates of these and
`jsonencode` are evaluated. The value of any other expression is not in the text and is reported as missing.
If a resource's own name is such an expression, its label replaces it, also in references to the resource.
"""

import json
import re
from collections.abc import Iterator, Mapping
from threading import Thread
from typing import Any

from designer.document.terraform import is_constraint
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .shared.build import build_import
from .shared.resource import HOW_MANY, Resource, UnknownExpression
from .shared.resources import build_document
from .shared.resources_told import told_parts
from .shared.result import ImportRemark, ImportResult, line_place

TITLE = "Terraform"
MOST_TEXT_BYTES = 300_000
MOST_WORDS = 100_000
"""A larger file, or one of more words and signs, takes the parser more than a few seconds."""
MOST_STEPS = 8
"""References that lead on to other references."""
MOST_OF_TEXT = 10_000
"""Characters of a text put together; what is longer was made to be."""
_BLOCK = re.compile(r'^[ \t]*(resource|variable|provider|terraform|locals)[ \t]*("[^"\n]*"[ \t]*)*\{', re.MULTILINE)
_WORD = re.compile(r"\w+|[^\w\s]")
_HEAD = re.compile(r'^[ \t]*resource[ \t]+"([^"\n]*)"[ \t]+"([^"\n]*)"', re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|\$\$\{|%%\{", re.DOTALL)
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
_HEREDOC = re.compile(r'"<<(-?)(\w+)\r?\n(.*)\n?[ \t]*\2"', re.DOTALL)
_TEMPLATE = re.compile(r"(?<!\$)\$\{|(?<!%)%\{")
_INSERTED = re.compile(r"(?<!\$)\$\{([^{}]*)\}")
_PLACE = re.compile(r"\[[^\[\]]*\]|\.\*")
"""Which of several resources of one label: all of them are taken as one."""
_REFERENCE = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+")
_CALL = re.compile(r"jsonencode\((.*)\)", re.DOTALL)


def can_read(text: str, data: Any) -> bool:
    """Return whether a text contains a resource, a variable or a provider block."""
    return data is None and _BLOCK.search(text) is not None


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the Bigtable resources."""
    parsed = _parse(text)
    names = _Names(parsed)
    resources = [*_resources(text, parsed, names)]
    missed: list[ImportRemark] = []
    for kind in ("module", "data"):
        for block in parsed.get(kind, ()):
            name = " ".join(_plain_key(key) for key in block if not key.startswith("__"))
            missed.append(ImportRemark(f"{kind} {name}".strip(), N_("contents ignored")))
    document = build_document(resources, missed)
    told = told_parts(resources, document)
    if version := _provider_version(parsed, names):
        managed = document["instance"].get("terraform", {})
        document["instance"]["terraform"] = {**managed, "provider_version": version}
    return build_import("terraform", document, missed, told)


def _provider_version(parsed: Mapping[str, Any], names: "_Names") -> str:
    """Return the versions of the provider that the text asks for."""
    for block in parsed.get("terraform", ()):
        for required in block.get("required_providers", ()):
            google = names.value(required).get("google")
            version = google.get("version") if isinstance(google, Mapping) else google
            if isinstance(version, str) and is_constraint(version):
                return version
    return ""


def _parse(text: str) -> Mapping[str, Any]:
    import hcl2
    from lark.exceptions import LarkError, UnexpectedInput

    if len(text.encode()) > MOST_TEXT_BYTES:
        message = N_("larger than {most} kB")
        raise InvalidDocumentError([Problem((), build_text(message, most=MOST_TEXT_BYTES // 1_000))])
    if sum(1 for _ in _WORD.finditer(text)) > MOST_WORDS:
        message = N_("more than {most} tokens: import only the Bigtable resources")
        raise InvalidDocumentError([Problem((), build_text(message, most=f"{MOST_WORDS:,}"))])
    _build_parser()
    try:
        found: Mapping[str, Any] = hcl2.loads(text if text.endswith("\n") else text + "\n")
        return found
    except UnexpectedInput as error:
        line = error.line if isinstance(error.line, int) and error.line > 0 else None
        raise InvalidDocumentError([Problem((), build_text(N_("invalid Terraform")), line)]) from None
    except (LarkError, ValueError, RecursionError, KeyError, AttributeError, TypeError):
        raise InvalidDocumentError([Problem((), build_text(N_("invalid Terraform")))]) from None


def _build_parser() -> None:
    """Build the parser of Terraform once in a process, in a thread of its own.

    It takes a second on a short stack. A request's calls may be as deep as a piece of CPython's stack is long: then
    each further call maps a new piece and gives it back, and it took 20 seconds.
    """
    from hcl2.parser import parser

    if parser.cache_info().currsize == 0:
        builder = Thread(target=parser, daemon=True)
        builder.start()
        builder.join()


def _plain_key(key: str) -> str:
    return key[1:-1] if key[:1] == key[-1:] == '"' else key


def _labelled_blocks(blocks: Any) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Blocks of two labels."""
    for block in blocks or ():
        for kind, inner in block.items():
            for label, body in inner.items() if isinstance(inner, Mapping) else ():
                if isinstance(body, Mapping):
                    yield _plain_key(kind), _plain_key(label), body


def _resources(text: str, parsed: Mapping[str, Any], names: "_Names") -> Iterator[Resource]:
    lines = _resource_lines(text)
    for kind, label, body in _labelled_blocks(parsed.get("resource")):
        called = f"{kind}.{label}"
        where = line_place(lines[called], called) if called in lines else called
        values = {name: names.value(held) for name, held in body.items() if not name.startswith("__")}
        yield Resource(kind, label, values, where, "" if any(name in values for name in HOW_MANY) else called)


def _resource_lines(text: str) -> dict[str, int]:
    """On which line each resource begins."""
    found: dict[str, int] = {}
    line, done = 1, 0
    for head in _HEAD.finditer(text):
        line, done = line + text.count("\n", done, head.start(1)), head.start(1)
        found.setdefault(f"{head[1]}.{head[2]}", line)
    return found


class _Names:
    """Names that expressions can refer to: attributes of resources, variables with a default, locals."""

    def __init__(self, parsed: Mapping[str, Any]) -> None:
        self.held: dict[str, Any] = {}
        self.found: dict[str, Any] = {}
        for kind, label, body in _labelled_blocks(parsed.get("resource")):
            self.held |= {f"{kind}.{label}.{name}": held for name, held in body.items()}
        for block in parsed.get("variable", ()):
            for name, body in block.items():
                if isinstance(body, Mapping) and "default" in body:
                    self.held[f"var.{_plain_key(name)}"] = body["default"]
        for block in parsed.get("locals", ()):
            self.held |= {f"local.{name}": held for name, held in block.items()}

    def value(self, parsed: Any, steps: int = 0) -> Any:
        """Return the parser's output as plain data; an expression that cannot be evaluated is `UnknownExpression`."""
        if isinstance(parsed, Mapping):
            return {
                _plain_key(key): self.value(each, steps) for key, each in parsed.items() if not key.startswith("__")
            }
        if isinstance(parsed, list):
            return [self.value(each, steps) for each in parsed]
        if not isinstance(parsed, str):
            return parsed
        if parsed.startswith('"'):
            return self._text(parsed, steps)
        if parsed.startswith("${") and parsed.endswith("}"):
            return self._evaluate(parsed[2:-1].strip(), steps)
        return parsed

    def _text(self, held: str, steps: int) -> Any:
        if heredoc := _HEREDOC.fullmatch(held):
            return heredoc[3]
        inside = held[1:-1]
        if not _TEMPLATE.search(inside):
            return _ESCAPE.sub(_unescape, inside)
        if whole := _INSERTED.fullmatch(inside):
            return self._evaluate(whole[1].strip(), steps)
        parts = _INSERTED.split(inside)  # texts, and between them what is inserted
        plain = [_ESCAPE.sub(_unescape, part) for part in parts[::2]]
        known = [self._interpolate(part.strip(), steps + 1) for part in parts[1::2]]
        if None in known or any(map(_TEMPLATE.search, parts[::2])):
            return UnknownExpression(held)
        text = "".join(part for pair in zip(plain, [*known, ""], strict=True) for part in pair if part)
        return text if len(text) <= MOST_OF_TEXT else UnknownExpression(held[:80])

    def _interpolate(self, text: str, steps: int) -> str | None:
        """Return the text that an expression inserts into a text, or None if it cannot be evaluated."""
        found = self._evaluate(text, steps, stand_in=False)
        if isinstance(found, bool):
            return "true" if found else "false"
        return str(found) if isinstance(found, str | int) and not isinstance(found, UnknownExpression) else None

    def _evaluate(self, text: str, steps: int, *, stand_in: bool = True) -> Any:
        if steps > MOST_STEPS:
            return UnknownExpression(text)
        if call := _CALL.fullmatch(text):
            try:
                return json.dumps(_drop_unknown(self.value(_object(call[1]), steps + 1)))
            except (ValueError, TypeError, InvalidDocumentError):
                return UnknownExpression(text)
        name = _PLACE.sub("", text) if text.startswith("google_") else text
        if not _REFERENCE.fullmatch(name):
            return UnknownExpression(text)
        if name not in self.found:
            self.found[name] = UnknownExpression(text)  # what leads back to itself
            self.found[name] = self._resolve(name, steps)
        found = self.found[name]
        if isinstance(found, UnknownExpression) and stand_in and name.startswith("google_"):
            kind, label, *rest = name.split(".")
            return (
                label if rest in (["name"], ["id"]) and f"{kind}.{label}.name" in self.held else UnknownExpression(text)
            )
        return UnknownExpression(text) if isinstance(found, UnknownExpression) else found

    def _resolve(self, name: str, steps: int) -> Any:
        """Return the value of an attribute, a variable or a local, or of a part of one."""
        if name in self.held:
            return self.value(self.held[name], steps + 1)
        start, *rest = name.split(".")
        if start in ("var", "local"):
            held = self.value(self.held.get(f"{start}.{rest[0]}"), steps + 1)
            for key in rest[1:]:
                held = held.get(key) if isinstance(held, Mapping) else None
            return UnknownExpression(name) if held is None else held
        if rest[1:] in (["id"], ["self_link"]) and f"{start}.{rest[0]}.name" in self.held:
            return self.value(self.held[f"{start}.{rest[0]}.name"], steps + 1)
        return UnknownExpression(name)


def _object(text: str) -> Any:
    return _parse(f"x = {text}")["x"]


def _drop_unknown(value: Any) -> Any:
    if isinstance(value, UnknownExpression):
        raise ValueError(value)
    if isinstance(value, dict):
        return {key: _drop_unknown(each) for key, each in value.items()}
    return [_drop_unknown(each) for each in value] if isinstance(value, list) else value


def _unescape(match: "re.Match[str]") -> str:
    if match[1] or match[2]:
        code = int(match[1] or match[2], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return match[0][1:] if match[3] is None else _SIGNS.get(match[3], match[3])
