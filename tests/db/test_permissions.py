"""Who may do what: every address of the site × everybody × GET and POST, as the one table of permissions says."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.backends.db import SessionStore
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from designer.document import Spec
from designer.document.edits import Insert, Remove, Set
from designer.document.load import from_data
from designer.examples import example
from designer.local import FOR_SEVERAL
from designer.models import Design, Person, SignIn, Team, Token, Webhook, ping
from designer.permissions import MAY, ROLES, is_allowed
from estimator.models import KeptObservation, Part, Run
from estimator.runs import delivery
from estimator.simulation.packing import pack
from reviews.models import Link
from reviews.models.talk import create_thread
from tests.contexts import design_page, simulate
from tests.passkeys import stored_passkey

OPEN, ANYBODY, OWN, NOBODY, OFF = "open", "anybody", "own", "nobody", "off"
"""Besides the actions of the table: without sign-in, with any account, of what is one's own (here the owner's), an
address that has no such method, and one that is not there until a setting says so."""


@dataclass(frozen=True)
class Page:
    """One address: who may read it (GET) and do it (POST), and what is posted."""

    get: str = NOBODY
    post: str = NOBODY
    data: dict[str, Any] = field(default_factory=dict)
    query: str = ""


SAYS = {"on": '["element","t",""]', "text": "Why?", "name": "Rey"}
ON = "?on=%5B%22element%22,%22t%22,%22%22%5D"
CHANGES = {"section": "keys", "verdict": "changes", "text": "Why?", "name": "Rey"}

SITE = {
    "start": Page(ANYBODY), "cure": Page(ANYBODY),
    "document": Page(ANYBODY), "schema": Page(ANYBODY), "design": Page(ANYBODY), "card": Page(ANYBODY),
    "heat": Page(ANYBODY), "map": Page(ANYBODY), "map_data": Page(ANYBODY), "chart": Page(ANYBODY),
    "explain": Page(ANYBODY), "calculator": Page(ANYBODY),
    "rules": Page(ANYBODY), "rule": Page(ANYBODY), "rule_miniature": Page(ANYBODY),
    "create": Page(post=ANYBODY, data={"name": "x"}),
    "sentences": Page(post=ANYBODY, data={"typed": "show the latest of one device, 5/s"}),
    "schemas": Page(post=ANYBODY, data={"kind": "event", "0-record": "order", "0-rate": "5/s"}),
    "access_log": Page(ANYBODY, ANYBODY, {"save": "1", "digest": "x"}),
    "import": Page(ANYBODY, ANYBODY, {"text": "readings", "save": "1"}),
    "import_tables": Page("edit", "edit", {"text": "readings", "save": "1", "table": "readings"}),
    "healthz": Page(OPEN), "readyz": Page(OPEN), "metrics": Page(OFF),
    "set_language": Page(OPEN, OPEN, {"language": "ja"}), "favicon.ico": Page(OPEN, OPEN),
    # accounts
    "sign_in": Page(OPEN, OPEN, {"username": "x@example.com", "password": "x"}),
    "sign_out": Page(post=ANYBODY), "signed_in": Page(ANYBODY),
    "account": Page(ANYBODY, ANYBODY, {"name": "x"}),
    "second_step": Page(OPEN, OPEN, {"code": "x"}), "passkey_options": Page(post=OPEN, data={"for": "sign_in"}),
    "go_on": Page(ANYBODY), "end_other_sessions": Page(post=ANYBODY), "end_session": Page(post=OWN),
    "factors": Page(ANYBODY), "factor_app": Page(ANYBODY, ANYBODY, {"app_code": "x"}),
    "create_passkey": Page(post=ANYBODY, data={"name": "x", "new_credential": "{}"}),
    "create_codes": Page(post=OWN), "rename_passkey": Page(post=OWN, data={"name": "x"}),
    "remove_factor": Page(post=OWN),
    "password_reset": Page(OPEN, OPEN, {"email": "x@example.com"}),
    "password_reset_done": Page(OPEN), "password_reset_confirm": Page(OPEN, OPEN),
    "invitation": Page(OPEN, OPEN, {"email": "x"}),
    # teams
    "teams": Page(ANYBODY), "create_team": Page(post=ANYBODY, data={"name": "x"}),
    "team": Page("view"), "rename_team": Page(post="manage", data={"name": "x"}),
    "require_second_factor": Page(post="manage", data={"required": "0"}),
    "team_log": Page("manage"), "team_log_file": Page("manage"),
    "invite": Page(post="manage", data={"role": "viewer"}), "withdraw": Page(post="manage"),
    "change_role": Page(post="manage", data={"role": "viewer"}), "remove_member": Page(post="manage"),
    "tokens": Page("manage", "manage", {"name": "CI", "scope": "read"}), "revoke_token": Page(post="manage"),
    "webhooks": Page("notify", "notify", {"address": "https://example.com/", "kind": "run.ended"}),
    "change_webhook": Page(post="notify"), "resend_webhook": Page(post="notify"),
    # the API asks for a token whoever is signed in: tests/db/reviews/test_api.py
    "api": Page(ANYBODY), "openapi": Page(OPEN), "api_nothing": Page(OPEN, OPEN),
    "api_designs": Page(OPEN, OPEN), "api_edits": Page(NOBODY, OPEN), "api_undelete": Page(NOBODY, OPEN),
    "api_copies": Page(NOBODY, OPEN), "api_adopt": Page(NOBODY, OPEN), "api_restore": Page(NOBODY, OPEN),
    "api_requests": Page(OPEN, OPEN),
    "api_links": Page(OPEN, OPEN), "api_link_revoke": Page(NOBODY, OPEN), "api_threads": Page(OPEN, OPEN),
    "api_comments": Page(NOBODY, OPEN), "api_verdicts": Page(OPEN, OPEN),
    "api_runs": Page(OPEN, OPEN), "api_measured": Page(NOBODY, OPEN), "api_drift": Page(NOBODY, OPEN),
    "api_trials": Page(OPEN, OPEN),
    "api_replay": Page(NOBODY, OPEN), "api_replay_file": Page(NOBODY, OPEN),
    "api_replay_runs": Page(NOBODY, OPEN), "api_replay_run_cancel": Page(NOBODY, OPEN),
    "api_run_cancel": Page(NOBODY, OPEN), "api_delivery_again": Page(NOBODY, OPEN),
    "api_webhooks": Page(OPEN, OPEN),
    "api_imports": Page(NOBODY, OPEN), "api_schemas": Page(NOBODY, OPEN), "api_traces": Page(NOBODY, OPEN),
    "api_traces_file": Page(NOBODY, OPEN),
    **dict.fromkeys((
        "api_design", "api_document", "api_revisions", "api_revision", "api_revision_document", "api_findings",
        "api_variants", "api_comparison", "api_advice", "api_observations", "api_link", "api_thread", "api_export_file",
        "api_request", "api_mail",
        "api_estimate", "api_replay_run", "api_run", "api_run_file", "api_run_result", "api_formats", "api_export",
        "api_webhook", "api_deliveries", "api_delivery",
    ), Page(OPEN)),
    # a design
    "editor": Page("view"), "rows": Page("view"), "element": Page("view"), "instance": Page("view"),
    "callers": Page("view"),
    "news": Page("view"), "control": Page("view", query="?at=t&name=name"),
    "design_file": Page("view"), "content_file": Page("view"),
    "history": Page("view"), "revision_file": Page("view"), "summary": Page("view"),
    "edit": Page(post="edit", data={"at": "t", "name": "name", "was": '"readings"', "v": "x"}),
    "add_table": Page(post="edit", data={"table": "x", "key": "{a}"}),
    "add": Page(post="edit", data={"list": "fields"}),
    "add_sentence": Page(post="edit", data={"sentence": "Show the latest 20 of one machine, 5/min"}),
    "remove": Page(post="edit"),
    "find": Page("view", query="?words=r"),
    "change_several": Page(post="edit", data={"do": "duplicate", "id": "t"}),
    "text": Page("view"), "write_text": Page(post="edit", data={"text": "format: 1", "was": "null"}),
    "key_text": Page(post="edit", data={"text": "{a}"}), "key_check": Page(post="edit", data={"text": "{a}"}),
    "key_paste": Page(post="edit", data={"keys": "a#1"}),
    "key_accept": Page(post="edit", data={"key": "{a}"}),
    "key_move": Page(post="edit", data={"id": "s1"}),
    "undo": Page(post="edit"), "redo": Page(post="edit"), "bring_back": Page(post="edit"),
    "restore": Page(post="edit"), "name_revision": Page(post="edit", data={"name": "x"}),
    "accept": Page(post="edit", data={"reason": "known", "owner": "Ana"}),
    "acceptance": Page("edit"),
    "trial": Page("view", "edit", {"remove": "1"}),
    "drift": Page("view", "view", {"file": "x"}), "replay": Page("view", "view", {"file": "x"}),
    "correct": Page("edit", "edit", {"log": "x"}),
    "measured": Page("view", "edit", {"keep": "1", "compared": "x"}), "measured_chart": Page("view"),
    "runs": Page("view", "edit", {"kind": "compression", "table": "t"}),
    "run_map": Page("view"), "run_chart": Page("view"), "run_beside": Page("view"),
    "run_splits": Page("view", "edit", {"keys": "a"}),
    "run": Page("view"), "run_progress": Page("view"), "run_cancel": Page(post="edit"), "run_file": Page("view"),
    "copy": Page(post="view"), "archive": Page(post="keep"), "delete": Page(post="keep"), "undelete": Page(post="keep"),
    "compare": Page("view"), "comparison": Page("view"), "variants": Page("view"), "adopt": Page(post="edit"),
    # what is computed of one content
    "content_keys": Page("view", query="?at=k"),
    "advise": Page("view"), "advice": Page("view"), "advice_heat": Page("view"),
    "field_values": Page("view", query="?at=d"), "field_popularity": Page("view", query="?at=d"),
    # exports
    "exports": Page("view"), "export": Page("view"), "export_archive": Page("view"), "export_file": Page("view"),
    **dict.fromkeys((
        "content", "insight", "sheet", "all_rows", "table_rows", "what_if", "effects", "marks", "content_parts",
        "findings", "finding", "fix", "books", "prices", "guesses", "content_heat", "content_chart", "content_map",
        "content_map_data", "content_explain", "content_text",
    ), Page("view")),
    # reviews: what stands under a link's address is open to whoever has the link
    "links": Page("share", "share", {"form": "1", "name": "x"}), "link_preview": Page("share"),
    "revoke_link": Page(post="share"),
    "review": Page("view"),
    "link": Page(OPEN), "link_nothing": Page(OPEN, OPEN), "link_heat": Page(OPEN), "link_chart": Page(OPEN),
    "link_comparison": Page(OPEN), "link_map": Page(OPEN), "link_map_data": Page(OPEN),
    "link_verdicts": Page(OPEN), "link_rule": Page(OPEN), "link_example": Page(OPEN), "link_file": Page(OPEN),
    "link_password": Page(post=OPEN, data={"password": "x"}),
    "review_talk": Page("view", "comment", SAYS, ON), "link_talk": Page(OPEN, OPEN, SAYS, ON),
    "review_cells": Page("view"), "link_cells": Page(OPEN), "review_section": Page("view"), "link_section": Page(OPEN),
    "review_recommended": Page("view"), "link_recommended": Page(OPEN),
    "review_talked": Page("view"), "link_talked": Page(OPEN),
    "review_thread": Page(post="comment", data=SAYS), "link_thread": Page(post=OPEN, data=SAYS),
    "review_verdict": Page(post="comment", data=CHANGES), "link_verdict": Page(post=OPEN, data=CHANGES),
    "review_ask": Page(post="share", data={"section": "keys", "who": "person:0"}),
    "review_withdraw": Page(post="share"), "review_mail": Page(post="view"), "review_count": Page("view"),
}  # fmt: skip
"""What every address asks for. A new one is added here, or the first test fails."""

MEMBERS = dict(zip(ROLES, ("olga", "edith", "vera"), strict=True))
EVERYBODY = (None, "stranger", *ROLES)


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            yield from patterns(each)
        else:
            yield each


PATTERNS = {each.name or str(each.pattern): each for each in patterns(get_resolver())}


def spec() -> Spec:
    """A design with a finding that has a fix, and something to undo, to move and to bring back."""
    keyed = [{"id": "s1", "kind": "time", "after": "#"}, {"id": "s2", "kind": "field", "field": "d"}]
    activity = {"id": "a", "name": "reports", "rate_per_second": 5000}
    write = {"id": "w", "name": "put", "activity": "a"}
    kind = {"id": "k", "name": "rows", "key": keyed, "writes": [write]}
    families = [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "v"}]}]
    table = {"id": "t", "name": "readings", "row_kinds": [kind], "families": families}
    fields = [{"id": "d", "name": "device", "kind": "string"}]
    return from_data({"name": "Balloons", "fields": fields, "activities": [activity], "tables": [table]})


@dataclass
class Scene:
    """A team with one person of each role, a stranger with a team of their own, a design and a deleted one."""

    people: dict[str, Person]
    design: Design
    values: dict[str, Any]
    gone: Design
    accepted: dict[str, str]

    def data(self, name: str) -> dict[str, Any]:
        """What is posted to it."""
        adopted = {"variant": self.values["variant"], "was": self.design.head_id} if name == "adopt" else {}
        return {**SITE[name].data, **(self.accepted if name == "accept" else {}), **adopted}

    def path(self, name: str) -> str:
        """An address with what the scene has in it."""
        if not PATTERNS[name].name:
            return f"/{name}"
        values = dict(self.values)
        if name == "undelete":
            values["key"] = self.gone.key
        if name.startswith("key_"):
            values["at"] = "k"
        if name == "advice_heat":
            values["number"] = 0
        if name == "bring_back":
            values["at"] = "extra"
        if name.endswith("map_data"):
            values |= {"name": "writes", "form": "bin"}
        if name.startswith("link") or name == "revoke_link":
            values["token"] = values["link_token"]
        if name == "link_comparison":
            values |= {"before": 3, "after": self.design.number}
        if name == "link_file":
            values["name"] = "json"
        if name.endswith("_section"):
            values["name"] = "keys"
        if name.endswith("_thread"):
            values["number"] = 1
        if re.fullmatch(r"(content|link)_(heat|map|map_data|explain)|(link|review)_cells|table_rows", name):
            values["table"] = "t"
        if name in ("content_chart", "link_chart"):
            values["name"] = values["own_chart"]
        if name == "measured_chart":
            values["name"] = "forecast-t-rows"
        if name.startswith("run_") or name == "run":
            values["pk"] = self.values["run"]
        if name == "run_file":
            values["pk"] = self.values["file"]
        if name in PLAYED:
            values |= {"pk": self.values["played"], "other": self.values["played"], "table": "t"}
            values |= {"name": "writes", "form": "bin"} if name == "run_map" else {"name": "tablets-t"}
        if name in ("export", "export_archive", "export_file"):
            values |= {"name": "hbase", "file": "balloons.hbase.rb"}
        if name in ("rename_passkey", "remove_factor", "end_session"):
            values["pk"] = values["session" if name == "end_session" else "passkey"]
        if name == "revoke_token":
            values["token"] = values["api_token"]
        if name.startswith(("revision", "api_revision")) or name in ("restore", "name_revision"):
            values["number"] = 2
        names = PATTERNS[name].pattern.regex.groupindex  # type: ignore[attr-defined]
        return reverse(name, kwargs={each: values[each] for each in names}) + SITE[name].query

    def client(self, who: str | None) -> Client:
        """A browser of somebody."""
        client = Client()
        if who:
            client.force_login(self.people[who])
        return client


PLAYED = ("run_map", "run_chart", "run_beside", "run_splits")
"""What there is of a simulation that is done."""


@lru_cache(maxsize=1)
def played() -> dict[str, bytes]:
    """The parts of a simulation of the scene's design."""
    return pack(simulate(spec()))


@pytest.fixture
def scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.setattr(delivery, "send", lambda count=1: True)
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", "mail.example.com"
    cache.clear()
    team, other = Team.objects.create(name="Platform"), Team.objects.create(name="Elsewhere")
    people = {who: Person.objects.create_user(f"{who}@example.com") for who in ("stranger", "second", *ROLES)}
    for role in ROLES:
        team.add(people[role], role)
    team.add(people["second"], "owner")
    other.add(people["stranger"], "owner")
    owner = people["owner"]
    design = Design.objects.start(spec(), team=team, by=owner)
    for who in ("owner", "editor"):
        was = design.spec.description
        design.apply(Set(at="", name="description", value=who, was=was), by=people[who])
    extra = {"id": "extra", "name": "extra"}
    design.apply(Insert(parent="", list="fields", element=extra), by=owner)
    design.apply(Remove(at="extra"), by=owner)
    gone = Design.objects.start(Spec(name="Gone"), team=team, by=owner)
    Design.objects.filter(pk=gone.pk).update(deleted=timezone.now())
    shown = design_page(design.spec)
    own_chart = next(iter(shown.charts))
    starts = shown.estimate.tables["t"].growth.dates[0]  # type: ignore[union-attr]
    KeptObservation.objects.create(design=design, date=starts, data={"t": {"rows": 5.0}}, digest="x", by=owner)
    slug = "mobile-devices"
    example_chart = next(iter(design_page(example(slug).spec).charts))
    number, finding = next((n, r.finding) for n, r in shown.all_remarks.items() if r.finding.fix)
    invitation, token = team.invite("viewer", by=owner)
    run = Run.objects.find_or_start(design, "compression", {"table": "t"}, owner)[0]
    result = Run.objects.find_or_start(design, "simulate", {}, owner)[0]
    file = Run.objects.find_or_start(design, "sample_keys", {"row_kind": "k"}, owner)[0]
    Run.objects.filter(pk=file.pk).update(state="done", ended=timezone.now())
    result.parts.bulk_create(Part(run=result, name=name, data=data) for name, data in played().items())
    Run.objects.filter(pk=result.pk).update(state="done", ended=timezone.now())
    pinned: dict[str, Any] = {"number": 3, "document": design.revisions.get(number=3).document}
    link, link_token = Link.objects.start(
        design=design, name="Review", role="link_comment", made_by=owner, allows_files=True, **pinned
    )
    create_thread(design, anchor=SAYS["on"], called={"message": "t", "params": {}}, revision=1, link=link)
    api_token, _ = Token.objects.issue(team, name="CI", scope="read", by=owner)
    hook, _ = Webhook.objects.start(team, address="https://example.com/", kinds=["run.ended"], by=owner)
    ping(hook)
    values = {
        "hook": hook.pk, "delivery": hook.deliveries.get().pk, "change": "disable",
        "run": run.pk, "played": result.pk, "file": file.pk,
        "key": design.key, "at": "t", "sha256": design.head_id, "number": number, "slug": slug,
        "table": example(slug).spec.tables[0].id, "name": example_chart, "own_chart": own_chart,
        "form": "json", "code": "K004", "which": "bad", "pk": team.pk, "kind": "k", "api_token": api_token.pk,
        "rest": "v2/designs", "who": people["second"].pk, "invitation": invitation.pk, "token": token, "uidb64": "MQ",
        "variant": Design.objects.start(spec(), team=team, by=owner, variant_of=design).key,
        "passkey": Authenticator.objects.create(user=owner, type="webauthn", data=stored_passkey("Key")).pk,
        "session": SignIn.objects.create(person=owner, session_key=new_session()).pk,
        "link": link.pk, "link_token": link_token, "before": "1", "after": "now", "asked": 1,
        "id": link.pk, "row_kind": "k",
    }  # fmt: skip
    return Scene(people, design, values, gone, {"rule": finding.rule, "at": finding.at})


def new_session() -> str:
    """The key of a session that has begun."""
    session = SessionStore()
    session.create()
    return str(session.session_key)


def ask(client: Client, method: str, path: str, data: dict[str, Any]) -> HttpResponse:
    """The answer; what it changed is taken back, and who asks stays signed in."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        answer: Any = client.post(path, data) if method == "post" else client.get(path)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def expected_outcome(action: str, who: str | None) -> str:
    """What somebody should come to: sign-in, not found, forbidden, no such method, or done."""
    if action == OPEN:
        return "done"
    if action == OFF:
        return "not found"
    if who is None:
        return "sign-in"
    if action == NOBODY:
        return "no such method"
    if action == ANYBODY or (action == OWN and who == "owner"):
        return "done"
    if action == OWN:
        return "not found"
    if who == "stranger":
        return "not found"
    return "done" if is_allowed(who, action) else "forbidden"  # type: ignore[arg-type]


def came_to(answer: HttpResponse) -> str:
    to = answer.headers.get("Location", "")
    if answer.status_code == 302 and to.startswith("/sign-in?next="):
        return "sign-in"
    known = {404: "not found", 403: "forbidden", 405: "no such method"}
    return known.get(answer.status_code, "done" if answer.status_code < 500 else str(answer.status_code))


def test_every_address_of_the_site_says_who_may_use_it() -> None:
    assert sorted(PATTERNS) == sorted(SITE), "add new addresses to SITE, with who may GET and POST them"
    actions = {action for page in SITE.values() for action in (page.get, page.post)}
    assert actions <= {OPEN, ANYBODY, OWN, NOBODY, OFF, *MAY}


class Step(NamedTuple):
    """One request of a walk through all addresses, and its answer."""

    name: str
    method: str
    path: str
    answer: HttpResponse


class Walk(NamedTuple):
    """What somebody comes to at every address, by GET and by POST."""

    scene: Scene
    steps: tuple[Step, ...]


WALKS: dict[str | None, Walk] = {}
"""By who walks: several tests look at the same answers. Those of the owner are both in postgres.txt."""


def walk(scene: Scene, who: str | None) -> Walk:
    """Ask for every address as somebody, once in a process."""
    if who not in WALKS:
        client = scene.client(who)
        steps = tuple(
            Step(name, method, scene.path(name), ask(client, method, scene.path(name), scene.data(name)))
            for name in SITE
            for method in ("get", "post")
        )
        WALKS[who] = Walk(scene, steps)
    return WALKS[who]


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_comes_to_what_the_table_says_at_every_address(scene: Scene, who: str | None) -> None:
    wrong = []
    for name, method, _, answer in walk(scene, who).steps:
        if (name, method) in OPEN_METHODS:
            continue
        action, come = getattr(SITE[name], method), came_to(answer)
        wanted = expected_outcome(action, who) if action != NOBODY or who else no_method(SITE[name])
        if come != wanted:
            wrong.append(f"{method} {name}: {come}, not {wanted}")

    assert not wrong, "\n".join(wrong)


def test_no_address_answers_a_method_that_it_does_not_name(scene: Scene) -> None:
    client, wrong = scene.client("owner"), []
    for name in SITE:
        with transaction.atomic():
            status = client.generic("PUT", scene.path(name), "{}", content_type="application/json").status_code
            transaction.set_rollback(True)
        if status != 405 and not name.startswith("api") and name not in DJANGOS:
            wrong.append(f"{name}: {status}")

    assert not wrong


DJANGOS = ("sign_out", "set_language", "favicon.ico")
"""Views of Django's own, which name their methods themselves."""

OPEN_METHODS = {
    ("password_reset_done", "post"), ("password_reset_confirm", "post"), ("set_language", "get"),
    ("api_edits", "get"), ("api_run_cancel", "get"), ("api_nothing", "get"), ("api_nothing", "post"),
    ("link_nothing", "get"), ("link_nothing", "post"),
}  # fmt: skip
"""Django's own views and the API answer these in a way of their own, the same to everybody."""


def no_method(page: Page) -> str:
    """Where there is no such method, somebody unknown is sent to sign in first, unless the page is open."""
    return "no such method" if {OPEN, OFF} & {page.get, page.post} else "sign-in"


@pytest.mark.parametrize("role", ["link_view", "link_comment"])
def test_a_link_grants_nothing_besides_its_own_page(scene: Scene, role: str) -> None:
    """A visitor's browser comes at every address to what nobody's comes to, whatever is tried with it."""
    token = Link.objects.start(design=scene.design, name="Another", role=role, made_by=scene.people["owner"])[1]
    visitor = Client()
    assert visitor.get(reverse("link", args=[token])).status_code == 200
    said = visitor.post(reverse("link_talk", args=[token]), SAYS)
    assert said.status_code == (302 if role == "link_comment" else 403)
    assert visitor.cookies["sessionid"].value
    session = {name for name, _ in visitor.session.items() if not name.startswith("_csrf")}
    assert session == {"reviews"}

    wrong = []
    for name, page in SITE.items():
        if name.startswith("link") and name not in ("links", "link_preview"):
            continue  # below the address of another link, which is open to who knows it
        for method, action in (("get", page.get), ("post", page.post)):
            if (name, method) not in OPEN_METHODS:
                come = came_to(ask(visitor, method, scene.path(name), scene.data(name)))
                if come != (expected_outcome(action, None) if action != NOBODY else no_method(page)):
                    wrong.append(f"{method} {name}: {come}")

    assert not wrong


def test_a_member_may_leave_whatever_their_role(scene: Scene) -> None:
    for role in ROLES:
        path = reverse("remove_member", args=[scene.values["pk"], scene.people[role].pk])
        answer = ask(scene.client(role), "post", path, {"confirmed": "yes"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/teams/")


def test_a_viewer_is_offered_nothing_that_would_be_refused(scene: Scene) -> None:
    """Whatever posts on the pages that a viewer reads is an address that a viewer may post to."""
    walked, steps = walk(scene, "viewer")
    allowed = {
        walked.path(name).partition("?")[0]
        for name, page in SITE.items()
        if expected_outcome(page.post, "viewer") == "done"
    }
    allowed.add(reverse("remove_member", args=[walked.values["pk"], walked.people["viewer"].pk]))

    offered = {}
    for name, method, _, answer in steps:
        is_page = method == "get" and SITE[name].get == "view" and name not in ("news", "control")
        if is_page and "html" in answer.headers["Content-Type"]:
            offered |= dict.fromkeys(posts(answer.content.decode()), name)

    assert not {address: name for address, name in offered.items() if address not in allowed}


def posts(text: str) -> Iterator[str]:
    """Addresses that something on a page would post to; what stands in a disabled fieldset cannot."""
    text = re.sub(r"<fieldset disabled.*?</fieldset>", "", text, flags=re.S)
    yield from re.findall(r'hx-post="([^"]+)"', text)
    for form in re.findall(r"<form [^>]*>", text):
        if 'method="post"' in form:
            yield from re.findall(r'action="([^"]*)"', form)


def test_on_ones_own_machine_addresses_for_several_people_are_not_there(scene: Scene, settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "embedded"
    client, paths = Client(), {name: scene.path(name) for name in FOR_SEVERAL}

    came = {name: (client.get(path).status_code, client.post(path).status_code) for name, path in paths.items()}

    assert came == dict.fromkeys(FOR_SEVERAL, (404, 404))


def test_on_ones_own_machine_everything_else_is_the_local_persons(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "embedded"
    design = Design.objects.start(
        spec(), team=Person.objects.get_or_create_local().teams.get(), by=Person.objects.get_or_create_local()
    )
    client = Client()

    assert client.get("/").status_code == 200
    assert client.get(f"/designs/{design.key}/").status_code == 200
    assert client.post(f"/designs/{design.key}/delete").status_code == 302


def test_posts_need_the_token_of_the_site(scene: Scene) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(scene.people["owner"])

    posted = {name for name, page in SITE.items() if page.post != NOBODY and not name.startswith("api_")}

    assert not [name for name in posted if client.post(scene.path(name)).status_code != 403]


def test_a_viewer_is_told_that_they_only_read_and_an_editor_is_not(scene: Scene) -> None:
    for role, told in (("viewer", True), ("editor", False)):
        for headers in ({}, {"HX-Request": "true"}):
            text = scene.client(role).get(scene.path("element"), headers=headers).content.decode()
            assert ("read only" in text) is told
    saved = scene.client("editor").post(scene.path("edit"), SITE["edit"].data, headers={"HX-Request": "true"})
    assert "read only" not in saved.content.decode()


PUBLIC = {"schema", "openapi"}
"""What is the same for everybody, and says itself how long it may be kept."""


def test_nothing_personal_may_be_kept_by_others(scene: Scene) -> None:
    """Every answer is private; what has no hash of its content in its address is not stored at all.

    Every answer also says what a browser may do with it.
    """
    for name, method, path, answer in walk(scene, "owner").steps:
        if method != "get":
            continue
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["X-Frame-Options"] == "DENY", name
        assert headers["Referrer-Policy"] in ("same-origin", "no-referrer"), name
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], name
        kind = headers.get("Content-Type", "")
        assert "charset=utf-8" in kind or not kind.startswith("text/"), f"{name}: {kind}"
        said = headers["Cache-Control"]
        assert name in PUBLIC or "private" in said, f"{name}: {said}"
        is_of_content = "/of/" in path or "max-age=600" in said or "no-cache" in said
        assert name in PUBLIC or is_of_content or "no-store" in said, f"{name}: {said}"
