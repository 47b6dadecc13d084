"""One law for all rules on the real pipeline: the bad is found, the good is quiet, a fix mends and adds nothing."""

import pytest

from designer.document.edits import apply
from designer.examples import examples
from estimator.advice.rules import RULES
from estimator.comparison.fixes import added_findings
from tests.core.advice.published.criticised import CRITICISED
from tests.core.advice.published.recommended import RECOMMENDED
from tests.core.advice.published.systems import SOUND, UNSOUND
from tests.core.advice.rules.catalogue import MUST_BE_CAUGHT, MUST_PASS
from tests.core.advice.rules.pipeline import found, grave, worst


def together(one, group):
    """A case that runs in one process with the others of its group: they ask for the same estimates."""
    return pytest.param(one, marks=pytest.mark.xdist_group(group), id=group)


rules = pytest.mark.parametrize("rule", [together(rule, f"{rule.code}-{rule.name}") for rule in RULES.values()])


@rules
def test_the_bad_example_is_found_with_the_rules_severity(rule):
    assert worst(rule.bad(), rule.code) == rule.severity


@rules
def test_the_good_example_has_no_error_and_no_warning_of_any_rule(rule):
    good = rule.good()

    assert worst(good, rule.code) is None or rule.code == "A001"
    assert {code for code, _ in grave(good)} == set()


@rules
def test_the_near_miss_is_a_note_at_most(rule):
    assert worst(rule.near_miss(), rule.code) in (None, "note")


DESIGNS = {
    **{f"{rule.code}-{rule.name}": rule.bad for rule in RULES.values()},
    **{example.slug: (lambda example=example: example.spec) for example in examples()},
    **{name: caught.spec for name, caught in MUST_BE_CAUGHT.items()},
}
TRADES = {
    ("a readable day first", rule): {"I006"} for rule in ("R001", "R002", "R003")
}  # hours in place of days: of rows that one node writes there are more, and it no longer keeps up
"""By design and rule: what its fix adds. Pages and `lint` say so (`estimator.comparison.fixes`)."""
PUBLISHED = {one.name: one for one in (*RECOMMENDED, *SOUND, *CRITICISED, *UNSOUND)}
PUBLISHED_TRADES = {
    ("A thousand versions of a week", "F011"): {"R001", "R002"},  # what readers need is more than a row should hold
    ("A log of operations in one partition", "K015"): {"I006"},  # its reads are served, and its one partition is not
    ("Salted newest first before the metric", "K021"): {"K007"},  # a random salt stays before what readers know
    **{
        ("Index of chunks by day and metric", rule): {"K013", "K026", "I006"} for rule in ("R001", "R002", "R003")
    },  # rows of an hour are small, and events of an hour go to few of them
}


def check_fixes(name, spec, trades):
    for finding in found(spec):
        if finding.fix is not None:
            mended, _ = apply(spec, finding.fix)

            assert (finding.rule, finding.at) not in {(f.rule, f.at) for f in found(mended) if f.severity != "note"}
            added = added_findings(found(spec), found(mended))
            assert {one.rule for one in added} == trades.get((name, finding.rule), set()), finding.rule


@pytest.mark.parametrize("name", [together(name, name) for name in DESIGNS])
def test_a_fix_silences_its_finding_and_adds_no_error_or_warning(name):
    check_fixes(name, DESIGNS[name](), TRADES)


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_fix_of_a_published_schema_silences_its_finding_and_adds_no_error_or_warning(name):
    check_fixes(name, PUBLISHED[name].spec, PUBLISHED_TRADES)


FIXED = (
    "C002",
    "C003",
    "C009",
    "C011",
    "C012",
    "C014",
    "F002",
    "F003",
    "F004",
    "F005",
    "F008",
    "F011",
    "I003",
    "I005",
    "I006",
    "I008",
    "I014",
    "I019",
    "I027",
    "I028",
    "K004",
    "K005",
    "K006",
    "K007",
    "K008",
    "K009",
    "K010",
    "K011",
    "K012",
    "K015",
    "K017",
    "K019",
    "K021",
    "K022",
    "K023",
    "K025",
    "K028",
    "K029",
    "Q008",
    "Q010",
    "R001",
    "R002",
    "R003",
    "R004",
    "R005",
    "R007",
    "R009",
    "R010",
    "T002",
    "T007",
    "W002",
    "W003",
)


@pytest.mark.parametrize("rule", [together(RULES[code], f"{code}-{RULES[code].name}") for code in FIXED])
def test_the_bad_example_has_a_fix_where_the_catalogue_names_one(rule):
    assert any(f.fix is not None for f in found(rule.bad()) if f.rule == rule.code)


@pytest.mark.parametrize("name", MUST_PASS)
def test_what_the_sources_recommend_passes_without_a_warning(name):
    assert grave(MUST_PASS[name]()) == set()


@pytest.mark.parametrize("name", MUST_BE_CAUGHT)
def test_what_the_sources_warn_of_is_caught(name):
    caught = MUST_BE_CAUGHT[name]

    assert worst(caught.spec(), caught.code) == (caught.severity or RULES[caught.code].severity)


@pytest.mark.parametrize("name", [name for name, caught in MUST_BE_CAUGHT.items() if caught.below])
def test_with_little_load_it_is_a_note_or_gone(name):
    caught = MUST_BE_CAUGHT[name]
    assert caught.below is not None

    assert worst(caught.below(), caught.code) in (None, caught.severity_below)


@pytest.mark.parametrize(
    "example", [together(e, e.slug) for e in examples() if e.group in ("recommended", "time series")]
)
def test_the_recommended_examples_have_no_error_and_no_warning(example):
    assert grave(example.spec) == set()
