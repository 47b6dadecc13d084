"""Addresses and arguments of resources that Terraform manages already, as a design keeps them.

A resource of the root module keeps its label. One of a module, of `count` or of `for_each` gets a block of its own, and
a `moved` block says so. Source: Terraform's reference of both blocks (read 2026-11-27).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.document import Spec
from designer.document.family import Family
from designer.document.instance import AppProfile
from designer.document.table import Table
from designer.document.terraform import Address, Terraform, parse_address
from designer.document.texts import N_
from designer.imports.shared.managed import KEPT
from designer.imports.shared.resource import INSTANCE, POLICY, PROFILE, TABLE

from .hcl import HclBlock, UnquotedText
from .instance import PlannedInstance
from .names import label
from .result import ExportRemarks

RESOURCES: Mapping[type, str] = {Table: TABLE, Family: POLICY, AppProfile: PROFILE}
ELSEWHERE: Mapping[str, frozenset[str]] = {
    TABLE: frozenset(("row_key_schema",)),
    POLICY: frozenset(("gc_rules", "mode", "max_age", "max_version", "type")),
}
"""Kept arguments that stand for something of the design, and are written where it is."""
_CHANGE = re.compile(r"[a-z][a-z0-9_]*(?:\[[0-9]+\]|\.[a-z][a-z0-9_]*)*")


@dataclass(frozen=True)
class Naming:
    """The label of a resource, and the address that it has now, if that is another one."""

    type: str
    label: str
    moved_from: str = ""

    @property
    def address(self) -> str:
        """The address in the file."""
        return f"{self.type}.{self.label}"


def name_resources(spec: Spec, remarks: ExportRemarks) -> Mapping[str, Naming]:
    """Return the naming of every element that is a resource, by its id; of the instance by an empty one."""
    elements: list[tuple[str, str, Terraform | None]] = [("", INSTANCE, spec.instance.terraform)]
    families = (family for table in spec.tables for family in table.families)
    parts: list[Table | Family | AppProfile] = [*spec.tables, *families, *spec.instance.app_profiles]
    elements += [(part.id, RESOURCES[type(part)], part.terraform) for part in parts]
    addresses = {id_: _usable_address(id_, type_, managed, remarks) for id_, type_, managed in elements}
    names: dict[str, Naming] = {}
    used_labels: set[tuple[str, str]] = set()
    # First those that keep their label: a label that is made up below must not take one of theirs.
    for id_, type_, _ in elements:
        address = addresses[id_]
        if address is not None and address.is_block and (type_, address.label) not in used_labels:
            used_labels.add((type_, address.label))
            names[id_] = Naming(type_, address.label)
    old_addresses: set[str] = set()
    for id_, type_, managed in elements:
        if id_ in names:
            continue
        new_label = label(id_) if id_ else "instance"
        # A kept label may look like an id of another element.
        while (type_, new_label) in used_labels:
            new_label = f"id-{new_label}"
        used_labels.add((type_, new_label))
        address = addresses[id_]
        now = managed.address if managed is not None and address is not None and not address.is_block else ""
        # Two elements of a file may name one address; Terraform allows one `moved` block from it.
        names[id_] = Naming(type_, new_label, now if now not in old_addresses else "")
        old_addresses.add(now)
    return names


def _usable_address(id_: str, type_: str, managed: Terraform | None, remarks: ExportRemarks) -> Address | None:
    address = parse_address(managed.address) if managed is not None and managed.address else None
    if address is not None and address.type != type_:
        message = N_("the address {address} is of another kind of resource than {type}")
        remarks.note(id_, message, address=managed.address if managed else "", type=type_)
        return None
    return address


def moved_blocks(names: Mapping[str, Naming], addresses: set[str]) -> Iterator[HclBlock]:
    """Yield a block for each written resource that has another address so far."""
    for naming in names.values():
        if naming.moved_from and naming.address in addresses:
            yield HclBlock("moved").set("from", UnquotedText(naming.moved_from)).set("to", UnquotedText(naming.address))


def add_arguments(block: HclBlock, type_: str, id_: str, managed: Terraform | None, remarks: ExportRemarks) -> None:
    """Add the arguments and blocks that a design keeps of a resource; what cannot be written is refused."""
    for argument in managed.arguments if managed else ():
        value = managed.argument(argument.name) if managed else None
        if argument.name in ELSEWHERE.get(type_, ()):
            continue
        inner = (
            _lifecycle(value)
            if argument.name == "lifecycle"
            else _timeouts(value)
            if argument.name == "timeouts"
            else None
        )
        if inner is not None:
            block.add_block(inner)
        elif argument.name in KEPT[type_] and isinstance(value, str | bool | int):
            # Only names on the list: a name is written as it is, and anything else in it would be HCL of its own.
            block.set(argument.name, value)
        else:
            remarks.refuse(
                id_, N_("the argument {name} is not written: its value is not understood"), name=argument.name
            )


def _lifecycle(value: Any) -> HclBlock | None:
    block = HclBlock("lifecycle")
    for name, setting in value.items() if isinstance(value, Mapping) else ():
        changes = [setting] if isinstance(setting, str) else setting
        if name in ("prevent_destroy", "create_before_destroy") and isinstance(setting, bool):
            block.set(name, setting)
        elif name == "ignore_changes" and isinstance(changes, list) and all(map(_is_change, changes)):
            # References go into the file without quotes, so each must be nothing but a reference.
            text = setting if isinstance(setting, str) else f"[{', '.join(changes)}]"
            block.set(name, UnquotedText(text))
        else:
            return None
    return block if block.parts else None


def _is_change(value: Any) -> bool:
    return isinstance(value, str) and _CHANGE.fullmatch(value) is not None


def _timeouts(value: Any) -> HclBlock | None:
    block = HclBlock("timeouts")
    for name, setting in value.items() if isinstance(value, Mapping) else ():
        if name not in ("create", "read", "update", "delete") or not isinstance(setting, str):
            return None
        block.set(name, setting)
    return block if block.parts else None


def import_blocks(
    spec: Spec, instance: PlannedInstance, names: Mapping[str, Naming], ids: Mapping[str, str], remarks: ExportRemarks
) -> Iterator[HclBlock]:
    """Yield a block for each written resource that is in no state yet; policies cannot be imported.

    Ids and policies: the provider's source (read 2026-11-27).
    """
    project = instance.project or "${var.project}"
    if instance.project is None:
        yield HclBlock("variable", "project").set("type", UnquotedText("string"))
        message = N_("the design does not say the project: import blocks take it from a variable (Terraform 1.6)")
        remarks.note("", message)
    for id_, name in ids.items():
        managed = spec.by_id[id_].terraform if id_ else spec.instance.terraform  # type: ignore[attr-defined]
        if managed is None or not managed.address:
            path = UnquotedText(f'"projects/{project}/{name}"')
            yield HclBlock("import").set("id", path).set("to", UnquotedText(names[id_].address))
    message = N_("the provider does not import garbage-collection policies: the first apply sets the rules again")
    remarks.note("", message)
