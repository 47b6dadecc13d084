"""Files of the cloud's own tools, read as one picture of what runs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from designer import imports
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem
from designer.imports import ImportResult
from designer.imports.shared.yamls import documents

READ = ("terraform_state", "terraform", "gcloud", "cbt")
"""Formats that tell what runs."""


@dataclass(frozen=True)
class ToldFiles:
    """What files tell together."""

    results: tuple[ImportResult, ...]
    """Of all that gcloud printed, one: a profile routes to clusters that another file names."""
    lists: tuple[tuple[ImportResult, bool], ...]
    """Each file's own, and whether it lists all things of the kinds that it has."""


def read_files(texts: Sequence[str | bytes]) -> ToldFiles:
    """Return what files tell.

    Raises
    ------
    InvalidDocumentError
        If a file cannot be read, or does not tell what runs.
    """
    lists, others, resources = [], list[ImportResult](), list[Any]()
    for text in texts:
        result, shown = imports.read(text), imports.decode(text)
        if result.format not in READ:
            message = N_("does not tell what runs: it is read as {format}")
            title = str(imports.formats_by_name()[result.format].TITLE)
            raise InvalidDocumentError([Problem((), build_text(message, format=title))])
        lists.append((result, _is_listing(result, shown)))
        if result.format == "gcloud":
            resources += _resources(shown)
        else:
            others.append(result)
    together = [imports.read(json.dumps(resources), "gcloud")] if resources else []
    return ToldFiles((*others, *together), tuple(lists))


def _resources(text: str) -> Iterator[Any]:
    try:
        data = json.loads(text)
    except ValueError:
        data = documents(text)
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, dict) and "name" not in one:
            yield from (each for listed in one.values() if isinstance(listed, list) for each in listed)
        else:
            yield one


def _is_listing(result: ImportResult, text: str) -> bool:
    """Return whether a file lists all things of the kinds that it has: a list of gcloud's, or `cbt ls` alone."""
    if result.format == "gcloud":
        head = text.lstrip()
        documents_shown = head.count("\n---") + head.startswith("---")
        return head.startswith("[") or documents_shown > 1 or _holds_lists(head)
    return result.format == "cbt" and not any(table.families for table in result.spec.tables)


def _holds_lists(text: str) -> bool:
    """Return whether a text is an answer of the API, such as `{"tables": […]}`."""
    try:
        data = json.loads(text)
    except ValueError:
        return False
    return isinstance(data, dict) and "name" not in data
