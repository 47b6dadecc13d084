"""Verdicts of a review link, for programs, and the decision that they approve a design or not."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

FORMAT = "keywright-verdicts/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""


@dataclass(frozen=True)
class LinkedSection:
    """The state of one section, and whose approval holds."""

    section: str
    state: str
    approved_by: tuple[str, ...]


@dataclass(frozen=True)
class LinkVerdicts:
    """Contents of a link: a content by its hash, and the verdicts on its sections."""

    sha256: str | None
    """None where the link hides a part of it."""
    revision: int
    sections: tuple[LinkedSection, ...]

    def objections(self, sha256: str, *, accepted: Collection[str], sections: Collection[str] = ()) -> Iterator[str]:
        """Yield why the design with this hash is not approved, as sentences; nothing if it is.

        Every section must be in one of the `accepted` states, or those named in `sections`.
        """
        if self.sha256 is None:
            yield "The link hides a part of the design, so the design that it shows cannot be identified."
            return
        if self.sha256 != sha256:
            revision_text = f"revision {self.revision} ({self.sha256[:12]})"
            yield f"The design ({sha256[:12]}) is not the one that the link shows: {revision_text}."
            return
        states = {section.section: section.state for section in self.sections}
        for name in sections or states:
            if name not in states:
                yield f"The link has no verdict on the section {name}."
            elif states[name] not in accepted:
                yield f"The section {name} is not approved: {SAID.get(states[name], states[name])}."
        if not states:
            yield "The link shows no section."


SAID = {
    "approved": "it is approved by a member",
    "link": "it is approved through a link only",
    "own": "it is approved by its author only",
    "changes": "changes are requested",
    "stale": "it changed since its verdict",
    "asked": "a verdict is requested",
    "none": "there is no verdict yet",
}


def read_verdicts(text: str) -> LinkVerdicts:
    """Return what a link told.

    Raises
    ------
    ValueError
        If the text is something else.
    """
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        return LinkVerdicts(
            None if data["sha256"] is None else str(data["sha256"]),
            int(data["revision"]),
            tuple(
                LinkedSection(str(section["section"]), str(section["state"]), tuple(map(str, section["approved_by"])))
                for section in data["sections"]
            ),
        )
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("it is no list of verdicts") from error
