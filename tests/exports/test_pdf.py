"""The PDF of a design, read back: text that is text, one page of summary, the same bytes for the same revision."""

import datetime
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pypdf
from django.utils.translation import gettext, override

from benchmarks.designs import wide_design
from designer.document import Spec
from designer.document.dump import dump, fingerprint
from designer.examples import example
from estimator.advice.rules import findings
from estimator.results import Finding
from reviews.exports import NAMES, format_named
from reviews.pdf.markdown import first_paragraphs
from reviews.pdf.pdf_request import DesignState, PdfOptions, SectionVerdict
from reviews.pdf.sections import SECTIONS
from reviews.pdf.typesetting import pdf
from tests.contexts import Content, context, design_page
from tests.estimates import estimate_of
from tests.pdfs import page_texts

WHEN = datetime.datetime(2026, 11, 20, 9, 30, tzinfo=datetime.UTC)
ANA = DesignState(WHEN, revision=7, by="Ana")


def design(**more: Any) -> Spec:
    """A small design with a table, a finding's worth of load, and a risk that somebody accepted."""
    return Spec.model_validate(
        {
            "name": "Weather balloons",
            "description": "What balloons **measure**, for [forecasts](https://example.org/why).",
            "fields": [{"id": "place", "name": "place"}, {"id": "balloon", "name": "balloon"}],
            "activities": [{"id": "report", "name": "A balloon reports", "rate_per_second": 100}],
            "tables": [
                {
                    "id": "readings",
                    "name": "readings",
                    "families": [{"id": "m", "name": "m", "columns": [{"id": "c", "qualifier": "hPa"}]}],
                    "row_kinds": [
                        {
                            "id": "rows",
                            "key": [
                                {"id": "k1", "kind": "field", "field": "place", "after": "#"},
                                {"id": "k2", "kind": "field", "field": "balloon"},
                            ],
                            "writes": [{"id": "w", "name": "The report", "activity": "report"}],
                            "reads": [{"id": "r", "name": "One balloon", "rate_per_second": 5}],
                        }
                    ],
                }
            ],
            "instance": {"clusters": [{"id": "c1", "region": "asia-northeast1"}]},
            "ignores": [{"id": "i1", "rule": "I004", "at": "c1", "reason": "One region is enough", "owner": "Kenji"}],
            **more,
        }
    )


def made(spec: Spec, *, stand: DesignState = ANA, sections: Sequence[str] = tuple(SECTIONS), **more: Any) -> bytes:
    estimate = estimate_of(spec)
    return pdf(spec, estimate, findings(spec, estimate, WHEN.date()), context(), stand=stand, sections=sections, **more)


@cache
def read(data: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(data))


@cache
def pages(data: bytes) -> list[str]:
    """Return the text of each page, without the breaks of its lines."""
    return [" ".join(text.split()) for text in page_texts(data)]


def text_of(data: bytes, page: int) -> str:
    return pages(data)[page]


@cache
def small() -> bytes:
    return made(design())


def test_the_first_page_says_what_it_is_for_what_it_costs_what_is_wrong_and_what_was_accepted() -> None:
    first, second = (text_of(small(), page) for page in (0, 1))

    for told in (
        "Weather balloons", "What balloons measure", "revision 7", "$483.00", "Largest risks", "Q001",
        "One region is enough", "Kenji", "The 3 nodes of c1 are too few from", fingerprint(design()), "page 1 of",
    ):  # fmt: skip
        assert told in first, told
    assert second.find("Contents") < second.find("Row keys")


def test_the_first_page_recommends_a_change_and_can_be_signed() -> None:
    page = design_page(example("timestamp-first").spec)

    first = text_of(pdf(page.spec, page.estimate, page.findings, context(), stand=ANA, sections=()), 0)

    for told in ("Recommended change", "Load of the busiest node", "−86 percentage points", "now", "with the change"):
        assert told in first, told
    for told in ("Decision", "approved with the recommended change", "Signature"):
        assert told in first, told
    assert "approved with the recommended change" not in text_of(small(), 0)


def test_a_part_that_does_not_fit_on_the_first_page_is_left_out_whole() -> None:
    long = SectionVerdict("Row by row, column by column. " * 40, approved=True, by="Kenji", when=WHEN)

    first = text_of(made(design(), stand=replace(ANA, verdicts=(long,) * 6), sections=()), 0)

    for told in ("Largest risks", "Largest bill lines", "Total", "Decision"):
        assert told in first, told
    assert "Verdicts" not in first
    assert "column by column" not in first


def test_a_long_description_is_in_the_file_to_its_last_word() -> None:
    long = design(description="Row by row. " * 100 + "The end of it.")

    first, *others = pages(made(long))

    assert "The end of it." not in first
    assert "Purpose" in others[0]
    assert "The end of it." in "".join(others)
    assert "The end of it." not in "".join(pages(made(long, sections=())))


def test_the_first_page_cuts_a_description_after_a_sentence() -> None:
    told = "The readings of all balloons are kept. " + "Each of them is read once an hour by forecasts, " * 9

    first = first_paragraphs(told, 200)

    assert "".join(run["t"] for run in first) == "The readings of all balloons are kept."
    assert first_paragraphs("word " * 90, 20)[-1]["t"] == "word word word word …"


def test_a_chart_that_changes_nothing_is_its_title() -> None:
    page = design_page(example("timestamp-first").spec)

    told = " ".join(pages(pdf(page.spec, page.estimate, page.findings, context(), stand=ANA, sections=("growth",))))

    assert "The largest row stays at 245 B until 1 Jan 2028" in told
    assert "99th percentile" not in told


def test_its_hash_is_that_of_the_designs_file_without_white_space() -> None:
    data = json.loads(dump(design()))

    minified = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert hashlib.sha256(minified.encode()).hexdigest() in text_of(small(), 0)


def test_it_has_bookmarks_metadata_and_claims_to_be_accessible() -> None:
    reader = read(small())

    titles = [entry.title for entry in reader.outline if isinstance(entry, pypdf.generic.Destination)]
    assert {"Findings", "Row keys", "Cost"} <= set(titles) | {
        inner.title
        for entry in reader.outline
        if isinstance(entry, list)
        for inner in entry
        if not isinstance(inner, list)
    }
    assert reader.metadata is not None
    assert reader.metadata.title == "Weather balloons"
    assert reader.metadata.creation_date == WHEN
    assert f"sha256:{fingerprint(design())}" in str(reader.metadata.get("/Keywords"))
    assert reader.trailer["/Root"]["/Lang"].startswith("en")
    assert b"pdfuaid" in reader.trailer["/Root"]["/Metadata"].get_data()


def test_its_bytes_repeat() -> None:
    assert made(design()) == small()


def test_the_figures_and_words_are_those_of_the_page() -> None:
    text = " ".join(pages(small()))

    for told in ("{place}#{balloon}", "aa#ab", "all cells are kept", "full table scan", "$474.50",
                 "node in asia-northeast1", "price list", "Instead:", "Expected Key Visualizer pattern:"):  # fmt: skip
        assert told in text, told


def test_what_was_settled_of_instance_and_tables_is_in_it() -> None:
    tables = [{**design().model_dump(mode="json", exclude_unset=True)["tables"][0], "split_keys": ["m", "\\xff"]}]
    instance = {
        "name": "balloons-prod",
        "clusters": [{"id": "c1", "region": "asia-northeast1", "node_scaling": 2}],
        "commitment": {"years": 3, "all_nodes": True},
        "prices": [{"sku": "bigtable.node.enterprise", "usd": "0.50", "source": "our contract"}],
    }

    text = " ".join(pages(made(design(tables=tables, instance=instance), sections=("keys", "instance"))))

    for told in (
        "Split keys at creation: 2",
        "\\xff",
        "balloons-prod",
        "2×",
        "36 months, all nodes",
        "$0.50",
        "our contract",
    ):
        assert told in text, told


def test_only_the_chosen_sections_are_in_it() -> None:
    text = " ".join(pages(made(design(), sections=("keys",))))

    assert "Sample keys" in text
    assert "$474.50" not in text.partition("Contents")[2]
    assert len(pages(made(design(), sections=()))) == 1


def test_verdicts_say_who_when_from_where_and_whether_they_still_hold() -> None:
    verdicts = (
        SectionVerdict("Keys", approved=True, by="Ben", when=WHEN, note="Spreads well"),
        SectionVerdict("Cost", approved=False, by="髙橋", when=WHEN, note="Too dear", stale=True, from_link=True),
        SectionVerdict("Workload", approved=True, by="Ana", when=WHEN, self_checked=True),
    )

    first, *rest = pages(made(design(), stand=DesignState(WHEN, 7, "Ana", verdicts), sections=("review",)))

    for told in ("approved", "changes requested", "through a link", "outdated", "self-checked", "髙橋"):
        assert told in first, told
    assert "Spreads well" in " ".join(rest)


def test_japanese_is_set_with_its_own_letters() -> None:
    spec = design(name="𠮷野家 鷗外 髙島屋の設計")

    with override("ja"):
        data = made(spec, options=PdfOptions(language="ja", translate=gettext))

    first, second = (text_of(data, page) for page in (0, 1))
    for told in ("𠮷野家", "鷗外", "髙島屋", "最大のリスク", "1 / "):
        assert told in first, told
    assert "目次" in second
    assert read(data).trailer["/Root"]["/Lang"].startswith("ja")


HOSTILE = (
    '#read("/etc/passwd")', "$x^2$ @ref <label>", '"); panic("', "</text><script>", "{0} {name}", "🚀\x07\u202eevil",
    "a" * 300, "`code` *b* _i_ = H", "\\u{1F600} // no", "%PDF-1.7 endobj", "عربي ไทย",
)  # fmt: skip


def test_no_name_is_taken_for_code_and_none_is_left_out() -> None:
    spec = wide_design(len(HOSTILE))
    tables = tuple(t.model_copy(update={"name": name}) for t, name in zip(spec.tables, HOSTILE, strict=True))
    spec = spec.model_copy(update={"tables": tables, "name": HOSTILE[0], "description": " ".join(HOSTILE)})

    long = SectionVerdict("Families and retention", approved=False, by="髙" * 90, when=WHEN, stale=True, from_link=True)
    stand = DesignState(WHEN, 7, "A" * 200, (long,) * 9)
    first, second, *rest = pages(pdf(spec, estimate_of(spec), (), context(), stand=stand, sections=("keys", "heat")))
    text = "".join((first, second, *rest)).replace(" ", "")

    for name in (
        '#read("/etc/passwd")',
        "$x^2$@ref<label>",
        '");panic("',
        "{0}{name}",
        "[U+1F680][U+0007][U+202E]evil",
    ):
        assert name in text, name
    assert "root:x:" not in text
    assert (fingerprint(spec) in first, second.find("Contents") > 0) == (True, True), "the summary is one page"


def test_forty_tables_take_no_more_than_sixty_pages_and_the_summary_stays_one() -> None:
    spec = wide_design(40)
    data = pdf(spec, estimate_of(spec), (), context(), stand=ANA)

    assert len(read(data).pages) <= 60
    assert "Contents" in text_of(data, 1)


def test_it_is_one_of_the_formats_that_designs_are_exported_to() -> None:
    spec = design()
    content = Content(spec, WHEN.date(), known_estimate=estimate_of(spec), pdf_options=PdfOptions(ANA))

    own = pdf(spec, content.known_estimate, content.findings, context(), stand=ANA, sections=tuple(SECTIONS))
    assert "pdf" in NAMES
    assert [(one.name, one.data == own) for one in format_named("pdf").make(content).files] == [
        ("weather-balloons.pdf", True)
    ]


def test_an_empty_design_is_a_file_too() -> None:
    nothing = Spec()
    estimate = estimate_of(nothing)
    found: tuple[Finding, ...] = ()

    assert "Untitled design" in pages(pdf(nothing, estimate, found, context(), stand=DesignState(WHEN)))[0]


def test_a_section_with_nothing_in_it_is_not_printed() -> None:
    text = " ".join(pages(made(design(ignores=[]), sections=("review", "sources"))))

    assert "Sources" in text
    assert "Verdicts and accepted risks" not in text


def test_dates_of_sources_and_words_of_pictures_are_those_of_the_reader_and_the_engine() -> None:
    text = "\n".join(pages(made(example("campus-orders").spec, sections=("sources",))))

    assert "20 Nov 2026" in text
    assert not re.findall(r"(?<!-)(?<!read )2026-11-20", text)
    assert "Load by primary key" in " ".join(text.split())
    assert "what a node can do" not in " ".join(text.split())
