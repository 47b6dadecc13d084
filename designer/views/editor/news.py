"""News of a design for those who have it open, collected once for everybody of one language."""

import json
import struct
import zlib
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from designer.document import Spec
from designer.document.base import Path
from designer.document.design import paths
from designer.document.texts import N_
from designer.editing.forms import INSTANCE
from designer.models import Design, Person, Revision
from designer.models.presence import Present, company_version
from designer.templatetags.kept_tags import DesignAddress, render_once
from designer.templatetags.keywright import translate_text
from designer.wording import element_label

NEWS = "news"
"""The kind of these results in the memory of a process."""
ELEMENTS = "elements"
"""The kind of the elements that are sent with news."""
NEWS_TYPE = "application/json"
GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""A gzip file's first bytes: packed by deflate, of no time and no system (RFC 1952)."""
MOST_CHANGES = 50
"""A page that is further behind is told of so many, and that there are more; it reads what it shows anew anyway."""
FAR_BEHIND = N_("Others made many changes. This page now shows the current design.")


@dataclass(frozen=True)
class PersonHere:
    """Somebody who has the design open: ids from the open element outwards, and an entry of the list of people."""

    id: int
    name: str
    way: tuple[str, ...]
    entry: SafeString


@dataclass(frozen=True)
class News:
    """Changes since a revision, and everybody who is present."""

    sequence: int
    sha256: str
    changes: tuple[dict[str, Any], ...]
    far_behind: str
    present: Present
    people: tuple[PersonHere, ...]
    title: str
    """Of the list of people."""
    least_bytes: int
    """So long is at least what everybody is told, with their own entry."""


@dataclass(frozen=True)
class NewsElement:
    """The beginning of an answer with news: the element that a window shows, packed once for all windows that do.

    Without bytes, it has to be asked for apart.
    """

    sequence: int
    until: float
    begin: bytes = b""
    plain_bytes: int = 0
    """So long it is unpacked, where it is packed."""
    checksum: int = 0

    @property
    def is_zipped(self) -> bool:
        """True if answers that begin with it are compressed by gzip."""
        return self.plain_bytes > 0

    def join(self, news: bytes) -> bytes:
        """Return an answer with the news of one window."""
        rest = news[1:]
        if not self.is_zipped:
            return self.begin + rest
        # Packed blocks may follow one another (RFC 1951), so only what differs between windows is packed for each.
        packer = zlib.compressobj(zlib.Z_BEST_SPEED, wbits=-zlib.MAX_WBITS)
        whole_bytes = (self.plain_bytes + len(rest)) & 0xFFFFFFFF
        end = struct.pack("<LL", zlib.crc32(rest, self.checksum), whole_bytes)
        return b"".join((self.begin, packer.compress(rest), packer.flush(), end))


def pack_element(html: str, sequence: int, until: float, *, is_zipped: bool) -> NewsElement:
    """Return an element as the beginning of JSON with news."""
    text = f'{{"element": {json.dumps(html)}, '.encode()
    if not is_zipped:
        return NewsElement(sequence, until, text)
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    begin = GZIP_HEAD + packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)
    return NewsElement(sequence, until, begin, len(text), zlib.crc32(text))


def news_key(
    design: str, since: int, sequence: int, present: Present, language: str, preferences: tuple[str, ...]
) -> Hashable:
    """Return all on which news depend: who is not present themselves does not matter."""
    return design, since, sequence, present, language, preferences


def collect_news(design: Design, since: int, present: Present) -> News:
    """Return what is new of a design."""
    # One more than is told shows whether there are more, without counting them.
    newest = design.revisions_since(since).reverse()[: MOST_CHANGES + 1] if since < design.sequence else ()
    revisions = list(newest)[::-1]
    persons = Person.objects.in_bulk([person for person, _ in present])
    ways = _ancestor_ids(design.spec, {at for _, at in present})
    changes = tuple(_changes(revisions[-MOST_CHANGES:]))
    people = tuple(_person_here(design, persons[person], at, ways) for person, at in present if person in persons)
    return News(
        design.sequence, design.head_id, changes, gettext(FAR_BEHIND) if len(revisions) > MOST_CHANGES else "", present,
        people, gettext("Also here"), len(json.dumps(changes)) + sum(len(person.entry) for person in people),
    )  # fmt: skip


def news_body(news: News, me: int) -> bytes:
    """Return the news as JSON for one of those who are present: the others are listed."""
    # Left out here and not when news are collected, so that one collection serves everybody.
    others = [person for person in news.people if person.id != me]
    entries = mark_safe("".join(person.entry for person in others))
    body = {
        "sequence": news.sequence,
        "sha256": news.sha256,
        "company": company_version(news.present, me),
        "here": [{"name": person.name, "way": person.way} for person in others],
        "changes": news.changes,
        "far_behind": news.far_behind,
        "people": format_html('<ul class="company" aria-label="{}">{}</ul>', news.title, entries) if others else "",
    }
    return json.dumps(body).encode()


def _person_here(design: Design, person: Person, at: str, ways: Mapping[str, tuple[str, ...]]) -> PersonHere:
    opened = _open_label(design.spec, at)
    variables = {"design": DesignAddress(design.key), "person": person, "at": at, "open": opened}
    entry = render_once(
        "designer/editor/news/_person.html", variables, (design.key, person.pk, str(person), at, opened)
    )
    way = (at,) if at == INSTANCE else ways.get(at, ())
    return PersonHere(person.pk, str(person), way, entry)


def _open_label(spec: Spec, at: str) -> str:
    """Return the label of the element that a person has open, or "" for the design itself."""
    if at == INSTANCE:
        return gettext("Instance")
    return element_label(spec, at) if at in spec.by_id else ""


def _changes(revisions: Iterable[Revision]) -> list[dict[str, Any]]:
    """Return the changes with their authors.

    The page uses the sequence numbers to leave out its own changes.
    """
    return [
        {
            "sequence": revision.sequence,
            "by": revision.by_id,
            "who": str(revision.by or ""),
            "what": translate_text(revision.text),
            "ids": sorted(edited_elements(revision.edit)),
            "fields": sorted(_edited_fields(revision.edit)),
        }
        for revision in revisions
    ]


def edited_elements(edit: Mapping[str, Any] | None) -> set[str]:
    """Ids of the elements that a stored edit is about."""
    if not edit:
        return set()
    own = {str(edit[name]) for name in ("at", "parent") if edit.get(name) is not None}
    return own.union(*map(edited_elements, edit.get("edits", ())))


def _edited_fields(edit: Mapping[str, Any] | None) -> set[str]:
    """Return the fields that a stored edit changed, as `element field`."""
    if not edit:
        return set()
    own = {f"{edit['at']} {edit['name']}"} if edit.get("kind") in ("set", "clear") else set()
    return own.union(*map(_edited_fields, edit.get("edits", ())))


def _ancestor_ids(spec: Spec, opened: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the ids from each of the open elements outwards to its outermost parent, by its id.

    The first that the outline shows is marked.
    """
    return {element.id: tuple(_ids_on(spec, path)) for path, element in paths(spec) if element.id in opened}


def _ids_on(spec: Spec, path: Path) -> list[str]:
    part: Any = spec
    ids: list[str] = []
    for step in path:
        part = part[int(step)] if isinstance(part, tuple) else getattr(part, str(step))
        if getattr(part, "id", None):
            ids.insert(0, part.id)
    return ids
