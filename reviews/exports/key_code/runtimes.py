"""Choice of what a file of keys takes along of the functions that its language has."""

import re
from collections.abc import Iterable, Mapping


def needed_parts(parts: Mapping[str, str], functions: Iterable[str]) -> list[str]:
    """Return the sources of these parts, and of all that they name, in the order of the parts."""
    needed: set[str] = set()
    waiting = list(functions)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [one for one in re.findall(r"\b_?[A-Za-z]\w*", parts[name]) if one in parts]
    return [source for name, source in parts.items() if name in needed]
