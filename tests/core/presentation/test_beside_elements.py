"""What stands beside the elements of the editor, over all examples: texts are whole, places and sums fit the design."""

from collections import Counter
from decimal import Decimal

import pytest

from designer.document import Spec
from designer.document.texts import Text
from designer.editing import forms
from designer.examples import example, examples
from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import field_part, read_part, readings, time_part
from estimator.presentation.design_page import GRAVITY, DesignPage
from estimator.presentation.effects import effects_of
from estimator.presentation.findings_beside import containing_table, findings_by_place, outline_marks
from estimator.presentation.origins import origins
from tests.cases import cases
from tests.contexts import design_page, estimate

SLUGS = [one.slug for one in examples()]
KINDS = {"", "you", "guess", "fitted", "measured"}


def places(spec: Spec) -> list[str]:
    return ["", forms.INSTANCE, *spec.by_id]


def text_of(text: Text | str) -> str:
    return english(text.message, text.params) if isinstance(text, Text) else text


@pytest.fixture(scope="module")
def pages() -> dict[str, DesignPage]:
    return {slug: design_page(example(slug).spec) for slug in ("iot-fleet", "timestamp-first", "campus-cards")}


def test_a_read_through_data_boost_is_said_to_use_no_nodes() -> None:
    boost = {"id": "boost", "routing": "single", "clusters": ["c"], "data_boost": True}
    reads = (
        read_part(id="seen", binds=("device",), rate_per_second=100),
        read_part(id="report", rate_per_second=0.01, app_profile="boost"),
    )
    instance = {"clusters": [{"id": "c", "name": "main"}], "app_profiles": [boost]}
    spec = readings(field_part("device", "#"), time_part(), per_second=100, reads=reads, instance=instance)
    made = estimate(spec)

    names = {read: {effect.name for effect in effects_of(spec, made, read)} for read in ("seen", "report")}

    assert names["seen"] - names["report"] == {"nodes used"}


@cases("slug", SLUGS)
def test_every_effect_is_a_whole_text_with_its_reason(slug: str) -> None:
    spec = example(slug).spec
    made, told = estimate(spec), 0

    for at in spec.by_id:
        for effect in effects_of(spec, made, at):
            assert effect.name
            assert effect.why
            assert "{" not in text_of(effect.value), (at, effect.name)
            told += 1

    assert told > len(spec.tables)
    assert effects_of(spec, made, "nothing") == ()


def test_the_money_beside_the_elements_is_that_of_the_bill() -> None:
    for slug in SLUGS:
        spec = example(slug).spec
        made = estimate(spec)
        if made.bill is None:
            continue
        beside = [
            effect.value.params["cost"].amount
            for at in spec.by_id
            for effect in effects_of(spec, made, at)
            if effect.name == "cost per month" and isinstance(effect.value, Text)
        ]
        of_elements = [line.cost for line in made.bill.lines if line.at in spec.by_id and line.cost is not None]
        assert sum(beside, Decimal()) == sum(of_elements, Decimal()), slug


@cases("slug", SLUGS)
def test_every_control_has_one_origin_and_a_set_number_is_entered(slug: str) -> None:
    spec = example(slug).spec
    made = estimate(spec)

    for at in places(spec):
        found = list(origins(spec, made, at))
        assert max(Counter(one.control for one in found).values(), default=1) == 1
        for one in found:
            assert one.kind in KINDS
            assert bool(one.kind) == bool(one.why), (at, one)
            assert "{" not in text_of(one.why), (at, one)
        kinds = {one.control: one.kind for one in found}
        for control in forms.controls(spec, at) if at != forms.INSTANCE else ():
            kind = kinds[forms.control_id(at, control.field) + "-origin"]
            if type(control.value) in (int, float):
                assert kind in ("you", "measured"), (at, control.field)
            if control.is_guessed:
                assert kind in ("guess", "fitted", "measured"), (at, control.field)


def test_every_finding_stands_beside_its_element_once(pages: dict[str, DesignPage]) -> None:
    for page in pages.values():
        for at in page.spec.by_id:
            shown = [
                remark.finding for _, has_room, remarks in findings_by_place(page, at) if has_room for remark in remarks
            ]
            own = [remark.finding for remark in page.findings_by_element.get(at, ())]
            assert sorted(map(id, shown)) == sorted(map(id, own))
        assert findings_by_place(page, "nothing") == ()


def test_a_mark_of_the_outline_is_the_gravest_and_holders_have_one_too(pages: dict[str, DesignPage]) -> None:
    for page in pages.values():
        marks = dict(outline_marks(page))
        for at, remarks in page.findings_by_element.items():
            severities = {remark.severity for remark in remarks}
            if at in page.spec.by_id and severities - {"accepted"}:
                ((severity, count),) = marks[at].items()
                assert GRAVITY.index(severity) <= min(map(GRAVITY.index, severities))
                assert count >= 1
        for table in page.spec.tables:
            inside = [one.id for kind in table.row_kinds for one in (kind, *kind.segments, *kind.reads, *kind.writes)]
            if any(one in marks for one in inside):
                assert table.id in marks


def test_an_element_of_a_table_is_shown_with_it_and_another_with_the_first(pages: dict[str, DesignPage]) -> None:
    for page in pages.values():
        for table in page.spec.tables:
            for kind in table.row_kinds:
                found = containing_table(page, kind.id)
                assert found is not None
                assert found.table.id == table.id
        first = containing_table(page, page.spec.fields[0].id) if page.spec.fields else None
        assert first is None or first.table.id == page.spec.tables[0].id
