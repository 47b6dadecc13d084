"""Keys of an existing table, one per line, as they were printed → a table with the pattern that they seem to follow."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.load import from_data
from designer.document.texts import N_, build_text
from designer.document.validation_errors import InvalidDocumentError, Problem

from .keys import KeyLines, ShapeFinder, find_shapes, kind_name, match_keys, propose, read_lines
from .shared.build import build_import
from .shared.commands import refuse_commands
from .shared.result import ImportRemark, ImportResult, MatchedKeys

TITLE = N_("Sample keys")
TOO_FEW = N_("too few keys to detect the pattern")


def can_read(text: str, data: Any) -> bool:
    """Return True for any lines."""
    return data is None


def read(text: str, data: Any) -> ImportResult:
    """Build a design with one table of such rows, each structure a row kind of its own."""
    refuse_commands(text)  # every line of text is a key to this reader, also that of a script
    lines = read_lines(text.encode())
    data, matched = _read_kinds(lines.keys)
    remarks = [*_left_out(lines), *_other_structures(lines.keys, matched)]
    return replace(build_import("sample_keys", data, remarks), matched=matched)


def _read_kinds(keys: Sequence[bytes]) -> tuple[dict[str, Any], dict[str, MatchedKeys]]:
    """Return the data of a design with a table of such rows, and how many keys each row kind matches."""
    fields: list[Any] = []
    kinds: list[dict[str, Any]] = []
    matched: dict[str, MatchedKeys] = {}
    names: list[str] = []
    groups = list(_split_kinds(keys))
    for own in groups:
        # A copy, because reading a document gives ids to its data.
        spec = from_data({"fields": deepcopy(fields), "tables": [_table(deepcopy(kinds))]}) if kinds else Spec()
        proposal = propose(spec, own)
        if not proposal.segments:
            raise InvalidDocumentError([Problem((), build_text(TOO_FEW))])
        fields += [to_plain_data(field) for field in proposal.fields]
        segments = [to_plain_data(segment) for segment in proposal.segments]
        by_id = {field["id"]: field["name"] for field in fields}
        names.append(kind_name(proposal.segments, by_id, names) if len(groups) > 1 else "rows")
        kinds.append({"id": f"rows-{len(kinds) + 1}", "name": names[-1], "key": segments})
        fit = match_keys(from_data({"fields": deepcopy(fields)}), proposal.segments, own)
        matching = round(fit.share * len(own))
        example = "".join(f"{text}{after}" for _, text, after in fit.cut[0]) if fit.cut else ""
        matched[kinds[-1]["id"]] = MatchedKeys(matching, len(keys), example)
    return {"fields": fields, "tables": [_table(kinds)]}, matched


def _split_kinds(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Yield the keys of each row kind; those of another structure belong to none."""
    shapes = find_shapes(keys)
    if len(shapes) == 1:
        yield keys
        return
    groups: list[list[bytes]] = [[] for _ in shapes]
    for key, place in zip(keys, ShapeFinder(shapes).find(keys), strict=True):
        if place >= 0:
            groups[place].append(key)
    yield from filter(None, groups)


def _table(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "table", "name": "table", "row_kinds": kinds}


def _left_out(lines: KeyLines) -> Iterator[ImportRemark]:
    if lines.left_out:
        yield ImportRemark("", N_("{count} lines are longer than a key can be"), {"count": lines.left_out})


def _other_structures(keys: Sequence[bytes], matched: Mapping[str, MatchedKeys]) -> Iterator[ImportRemark]:
    other = len(keys) - sum(match.matching for match in matched.values())
    if other > 0:
        params = {"count": other, "lines": len(keys)}
        yield ImportRemark("", N_("{count} of {lines} lines have another structure"), params)
