"""One's own designs: the start page, starting, copying, archiving and deleting them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from config.errors import DesignError
from config.pages import page
from designer.examples import GROUPS, example, examples
from designer.models import Design, Team
from designer.permissions import may
from designer.spec import Spec, load
from designer.spec.edits import Set, apply
from designer.spec.load import MAX_BYTES
from designer.spec.texts import N_, Text
from designer.spec.unusable import Unusable
from designer.words import key_of

from .access import design_for, person

PAGE_SIZE = 60


class NoDesign(DesignError):
    """What should become a design is none."""

    status = 422


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The start page: one's designs, found by name, and the gallery. What is computed comes from its own addresses."""
    asked, archived = request.GET.get("q", "").strip(), request.GET.get("show") == "archived"
    mine = Design.objects.seen_by(person(request)).select_related("team", "edited_by", "variant_of")
    found = mine.filter(archived__isnull=not archived, title__icontains=asked).order_by("-edited")
    cards = [(one, one.spec, tuple(key_of(one.spec, kind) for _, kind in one.spec.row_kinds())) for one in examples()]
    context = {
        "designs": found[:PAGE_SIZE], "more": found.count() - PAGE_SIZE, "asked": asked, "archived": archived,
        "any": bool(asked) or archived or mine.exists(), "teams": _teams(request),
        "groups": [(name, [card for card in cards if card[0].group == name]) for name in GROUPS],
        "undo": _deleted(request),
    }  # fmt: skip
    return page(request, "designer/start.html", context, part="designer/start/_designs.html")


def _deleted(request: HttpRequest) -> Design | None:
    """What was deleted just now, to be brought back."""
    key = request.GET.get("deleted", "")
    return Design.objects.filter(team__members__person=person(request), key=key, deleted__isnull=False).first()


def _teams(request: HttpRequest) -> list[Team]:
    """The teams in which the one who asks may keep designs."""
    members = person(request).memberships.select_related("team").order_by("since")
    return [member.team for member in members if may(member.role, "keep")]  # type: ignore[arg-type]


def _team(request: HttpRequest) -> Team:
    """The team that was chosen, or the only one."""
    teams, asked = _teams(request), request.POST.get("team", "")
    found = next((team for team in teams if str(team.pk) == asked), teams[0] if teams and not asked else None)
    if found is None:
        raise NoDesign(N_("There is no team in which you may keep designs. Ask an owner to make you an editor."))
    return found


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """A new design: blank, from an example, or from a file or pasted JSON."""
    spec, words = _begun(request)
    return redirect("editor", Design.objects.start(spec, team=_team(request), by=person(request), words=words).key)


def _begun(request: HttpRequest) -> tuple[Spec, Text]:
    file, pasted, slug = (
        request.FILES.get("file"),
        request.POST.get("json", "").strip(),
        request.POST.get("example", ""),
    )
    if slug:
        try:
            one = example(slug)
        except KeyError:
            raise NoDesign(N_("There is no such example.")) from None
        return one.spec, Text(N_("started from the example {name}"), {"name": one.spec.name})
    if file is not None or pasted:
        try:
            spec = load(file.read(MAX_BYTES + 1) if file is not None else pasted)
        except Unusable as unusable:
            raise NoDesign(str(unusable)) from None
        return spec, Text(N_("imported"))
    return Spec(name=request.POST.get("name", "").strip()), Text(N_("started"))


@require_POST
def copy(request: HttpRequest, key: str) -> HttpResponse:
    """A design of its own, or a variant that remembers where it left from."""
    design, as_variant = design_for(request, key, "view"), "variant" in request.POST
    message = N_("{name} (variant)") if as_variant else N_("{name} (copy)")
    named = Set(at="", name="name", value=message.format(name=design.spec.name), was=design.spec.name)
    spec, _ = apply(design.spec, named)
    words = Text(N_("left from {name}, revision {number}"), {"name": design.title, "number": design.number})
    team = design.team if as_variant else _team(request)
    design_for(request, key, "keep") if as_variant else None
    made = Design.objects.start(
        spec, team=team, by=person(request), words=words, variant_of=design if as_variant else None
    )
    return redirect("editor", made.key)


@require_POST
def archive(request: HttpRequest, key: str) -> HttpResponse:
    """Put a design away, or (`back`) take it out again."""
    design = design_for(request, key, "keep")
    Design.objects.filter(pk=design.pk).update(archived=None if "back" in request.POST else timezone.now())
    return redirect("start")


@require_POST
def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete a design; it can be brought back for a month."""
    design = design_for(request, key, "keep")
    Design.objects.filter(pk=design.pk).update(deleted=timezone.now())
    response = redirect("start")
    response["Location"] += f"?deleted={design.key}"
    return response


@require_POST
def undelete(request: HttpRequest, key: str) -> HttpResponse:
    """Bring a deleted design back."""
    design = design_for(request, key, "keep", deleted=True)
    Design.objects.filter(pk=design.pk).update(deleted=None)
    return redirect("editor", design.key)
