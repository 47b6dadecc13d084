"""What is at stake in the findings of a design, for the summary of a review."""

from designer.examples import example
from estimator.presentation.stakes import Stakes, stakes
from tests.contexts import design_page


def _by_rule(slug: str) -> dict[str, Stakes]:
    page = design_page(example(slug).spec)
    return {remark.finding.rule: stakes(page, remark) for remark in page.risks}


def test_a_key_that_starts_with_time_refuses_load_and_a_missing_backup_can_lose_data() -> None:
    found = _by_rule("timestamp-first")
    refused, lost = found["K004"], found["I024"]
    assert refused.figure
    assert 0 < refused.figure.params["refused_share"] < 1
    assert refused.when
    assert refused.when.params["last_month"].year == 2027
    assert lost.figure
    assert lost.figure.params["lost_bytes"] > 0
    assert lost.when
    assert lost.when.message == "any day"


def test_expired_cells_cost_money() -> None:
    found = _by_rule("karte")["F009"]
    assert found.figure
    assert found.figure.params["total_cost"].amount > 0


def test_a_growing_row_has_the_day_from_which_it_is_too_large() -> None:
    found = _by_rule("balloon-without-bucket")["F004"]  # nothing collects the family, so that its rows grow
    assert found.figure
    assert found.figure.params["largest_bytes"] > 0
    assert found.when
    assert found.when.params["first_month"].isoformat() == "2027-06-02"
