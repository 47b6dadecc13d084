"""Data of a document → the document, with the sentence of what is wrong where a text said something impossible."""

from copy import deepcopy
from typing import Any

from designer.document.load import from_data
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .result import ImportRemark, ImportResult
from .stated_parts import StatedParts

MOST_TABLES = 1_000
"""Of an instance of Bigtable (quotas, read 2026-11-20)."""


def refuse_count(tables: int) -> None:
    """Raise InvalidDocumentError if a text has no table, or more than an instance holds."""
    if not tables:
        raise InvalidDocumentError([Problem((), build_text(N_("no tables found")))])
    if tables > MOST_TABLES:
        message = N_("more than {most} tables, the maximum for an instance")
        raise InvalidDocumentError([Problem((), build_text(message, most=MOST_TABLES))])


def build_import(
    name: str, data: dict[str, Any], remarks: list[ImportRemark], stated_parts: StatedParts | None = None
) -> ImportResult:
    """Build the import of this data; a design without a name is called as its only table is.

    Tables that do not make a valid document are left out one by one, and reported.
    """
    stated_parts = deepcopy(stated_parts) if stated_parts else StatedParts()  # a document gives ids to its data
    if not data.get("name") and len(tables := data.get("tables", ())) == 1:
        data = {**data, "name": tables[0].get("name") or ""}
    # A state has a resource for each instance of a repetition, and each says the same.
    remarks = list({(str(remark.where), str(remark)): remark for remark in remarks}.values())
    try:
        return ImportResult(name, from_data(data), tuple(remarks), stated_parts)
    except InvalidDocumentError as unusable:
        good: list[dict[str, Any]] = []
        for table in data.get("tables", ()):
            source = (table.get("derived_from") or {}).get("table")
            beside = [other for other in good if source and other.get("id") == source]
            try:
                from_data({**data, "tables": [*beside, table]})
                good.append(table)
            except InvalidDocumentError as problem:
                text = problem.problems[0].text
                remarks.append(ImportRemark(str(table.get("name", "")), text.message, dict(text.params)))
        # The tables are well, so what is wrong is elsewhere, and leaving out tables would not mend it.
        if len(good) == len(data.get("tables", ())):
            raise unusable
        return ImportResult(name, from_data({**data, "tables": good}), tuple(remarks), stated_parts)
