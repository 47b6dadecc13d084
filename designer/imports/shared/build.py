"""Data of a document → the document, with the sentence of what is wrong where a text said something impossible."""

from typing import Any

from designer.document.load import from_data
from designer.document.validation_errors import Unusable

from .result import Imported, Missed


def made(name: str, data: dict[str, Any], missed: list[Missed]) -> Imported:
    """Build the import of this data.

    Tables that do not make a valid document are left out one by one, and reported.
    """
    missed = list({(str(one.where), str(one)): one for one in missed}.values())
    try:
        return Imported(name, from_data(data), tuple(missed))
    except Unusable as unusable:
        good = []
        for table in data.get("tables", ()):
            try:
                from_data({"tables": [table]})
                good.append(table)
            except Unusable as problem:
                said = problem.problems[0].text
                missed.append(Missed(str(table.get("name", "")), said.message, dict(said.params)))
        if len(good) == len(data.get("tables", ())):
            raise unusable
        return Imported(name, from_data({**data, "tables": good}), tuple(missed))
