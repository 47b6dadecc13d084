"""Equal findings about many elements are one summary, with the findings under it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from designer.document import Model, Spec
from designer.document.access import Read, Write
from designer.document.activity import Activity
from designer.document.family import Column, Family
from designer.document.field import Field
from designer.document.instance import Cluster
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import element_label, element_locations
from estimator.results import Finding

EQUAL = 2
"""Findings that differ only in names: as many become a summary."""
SAME_RULE = 4
"""Findings of one rule that differ in figures, too: as many become a summary."""
LISTED = 3
"""Elements that the summary names; its parts name all."""

SUMMARY = N_("{title} This applies to {elements}: {names}.")
SUMMARY_MORE = N_("{title} This applies to {elements}: {names} and {more_count} more.")

_COUNTED: tuple[tuple[type[Model], str], ...] = (
    (Table, "tables"), (Family, "families"), (Column, "columns"), (RowKind, "row_kinds"), (Write, "writes"),
    (Read, "reads"), (Field, "fields"), (Activity, "activities"), (Cluster, "clusters"),
)  # fmt: skip


def summarize(spec: Spec, findings: Iterable[Finding], titles: Mapping[str, str]) -> Iterator[Finding]:
    """Yield the findings with a summary in place of those of one rule that say the same.

    A summary is at the first of its elements. Accepted findings stay single: each has an owner and a reason; questions,
    too: each has its own answers.
    """
    groups: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for place, finding in enumerate(findings):
        single = finding.ignored is not None or finding.is_summary or finding.severity == "question"
        groups[(place,) if single else (finding.rule, finding.message, finding.severity)].append(finding)
    for alike in groups.values():
        # Two equal sentences are already a repetition; sentences with different figures are worth reading up to three
        # times.
        if len(alike) >= (EQUAL if _are_equal(spec, alike) else SAME_RULE):
            yield _summary(spec, alike, titles)
        else:
            yield from alike


def _are_equal(spec: Spec, alike: Iterable[Finding]) -> bool:
    """Return whether findings differ in nothing but the names of their elements."""
    return len({_without_names(spec, finding) for finding in alike}) == 1


def _without_names(spec: Spec, finding: Finding) -> str:
    names = set(element_locations(spec).get(finding.at, ()))
    params = {name: value for name, value in finding.params.items() if not _is_name(value, names)}
    return repr(sorted(params.items()))


def _is_name(value: Any, names: set[str]) -> bool:
    return isinstance(value, str) and value in names


def _summary(spec: Spec, alike: list[Finding], titles: Mapping[str, str]) -> Finding:
    first = alike[0]
    ids = tuple(dict.fromkeys(finding.at for finding in alike))
    more = len(ids) - LISTED
    names = [_label(spec, id_) for id_ in ids[: LISTED if more > 0 else None]]
    return replace(
        first,
        message=SUMMARY_MORE if more > 0 else SUMMARY,
        params={
            "title": Text(titles[first.rule]),
            "elements": Text("{" + (name := _count_parameter(spec, ids)) + "}", {name: len(ids)}),
            "names": tuple(names),
            "more_count": more,
        },
        effect=None,
        fix=None,
        fix_label="",
        under=tuple(_parts(alike)),
        own_severity=None,
        is_summary=True,
    )


def _parts(alike: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings, each followed by its consequences."""
    for finding in alike:
        yield replace(finding, under=())  # with the severity of the summary, which is that of the gravest below
        yield from finding.under


def _count_parameter(spec: Spec, ids: Iterable[str]) -> str:
    """Return the name of a parameter that counts these elements: its suffix is their noun."""
    kinds = {type(spec.by_id.get(id_)) for id_ in ids}
    nouns = {noun for kind in kinds for of, noun in _COUNTED if kind is of}
    return f"count_{nouns.pop()}" if len(nouns) == 1 == len(kinds) else "count_elements"


def _label(spec: Spec, id_: str) -> str | Text:
    """Return the element's name after its table's, unless it is a table."""
    trail = element_locations(spec).get(id_, (element_label(spec, id_),))
    return Text("{table} / {name}", {"table": trail[0], "name": trail[-1]}) if len(trail) > 1 else trail[0]
