"""The page of a row kind: its key as text and as chips, both of which make one edit."""

import html
import json
import re
from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.document.load import from_data
from designer.editing.new_design import key_edit
from designer.examples import example
from designer.models import Design, Person, Team
from designer.wording import key_of
from designer.wording.formatting import english

HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(ana: Person) -> Client:
    client = Client(headers=HTMX)
    client.force_login(ana)
    return client


DATA = {
    "fields": [{"id": "tenant", "name": "tenant"}, {"id": "device", "name": "device"}],
    "tables": [
        {
            "id": "t",
            "row_kinds": [
                {
                    "id": "k",
                    "key": [
                        {"id": "a", "kind": "field", "field": "tenant", "after": "#"},
                        {"id": "b", "kind": "field", "field": "device", "after": "|"},
                        {"id": "c", "kind": "time"},
                    ],
                }
            ],
        }
    ],
}
TEXT = "{tenant}#{device}|{time}"


def started(ana: Person, spec: Spec) -> Design:
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    return Design.objects.start(spec, team=team, by=ana)


@pytest.fixture
def design(ana: Person) -> Design:
    return started(ana, from_data(DATA))


def key_now(design: Design) -> str:
    spec = Design.objects.get(pk=design.pk).spec
    return key_of(spec, next(kind for _, kind in spec.row_kinds()))


def write(client: Client, design: Design, text: str, was: str = TEXT, do: str = "text") -> Any:
    return client.post(f"/designs/{design.key}/keys/k/{do}", {"text": text, "was": was})


def test_a_key_is_written_as_text_in_one_edit_and_new_names_become_fields(client: Client, design: Design) -> None:
    response = write(client, design, "{tenant}#{site}#{time:rev}")

    assert json.loads(response["HX-Trigger"])["kw:saved"]["structure"]
    spec = Design.objects.get(pk=design.pk).spec
    assert key_now(design) == "{tenant}#{site}#{time:rev}"
    assert [segment.id for segment in spec.find("k").key][::2] == ["a", "c"]  # what stayed keeps its findings
    assert [field.name for field in spec.fields] == ["tenant", "device", "site"]
    assert design.revisions.count() == 2


def test_a_text_that_is_written_otherwise_is_no_conflict_with_itself(client: Client, design: Design) -> None:
    answers = [write(client, design, '{"a"}{tenant}').status_code for _ in range(2)]

    assert (answers, key_now(design)) == ([200, 200], "a{tenant}")


def test_text_that_is_no_key_is_said_at_its_place_and_not_stored(client: Client, design: Design) -> None:
    response = write(client, design, "{tenant}#{time:re}")

    assert response.status_code == 422
    assert "Character 16" in response.content.decode()
    assert "{tenant}#{time:<mark>re}</mark>" in response.content.decode()
    assert key_now(design) == TEXT


def test_while_typing_a_text_is_checked_and_nothing_is_stored(client: Client, design: Design) -> None:
    assert "New fields: x, y" in write(client, design, "{x}#{y}", do="check").content.decode()
    assert write(client, design, "{x", do="check").status_code == 422
    assert design.revisions.count() == 1


def test_a_text_over_a_key_that_somebody_changed_shows_both(client: Client, design: Design, ana: Person) -> None:
    write(client, design, "{device}#{tenant}")

    response = write(client, design, "{tenant}")

    assert response.status_code == 409
    assert 'data-keep="key-text" data-was="{device}#{tenant}"' in response.content.decode()
    assert key_now(design) == "{device}#{tenant}"


def test_moving_or_removing_a_segment_leaves_the_delimiters_at_their_places(client: Client, design: Design) -> None:
    client.post(f"/designs/{design.key}/keys/k/move", {"id": "c", "before": "a"})
    assert key_now(design) == "{time}#{tenant}|{device}"
    assert design.revisions.count() == 2  # one edit

    edit = page_edits(client, design)["remove-b"]
    client.post(f"/designs/{design.key}/edit", {"edit": edit})
    assert key_now(design) == "{time}#{tenant}"


def page_edits(client: Client, design: Design) -> dict[str, str]:
    """The edits that the key's buttons post, by what they do."""
    page = client.get(f"/designs/{design.key}/at/k").content.decode()
    found = {}
    for vals in re.findall(r'hx-vals="([^"]*)"', page[page.index('id="builder"') : page.index('id="key-facts"')]):
        edit = json.loads(html.unescape(vals))["edit"]
        data = json.loads(edit)
        for one in data.get("edits", [data]):
            found[f"{one['kind']}-{one.get('at') or one.get('element', {}).get('field') or one.get('list')}"] = edit
    return found


def test_a_segment_is_added_behind_the_others_with_the_usual_delimiter(client: Client, design: Design) -> None:
    client.post(f"/designs/{design.key}/edit", {"edit": page_edits(client, design)["insert-device"]})

    assert key_now(design) in ("{tenant}#{device}|{time}#{device}", "{tenant}#{device}|{time}#{part(device,length=2)}")
    assert design.revisions.count() == 2


def test_a_segment_opens_in_the_page_of_its_key(client: Client, design: Design) -> None:
    page = client.get(f"/designs/{design.key}/at/b").content.decode()

    assert 'id="opened"' in page
    assert 'id="c-b-transforms"' in page
    assert 'id="key-text"' in page

    saved = client.post(
        f"/designs/{design.key}/edit", {"at": "b", "name": "transforms", "was": "[]", "do": "add "}
    ).content.decode()
    assert key_now(design) == "{tenant}#{device:pad6}|{time}"
    assert 'value="{tenant}#{device:pad6}|{time}"' in saved  # the text follows


def test_primary_key_columns_are_written_as_text(client: Client, ana: Person) -> None:
    design = started(ana, example("campus-tills").spec)
    kind = next(kind.id for _, kind in design.spec.row_kinds())
    page = client.get(f"/designs/{design.key}/at/{kind}").content.decode()
    assert "[OrderNumber INTEGER]" in page

    text = "[SellerID] {SellerID} | [DeviceID] {DeviceID} | [seq INTEGER auto]"
    client.post(f"/designs/{design.key}/keys/{kind}/text", {"text": text, "was": key_now(design)})

    assert key_now(design) == text


COLUMNS = "[shop] {shop}#{till} | [day INTEGER] {n} | [seq INTEGER auto]"


@pytest.fixture
def in_columns(ana: Person) -> Design:
    design = started(ana, from_data({"engine": "tablestore", "tables": [{"id": "t", "row_kinds": [{"id": "k"}]}]}))
    design.apply(key_edit(design.spec, row_kind(design), COLUMNS), by=ana)
    return design


def row_kind(design: Design) -> Any:
    return next(kind for _, kind in Design.objects.get(pk=design.pk).spec.row_kinds())


@pytest.mark.parametrize(
    ("chip", "column", "before", "key"),
    [
        (1, 1, 0, "[shop] {shop} | [day INTEGER] {till}#{n} | [seq INTEGER auto]"),
        (0, 1, None, "[shop] {till} | [day INTEGER] {n}#{shop} | [seq INTEGER auto]"),
    ],
)
def test_a_segment_goes_into_another_primary_key_column_in_one_edit_that_is_undone(
    client: Client, in_columns: Design, ana: Person, chip: int, column: int, before: int | None, key: str
) -> None:
    first, target = row_kind(in_columns).key_columns[0], row_kind(in_columns).key_columns[column]
    values = {"id": first.segments[chip].id, "to": target.id}
    values["before"] = "" if before is None else target.segments[before].id
    revisions = in_columns.revisions.count()

    assert client.post(f"/designs/{in_columns.key}/keys/k/move", values).status_code == 200
    assert key_now(in_columns) == key
    assert in_columns.revisions.count() == revisions + 1
    Design.objects.get(pk=in_columns.pk).undo(by=ana)
    assert key_now(in_columns) == COLUMNS


def test_the_last_segment_of_a_column_is_moved_on_into_the_next_and_never_into_one_that_the_service_fills(
    client: Client, in_columns: Design
) -> None:
    shop, till = (segment.id for segment in row_kind(in_columns).key_columns[0].segments)
    (number,) = (segment.id for segment in row_kind(in_columns).key_columns[1].segments)
    auto = row_kind(in_columns).key_columns[2].id
    page = client.get(f"/designs/{in_columns.key}/at/k").content.decode()

    def moves(button: str) -> dict[str, Any] | None:
        """The edit of a button."""
        found = re.search(rf'id="{button}"[^>]*?hx-vals="([^"]*)"', page)
        return json.loads(json.loads(html.unescape(found[1]))["edit"]) if found else None

    assert moves(f"left-{shop}") is None
    assert moves(f"right-{number}") is None
    edit = moves(f"right-{till}")
    client.post(f"/designs/{in_columns.key}/edit", {"edit": json.dumps(edit)})
    assert key_now(in_columns) == "[shop] {shop} | [day INTEGER] {till}#{n} | [seq INTEGER auto]"
    client.post(f"/designs/{in_columns.key}/keys/k/move", {"id": till, "to": auto, "before": ""})
    assert "auto" in key_now(in_columns)
    assert not row_kind(in_columns).key_columns[2].segments


@pytest.mark.parametrize("slug", ["iot-fleet", "campus-tills"])
def test_facts_sample_keys_and_reads_come_from_the_estimate(client: Client, ana: Person, slug: str) -> None:
    design = started(ana, example(slug).spec)
    kind = next(kind for _, kind in design.spec.row_kinds())

    page = client.get(f"/designs/{design.key}/of/{design.head_id}/keys?at={kind.id}").content.decode()

    assert f'data-for="facts-{kind.segments[0].id}"' in page
    assert 'class="seg field-' in page
    assert ("Node CPU time" in page) == (design.spec.engine == "bigtable")
    assert client.get(f"/designs/{design.key}/of/{design.head_id}/keys?at=nothing").status_code == 404


# --- pasted keys ------------------------------------------------------------------------------------------------

KEYS = "\n".join(f"user{n % 40:05}#{1_790_000_000_000 + n * 7_001}" for n in range(200))


def test_pasted_keys_give_a_proposal_that_is_accepted_as_one_edit(client: Client, design: Design) -> None:
    address = f"/designs/{design.key}/keys/k/"
    page = client.post(address + "paste", {"keys": KEYS + "\nodd"}).content.decode()

    assert 'value="{user}#{time}"' in page
    assert "odd" in page
    assert design.revisions.count() == 1  # nothing is saved yet

    fields = html.unescape(re.findall(r'name="fields" value="([^"]*)"', page)[0])
    (field,) = json.loads(fields)
    form = {"fields": fields, "key": "{user}#{time:rev}", "was": TEXT, f"name-{field['id']}": "person"}
    again = client.post(address + "paste", {**form, "keys": KEYS}).content.decode()
    assert 'value="{person}#{time:rev}"' in again
    assert re.search(r"matches 0.% of", again)

    client.post(address + "accept", {**form, "key": "{user}#{time}", f"distinct-{field['id']}": "1,000"})

    spec = Design.objects.get(pk=design.pk).spec
    assert key_now(design) == "{person}#{time}"
    assert spec.fields[-1].distinct == 1000
    (told,) = [one.text.translate(english) for one in design.revisions.order_by("number")][1:]
    assert told.startswith("used a row key from pasted keys: key of ")


def test_pasted_keys_of_primary_key_columns_are_parted_at_their_delimiters(client: Client, ana: Person) -> None:
    design = started(ana, example("campus-tills").spec)
    kind = next(kind.id for _, kind in design.spec.row_kinds())
    lines = "\n".join(f"shop{n % 30:03},{n}" for n in range(300))
    page = client.post(f"/designs/{design.key}/keys/{kind}/paste", {"keys": lines}).content.decode()
    assert "[shop] {shop} | [id INTEGER] {id}" in page

    fields = html.unescape(re.findall(r'name="fields" value="([^"]*)"', page)[0])
    form = {"fields": fields, "key": "{shop},{id}", "was": key_now(design)}
    client.post(f"/designs/{design.key}/keys/{kind}/accept", form)

    assert key_now(design) == "[shop] {shop} | [id INTEGER] {id}"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"key": "{a", "was": TEXT}, "Character 3"),
        ({"key": "{a}", "was": "{old}"}, "The key changed after you pasted these keys"),
        ({"key": "{x}", "was": TEXT, "fields": '[{"id":"x","name":"x"}]', "distinct-x": "many"}, "many"),
        ({"key": "{x}", "was": TEXT, "fields": '[{"id":"x","name":"x"}]', "distinct-x": "-3"}, "the minimum is 1"),
    ],
)
def test_what_cannot_be_taken_is_said_and_nothing_is_saved(
    client: Client, design: Design, form: dict[str, str], said: str
) -> None:
    response = client.post(f"/designs/{design.key}/keys/k/accept", form)

    assert response.status_code == 422
    assert said in response.content.decode()
    assert design.revisions.count() == 1


def test_a_few_keys_say_too_little(client: Client, design: Design) -> None:
    assert client.post(f"/designs/{design.key}/keys/k/paste", {"keys": "a#1\nb#2"}).status_code == 422


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("cbt createtable t\ncbt createfamily t d\ncbt setgcpolicy t d maxversions=1\n", "these are commands for cbt"),
        ("bash: cbt: command not found\n", "this is an error of the shell"),
    ],
)
def test_commands_and_errors_of_tools_are_no_keys(client: Client, design: Design, lines: str, text: str) -> None:
    response = client.post(f"/designs/{design.key}/keys/k/paste", {"keys": lines})

    assert response.status_code == 422
    assert text in response.content.decode()


def test_a_log_is_said_to_look_like_one_beside_the_key_that_is_proposed(client: Client, design: Design) -> None:
    log = "".join(f"2026-11-28 10:00:0{second} ERROR server {second} has closed\n" for second in range(9))
    address = f"/designs/{design.key}/keys/k/paste"

    assert "The lines look like the log of a program." in client.post(address, {"keys": log}).content.decode()
    assert "The lines look like" not in client.post(address, {"keys": KEYS}).content.decode()


def test_viewers_see_the_key_and_change_nothing(design: Design) -> None:
    person = Person.objects.create_user("vi@example.com", name="Vi")
    design.team.add(person, "viewer")
    client = Client(headers=HTMX)
    client.force_login(person)

    page = client.get(f"/designs/{design.key}/at/k").content.decode()

    assert 'id="chip-a"' in page
    assert "hx-post" not in page
    for view in ("text", "check", "move", "paste", "accept"):
        assert write(client, design, "{x}", do=view).status_code == 403
