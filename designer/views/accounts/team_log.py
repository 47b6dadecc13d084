"""The audit log of a team, for its owners: what was done in it, and when its members signed in."""

import datetime
from collections.abc import Mapping
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe

from designer.document.texts import N_
from designer.http.pages import page
from designer.http.parameters import RequestParameters, query
from designer.models import AuditEvent, Team

from ..access import team_for
from ..audit import Kind, ndjson_lines

PAGE_SIZE = 50
MOST_PAGES = 1_000
"""Further back one asks for a day, or downloads the file."""
KINDS: Mapping[Kind, str] = {
    "signed_in": N_("Signed in"),
    "sign_in_failed": N_("Sign-in failed"),
    "sign_in_refused": N_("Sign-in refused after too many attempts"),
    "signed_out": N_("Signed out"),
    "password_changed": N_("Password changed"),
    "password_reset": N_("Password reset"),
    "password_refused": N_("Password change refused after too many attempts"),
    "reset_mail_refused": N_("Reset mail refused after too many requests"),
    "second_step_failed": N_("Second factor failed"),
    "second_step_refused": N_("Second factor refused after too many attempts"),
    "proof_failed": N_("Repeated sign-in failed"),
    "proof_refused": N_("Repeated sign-in refused after too many attempts"),
    "code_reused": N_("Used code entered again"),
    "factor_added": N_("Second factor added"),
    "factor_removed": N_("Second factor removed"),
    "recovery_codes_created": N_("Recovery codes created"),
    "session_ended": N_("Session ended"),
    "second_factor_required": N_("Second factor required"),
    "second_factor_optional": N_("Second factor made optional"),
    "team_created": N_("Team created"),
    "team_renamed": N_("Team renamed"),
    "role_changed": N_("Role changed"),
    "member_joined": N_("Member joined"),
    "member_removed": N_("Member removed"),
    "invitation_created": N_("Invitation created"),
    "invitation_withdrawn": N_("Invitation withdrawn"),
    "token_created": N_("Token created"),
    "token_revoked": N_("Token revoked"),
    "webhook_created": N_("Webhook created"),
    "webhook_changed": N_("Webhook changed"),
    "webhook_enabled": N_("Webhook enabled"),
    "webhook_disabled": N_("Webhook disabled"),
    "webhook_deleted": N_("Webhook deleted"),
    "webhook_resent": N_("Delivery of a webhook sent again"),
    "link_created": N_("Review link created"),
    "link_changed": N_("Review link changed"),
    "link_revoked": N_("Review link revoked"),
    "link_file_taken": N_("File downloaded through a review link"),
    "link_password_failed": N_("Wrong password on a review link"),
    "link_password_refused": N_("Review link refused after too many attempts"),
    "design_copied": N_("Design copied"),
    "design_archived": N_("Design archived"),
    "design_unarchived": N_("Design taken out of the archive"),
    "design_deleted": N_("Design deleted"),
    "design_brought_back": N_("Design restored"),
    "design_exported": N_("Design exported"),
    "run_downloaded": N_("Result of a run downloaded"),
    "revision_restored": N_("Revision restored"),
    "verdict_given": N_("Verdict given with an API token"),
}
"""Titles of what happens in a team; other acts are of the whole site, and `audit_log` prints them."""
OF_PEOPLE = (
    "signed_in", "sign_in_failed", "sign_in_refused", "signed_out", "password_changed", "password_reset",
    "password_refused", "reset_mail_refused", "second_step_failed", "second_step_refused", "proof_failed",
    "proof_refused", "code_reused", "factor_added", "factor_removed", "recovery_codes_created", "session_ended",
)  # fmt: skip


@require_safe
def team_log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what was done in a team, newest first: all, of one kind, of one day, or by one person.

    Pages are cut without counting: one row more than a page holds says whether there are older ones.
    """
    team, parameters = team_for(request, pk, "manage"), query(request)
    people, kind, who = team.people.order_by("email"), parameters.choice("kind", KINDS, ""), parameters.number("who")
    number = parameters.number("page", minimum=1, maximum=MOST_PAGES) or 1
    begin, day = (number - 1) * PAGE_SIZE, parameters.date("day")
    acts = list(_find_acts(team, parameters).order_by("-at", "-pk")[begin : begin + PAGE_SIZE + 1])
    context = {
        "team": team,
        "acts": [(act, KINDS.get(act.kind, act.kind)) for act in acts[:PAGE_SIZE]],  # type: ignore[call-overload]
        "newer": number - 1,
        "older": number + 1 if len(acts) > PAGE_SIZE and number < MOST_PAGES else None,
        "kinds": KINDS,
        "people": people,
        "kind": kind,
        "who": who,
        "day": day.isoformat() if day else "",
        "asked": urlencode({"kind": kind, "who": who or "", "day": day.isoformat() if day else ""}),
    }
    return page(request, "designer/team_log/team_log.html", context, part="designer/team_log/_acts.html")


@require_safe
def team_log_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Send the same as NDJSON, oldest first."""
    team = team_for(request, pk, "manage")
    lines = ndjson_lines(_find_acts(team, query(request)).order_by("at", "pk"))
    headers = {"Content-Disposition": f'attachment; filename="audit-log-{team.pk}.ndjson"'}
    return StreamingHttpResponse((f"{line}\n" for line in lines), "application/x-ndjson", headers=headers)


def _find_acts(team: Team, asked: RequestParameters) -> QuerySet[AuditEvent]:
    """Return acts in the team, and those of its members that are of no team, since each of them joined."""
    condition = Q(team=team.pk)
    # From the day on which they joined: what somebody did elsewhere before is no matter of this team.
    for email, since in team.members.values_list("person__email", "since"):
        condition |= Q(team=None, kind__in=OF_PEOPLE, person=email, at__gte=since)
    acts: QuerySet[AuditEvent] = AuditEvent.objects.filter(condition)
    if kind := asked.choice("kind", KINDS, ""):
        acts = acts.filter(kind=kind)
    if who := asked.number("who"):  # by number: addresses of web servers' logs then name nobody
        acts = acts.filter(person__in=team.people.filter(pk=who).values("email"))
    if day := asked.date("day"):
        begin = datetime.datetime.combine(day, datetime.time(), datetime.UTC)
        acts = acts.filter(at__gte=begin, at__lt=begin + datetime.timedelta(days=1))
    return acts
