"""The editor, by a client without scripts: what a control posts is an edit, what others may not do is refused."""

import json
from html.parser import HTMLParser
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from designer.document import Spec
from designer.document.edits import Insert, Set, apply, current_value
from designer.document.load import from_data
from designer.editing import forms
from designer.examples import example
from designer.models import Design, Person, Revision, Team
from designer.models.persistence import DesignDeletedError
from designer.views.editor.news import MOST_CHANGES

HTMX = {"HX-Request": "true"}


@pytest.fixture
def design(ana: Person, team: Team) -> Design:
    spec = from_data({"name": "Balloons", "tables": [{"id": "t", "name": "readings", "families": [{"id": "f"}]}]})
    return Design.objects.start(spec, team=team, by=ana)


def signed_in(person: Person) -> Client:
    client = Client(headers=HTMX)
    client.force_login(person)
    return client


def colleague(design: Design, role: Any) -> Client:
    person = Person.objects.create_user(f"{role}@example.com", name=role)
    design.team.add(person, role)
    return signed_in(person)


def post(client: Client, design: Design, at: str, name: str, was: Any = None, **inputs: Any) -> Any:
    data = {"at": at, "name": name, "was": json.dumps(was), **inputs}
    return client.post(f"/designs/{design.key}/edit", data)


def head(design: Design) -> Spec:
    return Design.objects.get(pk=design.pk).spec


def test_what_is_typed_is_saved_and_the_answer_brings_the_next_precondition(design: Design, ana: Person) -> None:
    response = post(signed_in(ana), design, "t", "name", "readings", v="cells")

    assert head(design).find("t").name == "cells"
    assert 'id="c-t-name-was" value="&quot;cells&quot;" hx-swap-oob' in response.content.decode()
    event = json.loads(response["HX-Trigger"])["kw:saved"]
    assert event == {"sequence": 2, "sha256": Design.objects.get().head_id, "structure": False, "changed": True}
    assert 'name="v"' not in response.content.decode()  # the input itself is never swapped


def test_an_empty_input_makes_it_a_guess_again(design: Design, ana: Person) -> None:
    client = signed_in(ana)
    post(client, design, "", "horizon_months", None, v="24")
    assert head(design).horizon_months == 24

    post(client, design, "", "horizon_months", 24, v="")

    assert head(design).horizon_months is None


def test_what_makes_no_sense_is_said_beside_the_control_and_not_stored(design: Design, ana: Person) -> None:
    client = signed_in(ana)
    client.cookies["django_language"] = "ja"
    response = post(client, design, "", "horizon_months", None, v="soon")

    assert response.status_code == 422
    assert "は整数ではありません" in response.content.decode()
    assert "horizon_months:" not in response.content.decode()
    assert 'id="c-design-horizon_months-problem"' in response.content.decode()
    assert design.revisions.count() == 1


def test_second_editor_is_told_both_versions_and_chooses(design: Design, ana: Person) -> None:
    design.apply(Set(at="t", name="name", value="rows", was="readings"), by=ana)

    response = post(signed_in(ana), design, "t", "name", "readings", v="cells")

    page = response.content.decode()
    assert response.status_code == 409
    assert "This was changed while you were editing. Choose a version to keep." in page
    assert "<dd><span>cells</span></dd>" in page
    assert "<dd><span>rows</span></dd>" in page
    assert 'data-keep="c-t-name" data-was="&quot;rows&quot;"' in page
    assert head(design).find("t").name == "rows"


def test_a_part_is_edited_whole_and_shown_anew_when_its_inputs_change(design: Design, ana: Person) -> None:
    client = signed_in(ana)

    chosen = post(client, design, "f", "gc", None, **{"v.kind": "max_age"})
    gc = {"kind": "max_age", "age_days": 30}
    assert head(design).find("f").gc.model_dump() == gc
    assert 'name="v.age_days"' in chosen.content.decode()

    typed = post(client, design, "f", "gc", gc, **{"v.kind": "max_age", "v.age_days": "45"})
    assert head(design).find("f").gc.age_days == 45
    assert 'name="v.age_days"' not in typed.content.decode()


def test_items_of_a_part_are_added_and_removed(design: Design, ana: Person) -> None:
    client = signed_in(ana)
    post(client, design, "f", "gc", None, **{"v.kind": "union"})
    one = {"v.kind": "union", "v.rules.0.kind": "max_age", "v.rules.0.age_days": "30"}
    two = {**one, "v.rules.1.kind": "max_versions", "v.rules.1.versions": "3"}

    post(client, design, "f", "gc", current_value(head(design), "f", "gc"), **one, do="add rules")
    assert len(head(design).find("f").gc.rules) == 2
    post(client, design, "f", "gc", current_value(head(design), "f", "gc"), **two)
    assert head(design).find("f").gc.rules[1].versions == 3
    post(client, design, "f", "gc", current_value(head(design), "f", "gc"), **two, do="remove rules.0")
    assert [rule.kind for rule in head(design).find("f").gc.rules] == ["max_versions"]


def test_an_edit_given_as_data_is_applied_and_the_page_reads_itself_again(design: Design, ana: Person) -> None:
    edit = Insert(parent="", list="tables", element={"id": "u", "name": "events"})

    response = signed_in(ana).post(f"/designs/{design.key}/edit", {"edit": edit.model_dump_json()})

    assert head(design).find("u").name == "events"
    assert json.loads(response["HX-Trigger"])["kw:saved"]["structure"] is True


@pytest.mark.parametrize(
    "posted", [{"edit": "{"}, {"edit": '{"kind": "explode"}'}, {"at": "t"}, {"was": "{", "at": "t"}]
)
def test_what_is_no_edit_is_refused_with_a_sentence(design: Design, ana: Person, posted: dict[str, str]) -> None:
    response = signed_in(ana).post(f"/designs/{design.key}/edit", posted)

    assert response.status_code == 400
    assert "The edit is invalid: reload the page and try again." in response.content.decode()


def test_an_edit_of_what_was_removed_meanwhile_says_so(design: Design, ana: Person) -> None:
    response = post(signed_in(ana), design, "gone", "name", "", v="x")

    assert response.status_code == 409
    assert "this item was removed while you were editing" in response.content.decode()


@pytest.mark.parametrize(
    ("at", "name"),
    [
        ("", "instance.commitment"), ("", "instance.calibration"), ("t", "derived_from"), ("f", "needed"),
        ("r", "time"), ("r", "where"), ("w", "where"),
    ],
)  # fmt: skip
def test_a_part_that_is_not_there_yet_can_be_set_and_cleared(ana: Person, team: Team, at: str, name: str) -> None:
    """A commitment, a caller's place, the time that a read wants: each begins with something that can be stored."""
    kind = {"id": "k", "reads": [{"id": "r"}], "writes": [{"id": "w", "activity": "a"}]}
    table = {"id": "t", "row_kinds": [kind], "families": [{"id": "f"}]}
    whole = from_data({"tables": [table, {"id": "u"}], "activities": [{"id": "a"}]})
    design = Design.objects.start(whole, team=team, by=ana)

    answer = post(signed_in(ana), design, at, name, None, **{"v.kind": "", "do": "fill"})
    begun = forms.control(head(design), at, name)
    assert begun.value is not None
    assert f'name="{begun.inside[0].name}"' in answer.content.decode()

    post(signed_in(ana), design, at, name, begun.value, **{"v.kind": "set", "do": "clear"})
    assert forms.control(head(design), at, name).value is None


def test_undo_and_redo_by_their_buttons(design: Design, ana: Person) -> None:
    client = signed_in(ana)
    post(client, design, "t", "name", "readings", v="cells")

    client.post(f"/designs/{design.key}/undo")
    assert head(design).find("t").name == "readings"
    client.post(f"/designs/{design.key}/redo")
    assert head(design).find("t").name == "cells"
    assert client.post(f"/designs/{design.key}/redo").status_code == 409


def test_a_viewer_reads_the_same_editor_and_changes_nothing(design: Design) -> None:
    viewer = colleague(design, "viewer")

    page = viewer.get(f"/designs/{design.key}/at/t").content.decode()
    assert "<fieldset disabled>" in page
    assert "hx-post" not in page
    assert post(viewer, design, "t", "name", "readings", v="x").status_code == 403
    assert design.revisions.count() == 1


def test_a_stranger_finds_nothing(design: Design) -> None:
    stranger = signed_in(Person.objects.create_user("eve@example.com"))

    assert stranger.get(f"/designs/{design.key}/").status_code == 404
    assert post(stranger, design, "t", "name", "readings", v="x").status_code == 404


def test_who_is_not_signed_in_is_sent_to_the_sign_in_page_whole(design: Design) -> None:
    response = Client().get(f"/designs/{design.key}/")
    assert response["Location"] == f"/sign-in?next=/designs/{design.key}/"

    part = Client(headers=HTMX).get(f"/designs/{design.key}/")
    assert (part.status_code, part["HX-Redirect"]) == (401, f"/sign-in?next=/designs/{design.key}/")


def test_news_are_what_others_changed_and_who_is_here(design: Design, ana: Person) -> None:
    ben = colleague(design, "editor")
    post(ben, design, "t", "name", "readings", v="cells")
    ben.get(f"/designs/{design.key}/news", {"since": "2", "window": "b", "at": "t"})

    response = signed_in(ana).get(f"/designs/{design.key}/news", {"since": "1", "window": "a"})

    event = response.json()
    change = {
        "sequence": 2,
        "who": "editor",
        "ids": ["t"],
        "fields": ["t name"],
        "what": "renamed readings to cells",
    }
    assert event["sequence"] == 2
    assert event["changes"][0].items() >= change.items()
    assert event["here"] == [{"name": "editor", "way": ["t"]}]
    assert f'href="/designs/{design.key}/at/t"' in event["people"]
    assert event["far_behind"] == ""
    told = {"since": "2", "window": "a", "company": event["company"]}
    assert signed_in(ana).get(f"/designs/{design.key}/news", told).status_code == 204


class Inputs(HTMLParser):
    """What a browser would post of a form."""

    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, list[str]] = {}
        self.select = self.option = self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "select":
            self.select, self.multiple, self.chosen, self.first = given["name"], "multiple" in given, list[str](), None
        elif tag == "option" and self.select:  # else of a list of suggestions
            self.first = given["value"] if self.first is None else self.first
            self.chosen += [given["value"]] if "selected" in given else []
        elif tag == "textarea":
            self.text = given["name"]
            self.data[self.text] = [""]
        elif tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self.data.setdefault(given["name"], []).append(given["value"])

    def handle_data(self, data: str) -> None:
        if self.text:
            self.data[self.text][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            first = [] if self.multiple or self.first is None else [self.first]
            self.data[self.select] = self.chosen or first
            self.select = ""
        elif tag == "textarea":
            self.text = ""


@pytest.mark.parametrize("slug", ["iot-fleet", "continents-cities", "ggen-tokyo"])
def test_a_form_that_nobody_touched_posts_what_the_document_has(slug: str, design: Design) -> None:
    spec = example(slug).spec
    tried = 0

    for at in ("", *spec.by_id):
        for control in forms.controls(spec, at):
            context = {"control": control, "at": at, "spec": spec, "design": design, "may_edit": True}
            inputs = Inputs()
            inputs.feed(render_to_string("designer/editor/_control.html", context))
            was = json.loads(inputs.data["was"][0])
            value = forms.read_posted_value(spec, at, control.field, inputs.data, previous=was)
            edit = Set(at=at, name=control.field, value=value, was=was)
            assert apply(spec, edit)[0] is spec, (at, control.field, value)
            tried += 1

    assert tried > 50


def test_a_name_a_key_and_a_rate_make_a_table_and_open_it(ana: Person) -> None:
    team = Team.objects.create()
    team.add(ana, "owner")
    design = Design.objects.start(Spec(), team=team, by=ana)
    typed = {"table": "readings", "key": "{tenant}#{device:pad6}#{time:rev}", "rate": "2 000"}

    response = signed_in(ana).post(f"/designs/{design.key}/table", typed)

    spec = head(design)
    assert [field.name for field in spec.fields] == ["tenant", "device"]
    assert spec.activities[0].rate_per_second == 2_000
    kind = spec.tables[0].row_kinds[0]
    assert response["HX-Push-Url"] == f"/designs/{design.key}/at/{kind.id}"
    assert design.revisions.count() == 2


@pytest.mark.parametrize(
    ("key", "rate", "said"),
    [
        ("{tenant", "1", "Character 8"),
        ("{a}", "many", "&quot;many&quot; is not a number"),
    ],
)
def test_a_table_that_cannot_be_read_is_said_where_it_was_typed(
    design: Design, ana: Person, key: str, rate: str, said: str
) -> None:
    typed = {"table": "x", "key": key, "rate": rate}

    response = signed_in(ana).post(f"/designs/{design.key}/table", typed)

    assert response.status_code == 422
    assert said in response.content.decode()
    assert design.revisions.count() == 1


def test_both_versions_of_a_part_are_told_by_what_differs(design: Design, ana: Person) -> None:
    month = {"kind": "max_age", "age_days": 30}
    design.apply(Set(at="f", name="gc", value=month), by=ana)
    ben = colleague(design, "editor")

    typed = post(ben, design, "f", "gc", {**month, "age_days": 7}, **{"v.kind": "max_age", "v.age_days": "9"})
    assert "<dd><span>9</span></dd>" in typed.content.decode()
    assert "<dd><span>30</span></dd>" in typed.content.decode()

    other = post(ben, design, "f", "gc", None, **{"v.kind": "max_versions", "v.versions": "3"})
    assert "<dd><span>Keeps the newest 3 cells of each column.</span></dd>" in other.content.decode()
    assert "<dd><span>Deletes cells older than 30 days.</span></dd>" in other.content.decode()


def test_undo_of_what_another_changed_since_says_who(design: Design, ana: Person) -> None:
    client, ben = signed_in(ana), colleague(design, "editor")
    post(client, design, "t", "name", "readings", v="cells")
    post(ben, design, "t", "name", "cells", v="rows")

    response = client.post(f"/designs/{design.key}/undo")

    assert response.status_code == 409
    assert "cannot be undone: editor changed the same item later." in response.content.decode()
    assert "Skip this change" not in response.content.decode()  # there is none before it


def test_undo_of_a_restored_revision_says_why_it_cannot_be(design: Design, ana: Person) -> None:
    post(signed_in(ana), design, "", "horizon_months", None, v="24")
    design.restore(1, by=ana)
    post(colleague(design, "editor"), design, "t", "name", "readings", v="rows")

    said = signed_in(ana).post(f"/designs/{design.key}/undo").content.decode()

    assert "“restored revision 1” cannot be undone: the design has changed since" in said


def test_what_cannot_be_undone_does_not_stand_before_what_can(design: Design, ana: Person) -> None:
    client, ben = signed_in(ana), colleague(design, "editor")
    post(client, design, "", "horizon_months", None, v="24")
    post(client, design, "t", "name", "readings", v="cells")
    post(ben, design, "t", "name", "cells", v="rows")

    offered = client.post(f"/designs/{design.key}/undo").content.decode()
    assert "Skip this change and undo: Horizon set to 24 months" in offered
    assert '"before": "3"' in offered
    client.post(f"/designs/{design.key}/undo", {"before": "3"})

    assert (head(design).horizon_months, head(design).find("t").name) == (None, "rows")
    client.post(f"/designs/{design.key}/redo")
    assert head(design).horizon_months == 24


def test_a_design_that_is_gone_for_good_while_somebody_saves_is_not_found(design: Design, ana: Person) -> None:
    Design.objects.filter(pk=design.pk).delete()

    with pytest.raises(DesignDeletedError):
        design.apply(Set(at="", name="horizon_months", value=24), by=ana)


def test_the_language_of_the_switch_is_the_persons_on_every_machine(design: Design, ana: Person) -> None:
    signed_in(ana).post("/language", {"language": "ja"})

    elsewhere = signed_in(ana).get("/", headers={"Accept-Language": "en"})

    assert "件の設計" in elsewhere.content.decode()


def test_a_page_that_is_far_behind_is_told_of_the_newest_changes_in_a_body_of_few_bytes(
    design: Design, ana: Person
) -> None:
    one, behind = design.revisions.get(number=1), 500
    edit = {"kind": "set", "at": "t", "name": "name", "value": "x"}
    same: dict[str, Any] = {"design": design, "document": one.document, "by": ana, "edit": edit, "words": one.words}
    Revision.objects.bulk_create(Revision(number=n, sequence=n, **same) for n in range(2, behind + 2))
    Design.objects.filter(pk=design.pk).update(number=behind + 1, sequence=behind + 1)

    response = signed_in(ana).get(f"/designs/{design.key}/news", {"since": "1", "window": "a"})

    told = response.json()
    assert [change["sequence"] for change in told["changes"]] == list(range(behind + 2 - MOST_CHANGES, behind + 2))
    assert told["far_behind"].startswith("Others made many changes")
    assert len(response.content) < 20_000
    assert sum(len(name) + len(value) for name, value in response.items()) < 2_000


def test_news_are_answered_whatever_is_asked(design: Design, ana: Person) -> None:
    asked = {"since": "²", "window": "a\n\u202eb" * 20, "at": "\x07" * 60}

    assert signed_in(ana).get(f"/designs/{design.key}/news", asked).status_code in (200, 204)


def test_no_edit_makes_a_design_larger_than_a_file_may_be(design: Design, ana: Person) -> None:
    client, large = signed_in(ana), "x" * 1_999_000
    assert post(client, design, "", "description", None, v=large).status_code == 200

    refused = post(client, design, "t", "description", None, v="y" * 2_000)
    smaller = post(client, design, "", "description", large, v="short")

    assert refused.status_code == 422
    assert "larger than 2 MB" in refused.content.decode()
    assert smaller.status_code == 200
    assert (head(design).description, head(design).find("t").description) == ("short", "")


MANY = [{"kind": "insert", "parent": "", "list": "fields", "element": {"id": f"n{n}"}} for n in range(1500)]


@pytest.mark.parametrize("batch", [{"edits": MANY}, {"edits": [], "label": "x" * 201}])
def test_a_batch_that_no_button_makes_is_refused_before_it_is_tried(
    design: Design, ana: Person, batch: dict[str, Any]
) -> None:
    edit = json.dumps({"kind": "batch", **batch})
    answer = signed_in(ana).post(f"/designs/{design.key}/edit", {"edit": edit})

    assert answer.status_code == 422
    assert "too many changes at once" in answer.content.decode()
    assert head(design).fields == ()
