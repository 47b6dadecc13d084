"""Every format: found by its name, given hostile and large designs, and honest about what it leaves out."""

import hashlib
import json
import re

import pytest

from designer.document import Spec, dump, fingerprint, load
from designer.document.load import from_data
from designer.examples import example, examples
from reviews.exports import NAMES, format_named, formats_by_name
from tests.contexts import Content
from tests.designs import forty_tables, hostile, many_tables


def large(name: str) -> Spec:
    """Return a design of many tables; documents for people estimate every one, and show sixteen as they show forty."""
    return many_tables(16) if name in ("pdf", "markdown", "csv") else forty_tables()


DESIGNS = {
    "large": large,
    "hostile": lambda _: hostile(),
    "blank": lambda _: Spec(),
    "tablestore": lambda _: Spec(engine="tablestore"),
}


def test_formats_are_found_by_the_names_of_their_files() -> None:
    assert {"json", "terraform", "cbt"} <= set(NAMES)
    assert all(one.name == name for name, one in formats_by_name().items())


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", NAMES)
def test_every_format_takes_large_hostile_and_blank_designs(name: str, design: str) -> None:
    spec = DESIGNS[design](name)

    made = format_named(name).make(Content(spec))

    assert made.files or made.refusals or design == "blank" or (name, design) == ("code", "tablestore")  # blank, too
    assert len({one.name for one in made.files}) == len(made.files)
    for one in made.files:
        assert "/" not in one.name
        assert one.name[0] != "."
        assert one.name.isprintable()
        assert one.data
    for remark in (*made.notes, *made.refusals):
        assert remark.at == "" or remark.at in spec.by_id
        assert str(remark)


def test_all_formats_go_into_one_folder() -> None:
    clusters = [{"id": "c", "name": "cluster-a", "nodes": {"kind": "fixed", "count": 1}}]
    spec = from_data({"name": "Small", "instance": {"clusters": clusters}})

    names = [file.name for one in formats_by_name().values() for file in one.make(Content(spec)).files]

    assert len(names) == len(set(names)) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_the_same_design_gives_the_same_bytes(name: str) -> None:
    first, second = (format_named(name).make(Content(load(dump(large(name))))) for _ in range(2))

    assert first.files == second.files


def test_the_json_is_the_design_and_its_hash() -> None:
    for one in examples():
        (file,) = format_named("json").make(Content(one.spec)).files

        assert load(file.data) == one.spec
        assert file.text == dump(one.spec)


def test_the_canonical_form_is_what_the_hash_is_of() -> None:
    spec = example("timestamp-first").spec

    made = format_named("json").make(Content(spec, included_parts=frozenset(("findings", "estimate"))))

    data = json.loads(made.files[0].text)
    canonical = json.dumps(data["design"], ensure_ascii=False, separators=(",", ":"))
    assert data["sha256"] == hashlib.sha256(canonical.encode()).hexdigest() == fingerprint(spec)
    assert data["findings"]
    assert data["estimate"]["tables"]
    rare = Spec.model_validate({"name": '天気 \\ " \u2028', "activities": [{"id": "a", "rate_per_second": 2e-05}]})
    for each in (hostile(), rare):  # as docs/spec.md has it: white space outside of strings goes, all else stays
        text = format_named("json").make(Content(each)).files[0].text
        bare = re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda found: found[1] or "", text)
        assert hashlib.sha256(bare.encode()).hexdigest() == fingerprint(each)


def test_a_cluster_without_a_size_is_made_as_large_as_its_first_month_is_billed() -> None:
    content = Content(example("karte").spec)

    script = format_named("cbt").make(content).files[0].text

    billed = next(line.quantity for line in content.estimate.bills[0].lines if line.item == "node")
    assert f" {billed / 730:.0f} SSD" in script
    assert billed / 730 > content.estimate.nodes[0].nodes_by_month[0]
