"""Files of the cloud's own tools, read as one picture of what runs."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import PurePath

from designer import imports
from designer.document import Spec
from designer.document.texts import N_, Text, TextList, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.imports import UNKNOWN_JSON, ImportRemark, ImportResult
from designer.imports.cbt import STRAY, lists_nameless_families
from designer.imports.gcloud import ONLY_POLICIES
from designer.imports.sample_keys import TOO_FEW
from designer.imports.shared.appearance import appearance
from designer.imports.shared.stated_parts import CLUSTERS, COPIES, PROFILES, TABLES, StatedParts, merge_stated
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
EMPTY = N_(
    "an empty list: its kind is unknown. Name the file after its content: tables.json, clusters.json, profiles.json or "
    "backups.json"
)
LISTED: Mapping[str, str] = {"table": TABLES, "cluster": CLUSTERS, "profile": PROFILES, "backup": COPIES}
_LISTED_WORD = re.compile(r"(?<![a-z])(table|cluster|profile|backup)s?(?![a-z])")
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


def read_files(texts: Sequence[str | bytes], tables: Sequence[str] = (), files: Sequence[str] = ()) -> DefinitionFiles:
    """Return what files tell.

    Parameters
    ----------
    texts
        Their contents.
    tables
        The table of each that lists families and names none; empty where it is unknown.
    files
        The names of the files: an empty list tells its kind nowhere else.

    Raises
    ------
    InvalidDocumentError
        If a file cannot be read or does not tell what runs, or they are of several instances.
    """
    padded = ((*told, *repeat("", len(texts) - len(told))) for told in (tables, files))
    results = tuple(map(_read, texts, *padded))
    # Two instances together would give a picture of something that runs nowhere.
    instances = (name for result in results for name in (result.told.instance.get("name"), *result.other_instances))
    names = sorted({str(name) for name in instances if name})
    if len(names) > 1:
        raise _refuse(N_("the files are of several instances: {names}"), names=TextList(names))
    return DefinitionFiles(results, *merge_stated(result.told for result in results))


def _read(text: str | bytes, table: str, file: str) -> ImportResult:
    shown = imports.decode(text)
    refuse_text_for_people(shown)
    if "".join(shown.split()) == "[]":  # as gcloud lists where nothing is
        return _read_empty_list(file)
    try:
        result = imports.read(text, table_name=table)
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


def _read_empty_list(file: str) -> ImportResult:
    """Return what an empty list tells: nothing of the kind that the file is named after runs."""
    kinds = set(_LISTED_WORD.findall(_stem(file).lower()))
    if len(kinds) != 1:
        raise _refuse(EMPTY)
    return ImportResult("gcloud", Spec(), told=StatedParts(whole=frozenset((LISTED[kinds.pop()],))))


def refuse_unrelated(files: DefinitionFiles, is_designed: Callable[[str], bool]) -> None:
    """Raise InvalidDocumentError for a bare list of names with no designed table: any words look like one."""
    for result in files.results:
        if result.is_assumed and not any(map(is_designed, result.told.tables)):
            raise _refuse(UNRELATED, line=next(iter(result.told.tables)))


def table_names(spec: Spec, files: Sequence[str], stated: str = "") -> list[str]:
    """Return the table that each file is of if it names none: the stated one, that of the file's name, or the only one.

    Empty where none of these tells it.
    """
    names = {table.name for table in spec.tables if table.name}
    only = names.pop() if len(spec.tables) == len(names) == 1 else ""
    return [stated or only or (stem if stem in names else "") for stem in map(_stem, files)]


def _stem(file: str) -> str:
    return PurePath(file.replace("\\", "/")).stem


def _refuse_measurements(text: str | bytes) -> None:
    if "measurements" in recognise(text):
        raise _refuse(ONLY_MEASURED)


def _refuse(message: str, **params: str | Text | TextList) -> InvalidDocumentError:
    return InvalidDocumentError([Problem((), build_text(message, **params))])
