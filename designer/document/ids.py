"""Ids for elements that a file leaves without one, and names that no other element has.

An id comes from the name where there is one, else from the path. The same file always gets the same ids, and an id that
the file gives is never taken.
"""

import re
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from itertools import count
from typing import Any

from .base import Element, Model, Slot, slots
from .design import Spec

Data = dict[str, Any]
LONGEST_ID = 40
NUMBER = "{n}"
"""Where the number stands in a pattern."""


def fill(data: Data, rename: Callable[[Data, str], str] | None = None, used_ids: Collection[str] = ()) -> None:
    """Put an id into every element of the document's data. What has not the shape of an element is left as it is.

    `rename` may give an element another id than the one that is made for it; `used_ids` are made for none.
    """
    all_ids, is_complete = set(used_ids), True
    for element, cls in data_parts(data, Spec):
        own_id = element.get("id")
        if isinstance(own_id, str):
            all_ids.add(own_id)
        is_complete &= own_id is not None or not issubclass(cls, Element)
    # Most documents are complete: the walk with paths, which costs more, is spared.
    if is_complete:
        return
    for where, element, cls in _parts(data, Spec, ""):
        if issubclass(cls, Element) and element.get("id") is None:
            new_id = _new_id(element, where, all_ids)
            element["id"] = rename(element, new_id) if rename else new_id
            all_ids.add(new_id)


def make_unique(
    name: str, used_names: Collection[str], *, ending: str = "-", first: int = 2, longest: int | None = LONGEST_ID
) -> str:
    """Return the name if it is unused, else with an ending and a number."""
    return name if name not in used_names else numbered_name(name, ending, used_names, first=first, longest=longest)


def numbered_name(
    name: str, ending: str, used_names: Collection[str], *, first: int = 2, longest: int | None = LONGEST_ID
) -> str:
    """Return the name with an ending and the first number that makes it unused, cut to the longest allowed."""
    endings = (f"{ending}{number}" for number in count(first))
    stems = ((name if longest is None else name[: longest - len(end)], end) for end in endings)
    return next(free for stem, end in stems if (free := stem + end) not in used_names)


def next_name(pattern: str, used_names: Collection[str]) -> str:
    """Return the first unused name of a pattern such as `table_{n}`, counting on from the names that are used."""
    numbers = count(len(used_names) + 1)
    return next(name for n in numbers if (name := pattern.replace(NUMBER, str(n))) not in used_names)


def class_of(item: Any, slot: Slot) -> type[Model] | None:
    """Return the class that this data is meant to have, or None if its `kind` names no class."""
    if not isinstance(item, dict):
        return None
    if len(slot.classes) == 1:
        return slot.classes[0]
    kind = item.get("kind")
    return slot.kinds.get(kind) if isinstance(kind, str) else None


def data_parts(data: Data, model: type[Model]) -> Iterator[tuple[Data, type[Model]]]:
    """Yield every part below with its class, in an order that the structure alone decides."""
    remaining = [(data, model)]
    while remaining:
        part, kind = remaining.pop()
        for name, slot in slots(kind).items():
            content: Any = part.get(name)
            if content is None:
                continue
            for item in (content if isinstance(content, list) else ()) if slot.many else (content,):
                cls = class_of(item, slot)
                if cls is not None:
                    yield item, cls
                    remaining.append((item, cls))


def _parts(data: Data, model: type[Model], where: str) -> Iterator[tuple[str, Data, type[Model]]]:
    """Every part below with a path made from ids (`readings-key-0`); an id filled in shows in the paths below it."""
    for name, slot in slots(model).items():
        content = data.get(name)
        items = content if slot.many and isinstance(content, list) else () if slot.many else (content,)
        for number, item in enumerate(items):
            cls = class_of(item, slot)
            if cls is None:
                continue
            steps = (where, name, str(number)) if slot.many else (where, name)
            path = "-".join(step.replace("_", "-") for step in steps if step).removeprefix("instance-")
            yield path, item, cls
            own = item.get("id")
            yield from _parts(item, cls, own if isinstance(own, str) else path)


def _new_id(element: Data, where: str, used_ids: set[str]) -> str:
    """Return a new id made from the name, else from the name of its list or parent, else from the path."""
    name = element.get("name") or element.get("qualifier")
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") if isinstance(name, str) else ""
    # The name alone reads best; where another element has it, the parent's is put in front.
    candidates = [word, f"{where.rpartition('-')[0]}-{word}"] if word and len(word) <= LONGEST_ID else []
    for candidate in [*candidates, where]:
        # A name in other letters than a-z leaves no word, so that the path is next.
        if len(candidate) <= LONGEST_ID and candidate not in used_ids and re.fullmatch(r"[a-z0-9_-]+", candidate):
            return candidate
    number = 0
    # A hash of the place and not a random number: the same file always gets the same ids.
    while (candidate := sha256(f"{where} {number}".encode()).hexdigest()[:12]) in used_ids:
        number += 1
    return candidate
