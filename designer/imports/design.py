"""A design of Keywright's own, as JSON or YAML: as it is stored, or as an export that carries more beside it."""

import json
from typing import Any

from designer.document import load
from designer.document.design import Spec
from designer.document.dump import fingerprint
from designer.document.load import is_compact
from designer.document.texts import N_

from .shared.result import ImportRemark, ImportResult

TITLE = N_("Design")


def can_read(text: str, data: Any) -> bool:
    """Return whether a text looks like a design: an object with keys of a design.

    Broken JSON that begins with an object is accepted as a broken design, YAML where it says its format.
    """
    if not isinstance(data, dict):
        broken = text.lstrip()[:1] == "{" and data is None  # its reader says where
        return broken or (data is None and is_compact(text))
    inner = data.get("design", data)
    # The API's own list of tables is an object with `tables`, too.
    if isinstance(inner, dict) and "format" not in inner and _is_api_table_list(inner.get("tables")):
        return False
    return isinstance(inner, dict) and "encoding" not in inner and "format_version" not in inner and bool(
        {"format", "tables", "activities", "engine", "horizon_months", "fields"} & set(inner)
    )  # fmt: skip


def _is_api_table_list(tables: Any) -> bool:
    """Return whether these are tables in the list format of Bigtable's API."""
    first = tables[0] if isinstance(tables, list) and tables else None
    return isinstance(first, dict) and str(first.get("name", "")).startswith("projects/")


def read(text: str, data: Any) -> ImportResult:
    """Return the identical document, including its ids."""
    if isinstance(data, dict) and isinstance(data.get("design"), dict):
        spec = load(json.dumps(data["design"]))
        return ImportResult("design", spec, tuple(_ignored_contents(data, spec)))
    return ImportResult("design", load(text))


def _ignored_contents(data: dict[str, Any], spec: Spec) -> list[ImportRemark]:
    remarks = [ImportRemark(name, N_("recomputed")) for name in ("findings", "estimate") if name in data]
    if data.get("sha256") not in (None, fingerprint(spec)):
        remarks.append(ImportRemark("sha256", N_("the design was changed after its export: the hash differs")))
    return remarks
