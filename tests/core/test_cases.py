"""Cases of one test: all are tried, and those that fail are named."""

import pytest

from tests.cases import cases


def test_every_case_is_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @cases("number, most", [(1, 2), (5, 2), (2, 2), (7, 3)])
    def check_bound(number: int, most: int) -> None:
        tried.append(number)
        assert number <= most

    with pytest.raises(ExceptionGroup, match="2 of 4 cases fail") as failed:
        check_bound()

    assert tried == [1, 5, 2, 7]
    notes = [error.__notes__ for error in failed.value.exceptions]
    assert notes == [["The case: {'number': 5, 'most': 2}"], ["The case: {'number': 7, 'most': 3}"]]


def test_a_test_without_cases_fails() -> None:
    @cases("number", [])
    def check_bound(number: int) -> None:
        raise AssertionError(number)

    with pytest.raises(AssertionError, match="there is no case"):
        check_bound()


def test_a_case_that_is_skipped_keeps_none_of_the_others_from_being_tried() -> None:
    tried = []

    @cases("number", [1, 2, 3])
    def check_bound(number: int) -> None:
        tried.append(number)
        if number == 2:
            pytest.skip("no two")

    with pytest.raises(pytest.skip.Exception, match="no two"):
        check_bound()
    assert tried == [1, 2, 3]


@cases("number", [1, 2])
def test_fixtures_are_given_as_ever(root: object, number: int) -> None:
    assert root
    assert number
