"""Files of the cloud's own tools, read as one picture of what runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import PurePath

from designer import imports
from designer.document import Spec
from designer.document.texts import N_, Text, TextList, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.imports import UNKNOWN_JSON, ImportRemark, ImportResult
from designer.imports.cbt import STRAY
from designer.imports.gcloud import ONLY_POLICIES
from designer.imports.sample_keys import TOO_FEW
from designer.imports.shared.appearance import appearance
from designer.imports.shared.stated_parts import StatedParts, merge_stated
from designer.imports.shared.tool_errors import refuse_text_for_people
from estimator.observations.recognition import DEFINITIONS, ONLY_MEASURED, recognise

NOTHING = N_(
    "not recognised: it looks like {looks}. These are read: terraform show -json of a state or plan, a state, "
    "Terraform files, gcloud bigtable … describe or list --format=json (instances, clusters, app profiles, tables, "
    "backups), cbt ls and cbt ls TABLE, Tablestore’s DescribeTable as JSON"
)
UNRELATED = N_(
    "not recognised: it looks like lines of text, the first “{line}”, and no table of the design is among them. If "
    "cbt ls printed them, add the command above: cbt ls"
)
NAMELESS = N_("lists the families of a table without its name: add the command above them, as in cbt ls TABLE")


@dataclass(frozen=True)
class DefinitionFiles:
    """Definitions that files give together."""

    results: tuple[ImportResult, ...]
    """Of each file."""
    told: StatedParts
    conflicts: tuple[str, ...] = ()
    """Places of which files tell different things."""

    def remarks(self, result: ImportResult) -> Iterator[ImportRemark]:
        """Yield what was not understood of a file, but for clusters that another file names, and compared backups."""
        for remark in result.remarks:
            if remark.params.get("cluster") not in self.told.clusters and remark.message != ONLY_POLICIES:
                yield remark

    @property
    def conflict_texts(self) -> tuple[Text, ...]:
        """Sentences about the places of which files tell different things."""
        message = N_("{place}: the files differ; the last one counts")
        return tuple(build_text(message, place=place) for place in self.conflicts)


def read_files(texts: Sequence[str | bytes], tables: Sequence[str] = ()) -> DefinitionFiles:
    """Return what files tell; `tables` names the table of each that lists families and names none, empty: unknown.

    Raises
    ------
    InvalidDocumentError
        If a file cannot be read or does not tell what runs, or they are of several instances.
    """
    results = tuple(map(_read, texts, (*tables, *repeat("", len(texts) - len(tables)))))
    # Two instances together would give a picture of something that runs nowhere.
    names = sorted({str(one.told.instance["name"]) for one in results if one.told.instance.get("name")})
    if len(names) > 1:
        raise _refuse(N_("the files are of several instances: {names}"), names=TextList(names))
    return DefinitionFiles(results, *merge_stated(one.told for one in results))


def _read(text: str | bytes, table: str) -> ImportResult:
    refuse_text_for_people(imports.decode(text))
    try:
        result = imports.read(text)
        # The command above the lines, as a log of a terminal has it, tells whose families they are.
        if lists_nameless_families(result) and table:
            result = imports.read(f"cbt ls {table}\n{imports.decode(text)}", "cbt")
    except InvalidDocumentError as error:
        # Before the general refusal: files of measurements are recognised, and `observe` is the command for them.
        _refuse_measurements(text)
        if error.problems[0].text.message in (TOO_FEW, UNKNOWN_JSON, imports.FOREIGN):  # it is none of the others
            raise _refuse(NOTHING, looks=appearance(imports.decode(text))) from None
        raise
    if stray := next((remark for remark in result.remarks if remark.message == STRAY), None):
        raise _refuse(N_("{place}: {problem}"), place=stray.where, problem=build_text(STRAY))
    if result.format in DEFINITIONS and not result.told.is_empty:
        return result
    _refuse_measurements(text)
    if lists_nameless_families(result):
        raise _refuse(NAMELESS)
    if result.format in DEFINITIONS:
        raise _refuse(N_("names no table, cluster or app profile"))
    if result.format == imports.NAMES[-1]:  # lines of anything
        raise _refuse(NOTHING, looks=appearance(imports.decode(text)))
    title = str(imports.formats_by_name()[result.format].TITLE)
    raise _refuse(N_("does not describe what runs: it was read as {format}"), format=title)


def refuse_unrelated(told: DefinitionFiles, is_designed: Callable[[str], bool]) -> None:
    """Raise InvalidDocumentError for a bare list of names with no designed table: any words look like one."""
    for result in told.results:
        if result.is_assumed and not any(map(is_designed, result.told.tables)):
            raise _refuse(UNRELATED, line=next(iter(result.told.tables)))


def table_names(spec: Spec, files: Sequence[str], stated: str = "") -> list[str]:
    """Return the table that each file is of if it names none: the stated one, that of the file's name, or the only one.

    Empty where none of these tells it.
    """
    names = {table.name for table in spec.tables if table.name}
    only = names.pop() if len(spec.tables) == len(names) == 1 else ""
    stems = (PurePath(file.replace("\\", "/")).stem for file in files)
    return [stated or only or (stem if stem in names else "") for stem in stems]


def lists_nameless_families(result: ImportResult) -> bool:
    """Return whether a text is what `cbt ls TABLE` prints of one table, which does not name it."""
    tables = result.spec.tables
    return result.format == "cbt" and result.told.is_empty and len(tables) == 1 and bool(tables[0].families)


def _refuse_measurements(text: str | bytes) -> None:
    if "measurements" in recognise(text):
        raise _refuse(ONLY_MEASURED)


def _refuse(message: str, **params: str | Text | TextList) -> InvalidDocumentError:
    return InvalidDocumentError([Problem((), build_text(message, **params))])
