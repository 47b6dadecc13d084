"""Forms of Terraform's expressions, as far as they follow from the text.

Literals, references to other resources, variables with a default, locals, templates of these, `jsonencode`, choices by
a condition, `for` expressions, and the values of `count`, `for_each` and `dynamic` are evaluated. Any other expression
is an `UnknownExpression`.
"""

import json
import operator
import re
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

from designer.document.validation_errors import InvalidDocumentError

from .hcl import labelled_blocks, parse, plain_key
from .hcl_choices import Loop, read_comparison, read_conditional, read_loop, split_at, without_parentheses
from .resource import UnknownExpression

MOST_STEPS = 8
"""References that lead on to other references."""
MOST_OF_TEXT = 10_000
"""Characters of a text put together; what is longer was made to be."""
MOST_REPEATED = 500
"""Resources that one block makes; a text that makes more tells none of them."""
MOST_LOOPED = 2_000
"""Items of all `for` expressions of a text; those beyond are unknown."""
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|\$\$\{|%%\{", re.DOTALL)
_SIGNS = {"n": "\n", "r": "\r", "t": "\t"}
_HEREDOC = re.compile(r'"<<(-?)(\w+)\r?\n(.*)\n?[ \t]*\2"', re.DOTALL)
_DOUBLED = re.compile(r"([$%])\1(?=\{)")
"""What a heredoc escapes; a backslash is a character there."""
_TEMPLATE = re.compile(r"(?<!\$)\$\{|(?<!%)%\{")
_INSERTED = re.compile(r"(?<!\$)\$\{([^{}]*)\}")
_PLACE = re.compile(r"\[[^\[\]]*\]|\.\*")
"""Which of several resources of one label: where it cannot be told, all of them are taken as one."""
_REFERENCE = re.compile(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+")
_CALL = re.compile(r"jsonencode\((.*)\)", re.DOTALL)
_COLLECTION = re.compile(r"(toset|tolist|tomap)\((.*)\)", re.DOTALL)
_RESOURCE = re.compile(r"(google_\w+\.[\w-]+)(?:\[([^\[\]]+)\])?\.([\w.-]+)")
_PATH = re.compile(r'([A-Za-z_][\w-]*\.[A-Za-z_][\w-]*)((?:\.[\w-]+|\[(?:"[^"\[\]]*"|[^\[\]"]+)\])*)')
_STEP = re.compile(r"\.([\w-]+)|\[([^\[\]]+)\]")
_ITEM = re.compile(r'([A-Za-z_][\w-]*)((?:\.[\w-]+|\[(?:"[^"\[\]]*"|[^\[\]"]+)\])*)')
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "null": None}
_ORDERS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_SUM = re.compile(r"([\w.-]+)\s*([+-])\s*(\d{1,9})")


@dataclass(frozen=True)
class _Instance:
    """One of the resources that a block makes, as `each.value` of another block."""

    called: str
    key: str | int


class TerraformNames:
    """Names that expressions can refer to: attributes of resources, variables with a default, locals."""

    def __init__(self, parsed: Mapping[str, Any]) -> None:
        self.held: dict[str, Any] = {}
        self.found: dict[str, Any] = {}
        self.own: Mapping[str, Any] = {}
        """What `each`, `count` and the iterators of dynamic blocks are here."""
        self.loops_left = [MOST_LOOPED]
        """So many more items of `for` expressions are evaluated, in whatever scope."""
        self.repeated: dict[str, Any] = {}
        """`count` or `for_each` of resources."""
        for kind, label, body in labelled_blocks(parsed.get("resource")):
            self.held |= {f"{kind}.{label}.{name}": value for name, value in body.items()}
            for name in ("count", "for_each"):
                if name in body:
                    self.repeated[f"{kind}.{label}"] = body[name]
        for block in parsed.get("variable", ()):
            for name, body in block.items():
                if isinstance(body, Mapping) and "default" in body:
                    self.held[f"var.{plain_key(name)}"] = body["default"]
        for block in parsed.get("locals", ()):
            self.held |= {f"local.{name}": value for name, value in block.items()}

    def instances(self, called: str, steps: int = 0) -> Mapping[str | int, "TerraformNames"] | None:
        """Return the names that hold in each resource of a repeated block, by key; None if it cannot be said."""
        items = self.items(self.repeated[called], steps)
        if items is None:
            return None
        # `count` numbers its resources; `for_each` has texts as keys, numbers among them written as text.
        if isinstance(next(iter(items), ""), int):
            return {key: self._within({"count.index": key}) for key in items}
        return {key: self._within({"each.key": key, "each.value": value}) for key, value in items.items()}

    def items(self, parsed: Any, steps: int = 0) -> Mapping[str | int, Any] | None:
        """Return what `count` or `for_each` goes over, keys → values; None if the text does not say it."""
        plain = parsed[2:-1].strip() if isinstance(parsed, str) and parsed.startswith("${") else ""
        if plain in self.repeated and steps <= MOST_STEPS:
            instances = self.instances(plain, steps + 1)
            return None if instances is None else {str(key): _Instance(plain, key) for key in instances}
        value = self.value(parsed, steps)
        # True is a whole number to Python, and no count.
        if isinstance(value, bool) or _holds_unknown_key(value):
            return None
        entries: Mapping[str | int, Any] | None = None
        if isinstance(value, int) and 0 <= value <= MOST_REPEATED:
            entries = dict.fromkeys(range(value))
        elif isinstance(value, Mapping):
            entries = {str(key): entry for key, entry in value.items()}
        elif isinstance(value, list) and all(isinstance(entry, str | int) for entry in value):
            entries = {str(entry): entry for entry in value}
        return entries if entries is not None and len(entries) <= MOST_REPEATED else None

    def dynamic_scopes(self, iterator: str, items: Mapping[str | int, Any]) -> Iterator["TerraformNames"]:
        """Yield the names that hold in each block that a dynamic block makes."""
        for key, value in items.items():
            yield self._within({**self.own, f"{iterator}.key": key, f"{iterator}.value": value})

    def _within(self, own: Mapping[str, Any]) -> "TerraformNames":
        # What was resolved is not taken along, as an expression may hold `each.value`.
        names = copy(self)
        names.own, names.found = own, {}
        return names

    def value(self, parsed: Any, steps: int = 0) -> Any:
        """Return the parser's output as plain data; an expression that cannot be evaluated is `UnknownExpression`."""
        if isinstance(parsed, Mapping):
            return {
                plain_key(key): self.value(inner, steps) for key, inner in parsed.items() if not key.startswith("__")
            }
        if isinstance(parsed, list):
            return [self.value(inner, steps) for inner in parsed]
        if not isinstance(parsed, str):
            return parsed
        if parsed.startswith('"'):
            return self._text(parsed, steps)
        if parsed.startswith("${") and parsed.endswith("}"):
            return self._evaluate(parsed[2:-1].strip(), steps)
        return parsed

    def _text(self, raw: str, steps: int) -> Any:
        heredoc = _HEREDOC.fullmatch(raw)
        inside = heredoc[3] if heredoc else raw[1:-1]
        unescape = partial(_DOUBLED.sub, r"\1") if heredoc else partial(_ESCAPE.sub, _unescape)
        if not _TEMPLATE.search(inside):
            return unescape(inside)
        if whole := _INSERTED.fullmatch(inside):
            return self._evaluate(whole[1].strip(), steps)
        parts = _INSERTED.split(inside)  # texts, and between them what is inserted
        plain = [unescape(part) for part in parts[::2]]
        insertions = [self._interpolate(part.strip(), steps + 1) for part in parts[1::2]]
        if None in insertions or any(map(_TEMPLATE.search, parts[::2])):
            return UnknownExpression(raw)
        text = "".join(part for pair in zip(plain, [*insertions, ""], strict=True) for part in pair if part)
        return text if len(text) <= MOST_OF_TEXT else UnknownExpression(raw[:80])

    def _interpolate(self, text: str, steps: int) -> str | None:
        """Return the text that an expression inserts into a text, or None if it cannot be evaluated."""
        value = self._evaluate(text, steps, stand_in=False)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, str | int) and not isinstance(value, UnknownExpression) else None

    def _evaluate(self, text: str, steps: int, *, stand_in: bool = True) -> Any:
        text = without_parentheses(text)
        if steps > MOST_STEPS:
            return UnknownExpression(text)
        if (choice := read_conditional(text)) is not None:
            holds = self._holds(choice.condition, steps + 1)
            branch = choice.then if holds else choice.otherwise
            return UnknownExpression(text) if holds is None else self._operand(branch, steps + 1)
        if (loop := read_loop(text)) is not None:
            return self._loop(loop, steps + 1, UnknownExpression(text))
        if text in self.own and not isinstance(self.own[text], _Instance):
            return self.own[text]
        if call := _CALL.fullmatch(text):
            try:
                return json.dumps(_drop_unknown(self.value(_object(call[1]), steps + 1)))
            except (ValueError, TypeError, InvalidDocumentError):
                return UnknownExpression(text)
        own_value = self._repeated_value(text, steps)
        if not isinstance(own_value, UnknownExpression):
            return own_value
        name = _PLACE.sub("", text) if text.startswith("google_") else text
        if not _REFERENCE.fullmatch(name):
            return UnknownExpression(text)
        if name not in self.found:
            # Before it is resolved: a local that refers to itself by way of others would not end.
            self.found[name] = UnknownExpression(text)  # what leads back to itself
            self.found[name] = self._resolve(name, steps)
        value = self.found[name]
        # A name that is any other expression is stood in for by the label, so that what refers to the resource still
        # finds it (decision 25).
        if isinstance(value, UnknownExpression) and stand_in and name.startswith("google_"):
            kind, label, *rest = name.split(".")
            return (
                label if rest in (["name"], ["id"]) and f"{kind}.{label}.name" in self.held else UnknownExpression(text)
            )
        return UnknownExpression(text) if isinstance(value, UnknownExpression) else value

    def _operand(self, text: str, steps: int) -> Any:
        """Return the value of a part of an expression."""
        if text in _WORDS or text.isdecimal():
            return _WORDS[text] if text in _WORDS else int(text)
        if not text or text[0] not in '"[{<-0123456789':
            return self._evaluate(text, steps)
        try:
            return self.value(_object(text), steps) if steps <= MOST_STEPS else UnknownExpression(text)
        except InvalidDocumentError:
            return UnknownExpression(text)

    def _holds(self, text: str, steps: int) -> bool | None:
        """Return whether a condition holds; None if the text does not say it."""
        text = without_parentheses(text)
        if steps > MOST_STEPS:
            return None
        for sign, decides in (("||", True), ("&&", False)):
            parts = split_at(text, sign)
            if len(parts) > 1:
                found = [self._holds(part, steps + 1) for part in parts]
                return decides if decides in found else None if None in found else not decides
        if (compared := read_comparison(text)) is not None:
            one, sign, other = compared
            return _compare(self._operand(one, steps + 1), sign, self._operand(other, steps + 1))
        if text.startswith("!"):
            inner = self._holds(text[1:].strip(), steps + 1)
            return None if inner is None else not inner
        value = self._operand(text, steps + 1)
        return value if isinstance(value, bool) else None

    def _loop(self, loop: Loop, steps: int, unknown: UnknownExpression) -> Any:
        """Return the list or the map that a `for` expression makes."""
        over = self._operand(loop.over, steps)
        # Of a set, the key is the value; whether a name holds a list or a set, its value no longer tells.
        is_set = loop.over.startswith("toset(")
        if isinstance(over, list) and loop.index and not is_set and not loop.over.startswith(("[", "tolist(")):
            return unknown
        if not isinstance(over, list | dict) or len(over) > self.loops_left[0]:
            return unknown
        self.loops_left[0] -= len(over)
        entries = sorted(over.items()) if isinstance(over, dict) else list(enumerate(over))
        by_name: dict[str, Any] = {}
        values = []
        for key, item in entries:
            scope = self._within({**self.own, loop.index: item if is_set else key, loop.item: item})
            is_taken = scope._holds(loop.condition, steps + 1) if loop.condition else True
            name = scope._operand(loop.key, steps + 1) if loop.key else ""
            if is_taken is None or not isinstance(name, str | int) or isinstance(name, UnknownExpression):
                return unknown
            if is_taken:
                values.append(scope._operand(loop.value, steps + 1))
                by_name[str(name)] = values[-1]
        return by_name if loop.key else values

    def _repeated_value(self, text: str, steps: int) -> Any:
        """Return what an expression is that says which of several, or which collection."""
        unknown = UnknownExpression(text)
        if call := _COLLECTION.fullmatch(text):
            try:
                value = self.value(_object(call[2]), steps + 1)
            except InvalidDocumentError:
                return unknown
            is_list = call[1] != "tomap" and isinstance(value, list)
            return value if is_list or (call[1] == "tomap" and isinstance(value, Mapping)) else unknown
        if (total := _SUM.fullmatch(text)) and total[1] in self.own:
            start = self.own[total[1]]
            return start + int(total[2] + total[3]) if isinstance(start, int) else unknown
        if (match := _RESOURCE.fullmatch(text)) and match[1] in self.repeated and match[2]:
            key = self._key(match[2], steps)
            return unknown if key is None else self._of_instance(_Instance(match[1], key), match[3], steps, unknown)
        item = _ITEM.fullmatch(text)
        path = item if item is not None and item[1] in self.own else _PATH.fullmatch(text)
        if path is None or not (path[1] in self.own or path[2].count("[")) or path[1].startswith("google_"):
            return unknown
        value = self.own[path[1]] if path[1] in self.own else self._evaluate(path[1], steps + 1)
        for dotted, indexed in _STEP.findall(path[2]):
            key = dotted or self._key(indexed, steps)
            if isinstance(value, _Instance):
                value = self._of_instance(value, str(key), steps, unknown)
            elif isinstance(value, Mapping):
                value = value.get(str(key), unknown)
            elif isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
                value = value[key]
            else:
                return unknown
        return unknown if isinstance(value, _Instance) else value

    def _key(self, text: str, steps: int) -> str | int | None:
        """Return an index or a key."""
        if text.isdecimal():
            return int(text)
        key = plain_key(text) if text.startswith('"') else self._evaluate(text, steps + 1)
        is_known = isinstance(key, str | int) and not isinstance(key, UnknownExpression)
        return key if is_known else None

    def _of_instance(self, instance: _Instance, name: str, steps: int, unknown: UnknownExpression) -> Any:
        """Return an attribute of one of the resources that a block makes."""
        instances = self.instances(instance.called, steps + 1) if steps <= MOST_STEPS else None
        if instances is None or instance.key not in instances:
            return unknown
        return instances[instance.key]._evaluate(f"{instance.called}.{name}", steps + 1, stand_in=False)

    def _resolve(self, name: str, steps: int) -> Any:
        """Return the value of an attribute, a variable or a local, or of a part of one."""
        if name in self.held:
            return self.value(self.held[name], steps + 1)
        start, *rest = name.split(".")
        if start in ("var", "local"):
            value = self.value(self.held.get(f"{start}.{rest[0]}"), steps + 1)
            for key in rest[1:]:
                value = value.get(key) if isinstance(value, Mapping) else None
            return UnknownExpression(name) if value is None else value
        if rest[1:] in (["id"], ["self_link"]) and f"{start}.{rest[0]}.name" in self.held:
            return self.value(self.held[f"{start}.{rest[0]}.name"], steps + 1)
        return UnknownExpression(name)


def _compare(one: Any, sign: str, other: Any) -> bool | None:
    """Return how two values compare; None if one is not known, or no number where numbers are compared."""
    try:
        texts = json.dumps(_drop_unknown(one), sort_keys=True), json.dumps(_drop_unknown(other), sort_keys=True)
    except (ValueError, TypeError):
        return None
    if sign in ("==", "!="):
        return (texts[0] == texts[1]) is (sign == "==")
    are_numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    return _ORDERS[sign](one, other) if are_numbers else None


def _holds_unknown_key(value: Any) -> bool:
    return isinstance(value, UnknownExpression) or (
        isinstance(value, list) and any(isinstance(entry, UnknownExpression) for entry in value)
    )


def _object(text: str) -> Any:
    return parse(f"x = {text}")["x"]


def _drop_unknown(value: Any) -> Any:
    if isinstance(value, UnknownExpression):
        raise ValueError(value)
    if isinstance(value, dict):
        return {key: _drop_unknown(entry) for key, entry in value.items()}
    return [_drop_unknown(entry) for entry in value] if isinstance(value, list) else value


def _unescape(match: "re.Match[str]") -> str:
    if match[1] or match[2]:
        code = int(match[1] or match[2], 16)
        # Half a character (a surrogate) is in no text that could be stored.
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    return match[0][1:] if match[3] is None else _SIGNS.get(match[3], match[3])
