"""Parts of a design in words, and keys cut into their segments."""

import pytest

from designer.document import load
from designer.document.access import Read
from designer.document.assumptions import assumptions
from designer.document.family import Intersection, MaxAge, MaxVersions, Never, Union
from designer.document.key import FieldSegment
from designer.document.load import from_data
from designer.examples import example, examples
from designer.wording import (
    describe_read,
    describe_value,
    element_label,
    element_locations,
    field_title,
    gc_sentence,
    key_chips,
    key_of,
    key_text,
)
from designer.wording.formatting import english
from designer.wording.markdown import prose
from estimator.presentation.locations import element_path
from estimator.presentation.segments import split_key
from estimator.results import SegmentFacts
from tests.cases import cases

FLEET = example("iot-fleet").spec


@pytest.mark.parametrize(
    ("gc", "sentence"),
    [
        (None, "No garbage collection is specified: all cells are kept."),
        (MaxVersions(versions=1), "Keeps only the newest cell of each column."),
        (MaxAge(age_days=30), "Deletes cells older than 30 days."),
        (Never(), "Keeps all cells intentionally."),
        (
            Union(
                rules=(
                    Union(rules=(MaxAge(age_days=7),)),
                    Intersection(rules=(MaxVersions(versions=3), MaxAge(age_days=1))),
                )
            ),
            "Deletes a cell when it is older than 7 days or (not among the newest 3 and older than 1 day).",
        ),
    ],
)
def test_garbage_collection_is_a_sentence(gc, sentence):
    assert gc_sentence(gc).translate(english) == sentence


def test_a_key_is_shown_in_one_line():
    kinds = {kind.id: key_text(FLEET, kind.segments) for _, kind in FLEET.row_kinds()}

    assert kinds["vehicle-day"] == '{fleet}#{vehicle}#{time:day:"%Y%m%d"}'


def test_what_has_no_name_is_called_by_what_it_is_for_never_by_its_place_in_the_file():
    spec = load(
        "activities:\n  An order is placed: 5/s\n"
        "tables:\n  orders:\n    key: '{time}'\n    writes: [An order is placed]\n"
    )
    kind = spec.tables[0].row_kinds[0]

    assert element_label(spec, kind.writes[0].id) == "An order is placed"
    assert element_path(spec, kind.writes[0].id) == "orders / An order is placed"
    assert element_path(spec, kind.id) == "orders"


def test_an_element_is_placed_by_the_names_around_it():
    at = element_locations(FLEET)

    assert at["tele-day"] == ("telemetry", "time")
    assert at["vehicle-day"] == ("telemetry", "One vehicle, one day")
    assert at["fleet"] == ("fleet",)
    assert set(at) == set(FLEET.by_id)
    assert element_label(FLEET, "gone") == "gone"


def test_a_read_says_what_its_caller_knows():
    reads = {read.id: read for _, kind in FLEET.row_kinds() for read in kind.reads}

    assert [part.translate(english) for part in describe_read(FLEET, reads["read-track"])] == [
        "fleet",
        "vehicle",
        "the exact time",
    ]


def test_a_read_says_where_its_scan_ends_and_what_a_filter_keeps():
    def parts(**settings):
        return [part.translate(english) for part in describe_read(FLEET, Read(id="r", **settings))]

    assert parts(row_limit=20, match_share=0.1) == [
        "the first 20 rows in key order",
        "a filter that keeps 10\N{NO-BREAK SPACE}% of the rows",
    ]
    assert parts(row_limit=1, reverse=True) == ["the last row in key order", "reverse scan"]


@cases("slug", [one.slug for one in examples()])
def test_every_guess_of_every_example_can_be_said(slug):
    spec = example(slug).spec

    for assumption in assumptions(spec):
        title, unit = field_title(spec, assumption.at, assumption.name)
        assert title
        assert describe_value(assumption.value, unit).translate(english)


def facts(least: int, most: int) -> SegmentFacts:
    return SegmentFacts("s", least, float(most), most, 1.0, None, least == most, True, True)


@pytest.mark.parametrize(
    ("key", "first", "pieces"),
    [
        (b"ab#c", facts(3, 3), ((0, "ab", "#"), (1, "c", ""))),
        (b"abc#d", facts(2, 9), ((0, "abc", "#"), (1, "d", ""))),
        (b"a\xff#d", facts(2, 9), ((0, "a\\xff", "#"), (1, "d", ""))),
        (b"abcd", facts(2, 9), ((0, "abcd", ""),)),
    ],
)
def test_a_key_is_cut_into_its_segments(key, first, pieces):
    segments = (FieldSegment(id="a", field="f", after="#"), FieldSegment(id="b", field="g"))

    assert split_key(key, segments, (first, facts(0, 9))) == pieces


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a `key` and *more*", "<p>a <code>key</code> and <em>more</em></p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("![x](https://example.com/x.png)", '<p>!<a href="https://example.com/x.png">x</a></p>'),
    ],
)
def test_markdown_from_people_is_safe(text, html):
    assert prose(text).strip() == html


def test_a_chip_shows_a_name_of_any_letters_as_it_is() -> None:
    spec = from_data({
        "fields": [{"id": "a", "name": "テナント"}, {"id": "b", "name": "order id"}, {"id": "c", "name": "device"}],
        "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": [
            {"id": "s1", "kind": "field", "field": "a"},
            {"id": "s2", "kind": "field", "field": "b", "transforms": [{"kind": "pad", "width": 6}]},
            {"id": "s3", "kind": "field", "field": "c"},
        ]}]}],
    })  # fmt: skip
    (kind,) = spec.tables[0].row_kinds

    assert [chip.form for chip in key_chips(spec, kind.segments)] == ["テナント", "order id:pad6", "device"]
    assert key_of(spec, kind) == '{field("テナント")}{field("order id"):pad6}{device}', "the text can be read again"
