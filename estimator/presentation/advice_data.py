"""The advice on a row kind as plain data for programs."""

from typing import Any

from designer.wording.formatting import english
from estimator.advice.advisor import Advice

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
