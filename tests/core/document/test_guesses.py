"""What is assumed where nothing is set, and what is not."""

from designer.document import Spec, assumed, assumptions, guess, load
from designer.document.guesses import DEFAULT, capacity


def _guessed(spec: Spec) -> dict[tuple[str, str], object]:
    return {(found.at, found.name): found.value for found in assumptions(spec)}


def test_the_instances_guesses_are_the_designs() -> None:
    spec = load("""{"instance": {"clusters": [
      {"id": "c", "nodes": {"kind": "autoscaling", "min": 1, "max": 3}}]}}""")

    guessed = _guessed(spec)

    assert guessed["", "instance.edition"] == "enterprise"
    assert guessed["", "horizon_months"] == 12
    assert guessed["c", "nodes.cpu_target"] == 0.6
    assert not any(name == "edition" for at, name in guessed)


def test_what_another_engine_has_is_not_assumed() -> None:
    here, there = (_guessed(Spec(engine=engine)) for engine in ("bigtable", "tablestore"))

    assert ("", "instance.tablestore_type") not in here
    assert ("", "instance.edition") not in there
    assert there["", "instance.tablestore_type"] == "high_performance"


def test_what_has_no_meaning_beside_the_rest_is_not_assumed() -> None:
    spec = load("""{"fields": [{"id": "at", "name": "created_at"}, {"id": "user", "name": "user"}],
      "tables": [{"id": "t", "rows_stored": 5, "row_kinds": [{"id": "r",
        "key": [{"id": "k1", "kind": "time"}, {"id": "k2", "kind": "time", "reversed": true}]}]}]}""")

    guessed = _guessed(spec)

    assert ("at", "values") not in guessed
    assert ("user", "fan_out") not in guessed
    assert ("t", "history_months") not in guessed
    assert ("k1", "reverse_from") not in guessed
    assert guessed["k2", "reverse_from"] == 2**63 - 1


def test_every_guess_says_why() -> None:
    spec = load("""{"fields": [{"id": "user", "name": "user"}], "activities": [{"id": "a"}],
      "tables": [{"id": "t", "backups": [{"id": "b"}], "tablestore": {},
        "row_kinds": [{"id": "r", "writes": [{"id": "w"}], "reads": [{"id": "q"}],
          "key": [{"id": "k", "kind": "time", "reversed": true}]}],
        "families": [{"id": "f", "columns": [{"id": "c"}]}]}],
      "instance": {"clusters": [{"id": "tokyo", "nodes": {"kind": "autoscaling", "min": 1, "max": 3}}]}}""")
    for engine in ("bigtable", "tablestore"):
        for found in assumptions(spec.model_copy(update={"engine": engine})):
            assert found.why, found
            assert found.why != DEFAULT, found


def test_what_is_set_is_no_guess() -> None:
    spec = load('{"fields": [{"id": "user", "name": "user", "distinct": 7}]}')

    assert assumed(spec, spec.fields[0], "distinct") == 7
    assert ("user", "distinct") not in _guessed(spec)


def test_a_guess_never_makes_a_field_contradict_itself() -> None:
    spec = load('{"fields": [{"id": "a", "name": "is_open", "distinct": 9}, {"id": "b", "name": "has_tea"}]}')

    assert assumed(spec, spec.fields[0], "kind") == "string"
    assert assumed(spec, spec.fields[1], "kind") == "boolean"
    assert capacity(spec, spec.fields[1]) == 2
    assert assumed(spec, spec.fields[1], "distinct") == 2


def test_a_changed_copy_guesses_anew() -> None:
    spec = load("""{"fields": [{"id": "device", "distinct": 60}],
      "activities": [{"id": "ping", "arrival": {"kind": "every", "seconds": 60, "field": "device"}}]}""")
    assert guess(spec, spec.activities[0], "rate_per_second").value == 1
    more = spec.fields[0].model_copy(update={"distinct": 120})

    changed = spec.model_copy(update={"fields": (more,)})

    assert changed.find("device").distinct == 120
    assert guess(changed, changed.activities[0], "rate_per_second").value == 2
