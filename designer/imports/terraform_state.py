"""Import of Terraform states and plans: the Bigtable resources of all modules.

Input: `terraform show -json` output of a state or a plan, or a stored state (`terraform state pull`).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .shared.resource import Resource
from .shared.resources import import_resources
from .shared.result import ImportRemark, ImportResult

TITLE = "terraform show -json"


def can_read(text: str, data: Any) -> bool:
    """Return whether the data is Terraform output or a stored state.

    Output has a format version, a stored state the version of Terraform.
    """
    return isinstance(data, dict) and ("format_version" in data or {"terraform_version", "resources"} <= set(data))


def read(text: str, data: Any) -> ImportResult:
    """Build a design from the Bigtable resources; those of a plan in their planned state."""
    remarks: list[ImportRemark] = []
    if "format_version" not in data:
        resources = list(_stored_resources(data["resources"]))
    else:
        # A plan holds both; what is planned is what the files say.
        state = data.get("planned_values") or data.get("values") or {}
        resources = list(_resources(state.get("root_module") if isinstance(state, Mapping) else None))
    return import_resources("terraform_state", resources, remarks)


def _resources(module: Any) -> Iterator[Resource]:
    if not isinstance(module, Mapping):
        return
    for resource in module.get("resources") or ():
        if isinstance(resource, Mapping) and resource.get("mode", "managed") == "managed":
            yield _resource(resource, resource.get("values"), str(resource.get("address") or ""))
    for inner in module.get("child_modules") or ():
        yield from _resources(inner)


def _stored_resources(resources: Any) -> Iterator[Resource]:
    """Those of a stored state, where each has its instances."""
    for resource in resources or ():
        if isinstance(resource, Mapping) and resource.get("mode", "managed") == "managed":
            for instance in resource.get("instances") or ():
                key = instance.get("index_key")
                place = "" if key is None else f"[{json.dumps(key, ensure_ascii=False)}]"
                address = ".".join(filter(None, (resource.get("module"), resource.get("type"), resource.get("name"))))
                yield _resource(resource, instance.get("attributes"), address + place)


def _resource(data: Mapping[str, Any], values: Mapping[str, Any] | None, address: str) -> Resource:
    kind, label = str(data.get("type", "")), str(data.get("name", ""))
    arguments = {name: value for name, value in (values or {}).items() if value not in (None, [], "", {})}
    return Resource(kind, label, arguments, address or f"{kind}.{label}", address)
