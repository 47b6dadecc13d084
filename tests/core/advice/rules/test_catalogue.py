"""The catalogue's designs are designs."""

from tests.cases import cases
from tests.core.advice.rules.catalogue import MUST_BE_CAUGHT, MUST_PASS


@cases("key", MUST_PASS)
def test_what_must_pass_is_a_design_with_reads(key: str):
    spec = MUST_PASS[key]()

    assert all(kind.reads for _, kind in spec.row_kinds())


@cases("wrong", MUST_BE_CAUGHT)
def test_what_must_be_caught_is_a_design(wrong: str):
    case = MUST_BE_CAUGHT[wrong]

    assert case.spec().tables
    assert case.below is None or case.below().tables
