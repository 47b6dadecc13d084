"""Format of rows in a backup, and the models in it."""

from collections.abc import Mapping
from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models

from designer.models.jsontext import JsonText

FORMAT = 1
NAME = "keywright_backup"
"""The manifest's first key, by which a file is known."""
APPS = ("designer", "estimator", "reviews", "mfa")
OF_ACCOUNTS = frozenset({"mfa.authenticator"})
"""Second factors: a site of one person has no place for them, and leaves them out of a team's backup."""
PASSING = frozenset({
    "designer.presence", "designer.attempt", "designer.heartbeat", "designer.signin", "designer.webhookdelivery",
    "estimator.knownbook", "estimator.run", "estimator.step",
    "estimator.part", "estimator.accesslog", "estimator.worker", "reviews.mail",
})  # fmt: skip
"""Who is here at this minute, who failed to sign in, the last check of health: nobody misses it. Nor what runs came to:
it can be large, and the same question has the same answer, to the last bit. Measurements are kept: bills depend on
them."""


LOG = "designer.auditevent"
"""Belongs to a site and not to a backup: a restore neither brings nor removes it."""


class BackupError(Exception):
    """Error for an unusable file, or for a database that cannot be restored from it, as a sentence."""


def describe_counts(counts: Mapping[str, int]) -> str:
    """Return the numbers of designs and people in words."""
    designs, people = counts.get("designer.design", 0), counts.get("designer.person", 0)
    return f"{designs} design{'' if designs == 1 else 's'}, {people} {'person' if people == 1 else 'people'}"


def backed_up_models() -> dict[str, type[models.Model]]:
    """Every model whose rows people made, by its label."""
    configs = (config for config in apps.get_app_configs() if config.label in APPS)
    classes = (model for config in configs for model in config.get_models(include_auto_created=True))
    return {model._meta.label_lower: model for model in classes if model._meta.label_lower not in {*PASSING, LOG}}


def excluded_models() -> list[type[models.Model]]:
    """Those that are in none."""
    return [apps.get_model(label) for label in sorted(PASSING)]


def plain_row(row: models.Model) -> dict[str, Any]:
    """Return a row's fields in JSON form."""
    return {field.attname: _plain(field, row) for field in row._meta.concrete_fields}


def _plain(field: Any, row: models.Model) -> Any:
    value = field.value_from_object(row)
    if value is None or isinstance(value, bool | int | float | str) or isinstance(field, JsonText | models.JSONField):
        return value
    return field.value_to_string(row)


def build_row(model: type[models.Model], fields: dict[str, Any]) -> models.Model:
    """Build the row with these fields; fields that are missing get their defaults.

    Raises
    ------
    BackupError
        If a field is not known here, or its value is no such value.
    """
    fields_by_name = {field.attname: field for field in model._meta.concrete_fields}
    if unknown := sorted(fields.keys() - fields_by_name.keys()):
        raise BackupError(
            f"{model._meta.label_lower} has no field {unknown[0]} here: the backup is of a newer version."
        )
    try:
        return model(**{name: _value(fields_by_name[name], value) for name, value in fields.items()})
    except (ValidationError, TypeError, ValueError) as wrong:
        reason = "; ".join(wrong.messages) if isinstance(wrong, ValidationError) else wrong
        raise BackupError(f"A row of {model._meta.label_lower} cannot be read: {reason}") from None


def _value(field: Any, value: Any) -> Any:
    return value if value is None or isinstance(field, JsonText | models.JSONField) else field.to_python(value)
