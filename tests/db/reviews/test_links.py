"""Review links: made once, ended at once, and nothing besides what they show."""

import base64
import datetime
import io
import re
from typing import Any

import pypdf
import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from designer.document import Spec, fingerprint
from designer.document.edits import Set
from designer.document.load import load
from designer.examples import example
from designer.models import AuditEvent, Design, Person, Team
from reviews.models import Link, Verdict
from reviews.verdicts.link_verdicts import read_verdicts
from reviews.verdicts.sections import hashes
from reviews.views.links import MOST_OF_LINK, MOST_ON_LINK
from tests.contexts import answer as page_answer
from tests.pdfs import page_texts

PASSWORD = "columns-wide-open"


@pytest.fixture
def ana(settings: Any) -> Person:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", ""
    cache.clear()
    return Person.objects.create_user("ana@example.com", name="Ana")


@pytest.fixture
def design(ana: Person) -> Design:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    return Design.objects.start(example("mobile-devices").spec, team=team, by=ana)


def signed_in(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def made(ana: Person, design: Design, **chosen: Any) -> str:
    """The address of a link made by the form; what is not said is as the form has it."""
    given = {"form": "1", "name": "Review", "role": "link_comment", "shows": "latest", "cost": "on", "samples": "on",
             "files": "on", "compares": "on", "ends": "30"}  # fmt: skip
    data = {name: value for name, value in {**given, **chosen}.items() if value is not None}
    answer = signed_in(ana).post(reverse("links", args=[design.key]), data)
    assert answer.status_code == 200, answer.content.decode()
    found = re.search(r'id="link-address"[^>]* value="https?://[^/]+([^"]+)"', answer.content.decode())
    assert found
    return found[1]


def text_of(answer: HttpResponse) -> str:
    """The page, without what is another at every asking."""
    return re.sub(
        r'(csrfmiddlewaretoken" value="|X-CSRFToken": "|name="next" value=")[^"]*', "", answer.content.decode()
    )


def test_a_link_is_told_once_and_stored_as_a_hash(ana: Person, design: Design) -> None:
    address = made(ana, design, password=PASSWORD)
    token = address.split("/")[2]
    link = Link.objects.get()

    assert len(token) >= 43
    assert token not in repr(list(Link.objects.values()))
    assert PASSWORD not in repr(list(Link.objects.values()))
    listed = signed_in(ana).get(reverse("links", args=[design.key])).content.decode()
    assert token not in listed
    for told in ("Review", "can comment", "always the latest", "password", "Ana", "never opened"):
        assert told in listed
    assert abs(link.ends - timezone.now() - datetime.timedelta(days=30)) < datetime.timedelta(minutes=1)  # type: ignore[operator]


def test_a_stranger_opens_it_and_the_visit_is_counted_once(ana: Person, design: Design) -> None:
    address, visitor = made(ana, design), Client()

    answers = [visitor.get(address) for _ in range(3)]
    Client().get(address)

    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert "Mobile devices" in answers[0].content.decode()
    link = Link.objects.get()
    assert link.visits == 2
    assert link.last_visit


def test_no_search_engine_and_no_other_site_learns_of_it(ana: Person, design: Design) -> None:
    address = made(ana, design)
    for path in (address, f"{address}talked", f"{address}charts/none.svg", "/review/nothing/"):
        answer = Client().get(path)
        assert answer.headers["Referrer-Policy"] == "no-referrer", path
        assert "noindex" in answer.headers["X-Robots-Tag"]
        assert "no-store" in answer.headers["Cache-Control"]


def test_ended_revoked_unknown_and_of_a_deleted_design_look_the_same(ana: Person, design: Design) -> None:
    ended, revoked, open_one = (made(ana, design) for _ in range(3))
    pks = list(Link.objects.order_by("pk").values_list("pk", flat=True))
    Link.objects.filter(pk=pks[0]).update(ends=timezone.now())
    visitor = Client()
    assert visitor.get(revoked).status_code == 200
    signed_in(ana).post(reverse("revoke_link", args=[design.key, pks[1]]))

    answers = [visitor.get(path) for path in (ended, revoked, "/review/unknown/")]
    Design.objects.filter(pk=design.pk).update(deleted=timezone.now())
    answers.append(visitor.get(open_one))

    assert [answer.status_code for answer in answers] == [404] * 4
    assert len({text_of(answer) for answer in answers}) == 1
    for name in ("talk", "verdict", "password"):
        assert visitor.post(f"{revoked}{name}", {"password": "x"}).status_code == 404


def test_a_link_that_opens_no_more_says_what_to_do_and_other_pages_do_not(ana: Person, design: Design) -> None:
    address = made(ana, design)
    Link.objects.get().revoke(by=ana)

    assert "Ask the person who sent it for a new one." in text_of(Client().get(address))
    assert "Ask the person who sent it" not in text_of(Client().get("/nothing/"))


def test_revoking_names_who_made_it_and_keeps_it_in_the_list(ana: Person, design: Design) -> None:
    Client().get(made(ana, design))
    first = Link.objects.get().pk
    other = reverse("revoke_link", args=[design.key, Link.objects.start(design=design, name="Other")[0].pk])
    page = signed_in(ana).get(reverse("links", args=[design.key])).content.decode()
    assert re.search(r"was created by Ana on .*Last opened .* ago \(visits: 1\)", page, re.DOTALL)

    signed_in(ana).post(reverse("revoke_link", args=[design.key, first]))

    page = signed_in(ana).get(reverse("links", args=[design.key])).content.decode()
    still, _, ended = page.partition("1 inactive link")
    assert other in still  # one that has ended keeps nobody from revoking another
    assert ">revoked<" in ended
    assert ">revoked<" not in still


def test_a_password_is_asked_for_and_guessing_is_stopped(ana: Person, design: Design) -> None:
    address, visitor = made(ana, design, password=PASSWORD), Client()

    asked = visitor.get(address)
    assert "requires a password" in asked.content.decode()
    assert "Mobile" not in asked.content.decode()
    assert visitor.get(f"{address}talked").status_code == 403
    assert visitor.post(f"{address}verdict", {"section": "keys"}).status_code == 200  # the same question again
    assert visitor.post(f"{address}password", {"password": "wrong"}).status_code == 422
    assert visitor.post(f"{address}password", {"password": PASSWORD}).status_code == 302
    assert "Mobile devices" in visitor.get(address).content.decode()

    guesser = Client(REMOTE_ADDR="192.0.2.7")
    for _ in range(MOST_OF_LINK):
        guesser.post(f"{address}password", {"password": "guess"})
    closed = guesser.post(f"{address}password", {"password": PASSWORD})
    assert closed.status_code == 429
    assert "Too many attempts" in closed.content.decode()
    assert "Mobile devices" in visitor.get(address).content.decode()


def test_the_log_holds_no_address_of_a_link(ana: Person, design: Design, caplog: Any) -> None:
    address, visitor = made(ana, design, password=PASSWORD), Client()
    token = address.split("/")[2]

    refused = [visitor.post(f"{address}password", {"password": "wrong"}), visitor.get(f"{address}talked")]
    visitor.post(f"{address}password", {"password": PASSWORD})
    refused += [visitor.get(f"{address}talk"), visitor.post(f"{address}verdict", {"section": "keys"})]
    refused += [visitor.get(f"{address}verdict"), visitor.get(f"{address}nothing/here")]
    refused.append(Client(enforce_csrf_checks=True).post(f"{address}talk"))
    Link.objects.get().revoke(by=ana)
    refused.append(visitor.get(address))

    assert [answer.status_code for answer in refused] == [422, 403, 404, 422, 405, 404, 403, 404]
    assert all(answer.headers["X-Robots-Tag"] for answer in refused if answer is not refused[6])
    assert token not in caplog.text


def test_guessing_addresses_is_stopped_and_links_open_all_the_same(ana: Person, design: Design) -> None:
    address, guesser = made(ana, design), Client(REMOTE_ADDR="192.0.2.8")

    answers = [guesser.get(f"/review/guess{n}/") for n in range(60)]

    assert {answer.status_code for answer in answers} == {404, 429}
    assert "Too many attempts. Try again in 1" in answers[-1].content.decode()
    assert guesser.get(address).status_code == 200


def test_a_page_that_is_open_when_the_link_ends_says_so_above_what_was_typed(ana: Person, design: Design) -> None:
    address, page = made(ana, design, password=PASSWORD), Client(headers={"HX-Request": "true"})

    locked = page.post(f"{address}talk", {"text": "typed"})
    Link.objects.get().revoke(by=ana)
    gone = page.post(f"{address}talk", {"text": "typed"})

    assert [answer.status_code for answer in (locked, gone)] == [409, 404]  # both are put on the page
    assert "requires its password again" in locked.content.decode()
    assert {answer.headers["HX-Reswap"] for answer in (locked, gone)} == {"afterbegin"}
    assert not [answer for answer in (locked, gone) if "<html" in answer.content.decode()]


def test_another_links_password_opens_nothing_here(ana: Person, design: Design) -> None:
    one, other, visitor = made(ana, design, password=PASSWORD), made(ana, design, password=PASSWORD), Client()

    visitor.post(f"{one}password", {"password": PASSWORD})

    assert "requires a password" in visitor.get(other).content.decode()


def test_who_may_only_read_says_and_decides_nothing(ana: Person, design: Design) -> None:
    address, visitor = made(ana, design, role="link_view"), Client()
    table = design.spec.tables[0].id

    said = visitor.post(f"{address}talk", {"on": f'["element","{table}",""]', "text": "x", "name": "Rey"})
    judged = visitor.post(f"{address}verdict", {"section": "keys", "verdict": "approve", "name": "Rey"})

    assert (said.status_code, judged.status_code) == (403, 403)
    page = visitor.get(address).content.decode()
    assert "Approve" not in page
    assert "<form" not in page.partition('id="keys"')[2].replace('<form class="switches', "")


@pytest.mark.parametrize("role", ["link_edit", "owner", ""])
def test_no_link_lets_anybody_change_anything(ana: Person, design: Design, role: str) -> None:
    made(ana, design, role=role)

    assert Link.objects.get().role == "link_view"


def test_what_cannot_be_made_is_said_beside_the_field(ana: Person, design: Design) -> None:
    wrong = {
        "form": "1",
        "name": " ",
        "shows": "one",
        "number": "99",
        "ends": "date",
        "day": "2020-01-01",
        "password": "x",
    }

    answer = signed_in(ana).post(reverse("links", args=[design.key]), wrong)

    assert answer.status_code == 422
    assert answer.content.decode().count('aria-invalid="true"') == 4
    assert not Link.objects.exists()


def test_what_it_exposes_is_said_before_it_is_made(ana: Person, design: Design) -> None:
    client = signed_in(ana)
    shown = client.get(reverse("link_preview", args=[design.key]), {"form": "1", "shows": "latest", "samples": "on"})

    text = shown.content.decode()
    assert "sample keys: 12" in text
    assert "<s>the bill, line by line" in text
    assert not Link.objects.exists()


def test_a_pinned_link_shows_its_revision_whatever_comes_after(ana: Person, design: Design) -> None:
    design.apply(Set(at="", name="name", value="Before", was="Mobile devices"), by=ana)
    address = made(ana, design, shows="one", number="2")
    design = Design.objects.get(pk=design.pk)
    design.apply(Set(at="", name="name", value="After", was="Before"), by=ana)  # the same field, a moment later

    page = Client().get(address).content.decode()

    assert "<h1>Before</h1>" in page
    assert "After" not in page
    assert "revision 2 of 3" in page
    assert "1 newer" in page
    changes = Client().get(f"{address}changes/2/3")
    assert "After" in changes.content.decode()
    assert [Client().get(f"{address}changes/{pair}").status_code for pair in ("1/2", "1/3", "3/2", "9/9")] == [404] * 4
    Link.objects.update(compares=False)
    assert Client().get(f"{address}changes/2/3").status_code == 404
    assert "changes/" not in Client().get(address).content.decode()


def test_a_link_that_follows_shows_what_is_the_latest(ana: Person, design: Design) -> None:
    address = made(ana, design)
    design.apply(Set(at="", name="name", value="After", was="Mobile devices"), by=ana)

    page = Client().get(address).content.decode()

    assert "<h1>After</h1>" in page
    assert "always shows the latest revision" in page
    assert Client().get(f"{address}changes/1/2").status_code == 404  # nobody judged revision 1 by this link


HIDDEN = ("$", "phone#", "tablet#", "0.65")


def test_what_is_left_out_is_at_none_of_its_addresses(ana: Person, design: Design) -> None:
    design.apply(Set(at="", name="description", value="plain", was=design.spec.description), by=ana)
    design.apply(Set(at="", name="instance.storage", value="hdd", was="ssd"), by=ana)
    address = made(ana, design, cost=None, samples=None, shows="one", number="2")
    whole = made(ana, design, shows="one", number="2")
    table, visitor = design.spec.tables[0].id, Client()
    row_kind = design.spec.tables[0].row_kinds[0].id
    charts = [f"heat-{table}-writes-relative", f"heat-{table}-reads-absolute", f"rows-{row_kind}"]
    forms = [f"charts/{name}.{form}" for name in charts for form in ("json", "csv")]
    cell = f"talk/heat/{table}?of=writes&range=3&clock=14:00"
    figures = ("", "head.json", "writes.rows", "writes.csv", "cell.json?range=9&window=3")
    forms += [f"map/{table}/{name}" for name in figures]
    forms += [f"set/{name}" for name in ("keys", "families", "workload", "instance")]
    paths = ["", "talked", f"heat/{table}", f"talk/heat/{table}", cell, "changes/2/3", *forms]

    found = {path: [h for h in HIDDEN if h in _words(visitor.get(f"{address}{path}"))] for path in paths}
    seen = {h for path in ("", f"talk/heat/{table}") for h in HIDDEN if h in _words(visitor.get(f"{whole}{path}"))}

    assert {path: held for path, held in found.items() if held} == {}
    assert seen == set(HIDDEN)
    told = set(re.findall(r"\b[0-9a-f]{64}\b", _words(visitor.get(address))))
    shown = Design.objects.get(pk=design.pk)
    assert told
    assert not told & {shown.head_id, *hashes(shown.spec, page_answer(shown.spec).estimate).values()}
    for name in ("bill", "months", "sensitivity"):
        assert visitor.get(f"{address}charts/{name}.json").status_code == 404
    assert visitor.post(f"{address}verdict", {"section": "cost", "verdict": "approve", "name": "R"}).status_code == 404
    for on in ('["section","cost"]', '["finding","I022",""]', '["line","node","","",""]'):
        assert visitor.get(f"{address}talk", {"on": on}).status_code == 404


def test_a_visitor_takes_the_design_as_files_where_the_link_allows_it(ana: Person, design: Design) -> None:
    note_verdict(design, ana)
    allowing = made(ana, design)
    closed, partial = made(ana, design, files=None), (made(ana, design, cost=None), made(ana, design, samples=None))
    visitor = Client()

    page = visitor.get(allowing).content.decode()
    assert f'href="{allowing}files/pdf"' in page
    data = visitor.get(f"{allowing}files/json")
    assert fingerprint(load(data.content.decode())) == design.head_id
    assert data.headers["Content-Disposition"].startswith("attachment")
    assert data.headers["X-Robots-Tag"].startswith("noindex")
    assert "Spread by hash" in pdf_words(visitor.get(f"{allowing}files/pdf"))
    assert f"{closed}files/" not in visitor.get(closed).content.decode()
    assert [visitor.get(f"{closed}files/{name}").status_code for name in ("pdf", "json")] == [404, 404]
    for address in partial:
        page = visitor.get(address).content.decode()
        assert (f'href="{address}files/pdf"' in page, f'href="{address}files/json"' in page) == (True, False)
        assert [visitor.get(f"{address}files/{name}").status_code for name in ("pdf", "json")] == [200, 404]
    assert visitor.get(f"{allowing}files/terraform").status_code == 404


@pytest.mark.parametrize(
    ("hidden", "absent", "present"),
    [
        ({"cost": None}, ("$", "0.65"), ("phone#", "tablet#")),
        ({"samples": None}, ("phone#", "tablet#"), ("$", "0.65")),
        ({"cost": None, "samples": None}, HIDDEN, ()),
    ],
    ids=lambda value: "+".join(value),
)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_pdf_of_a_link_holds_nothing_of_what_the_link_hides(
    ana: Person,
    design: Design,
    hidden: dict[str, None],
    absent: tuple[str, ...],
    present: tuple[str, ...],
    language: str,
) -> None:
    design.apply(Set(at="", name="description", value="plain", was=design.spec.description), by=ana)
    note_verdict(design, ana)
    address = made(ana, design, **hidden)

    whole = pdf_words(Client().get(f"{made(ana, design)}files/pdf", {"language": language}))
    file = Client().get(f"{address}files/pdf", {"language": language})

    told = pdf_words(file)
    assert [word for word in absent if word in told or word not in whole] == []
    assert [word for word in present if word not in told] == []
    about = str(pypdf.PdfReader(io.BytesIO(file.content)).metadata)
    assert not re.search(r"[0-9a-f]{16}", told + about)  # no hash to try prices against
    assert "Spread by hash" not in told


def test_a_file_holds_no_verdict_on_what_the_link_does_not_show(ana: Person, design: Design) -> None:
    design.apply(Set(at="", name="name", value="After", was=design.spec.name), by=ana)
    note_verdict(design, ana)
    pinned = {"shows": "one", "number": "1"}
    alone, compared = made(ana, design, compares=None, **pinned), made(ana, design, **pinned)

    assert "Spread by hash" not in pdf_words(Client().get(f"{alone}files/pdf"))
    assert "Spread by hash" in pdf_words(Client().get(f"{compared}files/pdf"))
    assert "Ana" not in pdf_words(Client().get(f"{alone}files/pdf"))


def test_who_takes_a_file_is_in_the_audit_log_without_the_address(ana: Person, design: Design) -> None:
    address = made(ana, design)
    Client().head(f"{address}files/json")
    assert not AuditEvent.objects.filter(kind="link_file_taken").exists()

    Client().get(f"{address}files/json")

    act = AuditEvent.objects.get(kind="link_file_taken")
    assert (act.person, act.team) == ("", design.team_id)
    assert "Review, 1: " in act.subject
    assert act.subject.endswith(".json")
    assert address.split("/")[2] not in act.subject


def test_a_visitor_reads_the_pages_of_rules_and_nothing_of_the_team(ana: Person, design: Design) -> None:
    design = Design.objects.start(example("timestamp-first").spec, team=design.team, by=ana)
    address, visitor = made(ana, design), Client()

    page = visitor.get(address).content.decode()

    codes = set(re.findall(rf'href="{address}rules/([A-Z]\d+)/"', page))
    assert "K004" in codes
    assert not re.findall(r'href="/rules/', page)
    for path in ("", "bad", "good"):
        shown = visitor.get(f"{address}rules/K004/{path}")
        assert shown.status_code == 200
        assert shown.headers["Referrer-Policy"] == "no-referrer"
        for told in ("Platform", "ana@example.com", design.key, 'href="/rules/', 'hx-get="/rules/'):
            assert told not in shown.content.decode()
    assert visitor.get(f"{address}rules/K999/").status_code == 404
    assert visitor.get(f"{address}rules/K004/worst").status_code == 404


def note_verdict(design: Design, person: Person) -> None:
    """Have a verdict with a note on the newest revision."""
    Verdict.objects.create(
        design=design, section="keys", approves=True, text="Spread by hash", hash="0" * 64, number=design.number,
        sha256=design.head_id, person=person,
    )  # fmt: skip


def pdf_words(answer: HttpResponse) -> str:
    """The text of a PDF."""
    assert answer.headers["Content-Type"] == "application/pdf"
    return "\n".join(page_texts(answer.content))


def _words(answer: HttpResponse) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def test_only_who_may_share_sees_and_makes_links(ana: Person, design: Design) -> None:
    viewer = Person.objects.create_user("vera@example.com")
    design.team.add(viewer, "viewer")
    address = reverse("links", args=[design.key])

    assert signed_in(viewer).get(address).status_code == 403
    assert address not in signed_in(viewer).get(reverse("editor", args=[design.key])).content.decode()
    assert address in signed_in(ana).get(reverse("editor", args=[design.key])).content.decode()


def test_the_review_of_an_empty_design_has_no_empty_sections(ana: Person, design: Design) -> None:
    empty = Design.objects.start(Spec(), team=design.team, by=ana)

    visited = Client().get(made(ana, empty, cost=None, samples=None))
    own = signed_in(ana).get(reverse("review", args=[empty.key]))

    assert visited.status_code == own.status_code == 200
    for page in (visited.content.decode(), own.content.decode()):
        assert "This design has no tables yet." in page
        assert '<section class="block"' not in page  # no section without contents, and no verdict about one
        assert 'id="verdicts' not in page


# --- verdicts for programs --------------------------------------------------------------------------------------------


def basic(password: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(f':{password}'.encode()).decode()}"}


def test_programs_read_the_verdicts_of_a_link(ana: Person, design: Design) -> None:
    link, token = Link.objects.start(design=design, name="CI", role="link_view", made_by=ana)
    seen = hashes(design.spec, page_answer(design.spec).estimate)
    told: dict[str, Any] = {"number": design.number, "sha256": design.head_id, "link": link, "visitor": True}
    Verdict.objects.create(design=design, section="keys", approves=True, hash=seen["keys"], name="Eve", **told)
    Verdict.objects.create(design=design, section="workload", approves=True, hash="0" * 64, name="Eve", **told)
    Verdict.objects.create(
        design=design,
        section="keys",
        approves=True,
        hash=seen["keys"],
        person=ana,
        own=True,
        **{**told, "visitor": False},
    )
    answer = Client().get(f"/review/{token}/verdicts.json")
    verdicts = read_verdicts(answer.content.decode())

    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert (verdicts.sha256, verdicts.revision) == (fingerprint(example("mobile-devices").spec), design.number)
    assert {each.section: each.state for each in verdicts.sections} == {
        "keys": "link", "families": "none", "workload": "stale", "instance": "none", "cost": "none",
    }  # fmt: skip
    assert [each.approved_by for each in verdicts.sections if each.approved_by] == [("Eve",)]
    assert Link.objects.get().visits == 0


def test_programs_give_the_password_and_cannot_guess_it(ana: Person, design: Design) -> None:
    _, token = Link.objects.start(design=design, name="CI", role="link_view", made_by=ana, password=PASSWORD)
    address = f"/review/{token}/verdicts.json"

    assert Client().get(address).status_code == 401
    assert Client().get(address, headers={"authorization": "Basic ???"}).status_code == 401
    assert Client().get(address, headers=basic("guess")).status_code == 403
    assert Client().get(address, headers=basic(PASSWORD)).json()["revision"] == design.number
    answers = [Client().get(address, headers=basic("guess")) for _ in range(MOST_ON_LINK)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert Client().get(address, headers=basic(PASSWORD)).status_code == 429


def test_programs_learn_nothing_of_ended_links_and_hidden_parts(ana: Person, design: Design) -> None:
    hiding, token = Link.objects.start(design=design, name="CI", role="link_view", made_by=ana, hides_cost=True)
    shown = Client().get(f"/review/{token}/verdicts.json").json()
    hiding.revoke(by=ana)

    assert shown["sha256"] is None
    assert "cost" not in [each["section"] for each in shown["sections"]]
    assert Client().get(f"/review/{token}/verdicts.json").status_code == 404
    assert Client().post(f"/review/{token}/verdicts.json").status_code == 405
