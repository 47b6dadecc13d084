"""Teams: who is in them, in which role, and invitations by a link."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form
from designer.models import Invitation, Person, Team
from designer.models.factors import has_second_factor, second_factor_of
from designer.permissions import ROLES, Role, is_allowed

from ..access import current_person, team_for
from ..audit import record
from .proof import ask_for_proof
from .sign_in import begin_session
from .tokens import tokens_context

GONE = N_("This person is no longer in the team.")


class InvalidMemberError(DesignError):
    """Error for a request about a person who is not in the team, or about an unknown role."""

    status = 422


@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    """One's teams."""
    living = Count("team__designs", distinct=True, filter=Q(team__designs__deleted=None))
    people = Count("team__members", distinct=True)
    members = current_person(request).memberships.select_related("team").order_by("team__name")
    members = members.annotate(designs=living, people=people)
    return page(request, "designer/teams/teams.html", {"members": members})


@require_POST
def create_team(request: HttpRequest) -> HttpResponse:
    """Create a team, owned by its creator."""
    name = _read_name(request)
    with transaction.atomic():
        team = Team.objects.create(name=name)
        team.add(current_person(request), "owner")
        record(request, "team_created", team.name, team=team)
    return redirect("team", team.pk)


def _read_name(request: HttpRequest) -> str:
    name = form(request).line("name", most=100)
    if not name:
        raise InvalidMemberError(N_("A team needs a name."))
    return name


@require_safe
def team(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the people of a team; its owners also see invitations and can change roles."""
    return _team_page(request, team_for(request, pk, "view"))


def _team_page(request: HttpRequest, shown_team: Team, *, status: int = 200, **more: object) -> HttpResponse:
    me = current_person(request)
    role = me.role_in(shown_team.pk)
    members = shown_team.members.select_related("person").order_by("since")
    holdings = shown_team.grant_texts() if is_allowed(role, "manage") else {}
    context = {
        "team": shown_team, "me": me, "role": role, "roles": ROLES, "may_manage": is_allowed(role, "manage"),
        "without_factor": shown_team.people.exclude(second_factor_of("pk")).order_by("email"),
        "now": timezone.now(), "mail": bool(settings.EMAIL_HOST),
        "members": [(member, holdings.get(member.person_id, [])) for member in members],
        "invitations": shown_team.invitations.filter(taken_by=None).order_by("-made"), **tokens_context(shown_team),
    }  # fmt: skip
    return page(request, "designer/teams/team.html", context | more, status=status)


@require_POST
def rename(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a team another name."""
    team = team_for(request, pk, "manage")
    name = _read_name(request)
    with transaction.atomic():
        Team.objects.filter(pk=team.pk).update(name=name)
        record(request, "team_renamed", f"{team.name}: {name}", team=team)
    return redirect("team", pk)


@require_POST
def require_second_factor(request: HttpRequest, pk: int) -> HttpResponse:
    """Require a second factor of all members, or no more; who requires one has one."""
    team = team_for(request, pk, "manage")
    is_required = form(request).get("required") == "1"
    if is_required and not has_second_factor(current_person(request)):
        raise InvalidMemberError(N_("Add a second factor to your own account first."))
    if proof := ask_for_proof(request):
        return proof
    with transaction.atomic():
        if (
            Team.objects.filter(pk=pk)
            .exclude(second_factor_required=is_required)
            .update(second_factor_required=is_required)
        ):
            record(request, "second_factor_required" if is_required else "second_factor_optional", team=team)
    return redirect("team", pk)


@require_POST
def change_role(request: HttpRequest, pk: int, who: int) -> HttpResponse:
    """Give a member another role; what ends with the old one is said first."""
    team = team_for(request, pk, "manage")
    member, role = _find_member(team, who), _read_role(request)
    if proof := ask_for_proof(request):
        return proof
    if question := _confirmation(request, team, member, role):
        return question
    with transaction.atomic():
        if not team.change_role(member, role, by=current_person(request)):
            raise InvalidMemberError(GONE)
        record(request, "role_changed", f"{member.email}: {role}", team=team)
    return redirect("team", pk)


@require_POST
def remove(request: HttpRequest, pk: int, who: int) -> HttpResponse:
    """Take a member out; everybody may leave, except the last owner. What ends with them is said first."""
    me = current_person(request)
    team = team_for(request, pk, "view" if who == me.pk else "manage")
    member = _find_member(team, who)
    if who != me.pk and (proof := ask_for_proof(request)):
        return proof
    if question := _confirmation(request, team, member, None):
        return question
    with transaction.atomic():
        team.remove(member, by=me)
        record(request, "member_removed", member.email, team=team)
    return redirect("teams") if who == me.pk else redirect("team", pk)


def _confirmation(request: HttpRequest, shown_team: Team, member: Person, role: Role | None) -> HttpResponse | None:
    """Return the page that says what ends with a role; None if nothing does, or it was read already."""
    if "confirmed" in form(request):
        return None
    endings = shown_team.withdrawal_texts(member, role)
    if not endings:
        return None
    # Asked here already, so that nobody confirms a change that is refused afterwards.
    if role != "owner":
        shown_team.ensure_other_owner(member)
    context = {"team": shown_team, "member": member, "role": role, "me": current_person(request), "endings": endings}
    return page(request, "designer/teams/confirm.html", context)


def _find_member(shown_team: Team, who: int) -> Person:
    member = shown_team.people.filter(pk=who).first()
    if member is None:
        raise InvalidMemberError(GONE)
    return member


def _read_role(request: HttpRequest) -> Role:
    role = form(request).get("role", "")
    if role not in ROLES:
        raise InvalidMemberError(N_("Unknown role."))
    return role


@require_POST
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Make an invitation; its link is shown this once, and sent where mail is set up."""
    team = team_for(request, pk, "manage")
    email = form(request).get("email", "").strip()
    if email:
        try:
            validate_email(email)
        except ValidationError:
            wrong = gettext("Enter a valid e-mail address.")
            return _team_page(request, team, status=422, wrong=wrong, email=email, asked=form(request).get("role", ""))
    role = _read_role(request)
    # Whoever joins as an owner can remove all others.
    if role == "owner" and (proof := ask_for_proof(request)):
        return proof
    with transaction.atomic():
        invitation, token = team.invite(role, by=current_person(request), email=email)
        record(request, "invitation_created", f"{invitation.email}: {invitation.role}", team=team)
    # Only here is the token known; the page shows the link once, and the database has its hash.
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    sent = bool(email and settings.EMAIL_HOST and _send_invitation(request, team, email, link))
    return _team_page(request, team, link=link, sent_to=email if sent else "")


def _send_invitation(request: HttpRequest, shown_team: Team, email: str, link: str) -> bool:
    subject = gettext("An invitation to %(team)s on Keywright") % {"team": shown_team.name}
    context = {"team": shown_team, "by": current_person(request), "link": link}
    body = render(request, "designer/teams/invitation.txt", context).content.decode()
    return bool(send_mail(subject, body, None, [email], fail_silently=True))


@require_POST
def withdraw(request: HttpRequest, pk: int, invitation: int) -> HttpResponse:
    """Take an invitation back: its link is dead at once."""
    team = team_for(request, pk, "manage")
    open_one = team.invitations.filter(pk=invitation, taken_by=None).first()
    with transaction.atomic():
        if open_one is not None and open_one.delete()[0]:
            record(request, "invitation_withdrawn", f"{open_one.email}: {open_one.role}", team=team)
    return redirect("team", pk)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation: join with the current account, or with a new one."""
    open_invitation = Invitation.objects.find_open(token)
    if open_invitation is None:
        return _invalid_invitation_page(request)
    context: dict[str, object] = {
        "invitation": open_invitation,
        "token": token,
        "email": open_invitation.email,
        "single": settings.OIDC,
    }
    if request.method != "POST":
        return render(request, "designer/teams/join.html", context)
    try:
        has_joined = _join(request, open_invitation)
    except ValidationError as wrong:
        context |= {"problems": wrong.messages, "email": form(request).get("email", "")}
        context["name"] = form(request).get("name", "")
        return render(request, "designer/teams/join.html", context, status=422)
    return redirect("start") if has_joined else _invalid_invitation_page(request)


def _join(request: HttpRequest, found: Invitation) -> bool:
    """Join by an invitation, with a new account if nobody is signed in; False, and no account, if it was taken."""
    with transaction.atomic():
        is_new = not request.user.is_authenticated
        person = _create_invited_person(request) if is_new else current_person(request)
        if not found.accept(person):
            # The account that was just created goes again, since the invitation was somebody else's by a moment.
            transaction.set_rollback(True)
            return False
        if is_new:
            begin_session(request, person, "invitation")
        record(request, "member_joined", found.role, team=found.team)
    return True


def _invalid_invitation_page(request: HttpRequest) -> HttpResponse:
    """Return the page for an invalid invitation, with the next step.

    Expired, accepted, withdrawn and invented invitations look the same, so that the page does not reveal their
    existence.
    """
    return render(request, "designer/teams/no_invitation.html", status=404)


def _create_invited_person(request: HttpRequest) -> Person:
    """Create an account from the form of an invitation."""
    email, password = form(request).get("email", "").strip(), form(request).get("password", "")
    validate_email(email)
    is_known = ValidationError(
        gettext("An account with this address already exists: sign in, then open the link again.")
    )
    if Person.objects.by_email(email):
        raise is_known
    name = form(request).line("name", most=100)
    # With the person, so that passwords like their name or address are refused.
    validate_password(password, Person(email=email, name=name))
    try:
        with transaction.atomic():
            # In a savepoint of its own: PostgreSQL refuses every further statement of a transaction after an error.
            return Person.objects.create_user(email, password, name=name)
    except IntegrityError:  # of two that were sent at once
        raise is_known from None
