"""A format and a chart that were just begun: they work, and their tests say what is left."""

import ast
import importlib.util
import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from django.core.management import CommandError, call_command

from designer.examples import example
from designer.wording.formatting import english
from estimator.management.commands.new_chart import register
from tests.contexts import Content, context, estimate
from tests.designs import forty_tables, hostile

FOLDERS = ("reviews/exports", "tests/exports", "estimator/presentation/charts", "tests/core/presentation/charts")


@pytest.fixture
def elsewhere(settings, root: Path, tmp_path: Path) -> Path:
    """Another folder in the place of the project's, with the registry of charts."""
    for folder in FOLDERS:
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(root / "estimator/presentation/charts/registry.py", tmp_path / "estimator/presentation/charts")
    settings.BASE_DIR = tmp_path
    return tmp_path


@pytest.fixture
def load(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Import a module that a command wrote as if it stood among the others."""

    def load_module(path: str) -> ModuleType:
        name = path.removesuffix(".py").replace("/", ".")
        told = importlib.util.spec_from_file_location(name, elsewhere / path)
        assert told is not None
        assert told.loader is not None
        module = importlib.util.module_from_spec(told)
        monkeypatch.setitem(sys.modules, name, module)
        if name.rpartition(".")[0] in sys.modules:
            monkeypatch.setattr(sys.modules[name.rpartition(".")[0]], name.rpartition(".")[2], module, raising=False)
        told.loader.exec_module(module)
        return module

    return load_module


def begin(*arguments: str) -> str:
    """Run a command and return what it prints."""
    output = io.StringIO()
    call_command(*arguments, stdout=output)
    return output.getvalue()


def outcomes(module: ModuleType) -> dict[str, bool]:
    """Whether each test of a module passes, by its name."""
    return {name: _passes(test) for name, test in vars(module).items() if name.startswith("test_")}


def _passes(test: Callable[[], None]) -> bool:
    try:
        test()
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize(("chosen", "engines"), [("both", ("bigtable", "tablestore")), ("bigtable", ("bigtable",))])
def test_a_new_format_makes_a_file_of_any_design_and_its_tests_say_what_is_left(load, chosen, engines) -> None:
    printed = begin("new_export", "wide_rows", "--engines", chosen)

    module = load("reviews/exports/wide_rows.py")
    assert (module.FORMAT.name, module.FORMAT.engines) == ("wide_rows", engines)
    for spec in (forty_tables(), hostile()):
        (file,) = module.make(Content(spec)).files
        assert len(file.text.splitlines()) == 1 + len(spec.tables)
    other = module.make(Content(forty_tables().model_copy(update={"engine": "tablestore"})))
    assert bool(other.refusals) == (chosen != "both")
    assert outcomes(load("tests/exports/test_wide_rows.py")) == {
        "test_the_file_names_every_table": True,
        "test_what_the_target_cannot_express_is_refused": False,
    }
    assert "reviews/exports/wide_rows.py and tests/exports/test_wide_rows.py are written" in printed


def test_a_new_chart_is_in_the_registry_and_its_tests_say_what_is_left(load, monkeypatch) -> None:
    printed = begin("new_chart", "stored_shares")

    load("estimator/presentation/charts/stored_shares.py")
    registry = load("estimator/presentation/charts/registry.py")
    spec = example("iot-fleet").spec
    chart = registry.charts(spec, estimate(spec), context())["stored_shares"]()
    assert len(chart.bars) == len(spec.tables)
    assert chart.title.translate(english).startswith("SAY WHAT IS TO BE SEEN: ")
    assert outcomes(load("tests/core/presentation/charts/test_stored_shares.py")) == {
        "test_there_is_a_bar_per_table": True,
        "test_it_is_drawn_for_pages_and_for_plotly": True,
        "test_its_title_states_what_is_to_be_seen": False,
    }
    assert '{% chart CHARTS base "stored_shares" %}' in printed


@pytest.mark.parametrize("command", ["new_export", "new_chart"])
@pytest.mark.parametrize("name", ["", "Wide", "wide-rows", "../wide", "2wide", "class", "wide_"])
def test_what_is_no_name_of_a_module_is_refused(elsewhere: Path, command: str, name: str) -> None:
    before = sorted(elsewhere.rglob("*"))

    with pytest.raises(CommandError, match="no name of a module"):
        begin(command, name)

    assert sorted(elsewhere.rglob("*")) == before


@pytest.mark.parametrize(
    ("command", "name"), [("new_export", "cbt"), ("new_export", "shared"), ("new_chart", "registry")]
)
def test_a_name_that_is_used_is_refused(elsewhere: Path, command: str, name: str) -> None:
    with pytest.raises(CommandError, match="already"):
        begin(command, name)


def test_nothing_is_written_where_one_of_the_files_exists(elsewhere: Path) -> None:
    (elsewhere / "tests/exports/test_wide_rows.py").write_text("mine", encoding="utf-8")

    with pytest.raises(CommandError, match="nothing was written"):
        begin("new_export", "wide_rows")

    assert not (elsewhere / "reviews/exports/wide_rows.py").exists()
    assert (elsewhere / "tests/exports/test_wide_rows.py").read_text(encoding="utf-8") == "mine"


def test_a_registry_of_another_form_is_left_as_it_is() -> None:
    with pytest.raises(CommandError, match="another form"):
        register("charts = {}\n", "stored_shares")


def test_the_registry_stays_a_module_with_its_imports_in_order(root: Path) -> None:
    text = register((root / "estimator/presentation/charts/registry.py").read_text(encoding="utf-8"), "hourly_load")

    (names,) = [
        [alias.name for alias in node.names]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is None
    ]
    assert names == sorted(names)
    assert "hourly_load" in names
