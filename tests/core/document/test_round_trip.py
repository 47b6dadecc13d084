"""What is written is read back: over documents that hold any part of what a document can hold."""

import copy
import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from designer.document import dump, fingerprint, load
from designer.document.load import from_data
from designer.document.validation_errors import InvalidDocumentError

FULL = json.loads((Path(__file__).parent / "formats" / "1.json").read_text(encoding="utf-8"))


def parts(data, path=()):
    """The paths of everything that can be taken away: values of objects and items of lists."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from parts(value, (*path, key))


PARTS = list(parts(FULL))


def without(paths):
    """The full document without some parts."""
    data = copy.deepcopy(FULL)
    for path in paths:
        place = data
        try:
            for step in path[:-1]:
                place = place[step]
            del place[path[-1]]
        except (KeyError, IndexError):
            continue  # it went with what it was in
    return data


@given(st.lists(st.sampled_from(PARTS), max_size=4, unique=True))
def test_what_is_written_is_read_back(paths):
    try:
        spec = from_data(without(paths))
    except InvalidDocumentError:
        return
    text = dump(spec)

    again = load(text)

    assert again == spec
    assert dump(again) == text
    assert fingerprint(again) == fingerprint(spec)


def test_most_documents_with_something_taken_away_can_still_be_used():
    """The property above is about something."""
    usable = 0
    for path in PARTS[::7]:
        try:
            from_data(without([path]))
            usable += 1
        except InvalidDocumentError:
            continue
    assert usable > len(PARTS[::7]) / 3
