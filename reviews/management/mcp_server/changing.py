"""Consequences of changes, simulations, pictures and exports of a design, as results of tools."""

from collections.abc import Iterable
from itertools import islice
from typing import Literal

import numpy as np

from designer.document import Spec
from designer.document.edits import apply
from designer.wording.formatting import english, number
from estimator.advice.questions import lint
from estimator.comparison.designs import Comparison, DescribedChange, DesignWithEstimate, align, compare
from estimator.comparison.designs.change_messages import consequences
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.presentation.charts.heatmap import heatmap
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.lint_reports.checked_design import CheckedDesign, sentence
from estimator.presentation.segments import key_reader
from estimator.results import Finding, NotComputableError, each_finding
from estimator.simulation import Parameters, Plan, Simulation, simulate
from reviews.exports import NAMES, ExportContent, File, format_named
from reviews.exports.shared.content import CODE_LANGUAGES

from . import results
from .judging import OpenDesign, find_named_table
from .stores import StoreError

MOST_CHANGES = 30
MOST_FIXES = 20
"""As many as `lint` checks for what they add."""
MOST_FILE_CHARACTERS = 40_000
MOST_PLAY_SECONDS = 60.0
MOST_PLAY_BYTES = 1_000_000_000
MOST_SPLITS = 20


def comparison(before: OpenDesign, after: OpenDesign, *, first: int = 1) -> results.DesignComparison:
    """Return what is otherwise in the second design, from one change on."""
    alignment = align(before.spec, after.spec)

    def side(spec: Spec) -> DesignWithEstimate:
        # Both sides in one context: two days or price books would look like a difference of the designs.
        return _side(spec, before.context)

    report = compare(side(before.spec), side(alignment.spec), alignment=alignment, compute=side)
    changes = list(islice((change for change in report.changes if change.number >= first), MOST_CHANGES))
    difference = report.bill.difference
    bill = report.after.estimate.bill or report.before.estimate.bill
    return results.DesignComparison(
        before=before.stored.name,
        after=after.stored.name,
        changes=[_change(report, change) for change in changes],
        left_out=len(report.changes) - len(changes),
        monthly_difference=None if difference is None else str(difference.amount),
        currency=bill.currency if bill else "",
        bill_notes=[english(note.message, note.params) for note in report.bill.notes],
        findings_gone=_findings(report.together.gone),
        findings_came=_findings(report.together.came),
    )


def _side(spec: Spec, context: Context) -> DesignWithEstimate:
    figures = estimate(spec, context)
    return DesignWithEstimate(spec, figures, lint(spec, figures, context))


def _change(comparison: Comparison, described: DescribedChange) -> results.ChangeSummary:
    change = described.change
    return results.ChangeSummary(
        number=described.number,
        sign=change.sign,
        what=change.what,
        at=change.at if change.sign == "removed" else comparison.own_id(change.at),
        place=list(change.place),
        was=english(change.was.message, change.was.params),
        now=english(change.now.message, change.now.params),
        consequences=[
            english(consequence.text.message, consequence.text.params)
            for consequence in consequences(described.stored, described.step.effects)
        ],
    )


def _findings(findings: Iterable[Finding]) -> list[results.FindingChange]:
    return [
        results.FindingChange(rule=finding.rule, severity=finding.severity, at=finding.at, message=sentence(finding))
        for finding in findings
    ]


def fix_listing(design: OpenDesign) -> results.FixListing:
    """Return the fixes of a design's findings, consequences among them, each with what it adds."""
    checked = design.check(with_fixes=True)
    fixable = {(finding.rule, finding.at): finding for finding in each_finding(checked.findings) if _has_fix(finding)}
    fixes = list(fixable.values())[:MOST_FIXES]
    return results.FixListing(
        **design.names, fixes=[_fix(checked, finding) for finding in fixes], left_out=len(fixable) - len(fixes)
    )


def _has_fix(finding: Finding) -> bool:
    return finding.fix is not None and finding.ignored is None


def _fix(checked: CheckedDesign, finding: Finding) -> results.FixSummary:
    added = checked.added_by_fix(finding)
    return results.FixSummary(
        rule=finding.rule,
        at=finding.at,
        place=checked.place(finding),
        severity=finding.severity,
        sentence=sentence(finding),
        fix=english(finding.fix_label, finding.params),
        is_safe=finding.fix_safe,
        adds=None if added is None else _findings(added),
    )


def fixed(design: OpenDesign, rule: str, at: str) -> OpenDesign:
    """Return the design with the fix of one finding.

    Raises
    ------
    StoreError
        If there is no such finding, or it has no fix.
    EditConflictError
        If the fix does not apply.
    """
    _, finding = design.find(rule, at)
    if finding.fix is None:
        raise StoreError(f"The finding of {rule} has no fix: change the document, then lint it again.")
    following, _ = apply(design.spec, finding.fix)
    return design.with_spec(following)


def changed_design(design: OpenDesign) -> results.ChangedDesign:
    """Return what is found in a design that was written."""
    severities = [finding.severity for finding in design.check().findings if finding.ignored is None]
    counts = {f"{name}s": severities.count(name) for name in ("error", "warning", "question")}
    return results.ChangedDesign(**design.names, **counts)


def simulation_summary(design: OpenDesign, period: Literal["day", "month"], seed: int) -> results.SimulationSummary:
    """Return what a day or a month shows; what takes long is refused before it begins."""
    try:
        played = simulate(design.spec, design.context, Parameters(kind=period, seed=seed), allowed=_check_plan)
    except NotComputableError as error:
        reason = english(error.because.message, error.because.params)
        raise StoreError(f"This cannot be simulated yet: {reason}") from error
    return results.SimulationSummary(
        **design.names,
        period=period,
        first=played.window_starts[0].isoformat(),
        last=played.window_starts[-1].isoformat(),
        operations=played.events,
        diagnoses=[
            results.FindingChange(
                rule=diagnosis.rule,
                severity=diagnosis.severity,
                at=diagnosis.at,
                message=english(diagnosis.message, diagnosis.params),
            )
            for diagnosis in played.diagnoses
        ],
        tables=_played_tables(played),
        clusters=_played_clusters(played),
        monthly_cost=None if played.cost is None else f"{'≥ ' if played.cost_at_least else ''}{played.cost}",
        currency=played.currency,
    )


def _check_plan(plan: Plan) -> None:
    # A tool that does not answer for minutes is given up by its client, and goes on computing here.
    if plan.seconds > MOST_PLAY_SECONDS or plan.memory_bytes > MOST_PLAY_BYTES:
        raise StoreError(
            f"This would take about {plan.seconds:.0f} seconds and {plan.memory_bytes >> 20} MiB, more than a tool "
            "may: simulate a day in place of a month, or start a run on a site."
        )


def _played_tables(played: Simulation) -> list[results.PlayedTable]:
    return [
        results.PlayedTable(
            name=played.names.get(name, name),
            tablets=_range(table.tablets.min(), table.tablets.max()),
            hottest_key=table.hot_keys[0].text if table.hot_keys else None,
            hottest_key_share=table.hot_keys[0].share if table.hot_keys else None,
            split_keys=[key.text for key in table.split_keys.keys[:MOST_SPLITS]],
        )
        for name, table in played.tables.items()
    ]


def _played_clusters(played: Simulation) -> list[results.PlayedCluster]:
    return [
        results.PlayedCluster(
            name=played.names.get(cluster.cluster, cluster.cluster) or "the service",
            nodes=_range(cluster.nodes.min(), cluster.nodes.max()),
            hottest_share=float(cluster.hottest.max()),
            refused_operations=int(cluster.refused.sum()),
            reachable_factor=float(cluster.reachable.min()) if np.isfinite(cluster.reachable.min()) else None,
        )
        for cluster in played.clusters
    ]


def _range(low: float, high: float) -> str:
    return number(float(low)) if low == high else f"{number(float(low))}…{number(float(high))}"


def export_summary(design: OpenDesign, to: str, language: str, *, adopts: bool) -> results.ExportSummary:
    """Return a design as files for other tools, texts in whole up to a length."""
    if to not in NAMES:
        raise StoreError(f"There is no format {to}: use one of {', '.join(NAMES)}.")
    if to == "pdf":
        raise StoreError("A PDF is for people: `keywright export FILE --to pdf` writes it.")
    if language not in CODE_LANGUAGES:
        raise StoreError(f"There is no code in {language}: use one of {', '.join(CODE_LANGUAGES)}.")
    if adopts and to != "terraform":
        raise StoreError("Only Terraform adopts what runs: leave out `adopt`.")
    context = design.context
    content = ExportContent(design.spec, context.today, context=context, code_language=language, adopts=adopts)
    result = format_named(to).make(content)
    return results.ExportSummary(
        files=[_file(file) for file in result.files],
        notes=[str(remark) for remark in result.notes],
        refused=[str(remark) for remark in result.refusals],
    )


def _file(file: File) -> results.ExportedFile:
    try:
        text = file.text
    except UnicodeDecodeError:
        # A file that is no text, such as a PDF, has no place in an answer that a model reads.
        text = ""
    return results.ExportedFile(
        name=file.name,
        text=text[:MOST_FILE_CHARACTERS],
        size_bytes=len(file.data),
        is_cut=len(text) > MOST_FILE_CHARACTERS,
    )


def heat_picture(
    design: OpenDesign, table: str | None, of: Literal["writes", "reads"]
) -> tuple[bytes, results.HeatFigures]:
    """Return the heatmap of a table as PNG, and its figures."""
    target_table = find_named_table(design.spec, table)
    part = estimate(design.spec, design.context).tables[target_table.id]
    if part.traffic is None:
        reasons = "; ".join(english(reason.message, reason.params) for reason in part.because)
        raise StoreError(f"{target_table.label} has no load to draw: {reasons}")
    chart = heatmap(part.traffic, of=of, read_key=key_reader(design.spec, part))
    return heat_png(chart), results.HeatFigures(
        table=target_table.label,
        day=part.traffic.day.isoformat(),
        of=of,
        ranges=int(chart.values.shape[0]),
        hottest_range_share=part.traffic.hottest_range_share,
        highest_per_second=float(chart.values.max()),
    )
