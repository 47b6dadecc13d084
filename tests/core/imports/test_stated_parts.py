"""What several texts state together: the later value counts, a contradiction is named with its place, once."""

import itertools

import pytest

from designer.imports.shared.stated_parts import StatedParts, known_values, merge_stated, stated_families

AGE = {"kind": "max_age", "age_days": 30}
VERSIONS = {"kind": "max_versions", "versions": 1}

TEXTS = (
    StatedParts(instance={"edition": "enterprise"}, whole=frozenset(("clusters",))),
    StatedParts(tables={"t": {"deletion_protection": True, "families": {"f": {"gc": AGE}}}}),
    StatedParts(tables={"t": {"families": {"g": {"gc": VERSIONS}}}, "u": {"split_keys": ["a"]}}),
    StatedParts(clusters={"c": {"nodes": 3}}, app_profiles={"p": {"data_boost": True}}),
)
"""They state different things."""


def test_texts_that_state_different_things_say_the_same_in_any_order() -> None:
    merged = {repr(_in_order(merge_stated(order)[0])) for order in itertools.permutations(TEXTS)}

    assert len(merged) == 1
    assert all(merge_stated(order)[1] == () for order in itertools.permutations(TEXTS))


def _in_order(parts: StatedParts) -> object:
    def ordered(value: object) -> object:
        if isinstance(value, dict):
            return sorted((name, ordered(held)) for name, held in value.items())
        return value

    lists = (parts.instance, parts.tables, parts.clusters, parts.app_profiles)
    return [*(ordered(dict(one)) for one in lists), sorted(parts.whole)]


def test_families_of_one_table_come_together() -> None:
    merged, _ = merge_stated(TEXTS)

    assert merged.tables["t"] == {"deletion_protection": True, "families": {"f": {"gc": AGE}, "g": {"gc": VERSIONS}}}
    assert merged.whole == {"clusters"}


def test_one_text_twice_is_itself() -> None:
    for one in TEXTS:
        assert merge_stated((one, one)) == (one, ())


def test_nothing_is_empty_and_a_whole_list_is_not() -> None:
    assert merge_stated(())[0].is_empty
    assert not StatedParts(whole=frozenset(("tables",))).is_empty
    assert not any(one.is_empty for one in TEXTS)


@pytest.mark.parametrize(
    ("first", "second", "places"),
    [
        (StatedParts(instance={"edition": "a"}), StatedParts(instance={"edition": "b"}), ("instance: edition",)),
        (StatedParts(clusters={"c": {"nodes": 3}}), StatedParts(clusters={"c": {"nodes": 4}}), ("c: nodes",)),
        (StatedParts(clusters={"c": {"nodes": 3}}), StatedParts(clusters={"d": {"nodes": 4}}), ()),
        (StatedParts(clusters={"c": {"nodes": 3}}), StatedParts(clusters={"c": {"nodes": None}}), ("c: nodes",)),
        (StatedParts(instance={"name": "a"}), StatedParts(instance={"name": "b"}), ()),
        (
            StatedParts(tables={"t": {"families": {"f": {"gc": AGE}}}}),
            StatedParts(tables={"t": {"families": {"f": {"gc": VERSIONS}}}}),
            ("t / f: gc",),
        ),
        (
            StatedParts(tables={"t": {"families": {"f": {"gc": AGE}}}}),
            StatedParts(tables={"t": {"families": {"f": {"kind": "ordinary"}}}}),
            (),
        ),
    ],
)
def test_a_contradiction_is_named_and_the_later_text_counts(
    first: StatedParts, second: StatedParts, places: tuple[str, ...]
) -> None:
    merged, conflicts = merge_stated((first, second))

    assert conflicts == places
    for name in ("clusters", "app_profiles"):
        for key, values in second.of_list(name).items():
            assert merged.of_list(name)[key].items() >= values.items()
    assert merged.instance.items() >= second.instance.items()


def test_a_contradiction_of_three_texts_is_named_once() -> None:
    texts = [StatedParts(clusters={"c": {"nodes": nodes}}) for nodes in (3, 4, 5)]

    merged, conflicts = merge_stated(texts)

    assert (conflicts, merged.clusters["c"]["nodes"]) == (("c: nodes",), 5)


def test_what_was_not_understood_is_not_stated() -> None:
    families = [{"name": "f", "gc": AGE}, {"name": "g"}]

    assert stated_families(families, {"f": {"gc"}}) == {
        "f": {"kind": "ordinary"},
        "g": {"gc": None, "kind": "ordinary"},
    }
    assert known_values({"a": 1, "b": None}, ("a", "z")) == {"b": None}
