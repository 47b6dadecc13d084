"""Markdown and CSV: what their own readers make of hostile texts."""

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from designer.examples import example as built_in
from reviews.exports.csv import COLUMNS, escape_cell, make
from reviews.exports.markdown import make as page
from reviews.exports.shared.comments import one_line
from reviews.exports.shared.markup import cell, code, quote, table, text
from tests.contexts import Content
from tests.designs import HOSTILE, hostile

GITHUB = MarkdownIt("commonmark").enable(["table", "strikethrough"])
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(HOSTILE)


def inline(markdown: str) -> list:
    """What stands in the one paragraph that this is."""
    tokens = GITHUB.parse(markdown)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"], markdown
    return tokens[1].children


@given(TEXTS.filter(one_line))
@example("1. x")
@example("- x")
@example("=== ")
def test_text_is_read_as_text(value: str) -> None:
    found = inline(text(value))

    assert {token.type for token in found} <= {"text", "text_special"}
    assert "".join(token.content for token in found) == one_line(value)


@given(TEXTS.filter(one_line))
def test_code_is_read_as_code(value: str) -> None:
    (found,) = inline(code(value))

    assert (found.type, found.content) == ("code_inline", one_line(value))


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_table_keeps_its_cells(values: list[str]) -> None:
    lines = "\n".join(table(["a", "b"], [(text(value), cell(value)) for value in values]))

    tokens = GITHUB.parse(lines)

    assert [token.type for token in tokens].count("tr_open") == len(values) + 1
    assert [token.type for token in tokens].count("td_open") == 2 * len(values)
    contents = [token.children for token in tokens if token.type == "inline"][2:]
    for value, (said, coded) in zip(values, zip(contents[::2], contents[1::2], strict=True), strict=True):
        assert "".join(each.content for each in said) == one_line(value)
        assert "".join(each.content for each in coded) == one_line(value)


@given(TEXTS)
@example("- <!--\n ")
def test_a_description_does_not_leave_its_quotation(value: str) -> None:
    tokens = GITHUB.parse("\n".join([*quote(value), "", "## After"]))

    assert [token.type for token in tokens[-3:]] == ["heading_open", "inline", "heading_close"]
    assert all(token.level > 0 for token in tokens[1:-4])
    assert not any("html" in token.type for token in tokens)


def test_code_of_a_description_is_not_escaped_where_nothing_of_it_is_html() -> None:
    assert list(quote("`{a}#<id>` & so")) == ["> `{a}#<id>` & so"]
    assert list(quote("`{a}`\n<b>")) == ["> `{a}`", "> &lt;b>"]
    assert list(quote("`a![0]`")) == ["> `a![0]`"]
    assert list(quote("![chart](https://example.com/a.png)")) == ["> &#33;[chart](https://example.com/a.png)"]


def test_the_page_of_a_hostile_design_has_no_html_no_links_and_its_own_headings() -> None:
    tokens = GITHUB.parse(page(Content(hostile())).files[0].text)

    everything = [each for token in tokens for each in (token, *(token.children or ()))]
    assert not {token.type for token in everything} & {"html_block", "html_inline"}
    outside = [token for token in tokens if token.level == 0 and token.type == "heading_open"]
    assert len(outside) == 1 + len(hostile().tables) + len(("workload", "instance", "findings", "accepted", "bill"))


def test_addresses_do_not_become_links() -> None:
    assert text("http://a.b www.x.org a@b.c") == r"http\://a.b www\.x.org a\@b.c"


def test_the_page_says_what_the_design_is_and_costs() -> None:
    found = page(Content(built_in("timestamp-first").spec)).files[0].text

    assert "K004 error" in found
    assert "## Bill of month 12" in found
    assert "Row key: `{" in found


@given(TEXTS)
@example("\t=1")
@example("\uff1d1")
def test_no_text_is_a_formula_for_a_spreadsheet(value: str) -> None:
    assert not escape_cell(value).startswith(("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
    assert one_line(value) in (escape_cell(value), escape_cell(value).removeprefix("'"))
    assert not {"\t", "\r", "\n"} & set(escape_cell(value))


def test_the_csv_has_every_line_of_every_month_and_its_totals() -> None:
    content = Content(built_in("timestamp-first").spec)

    rows = list(csv.DictReader(io.StringIO(make(content).files[0].text)))

    bills = content.estimate.bills
    assert len(rows) == sum(len(bill.lines) + 1 for bill in bills)
    assert set(rows[0]) == set(COLUMNS)
    totals = [row["cost"] for row in rows if row["item"] == "total"]
    assert totals == [str(bill.total) for bill in bills]


def test_a_design_without_a_bill_is_refused_with_the_reason() -> None:
    from designer.document import Spec

    made = make(Content(Spec()))

    assert made.files == ()
    assert len(made.refusals) == 1
