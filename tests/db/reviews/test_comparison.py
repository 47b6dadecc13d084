"""Pages of comparisons: what is compared with what, what is shown, for whom."""

import datetime
import html
import re
from typing import Any

import pytest
from django.test import Client

from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Clear, Move, Remove, ReplaceAll, Set
from designer.examples import example
from designer.models import Design, Person, Team
from designer.wording.formatting import english
from estimator.comparison.cached import cached_comparison
from estimator.comparison.designs import DesignWithEstimate
from estimator.contexts import current_context
from reviews.presentation.comparison_page import ComparisonOptions, ComparisonPage
from reviews.views.sides import ComparisonSide, find_side, names_in_sentences
from tests.core.comparison.made import design as small
from tests.core.comparison.made import edited

TODAY = datetime.date(2026, 11, 28)
HTMX = {"HX-Request": "true"}


@pytest.fixture
def ana() -> Person:
    return Person.objects.get_or_create_local()


@pytest.fixture
def design(ana: Person) -> Design:
    """Three revisions: as it was, with the time in front, with a read fewer."""
    made = Design.objects.start(small(), team=ana.teams.get(), by=ana)
    made.apply(Move(at="s2", before="s1", was_before=None), by=ana)
    made.apply(Remove(at="r"), by=ana)
    return made


def text_of(client: Client, design: Design, where: str, **headers: str) -> str:
    answer = client.get(f"/designs/{design.key}/compare/{where}", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_two_revisions_are_compared_with_signs_values_and_what_they_lead_to(client: Client, design: Design) -> None:
    text = text_of(client, design, "1/now")

    assert "all stored keys of readings must be rewritten ({device}#{time} becomes {time}{device}#)" in text
    assert 'id="change-1"' in text
    assert "removed read a device&#x27;s day" in text
    assert f"/designs/{design.key}/at/s2" in text
    assert "Load per key range, on the same scale" in text


def test_columns_and_maps_are_headed_by_the_designs_and_revisions_that_they_show(
    client: Client, design: Design
) -> None:
    page = client.get(f"/designs/{design.key}/compare/1/now").content.decode()
    before, after = f"{design.spec.name}, r1", f"{design.spec.name}, current (r{design.number})"

    heads = re.findall(r"<(?:th scope=\"col\"[^>]*|b|span)>\s*([^<]*?)\s*</", page)
    assert heads.count(before) == heads.count(after) >= 3
    assert not {"Before", "After"} & set(heads)


def test_an_older_revision_with_the_contents_of_the_head_is_not_called_current(
    client: Client, design: Design, ana: Person
) -> None:
    first = design.revisions.get(number=1)
    design.apply(ReplaceAll(document=to_plain_data(first.spec), was=design.head_id), by=ana)
    assert (design.number, design.head_id) == (4, first.document_id)

    text = text_of(client, design, "1/2")
    assert f"{design.spec.name}, r1" in text
    assert "current (r1)" not in text
    assert f"{design.spec.name}, current (r4)" in text_of(client, design, "2/4")


def test_without_a_choice_a_design_is_compared_with_its_first_revision_or_the_last_named(
    client: Client, design: Design
) -> None:
    path = f"/designs/{design.key}/compare/"
    assert client.get(path)["Location"] == f"{path}1/now"
    design.revisions.filter(number=2).update(name="reviewed")
    assert client.get(path)["Location"] == f"{path}2/now"
    assert client.get(path, {"a": "3", "b": "2"})["Location"] == f"{path}3/2"
    assert client.get(path, {"a": "9", "b": "2"}).status_code == 404


def test_a_variant_is_compared_with_where_it_left_from(client: Client, design: Design, ana: Person) -> None:
    variant = Design.objects.start(design.spec, team=design.team, by=ana, variant_of=design)
    variant.apply(Set(at="", name="horizon_months", value=24, was=None), by=ana)
    design.apply(Set(at="", name="description", value="later", was=""), by=ana)

    path = f"/designs/{variant.key}/compare/"
    assert client.get(path)["Location"] == f"{path}origin/now"
    text = text_of(client, variant, "origin/now")
    assert "Horizon" in text
    assert "later" not in text
    assert "later" in text_of(client, variant, f"{design.key}/now")
    assert "later" not in text_of(client, variant, f"{design.key}-3/now")


def test_a_design_is_compared_with_a_built_in_one(client: Client, design: Design) -> None:
    text = text_of(client, design, "now/example-mobile-devices")

    assert "built-in: Mobile devices" in text
    assert '<option value="example-machine-metrics">' in text
    assert "example-campus-cards" not in text  # of another engine
    beside = client.get(f"/designs/{design.key}/variants/", {"with": "example-mobile-devices"})
    assert "built-in: Mobile devices" in beside.content.decode()


@pytest.mark.parametrize(
    "where", ["0/now", "99/now", "x/now", "now/abcdefabcdef", "origin/now", "now/1-2", "now/example-none"]
)
def test_what_is_not_there_is_not_found(client: Client, design: Design, where: str) -> None:
    assert client.get(f"/designs/{design.key}/compare/{where}").status_code == 404


def test_a_design_that_one_may_not_see_is_not_found_on_either_side(
    client: Client, design: Design, settings: Any
) -> None:
    other = Team.objects.create(name="Elsewhere")
    owner = Person.objects.create_user("o@example.com")
    other.add(owner, "owner")
    theirs = Design.objects.start(small(), team=other, by=owner)

    for where in (f"{theirs.key}/now", f"now/{theirs.key}", f"now/{theirs.key}-1"):
        assert client.get(f"/designs/{design.key}/compare/{where}").status_code == 404
    assert theirs.key not in text_of(client, design, "1/now")


def test_changes_are_filtered_by_their_kind_and_by_what_they_lead_to(client: Client, design: Design) -> None:
    moved = text_of(client, design, "1/now?sign=moved", **HTMX)
    assert ('id="change-1"' in moved, 'id="change-2"' in moved) == (True, False)
    assert "<html" not in moved
    reads = text_of(client, design, "1/now?leads=reads&sign=removed", **HTMX)
    assert ('id="change-1"' in reads, 'id="change-2"' in reads) == (False, True)
    assert "No matching changes" in text_of(client, design, "1/now?sign=added")
    assert 'id="change-2"' in text_of(client, design, "1/now?sign=nonsense&leads=nonsense")


def test_the_same_on_both_sides_says_so(client: Client, design: Design) -> None:
    text = text_of(client, design, "now/3")

    assert "No differences." in text
    assert "The findings are the same on both sides." in text
    assert "The load is the same in every table." in text


def test_figures_that_do_not_change_are_called_so(client: Client, design: Design) -> None:
    design.apply(Set(at="", name="description", value="later", was=""), by=Person.objects.get_or_create_local())

    text = re.sub(r"<[^>]+>|\s+", " ", text_of(client, design, "3/now"))

    assert re.search(r"The same in both: .*Bill, last month \$[\d,.]+, ", text)
    assert "The findings are the same on both sides." in text
    assert "Stored rows stay as they are." in text


def test_heatmaps_of_a_pair_have_one_scale(design: Design) -> None:
    busier = edited(small(), Set(at="a", name="rate_per_second", value=50_000, was=5000))
    (pair,) = ComparisonPage(cached_comparison(small(), busier, current_context()), today=TODAY).heat

    assert pair.before is not None
    assert pair.after is not None
    assert pair.before.top == pair.after.top
    assert pair.before.values.max() < pair.after.values.max()


def test_a_viewer_without_the_cost_sees_no_amount_anywhere(client: Client, design: Design) -> None:
    from django.template.loader import render_to_string

    busier = edited(small(), Set(at="a", name="rate_per_second", value=50_000, was=5000))
    found = cached_comparison(small(), busier, current_context())
    sides = {
        "before_side": find_side(lambda key: design, design, "1"),
        "after_side": find_side(lambda key: design, design, "now"),
    }
    shown = {
        cost: render_to_string(
            "reviews/comparison/_body.html",
            {"comparison_page": ComparisonPage(found, today=TODAY, shows_cost=cost), **sides},
        )
        for cost in (True, False)
    }

    assert "Bill, last month" in shown[True]
    assert "Bill, last month" not in shown[False]
    assert "$" in shown[True]
    without = shown[False]
    assert 'id="bill"' not in without
    assert not re.search(r"\b(a|per) month", without.replace("commitment", ""), re.IGNORECASE)


def test_what_a_viewer_may_not_see_is_taken_out_before_anything_is_compared(design: Design) -> None:
    seen = []

    def see(spec, made):
        seen.append(spec)
        return DesignWithEstimate(spec, made.estimate, ())

    one = edited(small(), Set(at="", name="description", value="x", was=""))
    found = cached_comparison(
        one,
        edited(one, Move(at="s2", before="s1", was_before=None), Clear(at="r", name="rate_per_second", was=5)),
        current_context(),
        see=see,
    )

    assert len(seen) >= 3
    assert found.together.came == ()
    assert all(told.step.effects.came == () for told in found.changes)


def test_the_steps_of_what_may_be_seen_are_those_of_the_whole_designs(design: Design) -> None:
    from reviews.links.exclusions import Exclusions
    from reviews.links.redaction import page_without

    def see(spec, made):
        page = page_without(spec, made, Exclusions(samples=True), current_context())
        return DesignWithEstimate(page.spec, page.estimate, made.findings)

    price = {"sku": "bigtable.node.ssd", "where": "us-central1", "usd": "0.60"}
    values = {"kind": "pattern", "text": "secret-{n}"}
    before = edited(small(), Set(at="d", name="values", value=values, was=None))
    after = edited(
        before,
        Set(at="d", name="values", value={**values, "text": "secret-of-more-{n}"}, was=values),
        Set(at="a", name="rate_per_second", value=9000, was=5000),
        Set(at="", name="instance.prices", value=[price], was=[]),
    )
    context = current_context()
    whole, seen = (
        cached_comparison(before, after, context),
        cached_comparison(before, after, context, see=see, seen_as="samples"),
    )

    assert [told.change.what for told in seen.changes] == ["Activity", "Instance"]
    assert seen.bill.difference == whole.bill.difference
    by_what = {told.change.what: told.step.effects.money for told in whole.changes}
    assert all(told.step.effects.money == by_what[told.change.what] for told in seen.changes)
    assert "secret" not in repr([told.change for told in seen.changes])


def test_asking_for_what_there_is_not_counts_for_nothing() -> None:
    assert ComparisonOptions.from_query({"sign": ["x", "added"], "leads": ["y"], "of": ["z"]}) == ComparisonOptions(
        ("added",)
    )


# --- variants -----------------------------------------------------------------------------------------------------


@pytest.fixture
def variant(design: Design, ana: Person) -> Design:
    made = Design.objects.start(
        edited(design.spec, Set(at="", name="name", value="Reports (variant)", was="Reports")),
        team=design.team, by=ana, variant_of=design,
    )  # fmt: skip
    made.apply(Set(at="a", name="rate_per_second", value=50_000, was=5000), by=ana)
    return made


def test_variants_stand_beside_their_design_in_the_rows_in_which_they_differ(
    client: Client, design: Design, variant: Design
) -> None:
    text = client.get(f"/designs/{design.key}/variants/").content.decode()

    assert "Reports (variant), current (r2)" in text
    assert "Bill, last month" in text
    assert "Engine" not in text
    assert "Engine" in client.get(f"/designs/{design.key}/variants/", {"all": "1"}).content.decode()
    assert "Use variant" in text
    assert "Use variant" not in client.get(f"/designs/{variant.key}/variants/").content.decode()


def test_no_more_than_four_stand_beside_the_baseline(client: Client, design: Design) -> None:
    chosen = ["1", "2", "3", "now", "1", "origin"]
    text = client.get(f"/designs/{design.key}/variants/", {"with": chosen}).content.decode()

    assert text.count('<th scope="col"') == 1 + 1 + 4


def test_a_design_without_variants_says_what_to_do(client: Client, design: Design) -> None:
    assert "This design has no variants" in client.get(f"/designs/{design.key}/variants/").content.decode()


def test_a_variant_becomes_the_design_in_one_edit_and_keeps_the_designs_name(
    client: Client, design: Design, variant: Design, ana: Person
) -> None:
    before = design.spec
    answer = client.post(f"/designs/{design.key}/adopt", {"variant": variant.key, "was": design.head_id})

    assert answer["Location"] == f"/designs/{design.key}/"
    design = Design.objects.get(pk=design.pk)
    assert (design.number, design.title) == (4, "Reports")
    assert design.spec.find("a").rate_per_second == 50_000
    design.undo(by=ana)
    assert design.spec == before


def test_a_design_that_was_changed_since_is_not_replaced(
    client: Client, design: Design, variant: Design, ana: Person
) -> None:
    was = design.head_id
    design.apply(Set(at="", name="description", value="new", was=""), by=ana)
    answer = client.post(f"/designs/{design.key}/adopt", {"variant": variant.key, "was": was})

    assert answer.status_code == 409
    assert "Review them again, then decide." in answer.content.decode()
    assert Design.objects.get(pk=design.pk).spec.description == "new"


def test_only_ones_own_variant_can_become_the_design(client: Client, design: Design, variant: Design) -> None:
    answer = client.post(f"/designs/{variant.key}/adopt", {"variant": design.key, "was": variant.head_id})

    assert answer.status_code == 404


def test_a_comparison_says_first_which_design_carries_its_load() -> None:
    hot, calm = (example(name).spec for name in ("timestamp-first", "machine-metrics"))

    cured = ComparisonPage(cached_comparison(hot, calm, current_context()), today=TODAY)
    broken = ComparisonPage(cached_comparison(calm, hot, current_context()), today=TODAY, shows_cost=False)

    assert (cured.outcome, broken.outcome) == ("cured", "broken")
    assert cured.cost_sentence is not None
    assert "less" in cured.cost_sentence.message
    assert broken.cost_sentence is None


def test_a_comparison_tells_its_consequences_in_words_and_in_their_order(client: Client, ana: Person) -> None:
    design = Design.objects.start(example("timestamp-first").spec, team=ana.teams.get(), by=ana)
    (kind,) = design.spec.tables[0].row_kinds
    time, machine = (segment.id for segment in kind.key)
    design.apply(
        Batch(
            edits=(
                Move(at=machine, before=time, was_before=None),
                Set(at=machine, name="after", value="#", was=""),
                Set(at=time, name="after", value="", was="#"),
            )
        ),
        by=ana,
    )

    page = text_of(client, design, "1/now")
    rows = re.findall(r"<tr>(.*?)</tr>", page[page.index('id="consequences"') : page.index('id="bill"')], re.DOTALL)
    words = [html.unescape(" ".join(re.sub(r"<[^>]+>", " ", row).split())) for row in rows[1:]]

    assert words == [
        "Row key of metrics {time}#{machine} {machine}#{time} Rewrite needed",
        "Load that is served 80 % 100 % 20 percentage points better (better)",
        "Hottest node at the peak 144 % 58 % 86 percentage points better (better)",
        "Bill, last month $1,684.80 $735.80 $949.00 less (better)",
        "Nodes at the end of the horizon 3 1 67 % less (better)",
        "The last hour of a machine rows scanned for 120 wanted 36M 120 300,000 times fewer (better)",
    ]
    steps = html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page[page.index('id="steps"') :]).split()))
    assert "Before 1 Jan 2027: nothing No row is stored yet." in steps
    assert "Later: copy up to 28.9bn rows of metrics Or write to both tables for 30 days" in steps
    assert "Readers use the new key: 1 read The last hour of a machine" in steps
    assert "Restore revision 1" in page


@pytest.mark.parametrize(
    ("today", "history_months", "is_empty"),
    [("2026-11-28", 0, True), ("2027-01-02", 0, False), ("2026-11-28", 3, False)],
)
def test_no_row_is_stored_only_before_the_start_of_a_table_without_history(
    today: str, history_months: int, is_empty: bool
) -> None:
    before = edited(
        small(),
        Set(at="", name="start", value="2027-01-01", was=None),
        Set(at=small().tables[0].id, name="history_months", value=history_months, was=None),
    )
    after = edited(before, Move(at="s2", before="s1", was_before=None))
    found = cached_comparison(before, after, current_context())

    steps = ComparisonPage(found, today=datetime.date.fromisoformat(today)).migration_steps
    words = [step.title.translate(english) for step in steps]
    assert ("Before 1 Jan 2027: nothing" in words, words[0].startswith("Copy up to")) == (is_empty, not is_empty)


def test_the_bars_of_a_bill_lead_from_one_total_to_the_other(design: Design) -> None:
    cheap, dear = (example(name).spec for name in ("machine-metrics", "timestamp-first"))
    for first, other in ((cheap, dear), (dear, cheap)):
        page = ComparisonPage(cached_comparison(first, other, current_context()), today=TODAY)
        assert page.bars is not None
        before, after = page.bars
        reached = before.width
        for line, bar in page.lines_with_bars:
            assert (bar is None) == (not line.difference)
            if bar is not None:
                end = reached - bar.width if bar.kind == "less" else reached + bar.width
                assert bar.left == pytest.approx(min(reached, end))
                reached = end
        assert reached == pytest.approx(after.width)
        assert max(before.width, after.width) <= 1


def test_sentences_call_two_revisions_of_one_design_by_their_numbers(design: Design, variant: Design) -> None:
    old, new = (ComparisonSide(str(n), design, design.spec, "" if n == 1 else design.head_id, n) for n in (1, 2))
    other = ComparisonSide("now", variant, variant.spec, variant.head_id, 1)

    assert [name.translate(english) for name in names_in_sentences(old, new)] == ["revision 1", "revision 2"]
    names = names_in_sentences(new, other)
    assert variant.title != design.title
    assert [name.translate(english) for name in names] == [design.title, variant.title]
    variant.title = design.title
    assert names_in_sentences(new, other) == (new.label, other.label)
