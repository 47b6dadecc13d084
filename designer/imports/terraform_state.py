"""What `terraform show -json` prints, of a state or a plan: the Bigtable resources, in all modules."""

from collections.abc import Iterator, Mapping
from typing import Any

from .base.made import made
from .base.resources import Resource, document
from .base.result import Imported, Missed

TITLE = "terraform show -json"


def looks(text: str, data: Any) -> bool:
    """A state or a plan says the version of its format."""
    return isinstance(data, dict) and "format_version" in data


def read(text: str, data: Any) -> Imported:
    """A design of the Bigtable resources; of a plan, as they will be."""
    missed: list[Missed] = []
    held = data.get("planned_values") or data.get("values") or {}
    root = held.get("root_module") if isinstance(held, Mapping) else None
    return made("terraform_state", document(list(_resources(root)), missed), missed)


def _resources(module: Any) -> Iterator[Resource]:
    if not isinstance(module, Mapping):
        return
    for one in module.get("resources") or ():
        if isinstance(one, Mapping) and one.get("mode", "managed") == "managed":
            values = one.get("values") or {}
            kind, label = str(one.get("type", "")), str(one.get("name", ""))
            kept = {name: held for name, held in values.items() if held not in (None, [], "", {})}
            yield Resource(kind, label, kept, str(one.get("address") or f"{kind}.{label}"))
    for inner in module.get("child_modules") or ():
        yield from _resources(inner)
