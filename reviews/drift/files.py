"""Files of the cloud's own tools, read as one picture of what runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer import imports
from designer.document.texts import N_, Text, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.imports import ImportRemark, ImportResult
from designer.imports.sample_keys import TOO_FEW
from designer.imports.shared.told import ToldParts, merge_told
from estimator.observations.recognition import DEFINITIONS, ONLY_MEASURED, recognise

NOTHING = N_(
    "not recognised: it is no output or state of Terraform, gcloud, cbt or Tablestore’s tools that defines tables"
)


@dataclass(frozen=True)
class ToldFiles:
    """What files tell together."""

    results: tuple[ImportResult, ...]
    """Of each file."""
    told: ToldParts
    conflicts: tuple[str, ...] = ()
    """Places of which files tell different things."""

    def remarks(self, result: ImportResult) -> Iterator[ImportRemark]:
        """Yield what was not understood of a file, but for clusters that another file names."""
        for remark in result.remarks:
            if remark.params.get("cluster") not in self.told.clusters:
                yield remark

    @property
    def conflict_texts(self) -> tuple[Text, ...]:
        """Sentences about the places of which files tell different things."""
        message = N_("{place}: the files differ; the last one counts")
        return tuple(build_text(message, place=place) for place in self.conflicts)


def read_files(texts: Sequence[str | bytes]) -> ToldFiles:
    """Return what files tell.

    Raises
    ------
    InvalidDocumentError
        If a file cannot be read or does not tell what runs, or they are of several instances.
    """
    results = tuple(map(_read, texts))
    names = sorted({str(one.told.instance["name"]) for one in results if one.told.instance.get("name")})
    if len(names) > 1:
        raise _refuse(N_("the files are of several instances: {names}"), names=", ".join(names))
    return ToldFiles(results, *merge_told(one.told for one in results))


def _read(text: str | bytes) -> ImportResult:
    try:
        result = imports.read(text)
    except InvalidDocumentError as error:
        _refuse_measurements(text)
        if error.problems[0].text.message == TOO_FEW:  # it is none of the others
            raise _refuse(NOTHING) from None
        raise
    if result.format in DEFINITIONS and not result.told.is_empty:
        return result
    _refuse_measurements(text)
    if result.format in DEFINITIONS:
        raise _refuse(N_("names no table, cluster or app profile"))
    title = str(imports.formats_by_name()[result.format].TITLE)
    raise _refuse(N_("does not describe what runs: it was read as {format}"), format=title)


def _refuse_measurements(text: str | bytes) -> None:
    if "measurements" in recognise(text):
        raise _refuse(ONLY_MEASURED)


def _refuse(message: str, **params: str) -> InvalidDocumentError:
    return InvalidDocumentError([Problem((), build_text(message, **params))])
