"""The two sides of a comparison in an address: `now`, a revision's number, `origin`, or another design's key.

Another design is `KEY` as it is now, or `KEY-7` at revision 7; a built-in one is `example-SLUG`. Who compares must be
allowed to see both.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest

from designer.document import Spec
from designer.document.texts import N_, Text
from designer.examples import example, examples
from designer.models import Design, Revision
from designer.views.access import current_person, design_for

_TOKEN = re.compile(r"(?:(?P<number>[0-9]{1,9})|(?P<key>[0-9a-z]{12})(?:-(?P<of>[0-9]{1,9}))?)")
BUILT_IN = "example-"
RECENT = 20
"""So many of the newest revisions are offered, besides those that have a name."""
OTHERS = 30
"""So many other designs are offered."""


@dataclass(frozen=True)
class ComparisonSide:
    """One side: a design at a revision, or as it is now; or a built-in design, which has no row."""

    token: str
    design: Design | None
    spec: Spec
    sha256: str = ""
    number: int = 0

    @property
    def is_now(self) -> bool:
        """True if this is the current revision of the design."""
        # By number: an undone edit leaves an older revision with the same contents, which is not the current one.
        return self.design is not None and self.number == self.design.number

    @property
    def name(self) -> Text:
        """The design, in words."""
        if self.design is None:
            return Text(example(self.token.removeprefix(BUILT_IN)).title)
        return Text("{name}", {"name": self.design.title}) if self.design.title else Text(N_("Untitled"))

    @property
    def label(self) -> Text:
        """The design and the revision, in words."""
        if self.design is None:
            return Text(N_("built-in: {name}"), {"name": self.name})
        params = {"name": self.name, "number": str(self.number)}
        return Text(N_("{name}, current (r{number})") if self.is_now else "{name}, r{number}", params)


def names_in_sentences(before: ComparisonSide, after: ComparisonSide) -> tuple[Text, Text]:
    """Return what sentences call two sides: the revision or the design alone, where that tells them apart."""
    if before.design is None or before.design != after.design:
        return (before.name, after.name) if before.name != after.name else (before.label, after.label)
    first, last = (Text(N_("revision {number}"), {"number": str(side.number)}) for side in (before, after))
    return first, last


@dataclass(frozen=True)
class Offer:
    """Something that can be compared, in a list to choose from."""

    token: str
    text: Text


@dataclass(frozen=True)
class Offers:
    """Offers of one kind."""

    title: str
    offers: tuple[Offer, ...]


FindDesign = Callable[[str], Design]
"""Finds a design by its key among those that who asks may see, or raises Http404."""


def visible_designs(request: HttpRequest) -> FindDesign:
    """Return what finds a design that the user may see."""
    return lambda key: design_for(request, key, "view")


def find_side(find: FindDesign, design: Design, token: str) -> ComparisonSide:
    """Return the document that an address token of this design names.

    Raises
    ------
    Http404
        If there is no such design or revision, or the user has no access.
    """
    if token == "now":
        return _current_side(design, token)
    if token == "origin":
        if design.variant_of is None or design.variant_of.deleted:
            raise Http404
        return _revision_side(find(design.variant_of.key), design.variant_number or 0, token)
    if token.startswith(BUILT_IN):
        return _example_side(token)
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise Http404
    if match["number"]:
        return _revision_side(design, int(match["number"]), token)
    other = find(match["key"])
    return _revision_side(other, int(match["of"]), token) if match["of"] else _current_side(other, token)


def _example_side(token: str) -> ComparisonSide:
    try:
        return ComparisonSide(token, None, example(token.removeprefix(BUILT_IN)).spec)
    except KeyError:
        raise Http404 from None


def _current_side(design: Design, token: str) -> ComparisonSide:
    return ComparisonSide(token, design, design.spec, design.head_id, design.number)


def _revision_side(design: Design, number: int, token: str) -> ComparisonSide:
    revision = design.revisions.select_related("document").filter(number=number).first()
    if revision is None:
        raise Http404
    return ComparisonSide(token, design, revision.spec, revision.document_id, number)


def default_side(design: Design) -> str:
    """Return the default for a comparison with a design.

    It is its origin, else its last named revision, else its first.
    """
    if design.variant_of is not None and not design.variant_of.deleted:
        return "origin"
    revision = design.revisions.exclude(name="").exclude(number=design.number).order_by("-number").first()
    return str(revision.number) if revision else "1"


def offers(request: HttpRequest, design: Design) -> tuple[Offers, ...]:
    """Return the candidates for a comparison with a design, in groups."""
    return tuple(group for group in _offers(request, design) if group.offers)


def _offers(request: HttpRequest, design: Design) -> Iterator[Offers]:
    now = Offer("now", Text(N_("current (r{number})"), {"number": str(design.number)}))
    yield Offers(N_("This design"), (now, *map(_revision, _revisions(design))))
    mine = Design.objects.visible_to(current_person(request)).exclude(pk=design.pk)
    origin = mine.filter(pk=design.variant_of_id).first() if design.variant_of_id else None
    variants = list(mine.filter(variant_of=design.variant_of_id or design.pk).order_by("-edited")[:OTHERS])
    # A design is offered in one group only.
    used_ids = [variant.pk for variant in variants] + [design.variant_of_id or design.pk]
    others = list(mine.filter(archived=None).exclude(pk__in=used_ids).order_by("-edited").distinct()[:OTHERS])
    # Titles are not unique in a team; those that occur twice are told apart by the last edit.
    names = Counter(variant.title for variant in (*variants, *others, *([origin] if origin else [])))
    if origin is not None:
        origin_label = Text(N_("{name}, the origin of this variant"), {"name": origin.title or Text(N_("Untitled"))})
        yield Offers(N_("Original design"), (Offer("origin", origin_label), _design(origin, names)))
    yield Offers(N_("Variants"), tuple(_design(variant, names) for variant in variants))
    yield Offers(N_("Other designs"), tuple(_design(other, names) for other in others))
    alike = [example for example in examples() if example.spec.engine == design.spec.engine]
    yield Offers(
        N_("Built-in designs"), tuple(Offer(f"{BUILT_IN}{example.slug}", Text(example.title)) for example in alike)
    )


def _revisions(design: Design) -> list[Revision]:
    """Return the newest revisions, the named ones and the first."""
    # Edits may hold a whole document each, and a list shows none of it.
    newest = list(design.revisions.order_by("-number").defer("edit", "inverse")[:RECENT])
    with_names = design.revisions.exclude(name="").order_by("-number").defer("edit", "inverse")[:RECENT]
    first = design.revisions.filter(number=1).defer("edit", "inverse")
    return sorted(
        {revision.number: revision for revision in (*newest, *with_names, *first)}.values(),
        key=lambda revision: -revision.number,
    )


def _revision(revision: Revision) -> Offer:
    what = Text("{name}", {"name": revision.name}) if revision.name else revision.text
    return Offer(str(revision.number), Text("r{number}: {what}", {"number": str(revision.number), "what": what}))


def _design(design: Design, names: Counter[str]) -> Offer:
    """Return a design by its name, with the time of its last edit if the name is ambiguous."""
    params = {"name": design.title or Text(N_("Untitled")), "edited": design.edited}
    return Offer(design.key, Text(N_("{name}, edited {edited}") if names[design.title] > 1 else "{name}", params))


PATIENCE_SECONDS = 3.0
"""A page computes the steps of a comparison for so long."""


class Deadline:
    """The end of a page's patience; called, it says whether that is past. Another process counts from its own start."""

    def __init__(self, seconds: float = PATIENCE_SECONDS) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def __call__(self) -> bool:
        return time.monotonic() > self._end

    def __reduce__(self) -> tuple[type["Deadline"], tuple[float]]:
        # A moment of this process's clock means nothing in another one.
        return Deadline, (self.seconds,)
