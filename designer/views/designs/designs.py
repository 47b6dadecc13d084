"""Starting, copying, archiving and deleting designs. What could not become one is said where it was typed."""

from itertools import chain, count

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from designer.document import Spec, load
from designer.document.edits import Set, apply
from designer.document.lines import depth
from designer.document.load import MAX_BYTES, MAX_DEPTH
from designer.document.texts import N_, Text
from designer.document.validation_errors import SHOWN, InvalidDocumentError
from designer.examples import example
from designer.http.beside import read_beside
from designer.http.errors import DesignError
from designer.http.parameters import form, header, upload
from designer.imports import NAMES, detect_format, formats_by_name
from designer.models import Design, Person, Team
from designer.permissions import is_allowed

from ..access import current_person, design_for
from ..audit import Kind, record
from ..editor.books import begin_today
from .sentences import posted_engine
from .start import address_of, start_page


class DesignInputError(DesignError):
    """Error for input that cannot become a design."""

    status = 422


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Create a design: blank, from an example, or from a file or pasted JSON."""
    team = team_of(request)
    try:
        spec, words = _read_input(request)
    except InvalidDocumentError as unusable:
        return _input_error_page(request, unusable)
    design = Design.objects.start(begin_today(spec), team=team, by=current_person(request), description=words)
    return redirect_to_design(request, design)


def _read_input(request: HttpRequest) -> tuple[Spec, Text]:
    """Return the initial document of the new design and the history text.

    Raises
    ------
    InvalidDocumentError
        If it was given as JSON and cannot be read.
    """
    parameters, file = form(request), upload(request, "file", most_bytes=MAX_BYTES)
    if slug := parameters.get("example", ""):
        try:
            chosen_example = example(slug)
        except KeyError:
            raise DesignInputError(N_("Unknown example.")) from None
        return chosen_example.spec, Text(N_("created from the example {name}"), {"name": chosen_example.spec.name})
    pasted, name = parameters.get("json", "").strip(), parameters.get("name", "").strip()
    if not pasted and file is None:
        return Spec(name=name, engine=posted_engine(parameters)), Text(N_("created"))
    # The text in the form goes first: after an error it is what the person has mended.
    text = pasted or file or b""
    spec: Spec = read_beside(load, text, length=len(text), raises=(InvalidDocumentError,))
    if name:
        spec, _ = apply(spec, Set(at="", name="name", value=name, was=spec.name))
    return spec, Text(N_("imported"))


def _input_error_page(request: HttpRequest, error: InvalidDocumentError) -> HttpResponse:
    """Return the errors in the JSON line by line; the input remains in the form."""
    looks = _guess_format_title(form(request).get("json", ""))
    problems = {"problems": error.problems[:SHOWN], "more_problems": len(error.problems) - SHOWN, "looks": looks}
    if header(request, "HX-Request"):
        return render(request, "designer/start/_problems.html", problems, status=422)
    return start_page(request, status=422, typed=form(request), **problems)


def _guess_format_title(text: str) -> str:
    """Return the title of the format, other than a design, that a text seems to have; "" for sample keys."""
    try:
        # Detection parses the text as several formats; a text nested too deeply is refused before any of them recurses.
        name = detect_format(text) if depth(text[:MAX_BYTES]) <= MAX_DEPTH else "design"
    except ValueError:
        return ""
    return "" if name in ("design", NAMES[-1]) else str(formats_by_name()[name].TITLE)


def redirect_to_design(request: HttpRequest, design: Design) -> HttpResponse:
    """Go to a design, as a whole page also where htmx posted."""
    response: HttpResponse = redirect("editor", design.key)
    if not header(request, "HX-Request"):
        return response
    # A plain redirect would be followed within htmx, and the editor put into a part of the start page.
    return HttpResponse(status=204, headers={"HX-Redirect": response["Location"]})


def teams_of(request: HttpRequest) -> list[Team]:
    """Return the teams in which the user may keep designs, oldest membership first."""
    members = current_person(request).memberships.select_related("team").order_by("since", "pk")
    return [member.team for member in members if is_allowed(member.role, "keep")]  # type: ignore[arg-type]


def team_of(request: HttpRequest) -> Team:
    """Return the chosen team, or the first in which the user may keep designs."""
    teams, team_id = teams_of(request), form(request).get("team", "")
    # A team that was named and is not theirs is refused: falling back to another one would show the design to the wrong
    # people.
    target_team = next((team for team in teams if str(team.pk) == team_id), teams[0] if teams and not team_id else None)
    if target_team is None:
        raise DesignInputError(N_("You cannot store designs in any team. Ask an owner to make you an editor."))
    return target_team


@require_POST
def copy(request: HttpRequest, key: str) -> HttpResponse:
    """Copy a design, as an independent design or as a variant that stores its origin."""
    as_variant = "variant" in form(request)
    design = design_for(request, key, "keep" if as_variant else "view")
    role = current_person(request).role_in(design.team_id)
    team = design.team if is_allowed(role, "keep") and "team" not in form(request) else team_of(request)
    with transaction.atomic():
        new_design = copy_design(design, team=team, by=current_person(request), as_variant=as_variant)
        what = f"{design.key} {design.title}: {new_design.key} {new_design.title}"
        # Also in the log of the team that the contents leave: its owners see no other.
        for pk in dict.fromkeys((design.team_id, team.pk)):
            record(request, "design_copied", what, team=pk)
    return redirect_to_design(request, new_design)


def copy_design(design: Design, *, team: Team, by: Person, as_variant: bool, name: str = "") -> Design:
    """Return a new copy of a design; without a name, with one that no other design of the team has."""
    messages = _VARIANT if as_variant else _COPY
    called = name or _copy_name(design.spec.name or gettext("Untitled"), team, messages=messages)
    # By an edit, so that the name passes the same checks as one that is typed.
    spec, _ = apply(design.spec, Set(at="", name="name", value=called, was=design.spec.name))
    words = Text(N_("variant of {name}, revision {number}"), {"name": design.title, "number": design.number})
    origin = design if as_variant else None
    return Design.objects.start(spec, team=team, by=by, description=words, variant_of=origin)


_VARIANT = (N_("{name} (variant)"), N_("{name} (variant {number})"))
_COPY = (N_("{name} (copy)"), N_("{name} (copy {number})"))


def _copy_name(name: str, team: Team, *, messages: tuple[str, str]) -> str:
    """Return a name for a copy that no other design of the team has."""
    first, further = map(gettext, messages)
    used_names = set(team.designs.filter(deleted=None).values_list("title", flat=True))
    names = (further.format(name=name, number=number) for number in count(2))
    return next(candidate for candidate in chain((first.format(name=name),), names) if candidate not in used_names)


@require_POST
@transaction.atomic
def archive(request: HttpRequest, key: str) -> HttpResponseBase:
    """Put a design away, or (`back`) take it out again."""
    design = design_for(request, key, "keep")
    is_back = "back" in form(request)
    design.set_archived(not is_back)
    kind: Kind = "design_unarchived" if is_back else "design_archived"
    record(request, kind, f"{design.key} {design.title}", team=design.team)
    return redirect(_list_address(request))


@require_POST
@transaction.atomic
def delete(request: HttpRequest, key: str) -> HttpResponseBase:
    """Delete a design; it can be brought back for a month."""
    design = design_for(request, key, "keep")
    design.set_deleted(True)
    record(request, "design_deleted", f"{design.key} {design.title}", team=design.team)
    where = _list_address(request)
    return redirect(f"{where}{'&' if '?' in where else '?'}deleted={design.key}")


@require_POST
@transaction.atomic
def undelete(request: HttpRequest, key: str) -> HttpResponseBase:
    """Bring a deleted design back, and show the list that it is in again."""
    design = design_for(request, key, "keep", deleted=True)
    design.set_deleted(False)
    record(request, "design_brought_back", f"{design.key} {design.title}", team=design.team)
    return redirect(f"{reverse('start')}{'?show=archived' if design.archived else ''}#designs")


def _list_address(request: HttpRequest) -> str:
    """Return the address of the list from which the request came, by the query in its form."""
    return address_of(form(request).nested_query("list"))
