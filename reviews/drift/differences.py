"""Differences between what a design exports and what files tell of what runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from designer.document.texts import N_, Text, build_text
from reviews.exports.shared.content import ExportContent
from reviews.exports.shared.result import ExportRemark

from .definitions import ABSENT, LABELS, OFF, Definitions, Place, is_built_in, name_of_set, of_design, of_files
from .files import DefinitionFiles, refuse_unrelated
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

USUAL: Mapping[str, str] = {
    **dict.fromkeys(("deletion_protection", "data_boost", "row_affinity", "encrypted"), OFF),
    **dict.fromkeys(("labels", "kms_key", "stream_hours"), ABSENT),
    **dict.fromkeys(("reserved_read_cu", "reserved_write_cu"), "0"),
    "edition": "enterprise", "storage": "SSD", "priority": "high", "ttl_seconds": "-1", "max_versions": "1",
}  # fmt: skip
"""What an engine has where nobody sets anything."""
MADE_WITH_INSTANCE = frozenset(("transactions",))
"""Settings of the app profile that every instance has: they follow from its routing."""


@dataclass(frozen=True)
class UndesignedSetting:
    """One setting that runs, or a backup that exists, of which the design says nothing."""

    place: Place
    element: str
    running: str

    @property
    def path(self) -> str:
        """The place in one word, as `--ignore` has it."""
        return "/".join(self.place)

    @property
    def text(self) -> Text:
        """A sentence."""
        if len(self.place) % 2 == 0 and self.place[-2] in ("backup", "cluster"):  # a thing, no setting of one
            return build_text(N_("{subject}: exists; the design does not say"), subject=subject_of(self.place))
        subject = subject_of(self.place, is_setting=True)
        return build_text(
            N_("{subject}: {running}; the design does not say"), subject=subject, running=self.running
        )  # fmt: skip


def subject_of(place: Place, *, is_setting: bool = False) -> Text:
    """Return the subject at a place: a table, a family or a backup of it, a setting of one of these."""
    kind, name, *inner = (*place, "")[: max(len(place), 2)]
    thing = build_text(THINGS[kind], name=name)
    if kind == "table" and len(inner) > 1:
        message = N_("{table}, family {family}") if inner[0] == "family" else N_("{table}, backup {backup}")
        thing = build_text(message, table=thing, **{inner[0]: inner[1]})
    if not is_setting:
        return thing
    return build_text(N_("{thing}, {setting}"), thing=thing, setting=build_text(LABELS[place[-1]]))


@dataclass(frozen=True)
class DefinitionDifference:
    """One place at which what runs is not what was designed."""

    change: Change
    place: Place
    element: str
    """Id of the design's element; empty for the instance and for what is not in the design."""
    designed: str = ""
    running: str = ""
    is_refused: bool = False
    """What runs is a thing that no tool can make as it is designed."""

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
        return subject_of(self.place, is_setting=self.change == "changed" and not self.is_refused)

    @property
    def text(self) -> Text:
        """A sentence."""
        if self.is_refused:
            return build_text(N_("{subject}: present, but no tool can make it as designed"), subject=self.subject)
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
    not_designed: tuple[UndesignedSetting, ...]
    """What runs beyond the design where the design leaves it open: no difference, but nothing is silent."""
    not_told: tuple[Text, ...]
    """Things of the design of which no file tells."""
    not_compared: tuple[ExportRemark, ...]
    """Parts of the design that no tool can make."""


def find_drift(content: ExportContent, files: DefinitionFiles, *, ignored: Sequence[str] = ()) -> Drift:
    """Return the differences between a design and what files tell.

    Parameters
    ----------
    content
        The design.
    files
        What the files tell.
    ignored
        Places that do not count, as patterns: `table/tmp_*`, `cluster/*/nodes`. What is below counts neither.

    Raises
    ------
    InvalidDocumentError
        If the files are of another engine, or one is a bare list of words that are no tables of the design.
    """
    refuse_other_files(content.spec, files)
    designed, refusals = of_design(content)
    # Asked before comparing: a list of any words would otherwise make every table of the design missing.
    tables = {name for kind, name, *_ in designed.element_ids if kind == "table"}
    refuse_unrelated(files, lambda name: name_of_set(name, designed.sets) in tables)
    running = of_files(files, designed)
    differences = sorted(_differences(designed, running), key=lambda difference: difference.place)
    beyond = sorted(_find_undesigned(designed, running), key=lambda difference: difference.place)
    relevant = tuple(difference for difference in differences if not _is_ignored(difference.path, ignored))
    left_open = tuple(difference for difference in beyond if not _is_ignored(difference.path, ignored))
    return Drift(relevant, left_open, tuple(_things_without_file(designed, running)), refusals)


def _is_ignored(path: str, patterns: Sequence[str]) -> bool:
    return any(_is_below(path, pattern) for pattern in patterns)


def _is_below(path: str, pattern: str) -> bool:
    # fnmatchcase and not fnmatch, which on Windows ignores case and turns slashes. "*" also matches "/" there.
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern.rstrip('/')}/*")


def _differences(designed: Definitions, running: Definitions) -> Iterator[DefinitionDifference]:
    for place in designed.values.keys() | running.values.keys():
        *thing, name = place
        if name == "exists":
            yield from _existence(tuple(thing), designed, running)
        elif place in designed.values and place in running.values:
            target, there = designed.values[place], running.values[place]
            if target != there:
                element = designed.element_ids.get(tuple(thing), "")
                yield DefinitionDifference("changed", place, element, target, there)


def _find_undesigned(designed: Definitions, running: Definitions) -> Iterator[UndesignedSetting]:
    """Yield what is set where it runs and left open in the design; what every engine has from the start is not set."""
    for place, value in running.values.items():
        *inner, name = place
        thing = tuple(inner)
        is_there = thing == ("instance",) or (*thing, "exists") in designed.values or is_built_in(thing)
        # What the engine does anyway is no news: every instance would show it.
        if place in designed.values or value == USUAL.get(name):
            continue
        element = designed.element_ids.get(thing, designed.element_ids.get(thing[:2], ""))
        if name == "exists":
            is_backup = thing[-2:-1] == ("backup",) and (*thing[:2], "exists") in designed.values
            if is_backup or _is_open_cluster(thing, designed):
                yield UndesignedSetting(thing, element, value)
        elif is_there and not (is_built_in(thing) and _is_from_start(name, value, designed)):
            yield UndesignedSetting(place, element, value)


def _is_open_cluster(thing: Place, designed: Definitions) -> bool:
    """Return whether this is a cluster and the design has none: exports of it assume that the instance exists."""
    return (
        len(thing) == 2 and thing[0] == "cluster" and not any(place[0] == "cluster" for place in designed.element_ids)
    )


def _is_from_start(name: str, value: str, designed: Definitions) -> bool:
    """Return whether the app profile of every instance has this: it routes to the only cluster, or to any."""
    if name == "routing":
        clusters = sum(len(place) == 2 and place[0] == "cluster" for place in designed.element_ids)
        return value == "multi" or (clusters <= 1 and value.startswith("single"))
    return name in MADE_WITH_INSTANCE


def _existence(thing: Place, designed: Definitions, running: Definitions) -> Iterator[DefinitionDifference]:
    place, kind = (*thing, "exists"), thing[:-1]
    above = thing[:-2]
    if kind[-1] == "backup":
        # Of a table that is missing itself, each backup would be told again.
        if place not in running.values and kind in running.whole and not _is_missing(above, running):
            yield DefinitionDifference("missing", thing, designed.element_ids[thing])
        return  # what exists beyond the design is one of what is left open
    if above and not ((*above, "exists") in designed.values and (*above, "exists") in running.values):
        return  # of a table that is not on both sides the families say nothing more
    if place not in running.values:
        # Missing only where a file lists all of the kind: a description of one table says nothing of the others.
        if kind in running.whole:
            yield DefinitionDifference("missing", thing, designed.element_ids[thing])
    elif thing in designed.refused:
        yield DefinitionDifference("changed", thing, designed.refused[thing], is_refused=True)
    elif place not in designed.values and not is_built_in(thing) and not _is_open_cluster(thing, designed):
        yield DefinitionDifference("extra", thing, designed.element_ids.get(above, ""))


def _is_missing(thing: Place, running: Definitions) -> bool:
    return thing[:-1] in running.whole and (*thing, "exists") not in running.values


def _things_without_file(designed: Definitions, running: Definitions) -> Iterator[Text]:
    for place in designed.element_ids:
        kind = place[:-1]
        if (*place, "exists") in running.values or kind in running.whole or place in designed.implied:
            continue
        if len(place) == 2:
            yield build_text(THINGS[place[0]], name=place[1])
        elif (*place[:2], "exists") in running.values:
            yield subject_of(place)
