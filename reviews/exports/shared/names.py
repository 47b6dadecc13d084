"""Names that a target takes. What is valid and alone stays as it is; anything else is made valid and marked.

The mark is six hexadecimal digits of the SHA-256 of the element's id, so a made name changes neither when other
elements come and go nor when the element is moved. Of several elements of one name the first in the document keeps it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from designer.document.texts import N_

from .result import ExportRemarks

MARK = 6
MADE = N_('"{wanted}" is not a valid name in this format; exported as {name}')
TAKEN = N_('"{wanted}" is the name of another element already; exported as {name}')


@dataclass(frozen=True)
class NameRules:
    """Rules for the names that a target accepts."""

    valid: str
    """What a whole name matches."""
    longest: int
    shortest: int = 1
    letters: str = "-_.a-zA-Z0-9"
    """Of what a name is made; all else becomes a hyphen, or an underscore where that cannot stand."""
    spare: str = "t"
    """What a name begins with where nothing of the wanted one can begin it."""

    def is_valid(self, name: str) -> bool:
        """Return whether the target accepts this name."""
        return self.shortest <= len(name) <= self.longest and re.fullmatch(self.valid, name) is not None

    def reason(self, wanted_name: str) -> str:
        """Return the message why an element has another name than the wanted one: it is not valid, or it is taken."""
        return TAKEN if self.is_valid(wanted_name) else MADE

    def make_valid(self, wanted_name: str, id: str) -> str:  # noqa: A002
        """Return a valid name similar to the wanted one, with a suffix derived from the id."""
        filler = "-" if "-" in self.letters[:1] else "_"  # a hyphen stands first among letters, where it makes no range
        # Accents are taken off letters, so that "é" leaves an "e" instead of nothing.
        plain = unicodedata.normalize("NFKD", wanted_name).encode("ascii", "ignore").decode()
        plain = plain if "A-Z" in self.letters else plain.lower()
        plain = re.sub(f"[^{self.letters}]+", filler, plain).strip("-_.")
        stem = plain[: self.longest - MARK - 1].rstrip("-_.") or self.spare
        name = f"{stem}{filler}{hashlib.sha256(id.encode()).hexdigest()[:MARK]}"
        return name if self.is_valid(name) else f"{self.spare}{filler}{name}"[: self.longest - MARK] + name[-MARK:]


TABLE = NameRules(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]*", 50, spare="table")
"""Bigtable's table ids (admin API)."""
FAMILY = NameRules(r"[-_.a-zA-Z0-9]+", 64, spare="f")
INSTANCE = NameRules(r"[a-z][a-z0-9-]*[a-z0-9]", 33, 6, letters="-a-z0-9", spare="bigtable")
CLUSTER = NameRules(r"[a-z][a-z0-9-]*[a-z0-9]", 30, 6, letters="-a-z0-9", spare="cluster")
PROFILE = NameRules(r"[_a-zA-Z0-9][-_.a-zA-Z0-9]*", 50, spare="profile")
TABLESTORE = NameRules(r"[A-Za-z_][A-Za-z0-9_]*", 255, letters="_a-zA-Z0-9", spare="t")
"""Tablestore's tables and columns."""
WORD = NameRules(r"[A-Za-z_][A-Za-z0-9_]*", 128, letters="_a-zA-Z0-9", spare="f")
"""Fields of a structured row key, which queries name."""


def assign_names(
    wanted_names: Iterable[tuple[str, str]], names: NameRules, remarks: ExportRemarks | None = None
) -> Mapping[str, str]:
    """Return the name of each element by its id.

    `wanted_names` are ids with the names that the design gives them.
    """
    pairs = list(wanted_names)
    result: dict[str, str] = {}
    used_names: set[str] = set()
    for id_, name in pairs:
        # All valid names first: a name that is made must never take one that a later element has by right.
        if names.is_valid(name) and name not in used_names:
            result[id_] = name
            used_names.add(name)
    for id_, name in pairs:
        if id_ not in result:
            candidate = names.make_valid(name, id_)
            while candidate in used_names:
                candidate = names.make_valid(name, f"{id_} {candidate}")
            result[id_] = candidate
            used_names.add(candidate)
            if remarks is not None:
                remarks.note(id_, names.reason(name), wanted=name, name=candidate)
    return result


def label(id: str) -> str:  # noqa: A002
    """Return an element's id as a label in files.

    The label survives renames, begins with a letter, and is unique for each id.
    """
    # An id that begins with "id-" gets another "id-": otherwise it could be the label of a different id.
    return id if re.match(r"[a-z]", id) and not id.startswith("id-") else f"id-{id}"


def stem(text: str) -> str:
    """Return the stem of a file name for a design's name."""
    return ascii_slug(text) or "design"


def ascii_slug(text: str) -> str:
    """Return the ASCII letters and digits of a name in lower case, joined by hyphens; "" if there are none."""
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_).strip("-")[:60].strip("-")
