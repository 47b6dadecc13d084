"""Key texts and names in the data of a compact text → segments and ids."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from .. import ids
from ..base import Element, Model, Path, slots
from ..design import Spec
from ..dump import to_plain_data
from ..field import NOTHING
from ..keytext import KeyTextError, parse_columns, parse_key
from ..references import POINTERS, WORDS
from ..texts import N_, Text, build_text, get_close_matches
from ..validation_errors import InvalidDocumentError, Problem, problems
from .nodes import Scalar

Data = dict[str, Any]

MOST_NAMES = 2_000
"""Among more names, looking for one that is alike takes too long."""
_JOINTS = re.compile(r"\s+and\s+|\s*[+/]\s*|\s+")
"""What people put between two names where the compact form wants `&`."""


@dataclass(frozen=True)
class PendingKey:
    """A key text in the data, its place, and the name of the ids that go with it."""

    path: Path
    source: Scalar
    ids_name: str


@dataclass(frozen=True)
class OtherId:
    """An id that an element has in place of the one that reading makes, and the place of that one."""

    id: str
    path: Path
    line: int
    column: int


def finish(data: Data, pending: Sequence[PendingKey], other_ids: Mapping[str, OtherId]) -> Data:
    """Return the data with ids in place of names, and segments in place of key texts.

    Raises
    ------
    InvalidDocumentError
        If a key text cannot be read, or the fields that it is about cannot, or an id is given to no element.
    """
    made_ids: set[str] = set()

    def rename(_: Data, new_id: str) -> str:
        made_ids.add(new_id)
        return other_ids[new_id].id if new_id in other_ids else new_id

    # Taken out before ids are made: they are no field of the document.
    ids_by_path = {key.path: owner.pop(key.ids_name, None) for key in pending if (owner := _owner(data, key.path))}
    # Twice: key texts name fields, so that fields need their ids first, and segments only exist after the texts are
    # read.
    ids.fill(data, rename)
    unknown = tuple(resolve_names(data))
    if unknown:
        raise InvalidDocumentError(unknown)
    if pending:
        _read_keys(data, pending, ids_by_path)
        ids.fill(data, rename, used_ids=made_ids & other_ids.keys())
    if other_ids.keys() - made_ids:
        raise InvalidDocumentError(_ids_of_nothing(other_ids, made_ids))
    return data


def _ids_of_nothing(other_ids: Mapping[str, OtherId], made_ids: set[str]) -> Iterator[Problem]:
    lost = [lost_id for lost_id in other_ids if lost_id not in made_ids]
    new = _outermost(made_ids - other_ids.keys(), made_ids - other_ids.keys()) if len(made_ids) <= MOST_NAMES else []
    for lost_id in _outermost(lost, {other_ids[id_].id for id_ in lost}):
        at = other_ids[lost_id]
        # One new id beside one lost id is a rename, however different the two names are.
        near = new if len(new) == 1 else get_close_matches(lost_id, new, n=1)
        message = N_('no element is called "{made}"; remove this id')
        if near:
            message = N_('no element is called "{made}"; after a rename, write {meant}={id}')
        params = {"made": lost_id, "meant": "".join(near), "id": at.id}
        text = build_text(message, **{name: param for name, param in params.items() if f"{{{name}}}" in message})
        yield Problem(at.path, text, at.line, at.column)


def _outermost(candidates: Iterable[str], around: Collection[str]) -> list[str]:
    """Return the ids without those that were made of one of the others, as that of a part is."""
    return [id_ for id_ in candidates if not any(id_.startswith(f"{other}-") for other in around)]


def _read_keys(data: Data, pending: Sequence[PendingKey], ids_by_path: Mapping[Path, Any]) -> None:
    """Put segments in place of key texts."""
    try:
        spec = spec_of_fields(data)
    except ValidationError as error:
        raise InvalidDocumentError(problems(error)) from None
    wrong: list[Problem] = []
    for key in pending:
        try:
            parts = parse_parts(spec, str(key.path[-1]), key.source.text)
            _owner(data, key.path)[str(key.path[-1])] = _with_ids(parts, ids_by_path[key.path])
        except KeyTextError as error:
            place = key.source.place(error.at)
            wrong.append(Problem(key.path, build_text(error.message, **error.params), *place))
        except _UnusableIdsError as error:
            message = N_("the key has {count} parts, but {given} ids")
            text = build_text(message, count=error.count, given=len(ids_by_path[key.path]))
            wrong.append(Problem((*key.path[:-1], key.ids_name), text))
    if wrong:
        raise InvalidDocumentError(wrong)


def spec_of_fields(data: Data) -> Spec:
    """Return a document with nothing but the fields, which is all that key texts name."""
    return Spec.model_validate({"fields": data.get("fields") or []})


def parse_parts(spec: Spec, name: str, text: str) -> list[Data]:
    """Return segments, or primary-key columns with theirs, as data without ids."""
    if name == "key_columns":
        return without_ids([to_plain_data(column) for column in parse_columns(spec, text).columns])
    return without_ids([to_plain_data(segment) for segment in parse_key(spec, text).segments])


def each_part(parts: Sequence[Data]) -> Iterator[Data]:
    """Yield each column with its segments after it, or each segment."""
    for part in parts:
        yield part
        yield from part.get("segments", ())


def without_ids(parts: list[Data]) -> list[Data]:
    """Take the ids from segments, or from columns and theirs."""
    for part in each_part(parts):
        part.pop("id", None)
    return parts


class _UnusableIdsError(ValueError):
    def __init__(self, count: int) -> None:
        self.count = count


def _with_ids(parts: list[Data], part_ids: Any) -> list[Data]:
    if part_ids is None:
        return parts
    every = list(each_part(parts))
    if not isinstance(part_ids, list) or len(part_ids) != len(every):
        raise _UnusableIdsError(len(every))
    for number, part in enumerate(every):
        part |= {"id": part_ids[number]}
    return parts


def _owner(data: Data, path: Path) -> Data:
    owner: Any = data
    for step in path[:-1]:
        owner = owner[step]
    assert isinstance(owner, dict)
    return owner


def resolve_names(data: Data) -> Iterator[Problem]:
    """Put ids where references are names that one element alone has, and yield the names that no element has."""
    names: dict[type[Element], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for part, cls in ids.data_parts(data, Spec):
        if issubclass(cls, Element) and isinstance(part.get("id"), str):
            # A set: a name equal to the id must not count as two elements.
            for name in {part["id"], str(part.get("name") or part.get("qualifier") or part["id"])}:
                names[cls][name].append(part["id"])
    for path, part, cls in _parts(data, Spec, ()):
        for name in (name for name in cls.model_fields if name in part and (cls, name) in POINTERS):
            target = POINTERS[cls, name]
            several = isinstance(part[name], list)
            raw = part[name] if several else [part[name]]
            references = [_resolve(value, names[target]) for value in raw]
            part[name] = references if several else references[0]
            for place, reference in enumerate(references):
                # What is no text, validation refuses in its own words.
                if isinstance(reference, str) and reference != NOTHING and reference not in names[target]:
                    place_of_name = (*path, name, place) if several else (*path, name)
                    text = _text_of_joined(reference, names[target]) if "binds" in path else None
                    yield Problem(place_of_name, text or _text_of_unknown(reference, target, names))


def _resolve(raw: Any, names: Mapping[str, Sequence[str]]) -> Any:
    matches = names.get(raw, ()) if isinstance(raw, str) and raw != NOTHING else ()
    return matches[0] if len(matches) == 1 else raw


def _text_of_joined(text: str, names: Collection[str]) -> Text | None:
    """Return what to write where several known names were joined by other signs than `by` asks for."""
    parts = _JOINTS.split(text)
    if len(parts) < 2 or not all(part in names for part in parts):
        return None
    return build_text(N_("join the names of fields by &: {meant}"), meant=" & ".join(parts))


def _text_of_unknown(name: str, target: type[Element], names: Mapping[type[Element], Mapping[str, Any]]) -> Text:
    # difflib compares with each name, which takes seconds among many thousands.
    few = len(names[target]) <= MOST_NAMES
    near = get_close_matches(name, names[target], n=1) if few else []
    if near:
        message = N_('no {wanted} is called "{name}"; did you mean "{meant}"?')
        return build_text(message, wanted=WORDS[target], name=name, meant=near[0])
    return build_text(N_('no {wanted} is called "{name}"'), wanted=WORDS[target], name=name)


def _parts(data: Data, model: type[Model], path: Path) -> Iterator[tuple[Path, Data, type[Model]]]:
    """Yield every part with its path; what has not the shape of one is left out."""
    yield path, data, model
    for name, slot in slots(model).items():
        value: Any = data.get(name)
        is_listing = slot.many and isinstance(value, list)
        items: list[Any] = value if is_listing else [] if slot.many else [value]
        for number, item in enumerate(items):
            cls = ids.class_of(item, slot)
            if cls is not None:
                yield from _parts(item, cls, (*path, name, number) if is_listing else (*path, name))


def reference_texts(data: Data) -> dict[tuple[type[Element], str], str]:
    """Return for each element's class and id what refers to it: its name if it alone is called so, else its id."""
    names: dict[tuple[type[Element], str], str] = {}
    called: dict[tuple[type[Element], str], set[str]] = defaultdict(set)
    every = [(part, cls) for part, cls in ids.data_parts(data, Spec) if issubclass(cls, Element)]
    for part, cls in every:
        name = part.get("name") or part.get("qualifier") or part["id"]
        names[cls, part["id"]] = name
        called[cls, name].add(part["id"])
        called[cls, part["id"]].add(part["id"])
    return {
        (cls, id_): name if len(called[cls, name]) == 1 and name != NOTHING else id_
        for (cls, id_), name in names.items()
    }
