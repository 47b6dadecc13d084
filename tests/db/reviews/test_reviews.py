"""Reviews: what is said stays where it was said, verdicts hold as long as their section does, mail says no more."""

import datetime
import html
import json
import re
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from designer.document.edits import Insert, Remove, Set
from designer.document.key import as_text
from designer.document.load import from_data
from designer.models import Design, Membership, Person, Team, Token
from designer.views.designs.gallery import find_example
from estimator.models import KeptObservation
from reviews.discussion import anchors
from reviews.models import Asked, Comment, Following, Link, Mail, Thread, Verdict
from reviews.models.mails import MOST_TRIES, QUIET, WAITS
from reviews.verdicts.sections import SECTIONS
from reviews.views.verdicts import section_status
from reviews.views.viewer import Viewer, today

People = dict[str, Person]
FAMILY = anchors.element("f").text


@pytest.fixture
def people(settings: Any) -> People:
    settings.KEYWRIGHT_MODE, settings.EMAIL_HOST = "team", "mail.example.com"
    cache.clear()
    return {
        name: Person.objects.create_user(f"{name}@example.com", name=name.title()) for name in ("ana", "ben", "vera")
    }


@pytest.fixture
def design(people: People) -> Design:
    team = Team.objects.create(name="Platform")
    for name, role in (("ana", "owner"), ("ben", "editor"), ("vera", "viewer")):
        team.add(people[name], role)  # type: ignore[arg-type]
    key = [{"id": "s1", "kind": "field", "field": "d", "after": "#"}, {"id": "s2", "kind": "time"}]
    kind = {"id": "k", "key": key, "writes": [{"id": "w", "activity": "a"}]}
    spec = from_data({
        "name": "Balloons", "fields": [{"id": "d", "name": "device", "kind": "string"}],
        "activities": [{"id": "a", "rate_per_second": 5000}],
        "tables": [{"id": "t", "name": "readings", "row_kinds": [kind],
                    "families": [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "v"}]}]}],
        "instance": {"clusters": [{"id": "cl", "name": "main", "region": "us-east1"}]},
    })  # fmt: skip
    return Design.objects.start(spec, team=team, by=people["ana"])


def of(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def link_of(design: Design, **more: Any) -> str:
    chosen = {"name": "outside", "role": "link_comment", "made_by": design.made_by, **more}
    return f"/review/{Link.objects.start(design=design, **chosen)[1]}/"


def home(design: Design) -> str:
    return reverse("review", args=[design.key])


def text(answer: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode().partition("<main")[2]).split())


def say(client: Client, address: str, on: str = FAMILY, words: str = "Why?", **more: str) -> HttpResponse:
    answer: Any = client.post(f"{address}talk", {"on": on, "text": words, **more})
    return answer


def judge(client: Client, address: str, section: str, verdict: str = "approve", **more: str) -> HttpResponse:
    page = client.get(address).content.decode()
    seen = re.search(rf'name="section" value="{section}"><input type="hidden" name="hash" value="(\w+)"', page)
    assert seen
    data = {"section": section, "verdict": verdict, "hash": seen[1], **more}
    answer: Any = client.post(f"{address}verdict", data)
    return answer


def states(design: Design) -> dict[str, str]:
    now = Design.objects.select_related("head").get(pk=design.pk)
    desk = Viewer(now, now.number, now.head_id, now.spec, "owner")
    return {name: one.state for name, one in section_status(desk).items()}


# --- what is said -------------------------------------------------------------------------------------------------


def test_a_verdict_is_followed_by_the_way_to_the_next_section_where_it_was_given(design: Design) -> None:
    address, visitor = link_of(design), Client()

    def next_sections() -> dict[str, str]:
        page = visitor.get(address).content.decode()
        boxes = re.findall(r'<div class="deciding" id="verdicts-(\w+)">(.*?)</h3>', page, re.DOTALL)
        links = {name: re.search(r'class="next-section[^>]*href="#(\w+)"', box) for name, box in boxes}
        return {name: link[1] for name, link in links.items() if link}

    assert next_sections() == {}
    judge(visitor, address, "keys", name="Rey")
    assert next_sections() == {"keys": "families"}
    judge(visitor, address, "workload", name="Rey")
    assert next_sections() == {"keys": "families", "workload": "families"}
    for section in ("families", "instance", "cost"):
        judge(visitor, address, section, name="Rey")
    assert next_sections() == {}, "all are decided"


def test_a_review_begins_with_the_picture_of_the_hottest_table_and_the_change_that_is_recommended(
    people: People,
) -> None:
    team = Team.objects.create(name="Platform")
    team.add(people["ana"], "owner")
    mistake = Design.objects.start(find_example("timestamp-first").spec, team=team, by=people["ana"])
    ana, hiding = of(people["ana"]), link_of(mistake, hides_samples=True)

    page = ana.get(home(mistake)).content.decode()
    shown = text(ana.get(f"{home(mistake)}recommended"))

    assert page.index('class="strip"') < page.index("Largest risks") < page.index(f'"{home(mistake)}recommended"')
    outline = " ".join(re.sub(r"<[^>]+>", " ", page.partition('id="outline"')[2].partition("</nav>")[0]).split())
    assert "Keys error no verdict yet Families and retention note no verdict yet Workload" in outline
    assert "Start the key with the field that has the most values K004" in shown
    assert "Load of the busiest node 144 % 58 % −86 percentage points" in shown
    assert "$1,684.80 $735.80 −$949.00" in shown
    assert f'"{hiding}recommended"' not in Client().get(hiding).content.decode()
    assert "No single change is recommended." in text(Client().get(f"{hiding}recommended"))


def test_a_visitors_words_are_marked_as_from_the_link_and_escaped(design: Design, people: People) -> None:
    address, visitor = link_of(design), Client()
    assert say(visitor, address).status_code == 422  # who are you?
    assert say(visitor, address, words="<b>Why?</b>\nTell me", name="Rey").status_code == 302

    page = of(people["ana"]).get(home(design)).content.decode()

    assert "&lt;b&gt;Why?&lt;/b&gt;" in page
    assert "<b>Why" not in page
    assert "through a link" in page
    assert Comment.objects.get().person is None
    assert visitor.session["reviews"][str(Link.objects.get().pk)]["name"] == "Rey"
    assert say(Client(), address, name="\u200b").status_code == 422
    say(Client(), address, name="\u202eyeR\n- Ana  approved")
    assert Comment.objects.last().name == "yeR - Ana approved"  # type: ignore[union-attr]


def test_a_cell_that_was_chosen_by_its_number_is_shown_with_its_keys_to_who_may_see_them(
    design: Design, people: People
) -> None:
    hiding = link_of(design, hides_samples=True)
    chosen = Client().get(f"{hiding}talk/heat/t?of=writes&row=3&clock=14:00").content.decode()
    on = html.unescape(re.search(r'name="on" value="([^"]+)"', chosen)[1])  # type: ignore[index]
    assert "#0004" in chosen
    say(Client(), hiding, on=on, words="Why here?", name="Rey")
    key = Viewer(design, 1, design.head_id, design.spec, "owner").analysis.estimate.tables["t"].traffic.heat.bounds[2]  # type: ignore[union-attr]

    told = text(of(people["ana"]).get(f"{home(design)}talk", {"on": on}))

    assert f"keys from {as_text(key)} to" in told
    assert "#0004" not in told


def test_a_cell_of_the_map_is_commented_at_its_own_time_as_what_the_map_shows(design: Design, people: People) -> None:
    address = f"{home(design)}talk/heat/t?of=node_time&row=3&clock=05:15"

    assert "node CPU time of table “readings” at 05:15" in of(people["ana"]).get(address).content.decode()
    assert of(people["ana"]).get(address.replace("row=3", "row=99999")).status_code == 404


def test_a_thread_is_answered_resolved_and_opened_again(design: Design, people: People) -> None:
    ana, address, visitor = of(people["ana"]), link_of(design), Client()
    say(visitor, address, name="Rey")
    thread = f"{home(design)}threads/1"

    ana.post(thread, {"text": "Because.", "reply": "1"})
    ana.post(thread, {"text": "", "resolve": "1"})
    assert "0 open" in text(ana.get(home(design)))
    assert "resolved by Ana" in text(visitor.get(f"{address}talk", {"on": FAMILY}))
    visitor.post(f"{address}threads/1", {"reopen": "1"})

    assert "1 open" in text(ana.get(home(design)))
    assert [one.text for one in Comment.objects.order_by("pk")] == ["Why?", "Because."]
    visitor.post(f"{address}threads/1", {"resolve": "1"})
    visitor.post(f"{address}threads/1", {"text": "And yet", "reply": "1"})
    assert Thread.objects.get().resolved is None  # who replies opens it again


def test_a_visitor_reads_who_shares_the_design_or_who_asks_for_a_review_of_it(design: Design, people: People) -> None:
    page = Client().get(link_of(design)).content.decode()
    assert "Shared by <b>Ana</b>." in page
    assert "Shared by" not in of(people["ana"]).get(home(design)).content.decode()
    assert "Shared by" not in Client().get(link_of(design, made_by=None)).content.decode()


def test_the_form_of_a_section_stands_at_its_heading_where_the_link_to_the_next_section_leads(design: Design) -> None:
    page = Client().get(link_of(design)).content.decode()

    assert re.search(r'href="#keys"\s*>\s*Next: Keys\s*</a>', page)
    for section in SECTIONS:
        heading = "bill" if section == "cost" else section
        above = rf'<h2 id="{heading}-title">[^<]*</h2>\s*<div class="deciding" id="verdicts-{section}">'
        assert re.search(rf'{above}\s*<h3>((?!</h3>).)*</h3>\s*<form\s+class="giving', page, re.DOTALL), section


def test_a_visitor_resolves_nothing_that_was_not_begun_by_their_link(design: Design, people: People) -> None:
    say(of(people["ben"]), home(design))
    visitor, address = Client(), link_of(design)

    visitor.post(f"{address}threads/1", {"resolve": "1", "name": "Rey"})

    assert Thread.objects.get().resolved is None
    assert 'name="resolve"' not in visitor.get(f"{address}talk", {"on": FAMILY}).content.decode()


def test_what_was_said_survives_a_rename_and_a_removal(design: Design, people: People) -> None:
    ana = of(people["ana"])
    say(ana, home(design))
    design.apply(Set(at="f", name="name", value="metrics", was="m"), by=people["ana"])
    assert "on family “metrics”" in text(ana.get(home(design)))

    design.apply(Remove(at="f"), by=people["ana"])

    told = text(ana.get(home(design)))
    assert "on the removed family “m”" in told
    assert "1 open thread" in told.partition("garbage collection, backups")[2].partition("Workload")[0]
    page = text(ana.get(f"{home(design)}talk", {"on": FAMILY}))
    assert "Why?" in page
    assert "family “m”" in page.partition("This is not")[0]
    assert "This item is not in the displayed revision." in page
    assert say(ana, home(design)).status_code == 422


@pytest.mark.parametrize("kind", ["finding", "line", "heat", "field", "section"])
def test_one_comments_on_anything_and_it_is_mentioned_in_the_summary(design: Design, people: People, kind: str) -> None:
    ana = of(people["ana"])
    desk = Viewer(design, 1, design.head_id, design.spec, "owner")
    found, bill = desk.analysis.findings[0], desk.analysis.estimate.bill
    assert bill
    on, told = {
        "finding": (anchors.finding(found.rule, found.at), f"on finding {found.rule}"),
        "line": (anchors.line(bill.lines[0]), "on bill line “Nodes of main”"),
        "heat": (anchors.heat("t", "writes", b"a", b"\xff", "14:00"), "on writes of table “readings” at 14:00"),
        "field": (anchors.element("c", "presence"), "on Presence of column “v”"),
        "section": (anchors.section("cost"), "on Cost"),
    }[kind]

    assert say(ana, home(design), on.text).status_code == 302

    assert told in text(ana.get(home(design)))
    assert Thread.objects.get().anchor == on.text


def test_signs_beside_things_lead_to_what_was_said(design: Design, people: People) -> None:
    ana = of(people["ana"])
    answer = ana.post(f"{home(design)}talk", {"on": FAMILY, "text": "Why?"}, headers={"HX-Request": "true"})
    told = json.loads(answer.headers["HX-Trigger"])["kw:talked"]["spots"][0]

    page = ana.get(home(design)).content.decode()

    assert (told["open"], told["total"]) == (1, 1)
    assert re.search(rf'class="talk no-print has open" href="{re.escape(told["address"])}"', page.replace("&amp;", "&"))
    assert "Why?" in answer.content.decode()
    assert "<html" not in answer.content.decode()


@pytest.mark.parametrize(
    "on",
    ["", "x", '["element","gone",""]', '["heat","t","w","zz","","1"]', '["element","t","by_id"]',
     '["element","t","name.x"]', '["element","","call this number"]', '["element","","instance.__class__"]'],
)  # fmt: skip
def test_nothing_can_be_said_of_what_is_not_there(design: Design, people: People, on: str) -> None:
    assert say(of(people["ana"]), home(design), on).status_code in (404, 422)
    assert not Thread.objects.exists()


def test_long_and_empty_words_are_refused_and_kept(design: Design, people: People) -> None:
    ana = of(people["ana"])

    assert "Enter a comment." in text(say(ana, home(design), words=" "))
    answer = say(ana, home(design), words="x" * 5_001)
    assert "The maximum is 5000 characters. Remove 1." in text(answer)
    assert "x" * 5_001 in answer.content.decode()


def test_what_was_said_and_decided_of_later_revisions_is_told_by_no_link_that_stays_at_an_earlier_one(
    design: Design, people: People
) -> None:
    first: dict[str, Any] = {"number": 1, "document": design.head}
    stays, compares = link_of(design, compares=False, **first), link_of(design, **first)
    ben = of(people["ben"])
    say(ben, home(design), words="An early question")
    extra = {"id": "g", "name": "secret", "columns": [{"id": "h", "qualifier": "x"}]}
    design.apply(Insert(parent="t", list="families", element=extra), by=people["ana"])
    say(ben, home(design), on=anchors.element("g").text, words="What is this for?")
    judge(ben, home(design), "families", text="Good that it is apart")

    for path in ("", "talked", f"talk?on={anchors.element('g').text}"):
        told = Client().get(f"{stays}{path}").content.decode()
        assert not [word for word in ("secret", "What is this", "Good that") if word in told], path
    assert "An early question" in text(Client().get(stays))
    told = text(Client().get(compares))
    assert "on family “secret”, which is not in this revision" in told
    assert "Good that it is apart" in told
    assert "on revision 2, where this section differs" in told


def test_comments_have_a_heading_only_where_there_are_some(design: Design, people: People) -> None:
    ana = of(people["ana"])
    before = text(ana.get(home(design)))
    say(ana, home(design), words="Why two families?")

    assert ("Comments" in before, "open threads" in before) == (False, False)
    assert "Comments 1 open" in text(ana.get(home(design)))


def test_where_something_is_hidden_only_what_was_said_there_is_shown(design: Design, people: People) -> None:
    say(of(people["ana"]), home(design), words="It costs 999 dollars")
    whole, hiding = link_of(design), link_of(design, hides_cost=True)
    say(Client(), hiding, words="What does it cost?", name="Rey")
    judge(of(people["ben"]), home(design), "keys", text="For 999 dollars, yes")

    assert "999 dollars" in text(Client().get(whole))
    for path in ("", "talked"):
        told = text(Client().get(f"{hiding}{path}"))
        assert "999 dollars" not in told
        assert path == "talked" or "What does it cost?" in told
    assert "999 dollars" not in text(Client().get(f"{hiding}talk", {"on": FAMILY}))


# --- verdicts -----------------------------------------------------------------------------------------------------


def test_a_change_makes_the_verdict_on_its_section_stale_and_no_other(design: Design, people: People) -> None:
    ben = of(people["ben"])
    for section in ("keys", "families", "workload", "instance", "cost"):
        assert judge(ben, home(design), section).status_code == 302
    assert set(states(design).values()) == {"approved"}

    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ana"])
    stale = states(design)

    assert (stale["keys"], stale["families"], stale["workload"], stale["instance"]) == ("stale", *["approved"] * 3)
    page = of(people["ana"]).get(home(design))
    assert "This section has changed since." in text(page)
    assert f"/designs/{design.key}/compare/1/2" in page.content.decode()
    design.undo(by=people["ana"])
    assert states(design)["keys"] == "approved"


def test_nobody_approves_their_own_work_but_may_ask_for_changes(design: Design, people: People) -> None:
    ana, ben = of(people["ana"]), of(people["ben"])

    refused = judge(ana, home(design), "keys", text="looks fine to me")
    assert refused.status_code == 422
    assert "You changed this section in revision 1. Another person must approve it." in text(refused)
    assert "looks fine to me" in refused.content.decode()
    assert judge(ana, home(design), "keys", "changes", text="not\r\nyet ").status_code == 302
    assert Verdict.objects.get().text == "not\nyet"
    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ben"])
    assert judge(ben, home(design), "keys").status_code == 422
    assert judge(ben, home(design), "families").status_code == 302

    assert states(design)["families"] == "approved"


def test_who_worked_on_it_before_somebody_approved_may_approve_what_came_after(design: Design, people: People) -> None:
    judge(of(people["vera"]), home(design), "keys")
    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ben"])

    assert judge(of(people["ana"]), home(design), "keys").status_code == 302
    assert states(design)["keys"] == "approved"


def test_a_lone_persons_verdict_shows_as_self_checked(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "embedded"
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(from_data({"name": "x"}), team=me.teams.get(), by=me)
    design.apply(Insert(parent="", list="tables", element={"id": "t", "name": "t"}), by=me)

    assert judge(Client(), home(design), "keys").status_code == 302

    assert states(design)["keys"] == "own"
    assert "self-checked revision" in text(Client().get(home(design)))


def test_a_visitors_verdict_counts_as_from_the_link_even_from_a_member(design: Design, people: People) -> None:
    address = link_of(design)
    assert judge(of(people["ana"]), address, "keys", name="Ana").status_code == 302  # signed in, but by the link
    assert states(design)["keys"] == "link"
    assert Verdict.objects.get().person is None

    judge(of(people["ben"]), home(design), "keys")
    assert states(design)["keys"] == "approved"
    judge(Client(), address, "keys", "changes", name="Rey", text="no")
    assert states(design)["keys"] == "changes"
    assert "from the link “outside”" in text(of(people["ana"]).get(home(design)))
    elsewhere = Client().get(link_of(design, name="x", role="link_view"))
    assert "through a link" in text(elsewhere)
    assert "Add comment" not in text(elsewhere)
    assert "outside" not in text(elsewhere)
    judge(Client(), address, "keys", name="Rey")  # another browser, perhaps somebody else: what was said first stays
    assert states(design)["keys"] == "approved"
    assert "1 earlier verdict requested changes revision 1 · " in text(of(people["ana"]).get(home(design)))


def test_a_verdict_is_on_what_was_seen(design: Design, people: People) -> None:
    ben = of(people["ben"])
    seen = re.search(
        r'value="keys"><input type="hidden" name="hash" value="(\w+)"', ben.get(home(design)).content.decode()
    )
    assert seen
    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ana"])

    answer = ben.post(f"{home(design)}verdict", {"section": "keys", "verdict": "approve", "hash": seen[1]})

    assert answer.status_code == 422
    assert "changed while you were viewing it" in text(answer)
    assert not Verdict.objects.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [({"verdict": "changes"}, "Enter the changes that you request."),
     ({"verdict": "?"}, "Approve the section or request changes"),
     ({"verdict": "approve", "text": "x" * 5_001}, "A comment can have at most 5,000 characters.")],
)  # fmt: skip
def test_what_is_no_verdict_is_refused(design: Design, people: People, given: dict[str, str], said: str) -> None:
    answer = judge(of(people["ben"]), home(design), "keys", **given)

    assert answer.status_code == 422
    assert said in text(answer)


def test_what_was_asked_for_is_open_until_it_is_answered(design: Design, people: People) -> None:
    ana, due = of(people["ana"]), today() - datetime.timedelta(days=1)
    asked = {"who": f"person:{people['ben'].pk}", "section": ["keys", "cost"], "due": f"{due}", "note": "the order"}
    assert ana.post(f"{home(design)}ask", asked).status_code == 302
    address = link_of(design)
    ana.post(f"{home(design)}ask", {"who": f"link:{Link.objects.get().pk}", "section": "families"})

    assert {name for name, state in states(design).items() if state == "asked"} == {"keys", "cost", "families"}
    page = ana.get(home(design))
    assert "Ana requested a review from Ben: Keys, Cost · the order" in text(page)
    assert "tag late" in page.content.decode()
    assert "Review requested by Ana" not in text(page)
    told = text(of(people["ben"]).get(home(design)))
    assert "Review requested by Ana : the order Decide by" in told
    assert "5 sections, 0 decided" in told
    told = text(Client().get(address))
    assert "Review requested by Ana ." in told
    assert "Ana requested a review from you: Families and retention" in told
    assert "Ben" not in told
    counts = text_of_count(ana, design)
    assert "3 requested" in counts
    judge(of(people["ben"]), home(design), "keys")
    judge(Client(), address, "families", name="Rey")
    assert states(design)["keys"] == "approved"
    assert states(design)["families"] == "link"
    assert "1 requested" in text_of_count(ana, design)
    ana.post(f"{home(design)}ask/{Asked.objects.earliest('pk').pk}/withdraw")
    assert states(design)["cost"] == "none"


def text_of_count(client: Client, design: Design) -> str:
    head = Design.objects.get(pk=design.pk).head_id
    answer = client.get(reverse("review_count", args=[design.key, head])).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", answer).split())


def test_the_parts_of_an_editor_hold_the_numbers_of_the_review_and_no_browser_keeps_them(
    design: Design, people: People
) -> None:
    client, address = of(people["ben"]), reverse("content_parts", args=[design.key, design.head_id])
    kept = client.get(address, {"names": "insight,marks"})
    assert (set(kept.json()), kept.headers["Cache-Control"]) == ({"insight", "marks"}, "private, max-age=600")
    assert client.get(address, {"names": "marks,review"}).json()["review"] == ""

    judge(client, home(design), "keys", "changes", text="Why?")
    answer = client.get(address, {"names": "marks,review"})

    assert "changes requested" in answer.json()["review"]
    assert answer.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize(
    "asked",
    [{"section": "keys"}, {"who": "person:1"}, {"who": "link:999", "section": "keys"}, {"who": "x", "section": "keys"},
     {"who": "person:99999", "section": "keys"}, {"who": "person:{ben}", "section": "keys", "due": "soon"}],
)  # fmt: skip
def test_nobody_is_asked_by_mistake(design: Design, people: People, asked: dict[str, str]) -> None:
    given = {name: value.format(ben=people["ben"].pk) for name, value in asked.items()}

    assert of(people["ana"]).post(f"{home(design)}ask", given).status_code == 422


def test_an_earlier_revision_is_reviewed_as_it_was(design: Design, people: People) -> None:
    judge(of(people["ben"]), home(design), "keys")
    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ana"])
    page = text(of(people["ben"]).get(home(design), {"revision": "1"}))

    assert "revision 1 of 2" in page
    assert "1 newer" in page
    assert "This section has changed since." not in page
    for nonsense in ("0", "9", "x", "9" * 20):
        assert of(people["ben"]).get(home(design), {"revision": nonsense}).status_code == 404


def test_a_revision_that_was_judged_does_not_change_with_further_typing(design: Design, people: People) -> None:
    design.apply(Set(at="s2", name="resolution", value="day"), by=people["ana"])
    judge(of(people["ben"]), home(design), "keys")
    design = Design.objects.select_related("head").get(pk=design.pk)

    design.apply(Set(at="s2", name="resolution", value="hour", was="day"), by=people["ana"])

    assert design.number == 3
    assert Verdict.objects.get().sha256 == design.revisions.get(number=2).document_id


@pytest.mark.parametrize("end", ["left the team", "account closed"])
def test_nobody_waits_for_a_member_who_cannot_answer_any_more(design: Design, people: People, end: str) -> None:
    ana = of(people["ana"])
    ana.post(f"{home(design)}ask", {"who": f"person:{people['ben'].pk}", "section": "keys"})
    ana.post(f"{home(design)}ask", {"who": f"person:{people['vera'].pk}", "section": "cost"})
    assert (states(design)["keys"], states(design)["cost"]) == ("asked", "asked")
    if end == "left the team":
        design.team.remove(people["ben"], by=people["ana"])
    else:
        Person.objects.filter(pk=people["ben"].pk).update(is_active=False)

    assert (states(design)["keys"], states(design)["cost"]) == ("none", "asked")
    assert "requested a review from Ben" not in text(ana.get(home(design)))
    assert "1 requested" in text_of_count(ana, design)


@pytest.mark.parametrize("end", ["revoked", "expired", "maker's role", "only for reading"])
def test_nobody_waits_for_a_link_that_ended(design: Design, people: People, end: str) -> None:
    link_of(design, made_by=people["ben"])
    link = Link.objects.get()
    of(people["ana"]).post(f"{home(design)}ask", {"who": f"link:{link.pk}", "section": "keys"})
    assert states(design)["keys"] == "asked"
    if end == "revoked":
        link.revoke(by=people["ana"])
    elif end == "expired":
        Link.objects.update(ends=timezone.now() - datetime.timedelta(minutes=1))
    elif end == "maker's role":
        Membership.objects.filter(person=people["ben"]).update(role="viewer")
    else:
        link.change(role="link_view")

    assert states(design)["keys"] == "none"
    token = Token.objects.issue(design.team, name="CI", scope="review", by=people["ana"])[1]
    answer = Client().get(f"/api/v1/designs/{design.key}/requests", headers={"Authorization": f"Bearer {token}"})
    assert answer.json()["items"] == []


def test_what_was_said_last_counts_also_where_the_clock_was_set_back(design: Design, people: People) -> None:
    ben = of(people["ben"])
    say(ben, home(design), words="A question")
    judge(ben, home(design), "keys")
    ahead = timezone.now() + datetime.timedelta(hours=1)
    Verdict.objects.update(at=ahead)
    Comment.objects.update(at=ahead)
    ben.post(f"{home(design)}threads/1", {"text": "An answer", "reply": "1"})
    judge(ben, home(design), "keys", "changes", text="Why?")

    assert states(design)["keys"] == "changes"
    page = text(ben.get(f"{home(design)}talk", {"on": FAMILY}))
    assert page.index("A question") < page.index("An answer")


def test_comments_of_a_later_time_close_a_link_for_no_longer(design: Design) -> None:
    address = link_of(design)
    say(Client(), address, name="Rey")
    one = Comment.objects.get()
    ahead = timezone.now() + datetime.timedelta(days=365)
    Comment.objects.bulk_create(
        [Comment(thread=one.thread, link=one.link, name="Rey", visitor=True, text="?", at=ahead) for _ in range(100)]
    )

    assert say(Client(), address, name="Rey").status_code == 302


# --- mail ---------------------------------------------------------------------------------------------------------


def test_revisions_of_a_later_time_are_told_without_waiting_for_it(design: Design, people: People) -> None:
    follow(design, people["ben"])
    edit = Set(at="", name="name", value="Kites", was="Balloons")
    design.apply(edit, by=people["ana"], now=timezone.now() + datetime.timedelta(days=365))

    Mail.objects.deliver()

    assert len(Mail.objects.get().lines) == 1


@pytest.mark.parametrize("end", ["expired", "maker's role"])
def test_nobody_is_asked_by_a_link_that_opens_no_more(design: Design, people: People, end: str) -> None:
    link_of(design, made_by=people["ben"])
    link = Link.objects.get()
    page = of(people["ana"]).get(home(design)).content.decode()
    assert f'value="link:{link.pk}"' in page
    if end == "expired":
        Link.objects.update(ends=timezone.now() - datetime.timedelta(minutes=1))
    else:
        Membership.objects.filter(person=people["ben"]).update(role="viewer")

    assert f'value="link:{link.pk}"' not in of(people["ana"]).get(home(design)).content.decode()
    posted = {"section": "keys", "who": f"link:{link.pk}"}
    assert of(people["ana"]).post(f"{home(design)}ask", posted).status_code == 422
    token = Token.objects.issue(design.team, name="CI", scope="review", by=people["ana"])[1]
    answer = Client().post(
        f"/api/v1/designs/{design.key}/requests", json.dumps({"sections": ["keys"], "link": link.pk}),
        "application/json", headers={"Authorization": f"Bearer {token}"},
    )  # fmt: skip
    assert (answer.status_code, answer.json()["problems"][0]["place"]) == (422, "link")
    assert not Asked.objects.exists()


def follow(design: Design, person: Person, **headers: str) -> Client:
    client = of(person)
    client.post(f"{home(design)}mail", {"mail": "on"}, headers=headers)
    return client


def test_mail_is_for_who_asked_and_says_who_did_what_and_nothing_more(design: Design, people: People) -> None:
    follow(design, people["ana"])
    address = link_of(design)
    say(Client(), address, words="It costs 999 dollars", name="Rey")
    judge(of(people["ben"]), home(design), "cost", text="999 is fine")
    say(of(people["ana"]), home(design))
    assert Mail.objects.deliver() == 0  # what happens at once goes together

    assert Mail.objects.deliver(timezone.now() + WAITS) == 1

    (sent,) = mail.outbox
    assert sent.to == ["ana@example.com"]
    assert sent.subject == "Review of “Balloons”"
    assert "- Rey commented, from the link “outside”\n- Ben approved: Cost\n" in sent.body
    assert f"http://testserver{home(design)}" in sent.body
    assert "/measured/" not in sent.body
    assert "999" not in sent.body
    assert address.split("/")[2] not in sent.body
    assert not Mail.objects.exists()


def test_new_revisions_are_told_once_it_is_quiet_and_not_to_who_made_them(design: Design, people: People) -> None:
    for name in ("ana", "ben"):
        follow(design, people[name])
    for resolution in ("day", "hour"):
        was = design.spec.find("s2").resolution
        design.apply(Set(at="s2", name="resolution", value=resolution, was=was), by=people["ana"])
    design.apply(Set(at="", name="name", value="Kites", was="Balloons"), by=people["ana"])

    assert Mail.objects.deliver(timezone.now() + WAITS) == 0
    later = timezone.now() + QUIET
    assert Mail.objects.deliver(later) == 1

    (sent,) = mail.outbox
    assert sent.to == ["ben@example.com"]
    assert f"new revisions: {design.number - 1}, the latest by Ana" in sent.body
    Mail.objects.deliver(later + 2 * QUIET)
    assert len(mail.outbox) == 1


def test_a_line_that_another_process_adds_meanwhile_is_not_lost(
    design: Design, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(design, people["ana"])
    say(of(people["ben"]), home(design))
    update = QuerySet.update

    def slow(query: QuerySet[Any], **values: Any) -> int:
        if query.model is Mail:
            monkeypatch.undo()
            Mail.objects.notify_followers(design, "asked", who="Cid", by=None)
        return update(query, **values)

    monkeypatch.setattr(QuerySet, "update", slow)
    Mail.objects.notify_followers(design, "asked", who="Dora", by=None)

    Mail.objects.deliver(timezone.now() + WAITS)
    (sent,) = mail.outbox
    assert re.findall(r"- (\w+) ", sent.body) == ["Ben", "Cid", "Dora"]


@pytest.mark.parametrize("what", ["revisions", "forecast"])
def test_what_a_crash_kept_from_being_told_is_told_later(
    design: Design, people: People, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    follow(design, people["ben"])
    if what == "revisions":
        design.apply(Set(at="", name="name", value="Kites", was="Balloons"), by=people["ana"])
    else:
        keep(design, people["ana"], 4, rows=0.9)
    later = timezone.now() + QUIET
    with monkeypatch.context() as broken:
        broken.setattr(type(Mail.objects), "_add_line", Mock(side_effect=OSError("out of memory")))
        with pytest.raises(OSError, match="out of memory"):
            Mail.objects.deliver(later)

    Mail.objects.deliver(later)

    assert [sent.to for sent in mail.outbox] == [["ben@example.com"]]


def keep(design: Design, by: Person, day: int, **differences: float) -> None:
    KeptObservation.store(
        design, {"t": dict.fromkeys(differences, 1.0)}, {"t": differences}, date=datetime.date(2026, 11, day),
        digest=str(day), by=by,
    )  # fmt: skip


def test_a_forecast_that_is_missed_by_more_than_was_stated_is_told_once(design: Design, people: People) -> None:
    follow(design, people["ana"])
    of(people["ben"]).post(f"{home(design)}mail", {"mail": "on", "miss": "50"})
    keep(design, people["ana"], 3, rows=0.1, logical_bytes=-0.19)
    keep(design, people["ana"], 4, rows=0.4, logical_bytes=-0.3, disk_bytes=0.2)

    Mail.objects.deliver()
    later = timezone.now() + WAITS
    assert (Mail.objects.deliver(later), Mail.objects.deliver(later + WAITS)) == (1, 0)

    (sent,) = mail.outbox
    assert sent.to == ["ana@example.com"]
    assert "- measured on 2026-11-04: 2 figures differ from the forecast by more than 20 %\n" in sent.body
    measured = f"/designs/{design.key}/measured/"
    assert f"\nhttp://testserver{measured}\nhttp://testserver{home(design)}\n" in sent.body
    assert of(people["ana"]).get(measured).status_code == 200
    assert "11-03" not in sent.body
    keep(design, people["ana"], 5, rows=-0.6)
    Mail.objects.deliver()
    Mail.objects.deliver(later + WAITS)
    assert [one.to[0] for one in mail.outbox[1:]] == ["ana@example.com", "ben@example.com"]
    assert "by more than 50 %" in mail.outbox[2].body


class Broken(EmailBackend):
    """A mail server that is away."""

    def send_messages(self, messages: Any) -> int:
        raise ConnectionRefusedError


def test_what_fails_is_tried_again_later_and_at_last_given_up(design: Design, people: People, settings: Any) -> None:
    follow(design, people["ana"])
    say(of(people["ben"]), home(design))
    now, backend = timezone.now() + WAITS, settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = f"{__name__}.Broken"

    assert Mail.objects.deliver(now) == 0
    assert Mail.objects.deliver(now) == 0
    assert Mail.objects.get().tries == 1  # not again at once
    settings.EMAIL_BACKEND = backend
    assert Mail.objects.deliver(now + datetime.timedelta(minutes=3)) == 1

    say(of(people["ben"]), home(design))
    settings.EMAIL_BACKEND = f"{__name__}.Broken"
    Mail.objects.update(tries=MOST_TRIES - 1)
    Mail.objects.deliver(now + datetime.timedelta(days=1))
    assert not Mail.objects.exists()


def test_a_slow_mail_server_holds_nobody_up_for_more_than_a_round(
    design: Design, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ben", "vera"):
        follow(design, people[name])
    say(of(people["ana"]), home(design))
    monkeypatch.setattr("reviews.models.mails.ROUND_SECONDS", -1)

    assert [Mail.objects.deliver(timezone.now() + WAITS) for _ in range(3)] == [1, 1, 0]


def test_a_mail_that_cannot_be_written_is_given_up_and_holds_nobody_up(
    design: Design, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = EmailBackend.send_messages

    def refuse(backend: EmailBackend, messages: Any) -> Any:
        if messages[0].to == ["ana@example.com"]:
            "josé".encode("ascii")  # as smtplib does with such an address, where the server has no SMTPUTF8
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse)
    for name in ("ana", "ben"):
        follow(design, people[name])
    say(of(people["vera"]), home(design))

    now = timezone.now() + WAITS
    assert Mail.objects.deliver(now) == 1
    assert [sent.to for sent in mail.outbox] == [["ben@example.com"]]
    for _ in range(MOST_TRIES):
        now += datetime.timedelta(minutes=2**MOST_TRIES)
        Mail.objects.deliver(now)
    assert not Mail.objects.exists()


def test_who_left_or_stopped_gets_no_mail(design: Design, people: People) -> None:
    clients = [follow(design, people[name]) for name in ("ben", "vera")]
    say(of(people["ana"]), home(design))
    design.team.remove(people["ben"])
    clients[1].post(f"{home(design)}mail", {})

    assert Mail.objects.deliver(timezone.now() + WAITS) == 0
    assert not Mail.objects.exists()
    assert Following.objects.count() == 1


def test_mail_is_in_the_language_in_which_it_was_asked_for(design: Design, people: People) -> None:
    follow(design, people["ana"], **{"Accept-Language": "ja"})
    say(of(people["ben"]), home(design))

    Mail.objects.deliver(timezone.now() + WAITS)

    assert mail.outbox[0].subject == "「Balloons」のレビュー"
    assert "Ben がコメントしました" in mail.outbox[0].body


def test_a_command_sends_what_is_due(design: Design, people: People, capsys: Any) -> None:
    follow(design, people["ana"])
    say(of(people["ben"]), home(design))
    Mail.objects.update(due=timezone.now())

    call_command("deliver_mail")

    assert capsys.readouterr().out == "1 mail sent.\n"
    assert len(mail.outbox) == 1


def test_two_who_deliver_at_once_send_it_once(design: Design, people: People) -> None:
    follow(design, people["ana"])
    say(of(people["ben"]), home(design))
    later = timezone.now() + WAITS
    one, same = Mail.objects.get(), Mail.objects.get()

    assert [one.send(later), same.send(later)] == [True, False]
