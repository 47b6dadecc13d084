"""A comparison in English for people: plain text for a terminal, Markdown for a pull request."""

from collections.abc import Iterable, Iterator, Sequence

from designer.document.texts import Text
from designer.wording.formatting import english, format_value
from designer.wording.printable import printable
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.locations import element_path
from estimator.results import Bill, BillLine, Finding

from . import SIGNS, Comparison, DescribedChange
from .change_messages import consequences, heat_text, read_text, signed_amount
from .effects import DesignWithEstimate


def _english_text(text: Text) -> str:
    return english(text.message, text.params)


# --- plain text -------------------------------------------------------------------------------------------------------


def as_text(comparison: Comparison, names: tuple[str, str]) -> str:
    """Return the changes one by one, then in total; `names` replace the names of unnamed designs."""
    lines = [
        f"{_name(comparison.before, names[0])} → {_name(comparison.after, names[1])}",
        f"  {_count_text(comparison)}",
    ]
    if comparison.matched_by == "name":
        lines.append("  the designs share few ids: elements are matched by name and kind")
    lines.append(f"  {_total(comparison)}")
    if comparison.changes:
        lines += ["", "Changes"]
    for told in comparison.changes:
        lines += _change(told)
    lines += _section("Findings that come", [_finding(comparison.after, f) for f in comparison.together.came])
    lines += _section("Findings that go", [_finding(comparison.before, f) for f in comparison.together.gone])
    lines += _section("Reads", [_english_text(read_text(read)) for read in comparison.together.reads])
    lines += _section("Heat", [_english_text(heat_text(heat)) for heat in comparison.together.heat])
    lines += _bill(comparison)
    return "\n".join(map(printable, lines))


def _name(side: DesignWithEstimate, name: str) -> str:
    return f"{side.spec.name or name} ({side.estimate.sha256[:12]})"


def _count_text(comparison: Comparison) -> str:
    if not comparison.changes:
        return "nothing changed"
    each = ", ".join(f"{count} {sign} ({SIGNS[sign]})" for sign, count in comparison.counts.items() if count)
    return f"{len(comparison.changes)} change{'s' if len(comparison.changes) > 1 else ''}: {each}"


def _total(comparison: Comparison) -> str:
    bill = comparison.bill
    if bill.before is None or bill.after is None:
        return " ".join(_english_text(note) for note in bill.notes)
    line = f"{_bill_of(bill.before)} → {_bill_of(bill.after)} a month"
    if bill.difference is None:
        return f"{line} ({_english_text(bill.notes[0])})"
    return f"{line} ({_english_text(signed_amount(bill.difference))}{_per_cent(bill.share)})"


def _bill_of(bill: Bill) -> str:
    return f"{'≥ ' if bill.open_lines else ''}{bill.money(bill.total)}"


def _per_cent(value: float | None) -> str:
    if value is None:
        return ""
    told = format_value("share", abs(value))
    exact = f"{abs(value) * 100:.4g}\u00a0%" if told[0] in "<>" else told
    return f", {'+' if value > 0 else '−' if value < 0 else ''}{exact}"


def _change(described: DescribedChange) -> Iterator[str]:
    yield f"{described.number:>3} {SIGNS[described.change.sign]} {_headline(described)}"
    for field in described.change.fields:
        yield f"      {field.title}: {_english_text(field.was)} → {_english_text(field.now)}"
    for line in _consequence_lines(described):
        yield f"      = {line}"


def _headline(described: DescribedChange) -> str:
    change = described.change
    where = " / ".join(change.place) or change.what
    named = f"{change.what} {where}" if change.place else where
    was, now = _english_text(change.was), _english_text(change.now)
    said_ = f"{was} → {now}" if was and now else was or now
    inside = f" (with {change.inside} element{'s' if change.inside > 1 else ''} in it)" if change.inside else ""
    return f"{named}{': ' if said_ else ''}{said_}{inside}"


def _consequence_lines(described: DescribedChange) -> Iterator[str]:
    if not described.leads_step:
        yield f"together with change {described.step.changes[0] + 1}"
        return
    for one in consequences(described.stored, described.step.effects):
        yield _english_text(one.text)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _finding(side: DesignWithEstimate, finding: Finding) -> str:
    sign = "accepted" if finding.ignored else finding.severity
    return f"{finding.rule} {sign}  {element_path(side.spec, finding.at)}: {english(finding.message, finding.params)}"


def _bill(comparison: Comparison) -> list[str]:
    rows = [[_label(line), *_costs(comparison, line)] for line in comparison.bill.changed_lines]
    notes = [_english_text(note) for note in comparison.bill.notes]
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


def _label(line: LineChange) -> str:
    return english(line.line.label, line.line.params)


def _costs(comparison: Comparison, line: LineChange) -> tuple[str, str, str]:
    bills, pair = (comparison.bill.before, comparison.bill.after), (line.old, line.new)
    costs = [_cost(bill, one) for bill, one in zip(bills, pair, strict=True)]
    if line.difference is None or comparison.bill.after is None:
        return costs[0], costs[1], "?"
    return costs[0], costs[1], _english_text(signed_amount(comparison.bill.after.money(line.difference)))


def _cost(bill: Bill | None, line: BillLine | None) -> str:
    if line is None or bill is None:
        return "–"
    return "no price" if line.cost is None else format_value("cost", bill.money(line.cost))


# --- Markdown ---------------------------------------------------------------------------------------------------------

MOST_ROWS = 100
"""A pull request's comment holds so many changes; the rest are counted."""


def as_markdown(comparison: Comparison, names: tuple[str, str]) -> str:
    """Tables for a pull request; what people wrote is escaped."""
    one, other = (
        _escape(_name(side, name)) for side, name in zip((comparison.before, comparison.after), names, strict=True)
    )
    lines = [f"### {one} → {other}", "", f"{_escape(_count_text(comparison))} · **{_escape(_total(comparison))}**", ""]
    if comparison.matched_by == "name":
        lines += ["The designs share few ids: elements are matched by name and kind.", ""]
    if comparison.changes:
        head = ("", "What", "Before", "After", "Leads to")
        lines += _table(head, (_cells(told) for told in comparison.changes[:MOST_ROWS]))
        if len(comparison.changes) > MOST_ROWS:
            lines += [f"… {len(comparison.changes) - MOST_ROWS} more", ""]
    findings = [("+", comparison.after, f) for f in comparison.together.came]
    findings += [("−", comparison.before, f) for f in comparison.together.gone]
    if findings:
        head = ("", "Finding", "Severity", "Where", "What")
        lines += _table(head, (_finding_cells(*one) for one in findings))
    if comparison.bill.changed_lines:
        columns = ("Bill", "Before", "After", "Difference")
        rows = [(_label(line), *_costs(comparison, line)) for line in comparison.bill.changed_lines]
        total = [_bill_of(bill) if bill else "–" for bill in (comparison.bill.before, comparison.bill.after)]
        more = _english_text(signed_amount(comparison.bill.difference)) if comparison.bill.difference else "?"
        lines += _table(columns, [*rows, ("**Total**", *total, f"**{more}**")], right=(1, 2, 3), kept=len(rows))
    lines += [
        f"- {_escape(_english_text(note))}"
        for note in comparison.bill.notes
        if comparison.bill.before and comparison.bill.after
    ]
    return "\n".join(map(printable, lines)).rstrip()


def _cells(described: DescribedChange) -> tuple[str, ...]:
    change = described.change
    was = "<br>".join(
        [_escape(_english_text(change.was)), *(_field(f.title, f.was) for f in change.fields)]
    ).removeprefix("<br>")
    now = "<br>".join(
        [_escape(_english_text(change.now)), *(_field(f.title, f.now) for f in change.fields)]
    ).removeprefix("<br>")
    what = f"{change.what} {' / '.join(change.place)}".strip()
    return (
        f"`{SIGNS[change.sign]}`",
        _escape(what),
        was,
        now,
        "<br>".join(_escape(line) for line in _consequence_lines(described)),
    )


def _field(title: str, value: Text) -> str:
    return f"{_escape(title)}: {_escape(_english_text(value))}"


def _finding_cells(sign: str, side: DesignWithEstimate, finding: Finding) -> tuple[str, ...]:
    where, severity = element_path(side.spec, finding.at), "accepted" if finding.ignored else finding.severity
    message = english(finding.message, finding.params)
    return f"`{sign}`", finding.rule, severity, _escape(where), _escape(message)


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = (), kept: int | None = None
) -> list[str]:
    """Rows whose cells are Markdown already; with `kept`, the first so many are texts."""
    ruled = ["--:" if place in right else "---" for place in range(len(head))]
    lines = [_row(head), _row(ruled)]
    for number, row in enumerate(rows):
        lines.append(_row([_escape(cell) for cell in row] if kept is not None and number < kept else row))
    return [*lines, ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    """Return the text escaped for Markdown, including table cells."""
    safe = " ".join(text.replace("&", "&amp;").replace("<", "&lt;").split())
    for sign in "\\`*_[]|~":
        safe = safe.replace(sign, f"\\{sign}")
    return safe.replace("#", "&#35;").replace("@", "&#64;")  # else a number is an issue, a name is notified
