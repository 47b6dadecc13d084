"""A document → its compact form: parts as lines where they fit into one, and only what is set."""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from .. import ids
from ..base import Element, Model, Path, slots, tag
from ..design import Spec
from ..dump import to_plain_data
from ..family import Value
from ..keytext import KeyTextError, render_columns, render_key
from ..references import POINTERS
from ..table import RowKind, Table
from .folding import WIDTH, fold_line, wrap
from .forms import (
    BLOCKS,
    IDS,
    KEYS,
    OF_ROW_KIND,
    first_fields,
    is_list,
    name_field,
    one_cycle,
    scalar_kind,
    short_name,
    takes_items,
)
from .keys import Data, each_part, parse_parts, reference_texts, spec_of_fields, without_ids
from .phrases import BY, word_text
from .quantities import quantity_text, unit_of
from .yaml_text import block_text, flow_list, key_text, yaml_scalar

LONGEST_NAME = 120
"""YAML takes no longer text before a colon than 1,024 bytes."""


@dataclass(frozen=True)
class Line:
    """One line (or more, of a long text) of the compact form, and the part of the document that it begins."""

    indent: int
    text: str
    path: Path


def compact_lines(spec: Spec, *, with_ids: bool = True) -> list[Line]:
    """Return the lines of a document's canonical compact form."""
    return list(_Writer(spec, with_ids=with_ids).document())


class _Writer:
    """Writes the data of one document."""

    def __init__(self, spec: Spec, *, with_ids: bool) -> None:
        self._data: Data = to_plain_data(spec)
        self._names = reference_texts(self._data)
        self._keys = _key_texts(spec, self._data)
        self._with_ids = with_ids
        self._ids = frozenset[str]() if with_ids else _ids_as_references(spec, self._names)

    def document(self) -> Iterator[Line]:
        """Yield the design, and the ids that reading would not make."""
        yield from self.block(self._data, Spec, (), 0)
        lines = list(_id_lines(self._data, self._keys)) if self._with_ids else []
        if lines:
            yield Line(0, f"{IDS}:", (IDS,))
        for number, line in enumerate(lines):
            yield Line(1, f"- {line}", (IDS, number))

    # --- blocks ---

    def block(self, data: Data, model: type[Model], path: Path, indent: int, *, without: str = "") -> Iterator[Line]:
        """Yield a part as names with values."""
        for name in model.model_fields:
            if name not in data or name == without or (name == "id" and data["id"] not in self._ids):
                continue
            yield from self._entry(data, model, name, (*path, name), indent)

    def _entry(self, data: Data, model: type[Model], name: str, path: Path, indent: int) -> Iterator[Line]:
        value, head = data[name], f"{short_name(model, name)}:"
        slot = slots(model).get(name)
        if (model, name) in KEYS and (text := self._keys.get(_place(data, name))) is not None:
            yield Line(indent, f"{head} {yaml_scalar(text)}", path)
            yield from self._key_ids(data, model, name, path, indent)
        elif slot is None:
            yield Line(indent, f"{head} {self._plain(value, model, name, len(head) + indent)}", path)
        elif not slot.many:
            yield from self._part(head, value, _class_of(value, slot.classes), path, indent)
        elif model is Table and name == "row_kinds" and self._stands_in_table(value):
            yield from self._row_kind_in_table(value[0], (*path, 0), indent)
        else:
            yield Line(indent, head, path)
            yield from self._elements(value, slot.classes, path, indent + 1)

    def _key_ids(self, data: Data, model: type[Model], name: str, path: Path, indent: int) -> Iterator[Line]:
        every = [part["id"] for part in each_part(data[name])]
        if self._ids.intersection(every):
            yield Line(indent, f"{KEYS[model, name]}: {flow_list(every)}", path)

    def _stands_in_table(self, kinds: Sequence[Data]) -> bool:
        return len(kinds) == 1 and len(kinds[0]) > 1

    def _row_kind_in_table(self, kind: Data, path: Path, indent: int) -> Iterator[Line]:
        if "name" in kind:
            yield Line(indent, f"{OF_ROW_KIND['name']}: {yaml_scalar(kind['name'], is_text=True)}", path)
        if kind["id"] in self._ids:
            yield Line(indent, f"{OF_ROW_KIND['id']}: {yaml_scalar(kind['id'])}", path)
        rest = {name: value for name, value in kind.items() if name != "name"}
        yield from self.block(rest, RowKind, path, indent, without="id")

    def _elements(
        self, parts: Sequence[Data], classes: Sequence[type[Model]], path: Path, indent: int
    ) -> Iterator[Line]:
        name = name_field(classes[0])
        keys = [part.get(name, "") for part in parts] if name else []
        # As a mapping only where each has a name of its own: equal keys would be one entry.
        is_mapping = len({*keys}) == len(parts) and all(key and len(key) <= LONGEST_NAME for key in keys)
        for number, part in enumerate(parts):
            model = _class_of(part, classes)
            if is_mapping:
                head = f"{key_text(keys[number])}:"
                yield from self._part(head, part, model, (*path, number), indent, without=str(name))
            else:
                yield from self._item(part, model, (*path, number), indent)

    def _item(self, part: Data, model: type[Model], path: Path, indent: int) -> Iterator[Line]:
        """Yield a part of a list, after a dash."""
        if (text := fold_line("-", self._line(part, model), indent)) is not None:
            yield Line(indent, text, path)
            return
        lines = list(self.block(part, model, path, indent + 1))
        # The first line stands behind the dash instead of in a line of its own, so that its text has to be indented
        # again.
        first = re.sub(r"\n(?=[^\n])", "\n  ", lines[0].text) if lines else "{}"  # a text of lines stands deeper
        yield Line(indent, f"- {first}", path)
        yield from lines[1:]

    def _part(
        self, head: str, part: Data, model: type[Model], path: Path, indent: int, *, without: str = ""
    ) -> Iterator[Line]:
        """Yield a part after its name: on the same line where it fits, or on a few."""
        if (text := fold_line(head, self._line(part, model, without=without), indent)) is not None:
            yield Line(indent, text, path)
            return
        below = list(self.block(part, model, path, indent + 1, without=without))
        yield Line(indent, head if below else f"{head} {{}}", path)
        yield from below

    def _plain(self, value: Any, model: type[Model], name: str, used: int) -> str:
        if isinstance(value, list):
            return flow_list([self._text(entry, model, name) for entry in one_cycle(model, name, value)])
        text = self._text(value, model, name)
        if "\n" in text and (block := block_text(text)) is not None:
            return block
        return yaml_scalar(text, is_text=scalar_kind(model, name) == "text")

    # --- lines ---

    def _line(self, part: Data, model: type[Model], *, without: str = "") -> str | None:
        """Return a part as one line; None where it has parts with lines of their own."""
        # A part with something that no field names has no form as a line.
        if model in BLOCKS or (tag(model) is None and set(part) - {*model.model_fields}):
            return None
        if tag(model) is not None:
            return self._value(part, (model,))
        if model is Value:
            return self._value(part, (model,))
        arguments = self._arguments(part, model, without=without)
        return None if arguments is None else ", ".join(arguments)

    def _arguments(self, part: Data, model: type[Model], *, without: str = "") -> list[str] | None:
        """Return what a line says of a part, item by item."""
        first, out = first_fields(model), list[str]()
        if takes_items(model):
            out = self._items(part.get(first[0], []), model, first[0])
        else:
            for name in first:
                if name not in part:
                    break
                # Values without names must be given from the first on: the loop ended at the first one that is not set.
                out.append(self._argument(part, model, name) or "")
        done = {without, "id", *(first if takes_items(model) else first[: len(out)])}
        if "binds" in part:
            items = self._items(part["binds"], model, "binds")
            # An item that has no form as a line makes the whole part a block.
            if "" in items:
                return None
            fields = f"{BY} {' & '.join(items)}"
            out = [*out[:-1], f"{out[-1]} {fields}" if out else fields]
            done.add("binds")
        if tag(model) or model is Value:
            done.add("kind")
        for name in (name for name in model.model_fields if name in part and name not in done):
            text = self._argument(part, model, name)
            # What cannot be said in one line sends the whole part to a block of lines.
            if text is None:
                return None
            out.append(f"{short_name(model, name)}={text}")
            if (ids_name := KEYS.get((model, name))) and self._ids.intersection(p["id"] for p in each_part(part[name])):
                out.append(f"{ids_name}=[{', '.join(word_text(p['id']) for p in each_part(part[name]))}]")
        if part.get("id") in self._ids:
            out.append(f"id={word_text(part['id'])}")
        return None if "" in out else out

    def _argument(self, part: Data, model: type[Model], name: str) -> str | None:
        value, slot = part[name], slots(model).get(name)
        if (model, name) in KEYS:
            text = self._keys.get(_place(part, name))
            return None if text is None else _quote_always(text)
        if slot is not None and not slot.many:
            return self._value(value, slot.classes)
        if slot is not None and slot.has_elements:
            return None
        if is_list(model, name):
            items = self._items(value, model, name)
            return None if "" in items else f"[{', '.join(items)}]"
        text = self._text(value, model, name)
        return None if "\n" in text else word_text(text)

    def _items(self, values: Sequence[Any], model: type[Model], name: str) -> list[str]:
        slot = slots(model).get(name)
        if slot is None:
            return [word_text(self._text(value, model, name)) for value in one_cycle(model, name, values)]
        return [self._value(value, slot.classes) or "" for value in values]

    def _value(self, part: Data, classes: Sequence[type[Model]]) -> str | None:
        """Return a part as a value in a line: `kind`, `kind(…)`, its only word, or `(…)`."""
        model = _class_of(part, classes)
        arguments = self._arguments(part, model)
        if arguments is None:
            return None
        if tag(model) is not None or (model is Value and "kind" in part):
            return f"{part['kind']}({', '.join(arguments)})" if arguments else str(part["kind"])
        first = first_fields(model)
        # A word alone would be a Value's kind; in brackets, it would be taken for the arguments of the part itself.
        if (
            len(arguments) == 1
            and model is not Value
            and first
            and first[0] in part
            and not arguments[0].startswith(("(", "["))
        ):
            return arguments[0]
        return f"({', '.join(arguments)})"

    def _text(self, value: Any, model: type[Model], name: str) -> str:
        """Return a plain value as text."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int | float):
            return quantity_text(value, unit_of(name))
        target = POINTERS.get((model, name))
        return self._names.get((target, value), value) if target is not None else str(value)


def _quote_always(text: str) -> str:
    """Return key text as a word that is always in quotes."""
    quoted = word_text(text)
    return quoted if quoted.startswith('"') else f'"{quoted}"'


def _class_of(part: Data, classes: Sequence[type[Model]]) -> type[Model]:
    if len(classes) == 1:
        return classes[0]
    return next(cls for cls in classes if tag(cls) == part["kind"])


def _place(owner: Data, name: str) -> tuple[str, str]:
    return owner["id"], name


KeyTexts = Mapping[tuple[str, str], str]
"""By the id of a row kind or column and the field: key text that is read back as what stands there."""


def _key_texts(spec: Spec, data: Data) -> KeyTexts:
    texts: dict[tuple[str, str], str] = {}
    try:
        fields = spec_of_fields(data)
    except ValidationError:  # a field refers to something else than a field
        # Without key texts, the segments are written in full, which is always possible.
        return texts
    whole: set[str] = set()
    """Columns whose segments stand in the text of a row kind's columns."""
    for element in spec.elements():
        for model, name in KEYS:
            if not isinstance(element, model) or not getattr(element, name) or element.id in whole:
                continue
            parts = getattr(element, name)
            try:
                text = render_columns(fields, parts) if name == "key_columns" else render_key(fields, parts)
                # Read back before it is used: a key that its text does not say exactly is written as a list of
                # segments.
                if parse_parts(fields, name, text) == without_ids(to_plain_data(parts)) and text.isprintable():
                    texts[element.id, name] = text
                    whole |= {column.id for column in parts} if name == "key_columns" else set()
            except (KeyTextError, KeyError):
                continue
    return texts


def _ids_as_references(spec: Spec, names: Mapping[tuple[type[Element], str], str]) -> frozenset[str]:
    """Return the ids that stand in the text where something refers to an element."""
    used_ids = {ignore.at for ignore in spec.ignores}
    for use in spec.pointers:
        element = spec.by_id[use.to]
        # Its name is missing, or not its alone: the reference says the id, which must then stand at the element, too.
        if names[use.target, use.to] == use.to not in (element.given_name, getattr(element, "qualifier", "")):
            used_ids.add(use.to)
    return frozenset(used_ids)


def _id_lines(data: Data, texts: KeyTexts) -> Iterator[str]:
    """Yield lines of the ids that reading would not make, each table's by themselves."""
    groups: dict[str, list[str]] = {}
    for group, default_id, id_ in _other_ids(data, texts):
        groups.setdefault(group, []).append(f"{default_id}={id_}")
    for words in groups.values():
        yield from wrap(words, WIDTH - 4)  # behind the dash


def _other_ids(data: Data, texts: KeyTexts) -> list[tuple[str, str, str]]:
    """Return where an element belongs, the id that reading makes for it and its own, where these are not the same.

    Ids are made here as reading makes them: those of key text when all others are there.
    """
    # The ids are taken out and made anew in a copy, by the very function that reading uses.
    trial = deepcopy(data)
    own: dict[int, tuple[str, str]] = {id(part): (group, part["id"]) for group, part in _elements_by_group(trial)}
    keys = [(part, name) for _, part in _elements_by_group(trial) for _, name in KEYS if name in part]
    keys = [(part, name) for part, name in keys if _place(part, name) in texts]
    parts = [part.pop(name) for part, name in keys]
    differences: list[tuple[str, str, str]] = []

    def rename(part: Data, default_id: str) -> str:
        group, id_ = own[id(part)]
        if default_id != id_:
            differences.append((group, default_id, id_))
        return id_

    for _, part in _elements_by_group(trial):
        del part["id"]
    ids.fill(trial, rename)
    for (part, name), segments in zip(keys, parts, strict=True):
        part[name] = segments
        for inner_part in each_part(segments):
            inner_part.pop("id", None)
    # As in reading: an id that was replaced is not made a second time.
    ids.fill(trial, rename, used_ids={default_id for _, default_id, _ in differences})
    return differences


def _elements_by_group(data: Data) -> Iterator[tuple[str, Data]]:
    """Yield every element with the table that it is in, or the list of the design."""
    for name, slot in slots(Spec).items():
        for number, part in enumerate(data.get(name, ()) if slot.many else [data[name]] if name in data else []):
            model = _class_of(part, slot.classes)
            group = f"{name} {number}" if model is Table else name
            for element, cls in ((part, model), *ids.data_parts(part, model)):
                if issubclass(cls, Element):
                    yield group, element
