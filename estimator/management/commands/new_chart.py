"""Writes a new chart's file and its tests from a template, registers it, and says what is left to do."""

import re
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from designer.management.scaffold import check_module_name, write_new_files

FOLDER = "estimator/presentation/charts"
REGISTRY = f"{FOLDER}/registry.py"
IMPORTS = re.compile(r"^from \. import (\w+(?:, \w+)*)$", re.MULTILINE)
END = "    return makers\n"

CHART = '''"""SAY IN ONE SENTENCE WHAT THE CHART SHOWS."""

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label
from designer.wording.formatting import Text
from estimator.results import Estimate

from .types import BarChart, ChartBar


def {name}(spec: Spec, estimate: Estimate) -> BarChart:
    """Return a bar per table: bytes on disk at the end of the horizon."""
    stored = {{key: float(part.growth.physical_bytes[-1]) for key, part in estimate.tables.items() if part.growth}}
    return BarChart(
        title=Text(N_("SAY WHAT IS TO BE SEEN: {{stored_bytes}}"), {{"stored_bytes": sum(stored.values())}}),
        unit="bytes",
        what=Text(N_("bytes")),
        bars=tuple(ChartBar(Text(element_label(spec, key)), value, at=key) for key, value in stored.items()),
    )
'''

TEST = '''"""The chart {name}: what its title says, and the bars that it has."""

import xml.etree.ElementTree as ET

import plotly.graph_objects as go

from designer.examples import example
from designer.wording.formatting import english
from estimator.presentation.charts.registry import charts
from estimator.presentation.charts.to_plotly import to_plotly
from estimator.presentation.charts.to_svg import to_svg
from tests.contexts import context, estimate

SPEC = example("iot-fleet").spec
CHART = charts(SPEC, estimate(SPEC), context())["{name}"]()


def test_there_is_a_bar_per_table() -> None:
    assert [bar.at for bar in CHART.bars] == [table.id for table in SPEC.tables]


def test_it_is_drawn_for_pages_and_for_plotly() -> None:
    assert ET.fromstring(to_svg(CHART)).get("aria-label") == CHART.title.translate(english)
    assert len(go.Figure(to_plotly(CHART)).data) == 1


def test_its_title_states_what_is_to_be_seen() -> None:
    assert CHART.title.translate(english) == "SAY WHAT THE TITLE READS"
'''

LEFT = """{chart} and {test} are written; {registry} names the chart. Left to do:
1. Show the figures that it is about: bars, lines or a heatmap of estimator/presentation/charts/types.py.
2. Give it a title that states what is to be seen, and the test that title and its bars.
3. Include it in a page: {{% chart CHARTS base "{name}" %}} as in templates/estimator/design/_table.html.
4. Run `python3 run.py messages`, translate what it added, and run the tests in tests/core/presentation/charts."""


class Command(BaseCommand):
    help = "Begin a new chart: its file, its tests, its line in the registry, and a list of what is left to do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the name of the chart and of its module, such as stored_shares")

    def handle(self, *, name: str, **options: Any) -> None:
        check_module_name(name, {path.stem for path in (Path(settings.BASE_DIR) / FOLDER).iterdir()})
        chart, test = f"{FOLDER}/{name}.py", f"tests/core/presentation/charts/test_{name}.py"
        registry = (Path(settings.BASE_DIR) / REGISTRY).read_text(encoding="utf-8")
        write_new_files(
            {chart: CHART.format(name=name), test: TEST.format(name=name)}, changes={REGISTRY: register(registry, name)}
        )
        self.stdout.write(LEFT.format(chart=chart, test=test, registry=REGISTRY, name=name))


def register(registry: str, name: str) -> str:
    """Return the registry's text with an import of the chart's module and the chart's line before its end.

    Raises
    ------
    CommandError
        If the text has another form.
    """
    imports = IMPORTS.search(registry)
    if imports is None or registry.count(END) != 1:
        raise CommandError(f"{REGISTRY} has another form than expected: nothing is written.")
    modules = ", ".join(sorted([*imports[1].split(", "), name]))
    text = registry.replace(imports[0], f"from . import {modules}")
    return text.replace(END, f'    makers["{name}"] = partial({name}.{name}, spec, estimate)\n{END}')
