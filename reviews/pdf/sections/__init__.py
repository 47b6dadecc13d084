"""The sections of the PDF, one module each: a title, and the blocks below it. `SECTIONS` is their order."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from designer.document import Engine
from designer.document.engines import DESCRIPTIONS
from designer.document.texts import N_
from reviews.pdf.blocks import Block
from reviews.pdf.render_context import RenderContext

from . import cost, families, findings, growth, heat, inputs, instance, keys, review, sources, workload


@dataclass(frozen=True)
class PdfSection:
    """One section: its title, what is in it, and its blocks."""

    title: str
    holds: str
    blocks: Callable[[RenderContext], Iterator[Block]]


SECTIONS: Mapping[str, PdfSection] = {
    "review": PdfSection(
        N_("Verdicts and accepted risks"),
        N_("approvals, and all accepted risks with their reasons"),
        review.blocks,
    ),
    "findings": PdfSection(
        N_("Findings"),
        N_("findings, why they matter, and alternatives"),
        findings.blocks,
    ),
    "keys": PdfSection(N_("Row keys"), N_("segments, sample keys, and the fields of the key"), keys.blocks),
    "families": PdfSection(
        N_("Families and retention"),
        N_("column families, garbage collection, columns and stored data"),
        families.blocks,
    ),
    "workload": PdfSection(
        N_("Workload"),
        N_("activities, writes and reads, and the access path of each read"),
        workload.blocks,
    ),
    "heat": PdfSection(N_("Load per key range"), N_("the heatmap of every table"), heat.blocks),
    "growth": PdfSection(N_("Growth"), N_("the size of rows and tables over the horizon"), growth.blocks),
    "instance": PdfSection(
        N_("Instance"), N_("clusters, nodes, routing and the reason for the node count"), instance.blocks
    ),
    "cost": PdfSection(
        N_("Cost"),
        N_("every line of the bill with its calculation, price and source"),
        cost.blocks,
    ),
    "inputs": PdfSection(N_("Assumptions"), N_("assumed values"), inputs.blocks),
    "sources": PdfSection(
        N_("Sources"),
        N_("the price book, and the sources of prices and rules"),
        sources.blocks,
    ),
}
"""By their names in commands and forms."""


def sections(engine: Engine = "bigtable") -> Mapping[str, PdfSection]:
    """Return the sections in the words of a design's engine."""
    terms = DESCRIPTIONS[engine].terms
    return {
        **SECTIONS,
        "keys": PdfSection(terms["keys title"], terms["keys paper"], keys.blocks),
        "families": PdfSection(terms["families title"], terms["families paper"], families.blocks),
        "instance": PdfSection(N_("Instance"), terms["instance paper"], instance.blocks),
    }


NAMES = ("summary", *SECTIONS)
"""What can be asked for: the first page alone is the summary, which is in every file."""

__all__ = ["NAMES", "SECTIONS", "PdfSection", "sections"]
