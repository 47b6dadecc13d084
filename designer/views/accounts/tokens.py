"""API tokens of a team, for its owners: made, shown once, revoked."""

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form
from designer.models import Team, Token
from designer.permissions import TOKEN_SCOPES, TokenScope

from ..access import current_person, team_for
from ..audit import record
from .proof import ask_for_proof

ENDS = {"30": N_("30 days"), "90": N_("90 days"), "365": N_("1 year"), "never": N_("never")}
"""After how many days a token ends; the first is chosen unless another is."""
SCOPES: dict[TokenScope, str] = {
    "read": N_("read-only"),
    "write": N_("read and write"),
    "review": N_("read, write and review in your name"),
}
"""What a token may do; the first is chosen unless another is."""


class TokenFormError(DesignError):
    """Error for a request with invalid values for a token."""

    status = 422


@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the tokens of a team; a new token is displayed only once."""
    team = team_for(request, pk, "manage")
    if request.method == "POST" and (proof := ask_for_proof(request)):
        return proof
    text = _issue_token(request, team) if request.method == "POST" else ""
    return page(request, "designer/tokens/tokens.html", {"team": team, "made": text, **tokens_context(team)})


def tokens_context(team: Team) -> dict[str, object]:
    """Return the template context of a list of tokens."""
    active_tokens = team.tokens.filter(revoked=None).select_related("by").order_by("-made")
    return {"tokens": active_tokens, "scopes": SCOPES, "ends": ENDS}


def _issue_token(request: HttpRequest, team: Team) -> str:
    parameters = form(request)
    name = parameters.line("name", most=100)
    if not name:
        raise TokenFormError(N_("A token needs a name that describes its purpose."))
    scope = parameters.choice("scope", TOKEN_SCOPES, "read")
    ends = parameters.choice("ends", ENDS, next(iter(ENDS)))
    days = None if ends == "never" else int(ends)
    with transaction.atomic():
        text = Token.objects.issue(team, name=name, scope=scope, by=current_person(request), days=days)[1]
        record(request, "token_created", f"{name} ({scope})", team=team)
    return text


@require_POST
def revoke(request: HttpRequest, pk: int, token: int) -> HttpResponse:
    """Make a token worthless at once."""
    row = team_for(request, pk, "manage").tokens.filter(pk=token).first()
    if row is None:
        raise Http404
    with transaction.atomic():
        row.revoke()
        record(request, "token_revoked", row.name, team=pk)
    return redirect("tokens", pk)
