"""JSON kept as text: exactly what was given comes back on every database (PostgreSQL's own type refuses NUL)."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    _Text = models.TextField[Any, Any]
else:
    _Text = models.TextField  # generic for the type checker alone


class JsonSource(str):
    """JSON text that is stored as it is."""


class JsonText(_Text):
    """Plain data, stored as JSON text."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else json.loads(value)

    def get_prep_value(self, value: Any) -> str | None:
        if value is None or isinstance(value, JsonSource):
            return value
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
