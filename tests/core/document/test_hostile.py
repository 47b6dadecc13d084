"""Files made to be slow: the work that they cause is bounded, told by what is counted and never by a clock."""

import json

import pytest

from designer.document import InvalidDocumentError, load
from designer.document.field import Random, alphabet, alphabet_size
from designer.document.lines import index_lines
from tests.cases import cases


@cases("text", ["a-z0-9", "abca-c", "c-ab", "a-cb-d", "-", "a-", "", "a-a", "é-~", "z-az"])
def test_an_alphabets_size_is_known_without_making_it(text: str) -> None:
    assert alphabet_size(text) == len(alphabet(text)) == len(set(alphabet(text)))


def test_a_huge_alphabet_written_often_is_counted_and_made_once() -> None:
    huge = "".join(f"{chr(n)}-{chr(0x10FFFF - n)}" for n in range(1, 300))

    assert alphabet_size(huge) == 0x10FFFE - 2_048  # from 1, without halves of characters
    assert Random(min=1, max=1, alphabet="\u0001-\uffff").letters.encode()


def test_designs_are_checked_without_making_their_alphabets() -> None:
    alphabet.cache_clear()

    load(json.dumps({"fields": [{"values": {"kind": "random", "min": 1, "max": 64, "alphabet": "\u0000-\uffff"}}]}))

    assert alphabet.cache_info().misses == 0


def test_lines_are_kept_only_of_what_is_asked_for() -> None:
    text = '{"fields": [' + ",\n".join(['{"a": [1, 2]}'] * 1_000) + "]}"

    found = index_lines(text, [("fields", 4, "a", 1)])

    assert found.line(("fields", 4, "a", 1)) == 5
    assert len(found.by_path) < 20


def test_doubled_keys_are_looked_for_only_so_long() -> None:
    assert len(index_lines("[" + ",".join(['{"a": 1, "a": 2}'] * 1_000) + "]").duplicates) == 100


def test_one_part_tells_few_flaws() -> None:
    pattern = "".join(f"%{chr(n)}" for n in range(0x4E00, 0x4E00 + 50))
    with pytest.raises(InvalidDocumentError) as refused:
        load(json.dumps({"tables": [{"row_kinds": [{"key": [{"kind": "time", "pattern": pattern}]}]}]}))

    assert len(refused.value.problems) == 20
