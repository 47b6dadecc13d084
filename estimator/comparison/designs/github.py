"""A comparison as the comment of a pull request: GitHub's Markdown, in which no name does anything.

GitHub looks for mentions, references and links in the text that Markdown makes, so entities and backslashes do not
stop it: a space of no width does. Source: GitHub Flavored Markdown Spec 0.29, section 6.9; GitHub Docs, "Autolinked
references and URLs" (read 2026-11-23).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote

from designer.document.texts import Text
from designer.wording.formatting import english, english_text, format_value
from designer.wording.printable import printable
from estimator.advice.rules import RULES
from estimator.presentation.lint_reports.checked_design import missing_inputs_text, rule_text
from estimator.presentation.locations import element_path
from estimator.results import Finding, UnknownReason

from . import SIGNS, Comparison, DescribedChange
from .change_messages import signed_amount
from .effects import DesignWithEstimate
from .figures import BUSIEST_PARTITION_KEY, HOTTEST_NODE, LOADS, Cell, ComparisonRow, known_rows
from .heat_squares import LEGEND, SquareStrips, square_strips
from .nothing import NOTHING
from .report import (
    bill_text,
    consequence_lines,
    counts_text,
    line_costs,
    line_label,
    side_titles,
    total_text,
)

MOST_ROWS = 40
"""So many changes, findings and lines of the bill are shown."""
MOST_CHARACTERS = 60_000
"""A comment has room for 65,536."""
COMMENT = "<!-- keywright -->"
"""Begins the comment about all designs of a pull request."""
MARKS = {"error": "🔴", "warning": "🟠", "question": "❔", "note": "🔵", "accepted": "☑️"}
_SPECIAL = re.compile(r"[\\`*_\[\]|~]")
_AUTOMATIC = re.compile(r"@(?=\S)|#(?=\d)|:(?=//)|\b(?i:www(?=\.)|GH(?=-\d))|(?<=\d|[a-zA-Z])\$(?=\S)|:(?=[\w+-]+:)")
"""Where GitHub begins a mention, a reference, a link or an emoji."""


def github_report(comparison: Comparison, names: tuple[str, str], violations: Sequence[str] = ()) -> str:
    """Return the comment: the verdict, broken limits, cost, load, heat, findings, then all changes folded.

    A mark that nobody sees names the second file, or the first if that is deleted, so that the comment is found again.
    """
    sides = comparison.before, comparison.after
    path = names[0] if names[1] == NOTHING else names[1]
    name = escape(comparison.after.spec.name or comparison.before.spec.name or path)
    head = [marker(path), f"### {name}", "", f"**{escape(_verdict(comparison))}**", ""]
    head += [f"- ❌ {escape(sentence)}" for sentence in violations]
    head += [""] * bool(violations)
    if comparison.matched_by == "name":
        head += ["The designs share few ids: elements are matched by name and kind.", ""]
    parts = [
        [*head, *_missing(comparison.after)],
        [*_bill(comparison), *_loads(sides)],
        *map(_heat, square_strips(*sides)),
        _findings("New findings", comparison.after, comparison.together.came),
        _findings("Findings that are gone", comparison.before, comparison.together.gone),
        list(_changes(comparison)),
    ]
    first, other = map(escape, side_titles(comparison, names))
    return "\n".join([*_fitting(parts), f"<sub>{first} → {other}</sub>"])


def github_comment(reports: Sequence[str]) -> str:
    """Return the reports on several designs as one comment, which begins with a mark of its own."""
    lines, room = [COMMENT], MOST_CHARACTERS
    for report in reports:
        if len(report) > room:
            report = f"{report.splitlines()[0]}\nA design is left out here: the comment would be too long.\n"
        room -= len(report)
        lines.append(report)
    return "\n".join([*lines, *([] if reports else ["No design changed."])])


def problem_report(path: str, reason: str) -> str:
    """Return the report on a design that cannot be compared."""
    return f"{marker(path)}\n### {escape(path)}\n\n❌ {escape(printable(reason))}\n"


def _fitting(parts: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the parts that a comment has room for, in place of others a line."""
    room = MOST_CHARACTERS
    for part in parts:
        text = "\n".join(map(printable, part))
        if len(text) > room:
            yield "A part is left out here: it is longer than a comment may be.\n"
        elif part:
            room -= len(text)
            yield text


def marker(path: str) -> str:
    """Return the comment in HTML that names a file; nothing in a name ends it."""
    # "--" ends a comment in HTML, and quoting leaves hyphens as they are.
    return f"<!-- keywright:{quote(path, safe='/._').replace('--', '-%2D')} -->"


def escape(text: str) -> str:
    """Return the text so that it is read as it is, in a table too: no markup, link, mention, reference or emoji."""
    safe = re.sub(r"[^\S\xa0]+", " ", text).strip().replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # After the entities: the backslashes are for Markdown, which reads what the entities leave.
    safe = _SPECIAL.sub(lambda match: f"\\{match[0]}", safe)
    return _AUTOMATIC.sub(lambda match: f"{match[0]}&#8203;", safe)


def _verdict(comparison: Comparison) -> str:
    """Return what becomes of cost and of the hottest node, in a sentence."""
    rows = known_rows((HOTTEST_NODE, BUSIEST_PARTITION_KEY), (comparison.before, comparison.after))
    heat = (
        f"{english_text(row.title).lower()}: {' → '.join(_amount(row, cell) for cell in row.cells)}" for row in rows
    )
    return "; ".join([total_text(comparison).rstrip("."), *heat])


def _missing(side: DesignWithEstimate) -> list[str]:
    missing = side.estimate.missing_inputs
    if not missing:
        return []
    reasons = [f"- {escape(_reason(side, reason))}" for reason in missing[:MOST_ROWS]]
    return [f"⚠️ {missing_inputs_text(len(missing))}:", "", *reasons, ""]


def _reason(side: DesignWithEstimate, reason: UnknownReason) -> str:
    return f"{english(reason.message, reason.params)} ({element_path(side.spec, reason.at)})"


def _bill(comparison: Comparison) -> list[str]:
    bill, lines = comparison.bill, list[str]()
    if bill.changed_lines:
        cells = [[line_label(line), *line_costs(comparison, line)] for line in bill.changed_lines]
        rows = [[escape(cell) for cell in row] for row in cells]
        totals = [escape(bill_text(side_bill)) if side_bill else "–" for side_bill in (bill.before, bill.after)]
        more = escape(english_text(signed_amount(bill.difference))) if bill.difference else "?"
        total = ["**Total**", *totals, f"**{more}**"]
        lines = _table(("Cost a month", "Before", "After", "Difference"), rows, total=total, right=(1, 2, 3))
    if bill.notes and bill.before is not None and bill.after is not None:
        lines += [*(f"- {escape(english_text(note))}" for note in bill.notes), ""]
    return lines


def _loads(sides: tuple[DesignWithEstimate, DesignWithEstimate]) -> list[str]:
    rows = [
        [escape(english_text(row.title)), *(escape(_amount(row, cell)) for cell in row.cells)]
        for row in known_rows(LOADS, sides)
        if row.differs
    ]
    return _table(("Load", "Before", "After"), rows, right=(1, 2)) if rows else []


def _amount(row: ComparisonRow, cell: Cell) -> str:
    value = cell.value
    return english_text(value) if isinstance(value, Text) else format_value(row.unit, value)


def _heat(strips: SquareStrips) -> list[str]:
    """Return a table's strips as code, whose letters are equally wide."""
    lines = [f"{when}  {strip}" for when, strip in (("before", strips.before), (" after", strips.after)) if strip]
    limit = LEGEND.format(limit="a node's limit" if strips.has_nodes else "the limit of a partition key")
    title = f"**Heat of {escape(strips.name)}** over its keys, at the busiest hour"
    return [title, "", "```text", *lines, "```", f"<sub>{limit}</sub>", ""]


def _findings(title: str, side: DesignWithEstimate, findings: Sequence[Finding]) -> list[str]:
    if not findings:
        return []
    lines = [_finding(side, finding) for finding in findings[:MOST_ROWS]]
    return [f"**{title}**", "", *lines, *_rest(len(findings)), ""]


def _finding(side: DesignWithEstimate, finding: Finding) -> str:
    severity = "accepted" if finding.ignored else finding.severity
    rule = f"[{rule_text(finding)}]({RULES[finding.rule].explanation.sources[0].address})"
    where = escape(element_path(side.spec, finding.at))
    return f"- {MARKS[severity]} {severity} {rule}, {where}: {escape(english(finding.message, finding.params))}"


def _changes(comparison: Comparison) -> Iterator[str]:
    if not comparison.changes:
        yield from ("Nothing changed in the design.", "")
        return
    yield from ("<details>", f"<summary>{counts_text(comparison)}</summary>", "")
    head = ("", "What", "Before", "After", "Leads to")
    yield from _table(head, [_cells(change) for change in comparison.changes[:MOST_ROWS]])
    yield from (*_rest(len(comparison.changes)), "</details>", "")


def _cells(described: DescribedChange) -> tuple[str, ...]:
    change = described.change
    was = [change.was, *(_field(field.title, field.was) for field in change.fields)]
    now = [change.now, *(_field(field.title, field.now) for field in change.fields)]
    what = f"{change.what} {' / '.join(change.place)}".strip()
    sides = (_lines_in_cell(filter(None, map(english_text, texts))) for texts in (was, now))
    return (f"`{SIGNS[change.sign]}`", escape(what), *sides, _lines_in_cell(consequence_lines(described)))


def _lines_in_cell(texts: Iterable[str]) -> str:
    return "<br>".join(map(escape, texts))


def _field(title: str, value: Text) -> Text:
    return Text("{title}: {value}", {"title": title, "value": value})


def _rest(count: int) -> list[str]:
    return [f"… {count - MOST_ROWS} more"] if count > MOST_ROWS else []


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, total: Sequence[str] = (), right: Sequence[int] = ()
) -> list[str]:
    """Return the lines of a table, whose cells are Markdown."""
    ruled = ["--:" if place in right else "---" for place in range(len(head))]
    table_rows = [head, ruled, *rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        table_rows.append([*_rest(len(rows)), *[""] * (len(head) - 1)])
    return [*(f"| {' | '.join(row)} |" for row in [*table_rows, *([total] if total else [])]), ""]
