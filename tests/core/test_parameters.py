"""What a request says: the last of what stands twice, lines that can be stored, and nothing where it is no number."""

import pytest
from django.http import QueryDict

from designer.http.parameters import LONGEST_LINE, RequestParameters, UnreadableInputError, is_storable, one_line


def parameters(query: str) -> RequestParameters:
    return RequestParameters(QueryDict(query))


def test_of_several_texts_of_a_name_the_last_one_counts_and_all_can_be_asked_for() -> None:
    said = parameters("at=t&at=f&of=writes&at=")

    assert (said["at"], said.get("against", "none"), said.texts("at")) == ("", "none", ["t", "f", ""])
    assert (list(said), len(said)) == (["at", "of"], 2)
    assert said.lists() == {"at": ["t", "f", ""], "of": ["writes"]}
    with pytest.raises(KeyError):
        said["against"]


@pytest.mark.parametrize("query", ["name=a%00b", "a%00=b", "name=fine&name=%00"])
def test_what_no_database_stores_is_refused_wherever_it_stands(query: str) -> None:
    with pytest.raises(UnreadableInputError):
        parameters(query)


def test_half_a_character_is_not_storable_and_a_whole_one_is() -> None:
    assert [is_storable(text) for text in ("plain", "h\u00f6he \U0001f388", "\ud83c", "\ud83ca", 7)] == [
        True, True, False, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  two\n lines\tand\u2028more ", "two lines and more"),
        ("cafe\u0301", "caf\u00e9"),
        ("\u202eevil\u2066", "evil"),
        ("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200d\u0937"),
        ("bell\x07", "bell"),
        ("", ""),
    ],
)
def test_a_line_has_visible_characters_only_in_their_composed_form(text: str, line: str) -> None:
    assert one_line(text) == line


def test_endless_accents_on_one_letter_take_no_time_and_change_no_other_word() -> None:
    accents = "a" + "\u0301\u0323" * 100_000  # to compose them takes twenty seconds

    assert one_line(f"cafe\u0301 {accents}") == f"caf\u00e9 {accents}"


def test_a_line_is_cut_and_does_not_end_in_a_space() -> None:
    said = QueryDict(mutable=True)
    said["name"] = "a" * (LONGEST_LINE - 1) + " bc"

    assert RequestParameters(said).line("name") == "a" * (LONGEST_LINE - 1)
    assert RequestParameters(said).line("name", most=3) == "aaa"
    assert RequestParameters(said).line("title") == ""


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), (" 7 ", 7), ("9", None), ("1", None), ("7.0", None), ("x", None), ("", None)]
)
def test_a_number_is_a_whole_one_between_the_bounds(text: str, number: int | None) -> None:
    assert parameters(f"n={text}").number("n", minimum=2, maximum=8) == number


def test_a_choice_is_one_that_there_is() -> None:
    assert parameters("by=cost").choice("by", ("name", "cost"), "name") == "cost"
    assert parameters("by=price").choice("by", ("name", "cost"), "name") == "name"
    assert parameters("").choice("by", ("name", "cost"), "name") == "name"


def test_a_query_inside_of_a_query_is_read_as_one() -> None:
    said = parameters("next=at%3Dt%26of%3Da%2526b")

    assert dict(said.nested_query("next")) == {"at": "t", "of": "a&b"}
    assert dict(said.nested_query("back")) == {}


def test_data_is_what_the_text_holds_and_a_broken_text_is_refused() -> None:
    said = parameters("edit=%7B%22at%22%3A%201%7D&broken=%7B")

    assert said.json_data("edit") == {"at": 1}
    assert said.json_data("none") is None
    assert said.json_data("none", "[]") == []
    with pytest.raises(UnreadableInputError):
        said.json_data("broken")
