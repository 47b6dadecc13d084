"""One stored file for each format that ever was: it holds every part once and loads to the same content for ever."""

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest

from designer.document import FORMAT, dump, fingerprint, load
from designer.document.base import Model, walk
from designer.document.schema import classes

FOLDER = Path(__file__).parent / "formats"
FINGERPRINTS = {1: "39f5222898c51ef29b37f867ca2437ce314c202897f45e3ef99a7f351eeda46b"}

ONE_OF_SEVERAL = {"Commitment.all_nodes", "Commitment.nodes"}
"""A commitment says one of three; the file says dollars."""


def stored(number: int) -> str:
    return (FOLDER / f"{number}.json").read_text(encoding="utf-8")


def test_every_format_has_its_file() -> None:
    assert {int(path.stem) for path in FOLDER.glob("*.json")} == set(range(1, FORMAT + 1)) == FINGERPRINTS.keys()


@pytest.mark.parametrize("number", FINGERPRINTS)
def test_a_stored_file_loads_to_what_it_always_was(number: int) -> None:
    assert fingerprint(load(stored(number))) == FINGERPRINTS[number]


def test_the_newest_file_comes_back_letter_by_letter() -> None:
    spec = load(stored(FORMAT))

    assert dump(spec) == stored(FORMAT)
    assert load(dump(spec)) == spec


def test_the_newest_file_holds_every_class() -> None:
    held = {type(part) for part in walk(load(stored(FORMAT)))}

    assert [model.__name__ for model in classes() if model not in held] == []


def test_the_newest_file_sets_every_field_to_something_else_than_its_default() -> None:
    parts = list(walk(load(stored(FORMAT))))
    names = {(model, name) for model in classes() for name in model.model_fields if not _fixed(model, name)}
    set_ = {(type(part), name) for part in parts for name in type(part).model_fields if _differs(part, name)}

    missing = {f"{model.__name__}.{name}" for model, name in names - set_}
    assert missing - ONE_OF_SEVERAL == {"Spec.engine", *(f"{kind}Segment.after" for kind in UNDELIMITED)}


UNDELIMITED = ("Time", "Hash", "Salt", "Derived")
"""Segments that stand without a delimiter in the file; `after` is one field of all segments."""


def _fixed(model: type[Model], name: str) -> bool:
    """Whether the field can have one value only, as a union's `kind`."""
    annotation = model.model_fields[name].annotation
    return get_origin(annotation) is Literal and len(get_args(annotation)) == 1


def _differs(part: Model, name: str) -> Any:
    field = type(part).model_fields[name]
    return field.is_required() or getattr(part, name) != field.get_default()
