"""Many small cases as one test: of each test that is told apart, pytest and its processes take 4 milliseconds."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

Test = Callable[..., None]
CASE_LENGTH = 300
"""Characters of a case that are shown: some are whole designs."""


def cases(names: str, values: Iterable[Any]) -> Callable[[Test], Test]:
    """Return a decorator that runs a test with each value, as `pytest.mark.parametrize` does, and names all that fail.

    For tests that take no fixture of their own: what a fixture makes would be the same for all cases.
    """
    parameters, listed = [name.strip() for name in names.split(",")], list(values)
    assert not any(isinstance(value, ParameterSet) for value in listed), "marks of a case would be lost"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name not in parameters]

        @functools.wraps(test)
        def run_all(**fixtures: Any) -> None:
            assert listed, "there is no case"
            failures, skipped = [], None
            for value in listed:
                arguments = dict(zip(parameters, value if len(parameters) > 1 else [value], strict=True))
                try:
                    test(**fixtures, **arguments)
                except pytest.skip.Exception as skip:
                    skipped = skip
                except Exception as error:
                    error.add_note(f"The case: {arguments}"[:CASE_LENGTH])
                    failures.append(error)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(listed)} cases fail", failures)
            if skipped is not None:
                raise skipped

        run_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return run_all

    return decorate
