"""Two elements have the same name.

**What** Two tables, clusters or app profiles of an instance have one name. Or two column families of a table, two
columns of a family in the same rows, two primary key columns, or two fields.
**Why** The engine identifies each of them by its name. It rejects a second table, and two columns with one qualifier
are the same cells: a write to one replaces the other. Exports must rename the second. A key as text names fields, so
it cannot tell two fields with one name apart.
**Instead** Rename one of them, or merge them.
**Fine when** Never in one table or instance. Rows of different kinds can share a qualifier.
**Source** https://cloud.google.com/bigtable/docs/reference/data/rpc/google.bigtable.v2 (read 2026-11-20)
https://cloud.google.com/bigtable/docs/overview (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/developer-reference/error-codes (read 2026-11-29)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.document import Element, Spec
from designer.document.engines import description_of
from designer.document.family import Column
from designer.document.ids import numbered_name
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.kernels.growth.cells import columns_of
from estimator.results import Estimate

from ..shared import BOTH, Rule, Violation
from ..shared.edits import change
from ..shared.examples import design, field_part

CLUSTER = N_("Another cluster has the name {name}. An instance cannot have two clusters with one name.")
PROFILE = N_("Another app profile has the name {name}. An instance cannot have two app profiles with one name.")
FAMILY = N_("Another column family of {owner} has the name {name}. A table cannot have two families with one name.")
COLUMN = N_(
    "Another column of {owner} has the name {name}. In one row both are the same cells: a write to one replaces the "
    "other."
)
KEY_COLUMN = N_("Another column of {owner} has the name {name}. The service rejects a row with both.")
FIELD = N_("Another field has the name {name}. A key as text cannot tell the two apart.")
RENAME = N_("Rename to {new_name}")


@dataclass(frozen=True)
class _Namespace:
    """Elements of which each needs a name of its own, in the order of the document."""

    elements: Sequence[Element]
    message: str = ""
    owner: str = ""
    joint: str = "_"
    """What stands between a name and the number that makes it another one."""

    def duplicates(self) -> Iterator[tuple[Element, str, str, str]]:
        """Yield each element whose name an earlier one has, the field, the name, and a free one."""
        names = [_name_of(element) for element in self.elements]
        used_names = {name for _, name in names}
        earlier_names = set[str]()
        for element, (field, name) in zip(self.elements, names, strict=True):
            if name and name in earlier_names:
                new_name = numbered_name(name, self.joint, used_names, longest=None)
                used_names.add(new_name)
                yield element, field, name, new_name
            earlier_names.add(name)


def _name_of(element: Element) -> tuple[str, str]:
    """Return the field that holds the element's name in the engine, and the name; "" is none."""
    if isinstance(element, Column):
        return "qualifier", "" if element.qualifier_from else element.qualifier
    return "name", getattr(element, "name", None) or ""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per element whose name an earlier one of its kind has in the same place."""
    reported = set[str]()
    for namespace in _namespaces(spec):
        for element, field, name, new_name in namespace.duplicates():
            # Rows of several kinds can hold the same two columns.
            if element.id not in reported:
                reported.add(element.id)
                yield Violation(
                    element.id,
                    {"name": name, "owner": namespace.owner, "new_name": new_name},
                    field,
                    message=namespace.message,
                    fix=change(element, field, new_name),
                    fix_label=RENAME,
                )


def _namespaces(spec: Spec) -> Iterator[_Namespace]:
    yield _Namespace(spec.tables)
    yield _Namespace(spec.instance.clusters, CLUSTER, joint="-")
    yield _Namespace(spec.instance.app_profiles, PROFILE, joint="-")
    yield _Namespace(spec.fields, FIELD)
    in_key_columns = description_of(spec).has_key_columns
    for table in spec.tables:
        if not in_key_columns:
            yield _Namespace(table.families, FAMILY, table.label)
        for kind in table.row_kinds:
            yield from _column_namespaces(table, kind, in_key_columns=in_key_columns)


def _column_namespaces(table: Table, kind: RowKind, *, in_key_columns: bool) -> Iterator[_Namespace]:
    """Yield the columns of each family in these rows, or all of them where the engine has no families."""
    columns = columns_of(table, kind)
    if in_key_columns:
        attributes = [column for _, column in columns]
        key_names = {column.name for column in kind.key_columns}
        # An attribute cannot have the name of a primary key column either.
        in_key = [column for column in attributes if column.qualifier in key_names]
        yield _Namespace((*kind.key_columns, *in_key), KEY_COLUMN, table.label)
        yield _Namespace(attributes, COLUMN, table.label)
        return
    for family in table.families:
        yield _Namespace([column for holder, column in columns if holder is family], COLUMN, family.label)


def _two_families(name: str) -> Spec:
    spec = design(field_part("device"), per_second=10, write={"mode": "overwrite"})
    (table,) = spec.tables
    (family,) = table.families
    (column,) = family.columns
    second = family.model_copy(
        update={"id": "second", "name": name, "columns": (column.model_copy(update={"id": "column-2"}),)}
    )
    return spec.model_copy(update={"tables": (table.model_copy(update={"families": (family, second)}),)})


RULE = Rule(
    code="T007",
    severity="error",
    message=N_("Another table has the name {name}. An instance cannot have two tables with one name."),
    check=check,
    bad=lambda: _two_families("m"),
    good=lambda: _two_families("s"),
    near_miss=lambda: _two_families("M"),
    engines=BOTH,
)
