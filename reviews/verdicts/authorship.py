"""Authors of a section: nobody approves their own.

Somebody is an author of a section if one of their revisions changed it after the last approval that a member who is
not its author gave, or at any time if there was none. Of the cost whoever changed anything is an author, except names
and descriptions of the design. A visitor is an author of nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from designer.document.dump import digest

from .sections import PRICES, Section, parts_hashes


@dataclass(frozen=True)
class RevisionStep:
    """One revision of a history."""

    number: int
    by: Any
    sha256: str
    """Of the document that it led to."""


def section_marks(data: dict[str, Any]) -> dict[Section, str]:
    """One text per section that is another whenever somebody changed something of it."""
    marks = dict(parts_hashes(data))
    prices = {name: value for name, value in data.get("instance", {}).items() if name in PRICES}
    return {**marks, "cost": digest([*marks.values(), prices])}


NOTHING = section_marks({})
"""Of a document in which there is nothing yet."""


Marks = dict[Section, str]


def last_change_by(
    person: Any, section: Section, steps: Iterable[RevisionStep], *, read: Callable[[str], Marks]
) -> int | None:
    """Return the latest of these revisions, newest first, by which a person changed the section, or None.

    `read` returns the marks of a document. The steps go back to the last approved revision, for which the
    person is not responsible any more, or to the beginning.
    """
    revisions = list(steps)
    for place, step in enumerate(revisions):
        if step.by != person:
            continue
        before = read(revisions[place + 1].sha256) if place + 1 < len(revisions) else NOTHING
        if read(step.sha256)[section] != before[section]:
            return step.number
    return None
