"""A comparison in English for people who read a terminal, and the lines of it that other reports have too."""

from collections.abc import Iterator, Sequence

from designer.document import Spec, fingerprint
from designer.wording.formatting import english, english_text, format_value
from designer.wording.printable import printable
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.locations import element_path
from estimator.results import Bill, BillLine, Finding

from . import SIGNS, Comparison, DescribedChange
from .change_messages import consequences, heat_text, read_text, signed_amount
from .effects import DesignWithEstimate
from .nothing import NOTHING


def as_text(comparison: Comparison, names: tuple[str, str]) -> str:
    """Return the changes one by one, then in total; `names` replace the names of unnamed designs."""
    lines = [
        " → ".join(side_titles(comparison, names)),
        f"  {counts_text(comparison)}",
    ]
    if comparison.matched_by == "name":
        lines.append("  the designs share few ids: elements are matched by name and kind")
    lines.append(f"  {total_text(comparison)}")
    if comparison.changes:
        lines += ["", "Changes"]
    for change in comparison.changes:
        lines += _change(change)
    lines += _section("Findings that come", [_finding(comparison.after, f) for f in comparison.together.came])
    lines += _section("Findings that go", [_finding(comparison.before, f) for f in comparison.together.gone])
    lines += _section("Reads", [english_text(read_text(read)) for read in comparison.together.reads])
    lines += _section("Heat", [english_text(heat_text(heat)) for heat in comparison.together.heat])
    lines += _bill(comparison)
    return "\n".join(map(printable, lines))


def side_titles(comparison: Comparison, names: tuple[str, str]) -> tuple[str, str]:
    """Return each design's name, or its file's, and the beginning of its hash."""
    first, other = comparison.before.spec, comparison.after.spec
    return _title(first, names[0], fingerprint(first)), _title(other, names[1], comparison.sha256_after)


def _title(spec: Spec, name: str, sha256: str) -> str:
    return name if name == NOTHING else f"{spec.name or name} ({sha256[:12]})"


def counts_text(comparison: Comparison) -> str:
    """Return how many changes of each kind there are."""
    if not comparison.changes:
        return "nothing changed"
    counts = ", ".join(f"{count} {sign} ({SIGNS[sign]})" for sign, count in comparison.counts.items() if count)
    return f"{len(comparison.changes)} change{'s' if len(comparison.changes) > 1 else ''}: {counts}"


def total_text(comparison: Comparison) -> str:
    """Return the bill before and after with the difference, or why there is none."""
    bill = comparison.bill
    if bill.before is None or bill.after is None:
        return " ".join(english_text(note) for note in bill.notes)
    line = f"{bill_text(bill.before)} → {bill_text(bill.after)} a month"
    if bill.difference is None:
        return f"{line} ({english_text(bill.notes[0])})"
    return f"{line} ({english_text(signed_amount(bill.difference))}{_per_cent(bill.share)})"


def bill_text(bill: Bill) -> str:
    """Return a bill's total, as a lower bound where lines have no price."""
    return f"{'≥ ' if bill.open_lines else ''}{bill.money(bill.total)}"


def _per_cent(value: float | None) -> str:
    if value is None:
        return ""
    return f", {'+' if value > 0 else '−' if value < 0 else ''}{format_value('change', value)}"


def _change(described: DescribedChange) -> Iterator[str]:
    yield f"{described.number:>3} {SIGNS[described.change.sign]} {_headline(described)}"
    for field in described.change.fields:
        yield f"      {field.title}: {english_text(field.was)} → {english_text(field.now)}"
    for line in consequence_lines(described):
        yield f"      = {line}"


def _headline(described: DescribedChange) -> str:
    change = described.change
    where = " / ".join(change.place) or change.what
    name = f"{change.what} {where}" if change.place else where
    was, now = english_text(change.was), english_text(change.now)
    text = f"{was} → {now}" if was and now else was or now
    inside = f" (with {change.inside} element{'s' if change.inside > 1 else ''} in it)" if change.inside else ""
    return f"{name}{': ' if text else ''}{text}{inside}"


def consequence_lines(described: DescribedChange) -> Iterator[str]:
    """Yield what a change leads to."""
    if not described.is_first_of_step:
        yield f"together with change {described.step.changes[0] + 1}"
        return
    for consequence in consequences(described.stored, described.step.effects):
        yield english_text(consequence.text)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _finding(side: DesignWithEstimate, finding: Finding) -> str:
    sign = "accepted" if finding.ignored else finding.severity
    return f"{finding.rule} {sign}  {element_path(side.spec, finding.at)}: {english(finding.message, finding.params)}"


def _bill(comparison: Comparison) -> list[str]:
    rows = [[line_label(line), *line_costs(comparison, line)] for line in comparison.bill.changed_lines]
    notes = [english_text(note) for note in comparison.bill.notes]
    if not rows:
        return _section("Bill", notes)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    return _section("Bill", [*lines, *notes])


def line_label(line: LineChange) -> str:
    """Return what a line of the bills is for."""
    return english(line.line.label, line.line.params)


def line_costs(comparison: Comparison, line: LineChange) -> tuple[str, str, str]:
    """Return a line's cost before and after, and the difference."""
    bills, pair = (comparison.bill.before, comparison.bill.after), (line.old, line.new)
    costs = [_cost(bill, bill_line) for bill, bill_line in zip(bills, pair, strict=True)]
    if line.difference is None or comparison.bill.after is None:
        return costs[0], costs[1], "?"
    return costs[0], costs[1], english_text(signed_amount(comparison.bill.after.money(line.difference)))


def _cost(bill: Bill | None, line: BillLine | None) -> str:
    if line is None or bill is None:
        return "–"
    return "no price" if line.cost is None else format_value("cost", bill.money(line.cost))
