"""What reads ask for, as people write it in a first file: what is found, how gravely, and what is not said."""

import textwrap

import pytest

from designer.document.load import load
from estimator.advice.questions import lint
from estimator.results import Finding, HotRow, ReadPlan, each_finding
from tests.contexts import context, estimate


def _text(key: str, read: str, **more: str) -> str:
    """Return a design of one table as YAML."""
    parts = {"fields": "", "rate": "1k/s", "mode": "", "gc": "max_age(30d)", "column": "c: text(300B)", **more}
    fields = "\n".join(f"  {line.strip()}" for line in parts["fields"].split(";") if line.strip())
    return textwrap.dedent(f"""
        start: 2027-01-01
        fields:
        FIELDS
        activities:
          event: {parts["rate"]}
        tables:
          t:
            key: '{key}'
            writes:
              - event{parts["mode"]}
            reads:
              asked: {read}
            families:
              f:
                gc: {parts["gc"]}
                columns:
                  {parts["column"]}
        """).replace("FIELDS", fields)


def _found(text: str) -> dict[str, Finding]:
    spec = load(text, name="t.keywright.yaml")
    return {each.rule: each for each in each_finding(lint(spec, estimate(spec), context()))}


def _plan(text: str) -> ReadPlan:
    spec = load(text, name="t.keywright.yaml")
    return next(iter(estimate(spec).tables.values())).reads[0]


CHANNEL = "channel: distinct=1M, popularity=uniform; u: kind=uuid"
LOUD = "(channel, popularity=weights(weights=[40], rest=60))"


def test_reads_of_the_same_rows_by_everybody_are_found() -> None:
    loud = _text("{channel}#{time:rev}#{u}", f"60k/s by {LOUD}, newest_rows=50", fields=CHANNEL)
    calm = _text("{channel}#{time:rev}#{u}", "60k/s by channel, newest_rows=50", fields=CHANNEL)

    found = _found(loud)["K014"]

    assert found.severity in ("error", "warning")
    assert found.params["row_share"] == pytest.approx(0.4)
    assert found.params["rate_per_second"] == pytest.approx(24_000)
    assert "K014" not in _found(calm)


def test_a_long_range_is_not_one_that_is_always_read() -> None:
    spec = load(_text("{channel}#{time}#{u}", f"10/s by {LOUD}", fields=CHANNEL, rate="5M/s"), name="t.keywright.yaml")

    rows = next(iter(estimate(spec).tables.values())).traffic.hot_rows  # type: ignore[union-attr]

    assert not any(isinstance(row, HotRow) and row.is_range for row in rows)


def test_a_scan_of_everything_that_nothing_can_serve_is_an_error() -> None:
    found = _found(_text("{message_id}", "200/s by user", fields="message_id: kind=uuid; user: distinct=2M"))["Q001"]

    assert found.severity == "error"
    assert "not known" not in str(found)


def test_a_limit_counts_the_rows_that_have_what_is_asked_for() -> None:
    fields = "user: distinct=30M, popularity=uniform; city: distinct=50k"
    text = _text("{user}", "20/s by city, row_limit=100", fields=fields, mode=", mode=overwrite", gc="max_versions(1)")

    plan = _plan(text)

    assert plan.rows_scanned == pytest.approx(100 * 50_000, rel=0.01)
    assert plan.rows_returned == pytest.approx(100)
    assert _found(text)["Q002"].severity == "warning"


def test_an_hour_of_versions_of_a_season_is_found() -> None:
    read, fields = "50/s by pet, time=1h", "pet: distinct=100k, popularity=uniform"
    text = _text(
        "{pet}", read, fields=fields, rate="20k/s", mode=", mode=new_cell", gc="max_age(90d)", column="c: integer"
    )

    found = _found(text)["Q010"]

    assert found.severity == "warning"
    assert found.params["bucket_days"] == pytest.approx(90, rel=0.05)
    assert "Q010" not in _found(text.replace("time=1h", "time=1h, cell_days=0.04"))


@pytest.mark.parametrize(("asked", "severity"), [("50/s by term", "warning"), ("50/s by term, latency=batch", "note")])
def test_a_range_that_nobody_can_wait_for_is_a_warning(asked: str, severity: str) -> None:
    fields = "term: distinct=2M, busiest_share=5%; doc: distinct=500M, popularity=uniform"

    assert _found(_text("{term}#{doc}", asked, fields=fields, rate="50k/s"))["Q007"].severity == severity


def test_cells_that_are_not_collected_yet_ask_for_no_finer_bucket() -> None:
    text = _text(
        '{campaign}#{time:hour:"%Y%m%d%H"}', "50/s by campaign, time=1d",
        fields="campaign: distinct=5k, busiest_share=5%", rate="200k/s", mode=", mode=overwrite",
        gc="max_versions(1)", column="n: integer",
    )  # fmt: skip

    found = _found(text)

    assert "R003" not in found
    assert "K014" in found


def test_who_reports_every_ten_seconds_meets_no_event_of_its_own_wherever_it_is() -> None:
    text = _text(
        "{cell}#{time:rev}#{vehicle}", "20/s by cell, newest_rows=10",
        fields="cell: distinct=5M; vehicle: distinct=200k, belongs_to=-", rate="each vehicle every 10s",
    )  # fmt: skip

    assert "K012" not in _found(text)


def test_a_beginning_leaves_a_part_of_what_is_below_its_owner() -> None:
    fields = (
        "bucket: distinct=1M, popularity=uniform; object: distinct=2000M, belongs_to=bucket, values=random(20, 200)"
    )
    text = _text(
        "{bucket}/{object}", "5/s by bucket & (object, prefix=true), row_limit=1000",
        fields=fields, mode=", mode=overwrite", gc="max_versions(1)",
    )  # fmt: skip

    assert _plan(text).rows_scanned == pytest.approx(2_000**0.5, rel=0.2)


def test_who_names_rows_that_exist_is_told_of_one_at_least() -> None:
    plan = _plan(
        _text("{tree}#{branch}#{node}", "5/s by tree & branch", fields="tree: kind=uuid; branch: kind=uuid; node: {}")
    )

    assert plan.rows_scanned < 1
    assert plan.rows_to_scan == 1
