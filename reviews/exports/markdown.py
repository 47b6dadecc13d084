"""The design as one Markdown page: summary, tables with keys and families, workload, instance, findings, bill."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from designer.document import Spec, assumptions, effective_value, write_mode
from designer.document.access import Bind, Read, Write
from designer.document.design import Ignore
from designer.document.engines import description_of
from designer.document.family import Column, Family
from designer.document.instance import AppProfile, Autoscaling, Cluster, FixedNodes, Instance
from designer.document.key import as_text
from designer.document.table import RowKind, Table, Tablestore
from designer.document.texts import N_, Text
from designer.wording import (
    describe_read,
    element_label,
    gc_sentence,
    key_of,
    qualifier_of,
    retention_sentence,
    rotation_sentence,
)
from designer.wording.formatting import english, format_value, number
from estimator.estimates.fits import with_fits
from estimator.presentation.figures import stored_text
from estimator.presentation.locations import element_path
from estimator.results import Bill, Finding

from .shared.content import ExportContent
from .shared.markup import cell, code, quote, table, text
from .shared.names import stem
from .shared.omissions import MODEL_ONLY, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

SAMPLES = 3
"""Sample keys of each kind of rows."""
OMITTED: Fields = {
    Spec: ("horizon_months", "fields", "activities", "measured"),
    Table: (
        *(name for name in MODEL_ONLY[Table] if name != "description"),
        "deletion_protection",
        "change_stream_days",
        "infrequent_access_days",
        "backups",
    ),
    Tablestore: ("reserved_read_cu", "reserved_write_cu"),
    RowKind: ("columns", "known", "reads_unknown"),
    Write: tuple(name for name in Write.model_fields if name not in ("id", "name", "activity", "mode")),
    Read: (
        "profile",
        "growth_per_month",
        "match_share",
        "value_share",
        "age_days",
        "cell_days",
        "families",
        "columns",
        "latency",
        "sees_own_write",
        "app_profile",
        "where",
    ),
    Bind: ("popularity",),
    Family: ("needed",),
    Column: tuple(name for name in Column.model_fields if name not in ("id", "qualifier", "qualifier_from")),
    Instance: tuple(name for name in Instance.model_fields if name not in ("clusters", "app_profiles")),
    Cluster: ("node_scaling",),
    AppProfile: ("transactions", "data_boost"),
    Ignore: ("effect",),
}
"""What a page for readers leaves out."""


def make(content: ExportContent) -> ExportResult:
    """One file. It is in English, as all that is made for tools is."""
    parts = (_head, _summary, _tables, _workload, _instance, _findings, _accepted_risks, _bill, _guesses)
    lines = [line for part in parts for line in part(content)]
    remarks = ExportRemarks()
    note_omissions(content.spec, remarks, OMITTED)
    return remarks.build_result(File.of(f"{stem(content.spec.name)}.md", "\n".join(lines).rstrip() + "\n"))


def _head(content: ExportContent) -> Iterator[str]:
    spec = content.spec
    yield f"# {text(spec.name) or 'Untitled design'}"
    yield ""
    if spec.description.strip():
        yield from quote(spec.description)
        yield ""


def _summary(content: ExportContent) -> Iterator[str]:
    spec, estimate = content.spec, content.estimate
    severities = [finding.severity for finding in content.findings if finding.ignored is None]
    assumed = "" if spec.start is not None else " (no start date is set)"
    rows = [
        ("Engine", description_of(spec).product),
        ("Starts on", f"{effective_value(spec, spec, 'start')}{assumed}"),
    ]
    if estimate.bill:
        least = "at least " if estimate.bill.open_lines else ""
        rows.append(
            (
                f"Bill of month {estimate.bill.month + 1}",
                f"{least}{text(str(estimate.bill.money(estimate.bill.total)))}",
            )
        )
    for nodes in estimate.nodes:
        rows.append((f"Nodes in {text(element_path(spec, nodes.cluster))}", _range_text(nodes.nodes_by_month)))
    rows.append(
        ("Findings", ", ".join(_count_text(severities.count(s), s) for s in ("error", "warning", "question", "note")))
    )
    rows.append(("Price book", text(estimate.price_book) or "none"))
    rows.append(("SHA-256 of the design", code(content.sha256)))
    yield from table(("", ""), rows)
    yield ""


def _count_text(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _range_text(values: Iterable[float]) -> str:
    numbers = list(values)
    first, last, most = number(numbers[0]), number(numbers[-1]), max(numbers)
    between = f", at most {number(most)}" if most > max(numbers[0], numbers[-1]) else ""
    return f"{first}{between}" if first == last else f"{first}{between}, at the end {last}"


# --- the schema -----------------------------------------------------------------------------------------------------


def _tables(content: ExportContent) -> Iterator[str]:
    for each in content.spec.tables:
        yield f"## Table {text(each.label)}"
        yield ""
        if each.description.strip():
            yield from quote(each.description)
            yield ""
        for kind in each.row_kinds:
            yield from _rows(content, each, kind)
        if (rotation := rotation_sentence(each)) is not None:
            yield from (text(_translate(rotation)), "")
        if not description_of(content.spec).has_families:
            yield from (text(_translate(retention_sentence(each))), "")
        yield from _families(content.spec, each)
        yield from _growth_rows(content, each)


def _rows(content: ExportContent, table: Table, kind: RowKind) -> Iterator[str]:
    name = f" of {text(kind.name)}" if kind.name and len(table.row_kinds) > 1 else ""
    key = description_of(content.spec).terms["row key"].capitalize()
    yield f"{key}{name}: {code(key_of(content.spec, kind)) or 'not said yet'}"
    yield ""
    facts = content.estimate.tables[table.id].keys.get(kind.id)
    for sample in facts.samples[:SAMPLES] if facts else ():
        yield f"- {code(as_text(sample))}"
    yield ""


def _families(spec: Spec, design_table: Table) -> Iterator[str]:
    if design_table.families and not description_of(spec).has_families:
        columns = (column for family in design_table.families for column in family.columns)
        yield f"Attributes: {', '.join(code(qualifier_of(spec, column) or '…') for column in columns)}"
        yield ""
    elif design_table.families:
        head = ("Family", "Kind", "Garbage collection", "Columns")
        rows = (
            (cell(family.label), family.kind, text(_translate(gc_sentence(family.gc))),
             ", ".join(cell(qualifier_of(spec, column) or "…") for column in family.columns))
            for family in design_table.families
        )  # fmt: skip
        yield from table(head, rows)
        yield ""
    if design_table.split_keys:
        yield f"Split at: {', '.join(map(code, design_table.split_keys))}"
        yield ""


def _translate(text: Text) -> str:
    return english(text.message, text.params)


def _growth_rows(content: ExportContent, table: Table) -> Iterator[str]:
    grown = content.estimate.tables[table.id].growth
    if grown:
        stored = _translate(stored_text(grown))
        yield f"At the end of the horizon: {number(grown.rows[-1])} rows, {stored} stored."
        yield ""


# --- workload and instance ------------------------------------------------------------------------------------------


def _workload(content: ExportContent) -> Iterator[str]:
    spec = content.spec
    writes = [
        (
            text(element_label(spec, write.activity or write.id)),
            text(design_table.label),
            write_mode(spec, write).replace("_", " "),
        )
        for design_table, kind in spec.row_kinds()
        for write in kind.writes
    ]
    reads = [
        (text(read.label), text(design_table.label), text(", ".join(map(_translate, describe_read(spec, read)))),
         format_value("rate_per_second", read.rate_per_second))
        for design_table, kind in spec.row_kinds()
        for read in kind.reads
    ]  # fmt: skip
    if writes or reads:
        yield "## Workload"
        yield ""
    if writes:
        yield from (*table(("Write", "Table", "How"), writes), "")
    if reads:
        yield from (*table(("Read", "Table", "What is known", "Rate"), reads, right=(3,)), "")


def _instance(content: ExportContent) -> Iterator[str]:
    spec = content.spec
    if spec.instance.clusters:
        yield "## Instance"
        yield ""
        rows = [(text(name.label), text(name.zone or name.region), _nodes(name)) for name in spec.instance.clusters]
        if description_of(spec).has_several_places:
            yield from (*table(("Cluster", "Where", "Nodes"), rows), "")
        else:
            yield from (*table(("Instance", "Where"), (row[:2] for row in rows)), "")
    if spec.instance.app_profiles:
        profiles = (
            (cell(profile.label), profile.routing,
             ", ".join(text(element_label(spec, name)) for name in profile.clusters), profile.priority)
            for profile in spec.instance.app_profiles
        )  # fmt: skip
        yield from (*table(("App profile", "Routing", "Clusters", "Priority"), profiles), "")


def _nodes(cluster: Cluster) -> str:
    match cluster.nodes:
        case FixedNodes(count=count):
            return str(count)
        case Autoscaling(min=least, max=most):
            return f"{least} to {most}"
    return "as many as the load needs"


# --- findings and money ---------------------------------------------------------------------------------------------


def _findings(content: ExportContent) -> Iterator[str]:
    findings = [finding for finding in content.findings if finding.ignored is None]
    if findings:
        yield "## Findings"
        yield ""
        for finding in findings:
            yield from _finding(content.spec, finding, "")
        yield ""


def _finding(spec: Spec, finding: Finding, indent: str) -> Iterator[str]:
    place, sentence = text(element_path(spec, finding.at)), text(english(finding.message, finding.params))
    yield f"{indent}- **{finding.rule} {finding.severity}**, {place}: {sentence}"
    if finding.choices:
        answers = " · ".join(text(english(choice.label, choice.params)) for choice in finding.choices)
        yield f"{indent}  - Answers: {answers}"
    for inner in finding.under:
        yield from _finding(spec, inner, indent + "  ")


def _accepted_risks(content: ExportContent) -> Iterator[str]:
    if content.spec.ignores:
        yield "## Accepted risks"
        yield ""
        for risk in content.spec.ignores:
            until = f" until {risk.until}" if risk.until else ""
            place = text(element_path(content.spec, risk.at))
            yield f"- **{risk.rule}**, {place}: {text(risk.reason)} ({text(risk.owner)}{until})"
        yield ""


def _bill(content: ExportContent) -> Iterator[str]:
    bill: Bill | None = content.estimate.bill
    if bill is None:
        return
    yield f"## Bill of month {bill.month + 1}, from {bill.first_day}"
    yield ""
    rows = [
        (text(english(line.label, line.params)), _cost(bill, line.cost), text(english(line.formula, line.params)))
        for line in bill.lines
    ]
    least = "≥ " if bill.open_lines else ""
    rows.append(("**Total**", f"**{least}{_cost(bill, bill.total)}**", ""))
    yield from (*table(("Line", "Cost", "How"), rows, right=(1,)), "")


def _cost(bill: Bill, amount: Decimal | None) -> str:
    return "no price" if amount is None else text(str(bill.money(amount)))


def _guesses(content: ExportContent) -> Iterator[str]:
    guessed = list(assumptions(with_fits(content.spec)))
    if guessed:
        yield (
            f"{_count_text(len(guessed), 'value')} of the design "
            f"{'is a guess' if len(guessed) == 1 else 'are guesses'}."
        )


FORMAT = Format(
    name="markdown",
    title="Markdown",
    about=N_("One page with the schema, findings and bill, for a wiki or a pull request."),
    make=make,
    media_type="text/markdown",
    omits=OMITTED,
)
