"""Fields of a design for which a format has no place: one note names those that are set, so that none is lost."""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.document import Spec
from designer.document.base import Model, children
from designer.document.engines import EngineDescription, description_of
from designer.document.family import Family
from designer.document.groups import title
from designer.document.instance import AppProfile, Instance
from designer.document.table import Table
from designer.document.texts import N_, Text

from .result import ExportRemarks

Fields = Mapping[type[Model], tuple[str, ...]]
"""Names of fields, by the model that they are on."""

MODEL_ONLY: Fields = {
    Spec: ("description", "horizon_months", "start", "fields", "activities", "ignores", "measured"),
    Table: (
        "description", "history_months", "rows_stored", "gib_stored", "keep_forever", "compressed_share",
        "derived_from",
    ),
    Family: ("needed", "columns"),
    Instance: ("commitment", "price_book", "prices", "month_hours", "calibration"),
}  # fmt: skip
"""What no tool takes: columns, what is stored and read, and what money rests on."""
KEYS_TOO: Fields = {**MODEL_ONLY, Table: (*MODEL_ONLY[Table], "row_kinds")}
"""The same for a tool that creates tables without knowing their keys."""
OF_TERRAFORM: Fields = {Table: ("terraform",), Family: ("terraform",), AppProfile: ("terraform",)}


def omit(*fields: Fields) -> Fields:
    """Return all of these as one."""
    result: dict[type[Model], tuple[str, ...]] = {}
    for field in fields:
        for model, names in field.items():
            result[model] = (*result.get(model, ()), *names)
    return result


NOT_TERRAFORM: Fields = omit(KEYS_TOO, OF_TERRAFORM, {Instance: ("terraform",)})
"""What every other tool that creates tables leaves out."""


def note_omissions(spec: Spec, remarks: ExportRemarks, omitted: Fields) -> None:
    """Note the titles of the omitted fields that the design sets, each once, in the order of the document.

    Fields that have no meaning on the design's engine are omitted by every format.
    """
    titles = list[Text]()
    for one in _set_titles(spec, spec, None, _LeftOut(description_of(spec), omitted)):
        if one not in titles:
            titles.append(one)
    if titles:
        message = N_("not in the files: {titles}; the JSON export contains the whole design")
        remarks.note("", message, titles=tuple(titles))


class _LeftOut(dict[type[Model], Mapping[str, Any]]):
    """By class of a part its fields that are left out, each with its default; looked up once for a class."""

    def __init__(self, engine: EngineDescription, omitted: Fields) -> None:
        self.engine, self.omitted = engine, omitted

    def __missing__(self, model: type[Model]) -> Mapping[str, Any]:
        defaults = self[model] = {
            name: field.get_default()
            for name, field in model.model_fields.items()
            if name in self.omitted.get(model, ()) or not self.engine.has_field(model, name)
        }
        return defaults


def _set_titles(spec: Spec, part: Model, owner: Text | None, left_out: _LeftOut) -> Iterator[Text]:
    """Yield the titles of omitted fields that a part sets, or one below it that is not itself omitted.

    `owner` is the title of the list that the part is in; None: the part is the design or its instance.
    """
    model, fields = type(part), left_out[type(part)]
    for name, default in fields.items():
        if getattr(part, name) != default:
            own = Text(title(spec, model, name))
            yield own if owner is None else Text("{owner} › {title}", {"owner": owner, "title": own})
    for name, _, child in children(part):
        if name not in fields:
            titled = model.model_fields[name].title is not None
            yield from _set_titles(spec, child, Text(title(spec, model, name)) if titled else None, left_out)
