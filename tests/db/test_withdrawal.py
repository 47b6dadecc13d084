"""Whoever leaves a team or gets a smaller role takes along the access that they gave: invitations, tokens, links."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from designer.document import Spec
from designer.models import Design, Invitation, LastOwnerError, Membership, Person, Team, Token, Webhook
from designer.permissions import Role
from reviews.models import Link

PASSWORD = "columns-wide-open"


@dataclass
class Scene:
    """Ana and Ben own a team; Ben has made one of everything there, and in a team of his own."""

    team: Team
    ana: Person
    ben: Person
    design: Design
    invitation: str
    token: str
    link: str
    hook: str
    of_ana: dict[str, str]
    elsewhere: dict[str, str]

    def works(self) -> dict[str, bool]:
        """What of Ben's still works."""
        return working(self.invitation, self.token, self.link, self.hook)


def working(invitation: str, token: str, link: str, hook: str) -> dict[str, bool]:
    """What still works, as a stranger and a program find it."""
    api = Client().get("/api/v1/designs", headers={"Authorization": f"Bearer {token}"})
    return {
        "invitation": Client().get(f"/invitations/{invitation}").status_code == 200,
        "token": api.status_code == 200,
        "link": Client().get(f"/review/{link}/").status_code == 200,
        "hook": Webhook.objects.valid().filter(address=hook).exists(),
    }


def everything(team: Team, person: Person) -> dict[str, str]:
    """One of each that a person makes in a team."""
    design = team.designs.first() or Design.objects.start(Spec(name="Balloons"), team=team, by=person)
    hook, _ = Webhook.objects.start(team, address=f"https://{person.pk}-{team.pk}.example/", kinds=[], by=person)
    return {
        "invitation": team.invite("owner", by=person)[1],
        "token": Token.objects.issue(team, name=f"CI of {person}", scope="write", by=person)[1],
        "link": Link.objects.start(design=design, name="Review", role="link_comment", made_by=person)[1],
        "hook": hook.address,
    }


@pytest.fixture
def scene(settings: Any) -> Scene:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", ""
    ana, ben = (
        Person.objects.create_user(f"{name.lower()}@example.com", PASSWORD, name=name) for name in ("Ana", "Ben")
    )
    team, other = Team.objects.create(name="Platform"), Team.objects.create(name="Other")
    team.add(ana, "owner")
    team.add(ben, "owner")
    other.add(ben, "owner")
    of_ana, of_ben, elsewhere = everything(team, ana), everything(team, ben), everything(other, ben)
    design = team.designs.get()
    return Scene(team, ana, ben, design, **of_ben, of_ana=of_ana, elsewhere=elsewhere)


def browser(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def remove(scene: Scene, by: Person, **more: str) -> Any:
    return browser(by).post(reverse("remove_member", args=[scene.team.pk, scene.ben.pk]), more)


def demote(scene: Scene, role: str, **more: str) -> Any:
    address = reverse("change_role", args=[scene.team.pk, scene.ben.pk])
    return browser(scene.ana).post(address, {"role": role, **more})


ALL = {"invitation": True, "token": True, "link": True, "hook": True}
NOTHING = dict.fromkeys(ALL, False)


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (lambda scene: remove(scene, scene.ana, confirmed="yes"), NOTHING),
        (lambda scene: remove(scene, scene.ben, confirmed="yes"), NOTHING),
        (lambda scene: demote(scene, "viewer", confirmed="yes"), NOTHING),
        (lambda scene: demote(scene, "editor", confirmed="yes"), {**NOTHING, "link": True}),
        (lambda scene: demote(scene, "owner", confirmed="yes"), ALL),
    ],
    ids=["removed", "left", "viewer", "editor", "still owner"],
)
def test_what_a_role_does_not_allow_ends_with_it(
    scene: Scene, end: Callable[[Scene], Any], left: dict[str, bool]
) -> None:
    assert scene.works() == ALL

    assert end(scene).status_code == 302

    assert scene.works() == left
    assert working(**scene.of_ana) == ALL
    assert working(**scene.elsewhere) == ALL


def test_an_editor_who_becomes_a_viewer_loses_their_links(scene: Scene) -> None:
    demote(scene, "editor", confirmed="yes")

    assert "1 review link" in demote(scene, "viewer").content.decode()
    demote(scene, "viewer", confirmed="yes")

    assert scene.works() == NOTHING


def test_what_ended_stays_ended_when_somebody_comes_back(scene: Scene) -> None:
    remove(scene, scene.ana, confirmed="yes")
    scene.team.add(scene.ben, "owner")

    assert scene.works() == NOTHING
    ended = Link.objects.get(made_by=scene.ben, design__team=scene.team)
    assert (ended.revoked_by, ended.revoked is not None) == (scene.ana, True)


def test_a_link_of_a_deleted_design_does_not_come_back_with_it(scene: Scene) -> None:
    browser(scene.ana).post(reverse("delete", args=[scene.design.key]))
    assert "1 review link" in remove(scene, scene.ana).content.decode()
    remove(scene, scene.ana, confirmed="yes")
    browser(scene.ana).post(reverse("undelete", args=[scene.design.key]))

    assert Client().get(f"/review/{scene.of_ana['link']}/").status_code == 200
    assert not scene.works()["link"]


def test_the_page_says_what_will_end_before_it_does(scene: Scene) -> None:
    for question, said in (
        (remove(scene, scene.ana), "Remove Ben from the team?"),
        (remove(scene, scene.ben), "Leave Platform?"),
        (demote(scene, "viewer"), "Change the role of Ben to viewer?"),
        (demote(scene, "editor"), "Change the role of Ben to editor?"),
    ):
        text = question.content.decode()
        assert question.status_code == 200
        assert said in text
        assert "1 open invitation<" in text
        assert "1 API token<" in text
        assert ("1 review link<" in text) == ("editor?" not in text)

    assert scene.works() == ALL
    assert scene.ben.role_in(scene.team.pk) == "owner"


def test_where_nothing_ends_nothing_is_asked(scene: Scene) -> None:
    vera = Person.objects.create_user("vera@example.com")
    scene.team.add(vera, "editor")
    address = reverse("change_role", args=[scene.team.pk, vera.pk])

    assert browser(scene.ana).post(address, {"role": "viewer"}).status_code == 302
    assert demote(scene, "owner").status_code == 302
    assert browser(vera).post(reverse("remove_member", args=[scene.team.pk, vera.pk])).status_code == 302
    assert vera.role_in(scene.team.pk) is None


def test_the_last_owner_is_told_so_and_loses_nothing(scene: Scene) -> None:
    remove(scene, scene.ana, confirmed="yes")
    for answer in (
        browser(scene.ana).post(reverse("remove_member", args=[scene.team.pk, scene.ana.pk])),
        browser(scene.ana).post(reverse("change_role", args=[scene.team.pk, scene.ana.pk]), {"role": "viewer"}),
        browser(scene.ana).post(reverse("remove_member", args=[scene.team.pk, scene.ana.pk]), {"confirmed": "yes"}),
    ):
        assert answer.status_code == 409
    with pytest.raises(LastOwnerError):
        scene.team.add(scene.ana, "editor")

    assert working(**scene.of_ana) == ALL


@pytest.mark.parametrize(("role", "read", "written"), [(None, 404, 404), ("viewer", 200, 403)])
def test_an_open_session_ends_where_the_role_does(scene: Scene, role: Role | None, read: int, written: int) -> None:
    session, key = browser(scene.ben), scene.design.key
    assert session.get(reverse("editor", args=[key])).status_code == 200
    if role is None:
        remove(scene, scene.ana, confirmed="yes")
    else:
        demote(scene, role, confirmed="yes")

    for name in ("editor", "news", "history", "review"):
        assert session.get(reverse(name, args=[key])).status_code == read, name
    edit = {"at": "", "name": "description", "was": "null", "v": "x"}
    assert session.post(reverse("edit", args=[key]), edit).status_code == written
    assert session.post(reverse("links", args=[key]), {"form": "1", "name": "x"}).status_code == written
    for name in ("tokens", "invite"):
        answer = session.post(reverse(name, args=[scene.team.pk]), {"name": "x", "role": "owner"})
        assert answer.status_code == written, name
    assert session.get("/teams/").status_code == 200  # their own team goes on


def test_a_visitor_who_is_on_a_link_is_out_with_it(scene: Scene) -> None:
    visitor = Client()
    assert visitor.get(f"/review/{scene.link}/").status_code == 200

    remove(scene, scene.ana, confirmed="yes")

    for part in ("", "talked", "charts/none.svg"):
        assert visitor.get(f"/review/{scene.link}/{part}").status_code == 404, part


def test_nobody_comes_back_by_an_invitation_that_was_sent_to_them(scene: Scene) -> None:
    token = scene.team.invite("owner", by=scene.ana, email="Ben@example.com")[1]

    remove(scene, scene.ben, confirmed="yes")
    answer = browser(scene.ben).post(f"/invitations/{token}")

    assert answer.status_code == 404
    assert scene.ben.role_in(scene.team.pk) is None
    assert Invitation.objects.filter(team=scene.team).count() == 1  # Ana's, to whoever holds the link


@pytest.mark.parametrize("way", ["membership", "role", "account"])
def test_nothing_works_whose_maker_may_not_do_it_however_that_came(scene: Scene, way: str) -> None:
    """Also what was made at the very moment of a removal, or by who was removed before this was looked at."""
    if way == "membership":
        Membership.objects.filter(team=scene.team, person=scene.ben).delete()
    elif way == "role":
        Membership.objects.filter(team=scene.team, person=scene.ben).update(role="viewer")
    else:
        Person.objects.filter(pk=scene.ben.pk).update(is_active=False)

    assert scene.works() == NOTHING
    assert working(**scene.of_ana) == ALL


def test_owners_see_who_has_what_and_others_do_not(scene: Scene) -> None:
    vera = Person.objects.create_user("vera@example.com")
    scene.team.add(vera, "viewer")

    text = browser(scene.ana).get(reverse("team", args=[scene.team.pk])).content.decode()
    assert "ben@example.com · 1 open invitation · 1 webhook · 1 API token · 1 review link<" in text
    assert "created by Ben on" in text

    assert "API token" not in browser(vera).get(reverse("team", args=[scene.team.pk])).content.decode()


def test_an_upgrade_withdraws_what_outlived_its_makers_role(scene: Scene) -> None:
    Membership.objects.filter(team=scene.team, person=scene.ben).delete()
    for module, name in (
        ("designer.migrations.0007_withdraw_orphans", "withdraw"),
        ("reviews.migrations.0003_revoke_orphans", "revoke"),
    ):
        getattr(import_module(module), name)(apps, None)
    scene.team.add(scene.ben, "owner")

    assert scene.works() == {**NOTHING, "hook": True}  # there were none in the versions that are upgraded
    assert working(**scene.of_ana) == ALL
    assert working(**scene.elsewhere) == ALL
