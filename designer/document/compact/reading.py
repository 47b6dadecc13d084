"""Compact form → the JSON data of a document, and the place of each part in the text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .. import ids
from ..activity import Activity
from ..base import Model, Path, Slot, slots, tag
from ..design import Spec
from ..family import Value
from ..table import RowKind, Table
from ..texts import N_, Text, build_text
from ..validation_errors import InvalidDocumentError, Problem, unknown_key
from .forms import (
    ALONE,
    BLOCKS,
    IDS,
    KEYS,
    OF_ROW_KIND,
    TYPE_NAMES,
    all_cycles,
    first_fields,
    full_names,
    is_list,
    name_field,
    scalar_kind,
    short_name,
    takes_items,
)
from .keys import OtherId, PendingKey, finish
from .nodes import CompactError, Listing, Node, Phrase, Scalar
from .nodes import Mapping as Named
from .phrases import parse_line
from .quantities import parse_quantity, unit_of

Place = tuple[int, int]
"""Line and column, from 1."""

_OWN_NAMES = {there: name for name, there in OF_ROW_KIND.items()}
_OF_ROW_KINDS = frozenset(
    (*full_names(RowKind), *_OWN_NAMES, *(ids for (model, _), ids in KEYS.items() if model is RowKind))
)
"""Names of a row kind that may stand in its table."""


def _names(model: type[Model]) -> list[str]:
    """Return the names of a part's fields; a table has also those of its only row kind."""
    own = [short_name(model, name) for name in model.model_fields]
    of_kind = [short_name(RowKind, name) for name in RowKind.model_fields] if model is Table else []
    return list(dict.fromkeys((*own, *of_kind)))


class CompactText:
    """A compact text as data, with the places of its parts."""

    def __init__(self, root: Node) -> None:
        self.places: dict[Path, Place] = {(): (root.line, root.column)}
        self._names: dict[Path, str] = {}
        """What a step of a path is called in the text, but for numbers; empty where the text has no such step."""
        self._pending: list[PendingKey] = []
        self._problems: list[Problem] = []
        self.unknown_keys = dict[Path, Text]()
        """What is wrong with keys that no part has, in the names that this form has for fields."""
        if isinstance(root, Scalar) and root.is_null:
            root = Named((), 1, 1)
        if not isinstance(root, Named):
            raise CompactError(N_("a design has names with values, such as tables"), root.line, root.column)
        self._renamed = self._other_ids(root)
        # The list of ids at the end is of the text and no part of the design.
        rest = tuple(entry for entry in root.entries if entry[0].text != IDS)
        self.data: dict[str, Any] = self._model(Named(rest, root.line, root.column), Spec, ())
        self.written_ids = frozenset((*_ids_in(self.data), *(other_id.id for other_id in self._renamed.values())))
        if self._problems:
            raise InvalidDocumentError(self._problems)

    def finish(self) -> dict[str, Any]:
        """Return the data with ids in place of names and segments in place of key texts.

        Raises
        ------
        InvalidDocumentError
            If a key text cannot be read, or an id is given to no element.
        """
        return finish(self.data, self._pending, self._renamed)

    def place(self, path: Path) -> Place | None:
        """Return the line and column of a part, or of the nearest part around it."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path)

    def line(self, path: Path) -> int | None:
        """Return the line of a part, or of the nearest part around it."""
        place = self.place(path)
        return place[0] if place else None

    def name_path(self, path: Path) -> str:
        """Return a path in the names of the text: `tables.orders.reads.Newest.rate`."""
        text = ""
        for length, step in enumerate(path, 1):
            name = self._names.get(path[:length], f"[{step}]" if isinstance(step, int) else step)
            is_number = isinstance(step, int) and path[:length] not in self._names
            text += name if is_number or not name else f".{name}"
        return text.removeprefix(".")

    def _other_ids(self, root: Named) -> dict[str, OtherId]:
        """Return the ids that stand at the end of the text, by those that reading makes."""
        other_ids: dict[str, OtherId] = {}
        for key, node in root.entries:
            if key.text != IDS:
                continue
            self.places[IDS,] = (key.line, key.column)
            for number, line in enumerate(node.items if isinstance(node, Listing) else (node,)):
                self.places[IDS, number] = (line.line, line.column)
                for name, value in parse_line(line).arguments if isinstance(line, Scalar) else ((None, line),):
                    if name is None or not isinstance(value, Scalar):
                        message = N_("write made-id=id, several with commas between them")
                        raise CompactError(message, value.line, value.column)
                    other_ids[name.text] = OtherId(value.text, (IDS, number), name.line, name.column)
        return other_ids

    # --- parts ---

    def _model(self, node: Node, model: type[Model], path: Path) -> Any:
        """Return the data of one part; what has not its shape is left for validation to refuse."""
        self.places.setdefault(path, (node.line, node.column))
        if isinstance(node, Scalar) and not node.is_word:
            node = parse_line(node) if model not in BLOCKS else node
        if isinstance(node, Scalar) and node.is_word:
            node = Phrase(None, ((None, node),), node.line, node.column)
        if isinstance(node, Phrase):
            node = self._named_arguments(node, model, path)
        if isinstance(node, Listing):
            return [self._raw(item) for item in node.items]
        if isinstance(node, Scalar):
            return None if node.is_null else node.text
        return self._fields(node, model, path)

    def _fields(self, node: Named, model: type[Model], path: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        inner: list[tuple[Scalar, Node]] = []
        field_names = full_names(model)
        ids = {KEYS[cls, name]: name for cls, name in KEYS if cls is model}
        for key, value in node.entries:
            name = field_names.get(key.text, key.text)
            # A table with one row kind says what is the row kind's itself: one level less to read.
            if model is Table and key.text not in field_names and key.text in _OF_ROW_KINDS:
                inner.append((Scalar(_OWN_NAMES.get(key.text, key.text), key.line, key.column), value))
                continue
            if key.text not in field_names and name not in ids:
                self.unknown_keys[*path, name] = unknown_key(name, _names(model))
            # PyYAML's events keep both; of two equal keys, the second would replace the first in silence.
            if name in data:
                first = self.places[(*path, name)][0]
                text = build_text(N_("duplicate key; the first is on line {first}"), first=first)
                self._problems.append(Problem((*path, name), text, key.line, key.column))
                continue
            self.places[*path, name] = (key.line, key.column)
            self._names[*path, name] = short_name(model, name) if name in model.model_fields else key.text
            data[name] = self._ids(value) if name in ids else self._value(value, model, name, (*path, name))
        if inner:
            if "row_kinds" in data:
                text = build_text(N_("a table has either row_kinds or what one row kind says, such as key"))
                self._problems.append(Problem((*path, inner[0][0].text), text, inner[0][0].line, inner[0][0].column))
            self._names[*path, "row_kinds"] = self._names[*path, "row_kinds", 0] = ""
            self.places.setdefault((*path, "row_kinds", 0), (inner[0][0].line, inner[0][0].column))
            whole = Named(tuple(inner), inner[0][0].line, inner[0][0].column)
            data["row_kinds"] = [self._fields(whole, RowKind, (*path, "row_kinds", 0))]
        return data

    def _ids(self, node: Node) -> list[Any]:
        return [self._raw(item) for item in node.items] if isinstance(node, Listing) else [self._raw(node)]

    def _named_arguments(self, phrase: Phrase, model: type[Model], path: Path) -> Named | Scalar:
        """Give each argument of a line the name of the field that it is for."""
        head, arguments = phrase.head, phrase.arguments
        # A value may be a kind, a size, or both; only the word itself shows which.
        if model is Value and head is None and len(arguments) == 1 and arguments[0][0] is None:
            only = arguments[0][1]  # json, json(600B), (600B)
            if isinstance(only, Phrase):
                head, arguments = only.head, only.arguments
            elif isinstance(only, Scalar) and parse_quantity(only.text, unit_of("typical_bytes")) is None:
                head, arguments = only, ()
        elif head is not None and model is not Value and tag(model) is None:  # fan_out: zipf(0.9)
            # The part has no kinds, so that the word with parentheses is the value of its first field.
            head, arguments = None, ((None, phrase),)
        entries: list[tuple[Scalar, Node]] = []
        if head is not None:
            if model is Value and head.text.lower() in TYPE_NAMES:
                head = replace(head, text=TYPE_NAMES[head.text.lower()])
            entries.append((Scalar("kind", head.line, head.column), head))
        first = first_fields(model)
        if takes_items(model):
            items = tuple(value for name, value in arguments if name is None)
            rest = [(name, value) for name, value in arguments if name is not None]
            listing = Listing(items, phrase.line, phrase.column)
            item_entries: list[tuple[Scalar, Node]] = [(Scalar(first[0], *_at(listing)), listing)] if items else []
            return Named((*entries, *item_entries, *rest), phrase.line, phrase.column)
        remaining = list(first)
        for name, argument in arguments:
            value = argument
            # An activity has a rate or an arrival in the first place; neither needs its name.
            if name is None and model is Activity and (arrival := _arrival(value)) is not None:
                name, value = Scalar("arrival", *_at(value)), arrival
            if name is None and not remaining:
                message = N_("this value has no name: write name=value")
                raise CompactError(message, value.line, value.column)
            entries.append((name if name is not None else Scalar(remaining.pop(0), *_at(value)), value))
        return Named(tuple(entries), phrase.line, phrase.column)

    # --- values ---

    def _value(self, node: Node, model: type[Model], name: str, path: Path) -> Any:
        if isinstance(node, Scalar) and node.is_null:
            return None
        if name not in model.model_fields:
            return self._raw(node)
        slot = slots(model).get(name)
        if slot is None:
            return self._scalars(node, model, name, path)
        if not slot.many:
            return self._part(node, slot, path)
        if (model, name) in KEYS and isinstance(node, Scalar):
            self._pending.append(PendingKey(path, node, KEYS[model, name]))
            return node.text
        if isinstance(node, Listing):
            return [self._part(item, slot, (*path, number)) for number, item in enumerate(node.items)]
        field = name_field(slot.classes[0])
        if isinstance(node, Named) and field is not None:
            return list(self._named_elements(node, slot.classes[0], field, path))
        return self._raw(node)

    def _named_elements(self, node: Named, model: type[Model], field: str, path: Path) -> Iterator[Any]:
        first = dict[str, Scalar]()
        for number, (key, value) in enumerate(node.entries):
            self.places[*path, number] = self.places[*path, number, field] = (key.line, key.column)
            self._names[*path, number], self._names[*path, number, field] = key.text, ""
            if key.text in first:
                text = build_text(N_("duplicate key; the first is on line {first}"), first=first[key.text].line)
                self._problems.append(Problem((*path, number), text, key.line, key.column))
            first.setdefault(key.text, key)
            empty = isinstance(value, Scalar) and value.is_null
            data = {} if empty else self._model(value, model, (*path, number))
            yield {field: key.text, **data} if isinstance(data, dict) else data

    def _part(self, node: Node, slot: Slot, path: Path) -> Any:
        """Return the data of a part that may be of several classes, which its kind tells apart."""
        if not slot.kinds:
            return self._model(node, slot.classes[0], path)
        if isinstance(node, Scalar) and not node.is_word:
            line = parse_line(node).arguments
            if len(line) == 1 and line[0][0] is None:
                node = line[0][1]
        if isinstance(node, Scalar):
            node = _of_number_alone(node, slot) or Phrase(node, (), node.line, node.column)
        kind: Node | None = node.head if isinstance(node, Phrase) else None
        if isinstance(node, Named):
            kind = next((value for key, value in node.entries if key.text == "kind"), None)
        model = slot.kinds.get(kind.text) if isinstance(kind, Scalar) else None
        if model is not None:
            return self._model(node, model, path)
        self.places.setdefault(path, (node.line, node.column))
        return {"kind": kind.text} if isinstance(kind, Scalar) else {} if isinstance(node, Phrase) else self._raw(node)

    def _scalars(self, node: Node, model: type[Model], name: str, path: Path) -> Any:
        if is_list(model, name):
            if not isinstance(node, Listing):
                return self._raw(node)
            for number, item in enumerate(node.items):
                self.places[*path, number] = (item.line, item.column)
            return all_cycles(model, name, [self._scalar(item, model, name) for item in node.items])
        return self._scalar(node, model, name)

    def _scalar(self, node: Node, model: type[Model], name: str) -> Any:
        if not isinstance(node, Scalar):
            return self._raw(node)
        kind = scalar_kind(model, name)
        # Texts stay texts in YAML's events: yes, on and Norway's "no" are never taken for flags.
        if kind == "flag":
            return {"true": True, "false": False}.get(node.text, node.text)
        if kind == "number":
            number = parse_quantity(node.text, unit_of(name))
            # What is no number is left for validation, which says what is wrong with it.
            return node.text if number is None else number
        return node.text

    def _raw(self, node: Node) -> Any:
        """Return data of what no field is known for; validation says what is wrong with it."""
        match node:
            case Scalar():
                return node.text
            case Listing():
                return [self._raw(item) for item in node.items]
            case Named():
                return {key.text: self._raw(value) for key, value in node.entries}
        return {"kind": node.head.text} if node.head else {}


def _of_number_alone(node: Scalar, slot: Slot) -> Phrase | None:
    """Return what a number says without its kind; None where it says nothing."""
    for kind, model in slot.kinds.items():
        if model in ALONE and parse_quantity(node.text, unit_of(ALONE[model])) is not None:
            return Phrase(replace(node, text=kind), ((None, node),), node.line, node.column)
    return None


_EACH = re.compile(r"(?:each|every) (?P<field>.+) (?:every|each) (?P<seconds>.+)")


def _arrival(node: Node) -> Phrase | None:
    """Return the arrival that an activity says in place of a rate: `each device every 10s`, `every(10s, device)`."""
    if isinstance(node, Phrase) and node.head is not None and node.head.text in slots(Activity)["arrival"].kinds:
        return node
    match = _EACH.fullmatch(node.text) if isinstance(node, Scalar) else None
    if match is None:
        return None
    words = (Scalar(match[name], *_at(node), is_word=True) for name in ("seconds", "field"))
    return Phrase(Scalar("every", *_at(node)), tuple((None, word) for word in words), *_at(node))


def _ids_in(data: dict[str, Any]) -> Iterator[str]:
    """Yield the ids that a text gives to elements itself."""
    for part, model in ((data, Spec), *ids.data_parts(data, Spec)):
        part_ids = [
            part.get("id"),
            *(value for (cls, _), name in KEYS.items() if cls is model for value in part.get(name, ())),
        ]
        yield from (id_ for id_ in part_ids if isinstance(id_, str))


def _at(node: Node) -> Place:
    return node.line, node.column
