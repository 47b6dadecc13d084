"""What the tests of the API begin with: a team with a design, a run, a thread, a link, a webhook and tokens."""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.document import Spec
from designer.models import Design, Person, Team, Token, Webhook, ping
from estimator.models import Run
from estimator.runs import delivery
from estimator.worker.worker import run_next_step
from reviews.models import Comment, Link
from reviews.models.talk import create_thread
from tests.jobs import tiny

KIND = tiny.__name__  # imported, it is a kind of run
V1 = "/api/v1"
DOCUMENT = {"name": "Balloons", "tables": [{"id": "t", "name": "readings", "row_kinds": [{"id": "k"}]}]}


@dataclass
class Scene:
    """A team with a design and tokens, and another team with a token of its own."""

    design: Design
    run: Run
    link: Link
    hook: Webhook
    tokens: dict[str, str]

    def ask(self, method: str, path: str, token: str | None = "writing", body: Any = None, **headers: str) -> Any:
        """The answer to a program."""
        known = {"Authorization": f"Bearer {self.tokens.get(token, token)}"} if token else {}
        more: dict[str, Any] = {}
        if isinstance(body, bytes):
            more = {"data": body, "content_type": "application/octet-stream"}
        elif body is not None:
            more = {"data": json.dumps(body), "content_type": "application/json"}
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        return getattr(Client(), method)(V1 + path, headers={**known, **names}, **more)


def make_scene(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Scene:
    """Return a new scene, on a site of teams."""
    settings.KEYWRIGHT_MODE = "team"
    monkeypatch.setattr(delivery, "send", lambda count=1: True)
    ana, eve = (Person.objects.create_user(f"{name}@example.com", name=name) for name in ("ana", "eve"))
    team, other = Team.objects.create(name="Platform"), Team.objects.create(name="Elsewhere")
    team.add(ana, "owner")
    other.add(eve, "owner")
    design = Design.objects.start(Spec.model_validate(DOCUMENT), team=team, by=ana)
    reviewer = Person.objects.create_user("ben@example.com", name="ben")
    team.add(reviewer, "owner")
    link, _ = Link.objects.start(design=design, name="Review", role="link_view", made_by=ana)
    hook, _ = Webhook.objects.start(team, address="https://example.com/", kinds=["verdict.given"], by=ana)
    ping(hook)
    thread = create_thread(design, anchor='["section","keys"]', called={"message": "keys", "params": {}}, revision=1)
    Comment.objects.create(thread=thread, person=ana, name="ana", text="Why?")
    tokens = {
        "reviewing": Token.objects.issue(team, name="Bot", scope="review", by=reviewer)[1],
        "reading": Token.objects.issue(team, name="CI", scope="read", by=ana)[1],
        "writing": Token.objects.issue(team, name="Import", scope="write", by=ana)[1],
        "elsewhere": Token.objects.issue(other, name="CI", scope="write", by=eve)[1],
        "unknown": "kw_" + "x" * 43,
    }
    ended, tokens["ended"] = Token.objects.issue(team, name="short", scope="write", by=ana, days=1)
    Token.objects.filter(pk=ended.pk).update(ends=timezone.now())
    revoked, tokens["revoked"] = Token.objects.issue(team, name="old", scope="write", by=ana)
    revoked.revoke()
    run, _ = Run.objects.find_or_start(design, "tiny", {}, ana)
    while run_next_step("w"):
        pass
    return Scene(design, Run.objects.get(pk=run.pk), link, hook, tokens)
