"""Differences between what a design exports and what files tell of what runs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from designer.document.texts import N_, Text, build_text
from reviews.exports.shared.content import ExportContent
from reviews.exports.shared.result import ExportRemark

from .definitions import LABELS, Definitions, Place, is_built_in, of_design, of_files
from .files import DefinitionFiles
from .tablestore import refuse_other_files

Change = Literal["missing", "extra", "changed"]
SIGNS: dict[Change, str] = {"missing": "+", "extra": "-", "changed": "~"}
"""As in a plan: what applying the design would make, take away and change."""
THINGS = {
    "table": N_("table {name}"),
    "cluster": N_("cluster {name}"),
    "app profile": N_("app profile {name}"),
    "instance": N_("instance"),
}


@dataclass(frozen=True)
class DefinitionDifference:
    """One place at which what runs is not what was designed."""

    change: Change
    place: Place
    element: str
    """Id of the design's element; empty for the instance and for what is not in the design."""
    designed: str = ""
    running: str = ""

    @property
    def sign(self) -> str:
        """The change as a plan has it."""
        return SIGNS[self.change]

    @property
    def path(self) -> str:
        """The place in one word, as `--ignore` has it: `table/readings/family/d/gc`."""
        return "/".join(self.place)

    @property
    def subject(self) -> Text:
        """Subject of a difference: a table, a family of it, a setting."""
        kind, name, *inner = (*self.place, "")[: max(len(self.place), 2)]
        thing = build_text(THINGS[kind], name=name)
        if kind == "table" and len(inner) > 1:
            thing = build_text(N_("{table}, family {family}"), table=thing, family=inner[1])
        if self.change != "changed":
            return thing
        return build_text(N_("{thing}, {setting}"), thing=thing, setting=build_text(LABELS[self.place[-1]]))

    @property
    def text(self) -> Text:
        """A sentence."""
        if self.change == "missing":
            return build_text(N_("{subject}: designed, but missing"), subject=self.subject)
        if self.change == "extra":
            return build_text(N_("{subject}: present, but not in the design"), subject=self.subject)
        return build_text(
            N_("{subject}: {running}, designed {designed}"),
            subject=self.subject,
            running=self.running,
            designed=self.designed,
        )


@dataclass(frozen=True)
class Drift:
    """Differences, and the parts that could not be compared."""

    differences: tuple[DefinitionDifference, ...]
    not_told: tuple[Text, ...]
    """Things of the design of which no file tells."""
    not_compared: tuple[ExportRemark, ...]
    """Parts of the design that no tool can make."""


def find_drift(content: ExportContent, told: DefinitionFiles, *, ignored: Sequence[str] = ()) -> Drift:
    """Return the differences between a design and what files tell.

    Parameters
    ----------
    content
        The design.
    told
        What the files tell.
    ignored
        Places that do not count, as patterns: `table/tmp_*`, `cluster/*/nodes`. What is below counts neither.

    Raises
    ------
    InvalidDocumentError
        If the files are of another engine.
    """
    refuse_other_files(content.spec, told)
    designed, refusals = of_design(content)
    running = of_files(told, designed.sets)
    found = sorted(_differences(designed, running), key=lambda each: each.place)
    counted = tuple(each for each in found if not any(_is_below(each.path, pattern) for pattern in ignored))
    return Drift(counted, tuple(_things_without_file(designed, running)), refusals)


def _is_below(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern.rstrip('/')}/*")


def _differences(designed: Definitions, running: Definitions) -> Iterator[DefinitionDifference]:
    for place in designed.values.keys() | running.values.keys():
        *thing, name = place
        if name == "exists":
            yield from _existence(tuple(thing), designed, running)
        elif place in designed.values and place in running.values:
            wanted, there = designed.values[place], running.values[place]
            if wanted != there:
                element = designed.element_ids.get(tuple(thing), "")
                yield DefinitionDifference("changed", place, element, wanted, there)


def _existence(thing: Place, designed: Definitions, running: Definitions) -> Iterator[DefinitionDifference]:
    place, kind = (*thing, "exists"), thing[:-1]
    above = thing[:-2]
    if above and not ((*above, "exists") in designed.values and (*above, "exists") in running.values):
        return  # of a table that is not on both sides the families say nothing more
    if place not in running.values:
        if kind in running.whole:
            yield DefinitionDifference("missing", thing, designed.element_ids[thing])
    elif place not in designed.values and not is_built_in(thing):
        yield DefinitionDifference("extra", thing, designed.element_ids.get(above, ""))


def _things_without_file(designed: Definitions, running: Definitions) -> Iterator[Text]:
    for place in designed.element_ids:
        kind = place[:-1]
        if (*place, "exists") in running.values or kind in running.whole:
            continue
        if len(place) == 2:
            yield build_text(THINGS[place[0]], name=place[1])
        elif (*place[:2], "exists") in running.values:
            yield build_text(
                N_("{table}, family {family}"), table=build_text(THINGS["table"], name=place[1]), family=place[3]
            )
