"""Findings, figures and row keys of a design as results of tools: views of `lint`, `estimate` and `advise`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from designer.document import Engine, Spec
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import Text
from designer.wording import element_label, key_of
from designer.wording.formatting import english, format_value
from designer.wording.printable import printable
from estimator.advice.advisor import Advice, Candidate, advise
from estimator.advice.catalogue.rule_pages import markdown, rule_page
from estimator.advice.rules import RULES
from estimator.advice.rules.shared.root_causes import SEVERITIES
from estimator.advice.schemas import ProposedSchema
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.management.commandline import find_table, read_design
from estimator.management.commands.propose import propose
from estimator.management.linting import check_design
from estimator.presentation.advice_data import design_text
from estimator.presentation.estimate_data import FORMAT as ESTIMATE_FORMAT
from estimator.presentation.estimate_data import estimate_data
from estimator.presentation.lint_reports.checked_design import CheckedDesign, sentence
from estimator.presentation.lint_reports.json_data import FORMAT as LINT_FORMAT
from estimator.presentation.lint_reports.json_data import finding_data
from estimator.presentation.locations import element_path
from estimator.results import Bill, BillLine, Estimate, Finding, TablePart, each_finding

from . import results
from .stores import StoredDesign, StoreError

MOST_FINDINGS = 40
MOST_BILL_LINES = 12
MOST_NUMBERS = 64
"""Longer arrays are left out of details."""


@dataclass(frozen=True)
class OpenDesign:
    """A design that was read, and what it is judged in."""

    stored: StoredDesign
    spec: Spec
    context: Context

    @staticmethod
    def read(stored: StoredDesign, context: Context) -> "OpenDesign":
        """Read a stored design; CommandError, with line and place, if it is none."""
        return OpenDesign(stored, read_design(stored.text.encode(), stored.name, today=context.today), context)

    def with_spec(self, spec: Spec) -> "OpenDesign":
        """Return the same with another document."""
        return replace(self, spec=spec)

    def check(self, *, with_fixes: bool = False) -> CheckedDesign:
        """Return what the rules find."""
        return check_design(self.stored.name, self.stored.text, self.spec, self.context, with_fixes=with_fixes)

    def find(self, rule: str, at: str) -> tuple[CheckedDesign, Finding]:
        """Return the finding of a rule about an element.

        Raises
        ------
        StoreError
            If there is none.
        """
        checked = self.check()
        for finding in each_finding(checked.findings):
            if (finding.rule, finding.at) == (rule, at):
                return checked, finding
        raise StoreError(f"The design has no finding of {rule} about {at!r}. lint lists its findings with rule and at.")

    @property
    def names(self) -> dict[str, str]:
        """The design's name and version, with which every result begins."""
        return {"design": self.stored.name, "version": self.stored.version}


def lint_summary(design: OpenDesign, least: str) -> results.LintSummary:
    """Return the findings from a severity on."""
    checked = design.check()
    severities = SEVERITIES[: SEVERITIES.index(least) + 1]
    # What is accepted comes last: the number of findings in an answer is limited.
    ordered = sorted(
        checked.findings, key=lambda finding: (finding.ignored is not None, SEVERITIES.index(finding.severity))
    )
    relevant = [finding for finding in ordered if finding.severity in severities]
    return results.LintSummary(
        **design.names,
        counts=dict(Counter(str(finding.severity) for finding in checked.findings if finding.ignored is None)),
        findings=[_finding(checked, finding) for finding in relevant[:MOST_FINDINGS]],
        left_out=max(len(relevant) - MOST_FINDINGS, 0),
        missing=checked.missing_reasons,
        failed=list(checked.failures),
    )


def _finding(checked: CheckedDesign, finding: Finding) -> results.FindingSummary:
    return results.FindingSummary(
        rule=finding.rule,
        severity=finding.severity,
        at=finding.at,
        place=checked.place(finding),
        line=checked.line(finding),
        sentence=sentence(finding),
        fix=english(finding.fix_label, finding.params) if finding.fix is not None else "",
        fix_is_safe=finding.fix is not None and finding.fix_safe,
        accepted=finding.ignored is not None,
        consequences=len(finding.under),
    )


def finding_details(design: OpenDesign, rule: str, at: str) -> results.JsonDetails:
    """Return one finding as `lint --json` prints it, with its consequences, fix and choices."""
    checked, finding = design.find(rule, at)
    return results.JsonDetails(format=LINT_FORMAT, data=_escape(finding_data(checked, finding)))


# Every text of a design may hold signs that hide or reorder text; what is read by a model or a person should not.
def _escape(data: Any) -> Any:
    if isinstance(data, dict):
        return {printable(str(name)): _escape(value) for name, value in data.items()}
    if isinstance(data, list):
        return [_escape(value) for value in data]
    return printable(data) if isinstance(data, str) else data


def rule_text(code: str) -> results.RuleText:
    """Return the page of a rule, by its code or name."""
    match = next((rule for rule in RULES.values() if code in (rule.code, rule.name)), None)
    if match is None:
        raise StoreError(f"There is no rule {code}; findings name theirs.")
    return results.RuleText(rule=match.code, markdown=markdown(rule_page(match.code)))


def estimate_summary(design: OpenDesign) -> results.EstimateSummary:
    """Return the main figures of a design."""
    spec, figures = design.spec, estimate(design.spec, design.context)
    reasons = (*figures.because, *(reason for part in figures.tables.values() for reason in part.because))
    unknown = dict.fromkeys(
        f"{english(reason.message, reason.params)} ({element_path(spec, reason.at)})" for reason in reasons
    )
    return results.EstimateSummary(
        **design.names,
        tables=[_table(table.id, table.label, figures.tables[table.id]) for table in spec.tables],
        clusters=[
            results.ClusterFigures(
                id=node.cluster,
                name=element_label(spec, node.cluster),
                region=node.region,
                nodes=float(node.nodes_by_month[-1]),
                limited_by=node.limited_by,
                short_from=str(node.short_from or ""),
            )
            for node in figures.nodes
        ],
        bill=_bill(spec, figures, figures.bill) if figures.bill else None,
        unknown=list(unknown),
    )


def _table(id_: str, name: str, part: TablePart) -> results.TableFigures:
    grown, traffic = part.growth, part.traffic
    keys = [facts.bytes_typical for facts in part.keys.values()]
    largest = [float(kind.largest_bytes[-1]) for kind in grown.kinds] if grown else []
    return results.TableFigures(
        id=id_,
        name=name,
        rows=float(grown.rows[-1]) if grown else None,
        stored_bytes=float(grown.physical_bytes[-1]) if grown else None,
        key_bytes=max(keys) if keys else None,
        largest_row_bytes=max(largest, default=None),
        writes_per_second=float(traffic.heat.writes_per_second.sum(axis=0).max()) if traffic else None,
        reads_per_second=float(traffic.heat.reads_per_second.sum(axis=0).max()) if traffic else None,
        hottest_range_share=traffic.hottest_range_share if traffic else None,
        patterns=[
            f"{pattern.name.replace('_', ' ')} {format_value('share', pattern.share)}"
            for pattern in (traffic.patterns if traffic else ())
        ],
    )


def _bill(spec: Spec, estimate: Estimate, bill: Bill) -> results.BillFigures:
    lines = sorted(bill.lines, key=lambda line: -(line.cost or 0))
    return results.BillFigures(
        currency=bill.currency,
        total=str(bill.total),
        low=str(bill.low),
        high=str(bill.high),
        is_complete=not bill.open_lines,
        lines=[_bill_line(spec, line) for line in lines[:MOST_BILL_LINES]],
        left_out=max(len(lines) - MOST_BILL_LINES, 0),
        price_book=estimate.price_book,
    )


def _bill_line(spec: Spec, line: BillLine) -> results.BillItem:
    return results.BillItem(
        label=english(line.label, line.params),
        at=line.at,
        quantity=str(line.quantity),
        unit=line.unit,
        cost=None if line.cost is None else str(line.cost),
    )


def estimate_details(design: OpenDesign, element: str) -> results.JsonDetails:
    """Return the bill with its arithmetic, or all figures of one table or cluster."""
    figures = estimate(design.spec, design.context)
    if element == "bill":
        lines = [
            {**_bill_line(design.spec, line).model_dump(), "formula": english(line.formula, line.params),
             "sku": line.sku, "unit_price": None if line.unit_price is None else str(line.unit_price),
             "price_source": line.price_source, "price_seen": line.price_seen}
            for line in (figures.bill.lines if figures.bill else ())
        ]  # fmt: skip
        return results.JsonDetails(format=ESTIMATE_FORMAT, data=_escape({"lines": lines}))
    data = estimate_data(figures, maximum=MOST_NUMBERS)
    table = next((table.id for table in design.spec.tables if element in (table.id, table.name)), None)
    if table is not None:
        return results.JsonDetails(format=ESTIMATE_FORMAT, data=_escape(data["tables"][table]))
    parts = {
        name: [
            entry for entry in data[name] if element in (entry["cluster"], element_label(design.spec, entry["cluster"]))
        ]
        for name in ("nodes", "placements")
    }
    if not any(parts.values()):
        raise StoreError(f"There is no table or cluster {element!r}; estimate names them. The bill is 'bill'.")
    return results.JsonDetails(format=ESTIMATE_FORMAT, data=_escape(parts))


def find_named_table(spec: Spec, name: str | None) -> Table:
    """Return the table with this name or id, or the only one; StoreError, in words of the tools, if there is none."""
    if name is None and len(spec.tables) != 1:
        tables = ", ".join(table.label for table in spec.tables)
        raise StoreError(f"Name one in `table`: {tables}." if tables else "The design has no table yet.")
    return find_table(spec, name)


def advice_summary(design: OpenDesign, table: str | None) -> results.AdviceSummary:
    """Return the best other keys for the row kinds of a table."""
    target_table = find_named_table(design.spec, table)
    advices = (advise(design.spec, kind.id, design.context) for kind in target_table.row_kinds)
    return results.AdviceSummary(**design.names, row_kinds=[_advice(design.spec, advice) for advice in advices])


def schema_proposals(sentences: list[str], engine: Engine, region: str, context: Context) -> results.SchemaProposals:
    """Return whole schemas for what an application does."""
    advice = propose(sentences, context, engine=engine, region=region, name="")
    return results.SchemaProposals(
        schemas=[_proposed_design(schema) for schema in advice.schemas],
        assumptions=list(_sentences(advice.assumptions)),
        rejected=list(_sentences(advice.rejected)),
    )


def _proposed_design(schema: ProposedSchema) -> results.ProposedDesign:
    cost = None if schema.cost is None else english("{cost}", {"cost": schema.cost})
    return results.ProposedDesign(
        why=english(schema.why.message, schema.why.params) if schema.why else "",
        monthly_cost=f"at least {cost}" if cost and schema.has_open_lines else cost,
        tables=[f"{table.name}: {key_of(schema.spec, table.row_kinds[0])}" for table in schema.spec.tables],
        reads=[
            results.ProposedRead(
                name=question.name,
                table=question.table,
                served_by=question.served_by,
                rows_returned=question.plan.rows_to_return,
                rows_scanned=question.plan.rows_to_scan,
                in_time=question.is_in_time,
            )
            for question in schema.questions
        ],
        document=design_text(schema.spec),
    )


def _advice(spec: Spec, advice: Advice) -> results.KeyAdvice:
    return results.KeyAdvice(
        row_kind=advice.kind,
        place=element_path(spec, advice.kind),
        tried=advice.tried,
        currency=advice.currency,
        present=_candidate(advice.present, advice) if advice.present else None,
        candidates=[_candidate(candidate, advice) for candidate in advice.candidates],
        missing=[english(reason.message, reason.params) for reason in advice.missing],
    )


def _candidate(candidate: Candidate, advice: Advice) -> results.KeyCandidate:
    measured = candidate.measures
    cost = None if measured.cost is None else english("{cost}", {"cost": Money(measured.cost, advice.currency)})
    return results.KeyCandidate(
        key=candidate.text,
        is_better=candidate.better,
        why=list(_sentences(candidate.why)),
        must_change=list(_sentences(candidate.unsafe)),
        busiest_load=measured.burden,
        reachable_factor=measured.reachable_factor,
        node_share=measured.node_share,
        largest_bytes=measured.largest_bytes,
        errors=measured.errors,
        warnings=measured.warnings,
        monthly_cost=f"at least {cost}" if cost and measured.cost_open else cost,
    )


def _sentences(texts: tuple[Text, ...]) -> Iterator[str]:
    yield from (english(text.message, text.params) for text in texts)
