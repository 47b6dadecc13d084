"""The sections of a design that verdicts are about, and the hash of each: it changes when something in it does.

Every part of a document belongs to a section, except the design's name and description, which approve nothing. A
field belongs to the keys if a key is made of it, to the families if only a qualifier is, else to the workload. An
accepted risk or the origin of a measured value belongs to the section of what it is about. In which order tables,
fields or families are listed says nothing; the order of a key's segments does. The cost is its lines to the cent,
whatever they come from.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal, get_args

from designer.document import Engine, Spec
from designer.document.dump import digest, to_plain_data
from designer.document.engines import DESCRIPTIONS
from designer.document.texts import N_
from estimator.results import Bill, BillLine, Estimate

Section = Literal["keys", "families", "workload", "instance", "cost"]
SECTIONS: tuple[Section, ...] = get_args(Section)
Data = dict[str, Any]


def titles(engine: Engine) -> Mapping[Section, str]:
    """Return the titles of the sections in the engine's words."""
    return {
        "keys": N_("Keys"),
        "families": DESCRIPTIONS[engine].terms["families title"],
        "workload": N_("Workload"),
        "instance": N_("Instance"),
        "cost": N_("Cost"),
    }


def contents(engine: Engine) -> Mapping[Section, str]:
    """Return the contents of each section in the engine's words."""
    terms = DESCRIPTIONS[engine].terms
    return {
        "keys": terms["keys review"],
        "families": terms["families review"],
        "workload": N_("activities, writes, reads and data volume"),
        "instance": terms["instance review"],
        "cost": N_("every line of the bill, to the cent"),
    }


def hashes(spec: Spec, estimate: Estimate) -> Mapping[Section, str]:
    """Return the hash of every section."""
    return {**parts_hashes(to_plain_data(spec)), "cost": digest(cost(estimate))}


def parts_hashes(data: Data) -> Mapping[Section, str]:
    """Return the hashes of the sections of a stored document, without the cost section."""
    return {name: digest(part) for name, part in parts(data).items()}


def parts(data: Data) -> Mapping[Section, Data]:
    """Return the parts of a document by section."""
    where = places(data)
    engine = data.get("engine", "")
    sections: dict[Section, Data] = {name: {"engine": engine, **build(data)} for name, build in _PARTS.items()}
    for field in data.get("fields", ()):
        sections[where[field["id"]]].setdefault("fields", []).append(field)
    for ignore in data.get("ignores", ()):
        # What is about an element that is gone must still be in some section, so that no change of it goes unseen.
        sections[where.get(ignore["at"], "instance")].setdefault("ignores", []).append(ignore)
    for measured in data.get("measured", ()):
        sections[where.get(measured["at"], "instance")].setdefault("measured", []).append(measured)
    return {name: _sort_unordered(part) for name, part in sections.items()}


def places(data: Data) -> Mapping[str, Section]:
    """Return the section of each element."""
    sections: dict[str, Section] = {}
    for table in data.get("tables", ()):
        sections[table["id"]] = "keys"
        for kind in table.get("row_kinds", ()):
            sections |= dict.fromkeys(_ids(kind), "keys")
            sections |= dict.fromkeys(_ids(kind.get("writes", ())), "workload")
            sections |= dict.fromkeys(_ids(kind.get("reads", ())), "workload")
        for name in ("families", "backups"):
            sections |= dict.fromkeys(_ids(table.get(name, ())), "families")
    sections |= dict.fromkeys(_ids(data.get("activities", ())), "workload")
    sections |= dict.fromkeys(_ids(data.get("instance", {})), "instance")
    keyed, qualifying = fields_of_keys(data), _with_owners(data, _fields_in_segments(_qualifiers(data)))
    for field in data.get("fields", ()):
        at = field["id"]
        sections[at] = "keys" if at in keyed else "families" if at in qualifying else "workload"
    return sections


def section_of(spec: Spec, at: str) -> Section:
    """Return the section of an element; a removed element, or another thing, belongs to the instance."""
    # Kept with the document, since each finding of a page asks for its section.
    sections: Mapping[str, Section] | None = spec.result_cache.get("reviews.verdicts.sections")
    if sections is None:
        sections = spec.result_cache["reviews.verdicts.sections"] = places(to_plain_data(spec))
    return sections.get(at, "instance")


def fields_of_keys(data: Data) -> frozenset[str]:
    """Fields that keys are made of, with those that they belong to or are unique within."""
    return _with_owners(
        data, _fields_in_segments(kind.get(name, ()) for kind in _kinds(data) for name in ("key", "key_columns"))
    )


def cost(estimate: Estimate) -> Any:
    """Return the bill of the last month line by line and the total of every month, to the cent.

    Return None without a bill.
    """
    if estimate.bill is None:
        return None
    # By `repr`, as lines hold None, which does not compare with texts.
    lines = sorted((_line(line) for line in estimate.bill.lines), key=repr)
    return {"currency": estimate.currency, "lines": lines, "months": [_total(bill) for bill in estimate.bills]}


def _line(line: BillLine) -> list[str | None]:
    return [line.item, line.at, line.sku, line.where, _cents(line.cost)]


def _total(bill: Bill) -> str | None:
    return _cents(bill.total)


def _cents(amount: Decimal | None) -> str | None:
    return None if amount is None else f"{amount:.2f}"


# --- the parts ----------------------------------------------------------------------------------------------------

OF_KINDS = ("key", "key_columns", "name")
OF_LOAD = ("writes", "reads", "reads_unknown")
LOAD_OF_TABLES = ("history_months", "rows_stored", "gib_stored")
KEYS_OF_TABLES = ("name", "derived_from", "split_keys")
APART = ("id", "row_kinds", "description")
RESERVED = ("reserved_read_cu", "reserved_write_cu")
PRICES = ("prices", "price_book")
"""Of the instance: what they come to is the cost's."""


def _keys(data: Data) -> Data:
    return {"tables": _tables(data, lambda table: _only(table, KEYS_OF_TABLES), lambda kind: _only(kind, OF_KINDS))}


def _families(data: Data) -> Data:
    """All of tables and row kinds that is in no other section."""

    def rest(table: Data) -> Data:
        contents = _without(table, (*APART, *LOAD_OF_TABLES, *KEYS_OF_TABLES))
        if (settings := contents.get("tablestore")) is not None:
            contents["tablestore"] = _without(settings, RESERVED)
        return contents

    return {"tables": _tables(data, rest, lambda kind: _without(kind, ("id", *OF_KINDS, *OF_LOAD)))}


def _workload(data: Data) -> Data:
    tables = _tables(data, lambda table: _only(table, LOAD_OF_TABLES), lambda kind: _only(kind, OF_LOAD))
    return {"tables": tables, **_only(data, ("activities", "horizon_months", "start"))}


def _instance(data: Data) -> Data:
    reserved = [
        {"id": table["id"], **settings}
        for table in data.get("tables", ())
        if (settings := _only(table.get("tablestore", {}), RESERVED))
    ]
    return {"instance": _without(data.get("instance", {}), PRICES), "reserved": reserved}


_PARTS: Mapping[Section, Callable[[Data], Data]] = {
    "keys": _keys, "families": _families, "workload": _workload, "instance": _instance,
}  # fmt: skip


def _tables(data: Data, of_table: Callable[[Data], Data], of_kind: Callable[[Data], Data]) -> list[Data]:
    """Return a section's parts of every table, without the tables that have none."""
    result = []
    for table in data.get("tables", ()):
        kinds = [{"id": kind["id"], **contents} for kind in table.get("row_kinds", ()) if (contents := of_kind(kind))]
        contents = of_table(table)
        if kinds or contents:
            result.append({"id": table["id"], **contents, "row_kinds": kinds})
    return result


def _only(data: Data, names: Iterable[str]) -> Data:
    return {name: data[name] for name in names if name in data}


def _without(data: Data, names: Iterable[str]) -> Data:
    omitted_names = frozenset(names)
    return {name: value for name, value in data.items() if name not in omitted_names}


def _kinds(data: Data) -> Iterator[Data]:
    return (kind for table in data.get("tables", ()) for kind in table.get("row_kinds", ()))


def _qualifiers(data: Data) -> Iterator[Any]:
    for table in data.get("tables", ()):
        for family in table.get("families", ()):
            yield from (column.get("qualifier_from", ()) for column in family.get("columns", ()))


IN_ORDER = frozenset({"key", "key_columns", "parts", "qualifier_from"})
"""Lists of elements whose order is what they say."""


def _sort_unordered(data: Any, name: str = "") -> Any:
    """Return the data with the elements of unordered lists sorted by their ids.

    Field names are sorted as well.
    """
    if isinstance(data, dict):
        return {key: _sort_unordered(data[key], key) for key in sorted(data)}
    if isinstance(data, list):
        items = [_sort_unordered(item) for item in data]
        elements = name not in IN_ORDER and all(isinstance(item, dict) and "id" in item for item in items)
        return sorted(items, key=lambda item: str(item["id"])) if elements else items
    return data


def _ids(data: Any) -> Iterator[str]:
    """Ids of all elements in a part."""
    if isinstance(data, dict):
        if "id" in data:
            yield data["id"]
        for inner in data.values():
            yield from _ids(inner)
    elif isinstance(data, list | tuple):
        for inner in data:
            yield from _ids(inner)


def _fields_in_segments(segments: Iterable[Any]) -> frozenset[str]:
    """Fields that segments name."""
    return frozenset(_fields(list(segments)))


def _fields(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for name, inner in data.items():
            if name == "field" and isinstance(inner, str):
                yield inner
            elif name == "fields" and isinstance(inner, list):
                yield from (field_name for field_name in inner if isinstance(field_name, str))
            else:
                yield from _fields(inner)
    elif isinstance(data, list | tuple):
        for inner in data:
            yield from _fields(inner)


def _with_owners(data: Data, field_ids: frozenset[str]) -> frozenset[str]:
    """Return the same fields, with the fields that own them."""
    by_id = {field["id"]: field for field in data.get("fields", ())}
    ids, waiting = set[str](), list(field_ids)
    while waiting:
        at = waiting.pop()
        if at in ids or at not in by_id:
            continue
        ids.add(at)
        waiting += [by_id[at][name] for name in ("belongs_to", "unique_within") if by_id[at].get(name)]
    return frozenset(ids)


__all__ = [
    "SECTIONS",
    "Section",
    "contents",
    "fields_of_keys",
    "hashes",
    "parts",
    "parts_hashes",
    "section_of",
    "titles",
]
