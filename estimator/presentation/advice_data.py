"""The advice on a row kind as plain data for programs."""

from typing import Any

from designer.wording.formatting import english
from estimator.advice.advisor import Advice, Measures

from .json_schema import COUNT, TEXT, list_of, object_of, or_null, schema_of, single_numbers
from .plain_data import to_plain


def advice_data(advice: Advice) -> dict[str, Any]:
    """Return advice without the load of every range and window, and the row kind, which the edit makes."""
    every = [*([advice.present] if advice.present else []), *advice.candidates]
    keys = [
        {
            "key": one.text,
            "better": one.better,
            "only_the_key_changes": one.is_safe if one.edit else None,
            "why": [english(text.message, text.params) for text in one.why],
            "unsafe": [english(text.message, text.params) for text in one.unsafe],
            "measures": to_plain(one.measures),
            "edit": to_plain(one.edit),
        }
        for one in every
    ]
    missing = [english(because.message, because.params) for because in advice.missing]
    return {
        "row_kind": advice.kind,
        "tried": advice.tried,
        "currency": advice.currency,
        "present": keys[0] if advice.present else None,
        "candidates": keys[1:] if advice.present else keys,
        "missing": missing,
    }


def schema() -> dict[str, Any]:
    """Return the JSON Schema of that data; an edit is any object."""
    definitions: dict[str, Any] = {}
    measures = schema_of(Measures, definitions)
    texts, boolean = list_of(TEXT), {"type": "boolean"}
    definitions["Candidate"] = object_of(
        key=TEXT, better=boolean, only_the_key_changes=or_null(boolean), why=texts, unsafe=texts, measures=measures,
        edit=or_null({"type": "object"}),
    )  # fmt: skip
    candidate = {"$ref": "#/$defs/Candidate"}
    whole = object_of(
        row_kind=TEXT, tried=COUNT, currency=TEXT, present=or_null(candidate), candidates=list_of(candidate),
        missing=texts,
    )  # fmt: skip
    return {**whole, "$defs": single_numbers(definitions)}
