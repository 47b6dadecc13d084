"""The fix that gives columns short names."""

import re
from collections.abc import Sequence

from designer.document.family import Column

from ..edits import Edit, all_of, change

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def shorten_names(columns: Sequence[Column], *, longer_than: int) -> tuple[Edit | None, int]:
    """Return edits to unique initials for names that are longer, and the number of columns changed."""
    used_names = {column.qualifier for column in columns if len(column.qualifier) <= longer_than}
    changes: list[Edit] = []
    for column in columns:
        if len(column.qualifier) > longer_than:
            name = short_name(column.qualifier, used_names, longer_than)
            if name is None:
                return None, 0
            used_names.add(name)
            changes.append(change(column, "qualifier", name))
    return (all_of(changes) if changes else None), len(changes)


def short_name(name: str, used_names: set[str], length: int) -> str | None:
    """Return unused initials of a name, at most `length` long; None if all are taken."""
    initials = "".join(word[0] for word in _WORD.findall(name)).lower() or "c"
    letters = [*initials, *"abcdefghijklmnopqrstuvwxyz0123456789"]
    # For "battery_voltage": "b", "bv", then "bb" (second letters of its own initials first) and all of "ba" to "b9".
    options = (initials[:1], initials[:length], *(initials[0] + second for second in letters))
    return next((option for option in options if option not in used_names and len(option) <= length), None)
