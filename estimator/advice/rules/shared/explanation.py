"""A rule explains itself in its module's docstring, in parts that begin with their name in bold."""

import re
from dataclasses import dataclass

PARTS = ("What", "Why", "Instead", "Fine when", "Source")
_PART = re.compile(r"^\*\*(" + "|".join(PARTS) + r")\*\*", re.MULTILINE)
_SOURCE = re.compile(r"^(?P<address>.+?) \(read (?P<read>\d{4}-\d\d-\d\d)\)$")


@dataclass(frozen=True)
class SourceReference:
    """A page that the rule rests on, and the day on which it was read."""

    address: str
    read: str


@dataclass(frozen=True)
class Explanation:
    """The parts of a rule's docstring; all but the sources are messages to translate."""

    title: str
    what: str
    why: str
    instead: str
    fine_when: str
    sources: tuple[SourceReference, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts to translate."""
        return self.title, self.what, self.why, self.instead, self.fine_when


def explanation(docstring: str) -> Explanation:
    """Return the parts of a rule's docstring, each as one line.

    Raises
    ------
    ValueError
        If a part is missing, doubled or out of order, or a source has no day on which it was read.
    """
    head, *rest = _PART.split(docstring.strip())
    names, texts = rest[0::2], [_one_line(text) for text in rest[1::2]]
    if tuple(names) != PARTS or not all(texts):
        raise ValueError(f"the docstring needs the parts {', '.join(PARTS)}, in this order; it has {', '.join(names)}")
    what, why, instead, fine_when, _ = texts
    sources = tuple(_source(line.strip()) for line in rest[-1].strip().splitlines())
    return Explanation(_one_line(head), what, why, instead, fine_when, sources)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _source(line: str) -> SourceReference:
    match = _SOURCE.match(line)
    if not match:
        raise ValueError(f"a source is an address and the day it was read: {line!r}")
    return SourceReference(match["address"], match["read"])
