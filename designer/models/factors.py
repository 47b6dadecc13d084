"""Second factors of people: passkeys, authenticator apps and recovery codes, rows of django-allauth's MFA.

Only a site of a team has that app and its table.
"""

from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value

from .people import Membership, Person

PASSKEY, APP, RECOVERY = "webauthn", "totp", "recovery_codes"
FACTORS = (PASSKEY, APP)
"""Recovery codes stand in for one of these, and are none by themselves."""


def factors_of(person: Person) -> QuerySet[Any]:
    """Return the passkeys and the authenticator app of a person, oldest first."""
    return _rows().filter(user_id=person.pk, type__in=FACTORS).order_by("created_at", "pk")


def recovery_codes_of(person: Person) -> Any:
    """Return the row of a person's recovery codes; None without any."""
    return _rows().filter(user_id=person.pk, type=RECOVERY).first()


def has_second_factor(person: Person) -> bool:
    return apps.is_installed("allauth.mfa") and factors_of(person).exists()


def second_factor_of(person_field: str) -> Exists | Value:
    """Return the condition that the person in this field has a second factor."""
    if not apps.is_installed("allauth.mfa"):
        return Value(False)
    return Exists(_rows().filter(user_id=OuterRef(person_field), type__in=FACTORS))


def with_owed_factor(people: QuerySet[Person]) -> QuerySet[Person]:
    """Annotate people with `owes_factor`: a team of theirs requires a second factor, and they have none."""
    required = Exists(Membership.objects.filter(person=OuterRef("pk"), team__second_factor_required=True))
    owed = Q(required) & ~Q(second_factor_of("pk"))
    return people.annotate(owes_factor=ExpressionWrapper(owed, output_field=BooleanField()))


def find_person(pk: int) -> Person | None:
    """Return a person with `owes_factor`; None if there is none. Every request asks this: its SQL is written once."""
    # Decision 82: Django takes longer to write this statement than SQLite to run it.
    sql, parameters = _person_query(connection.vendor, apps.is_installed("allauth.mfa"))
    rows = Person.objects.raw(sql, [pk if parameter == _ANY_PERSON else parameter for parameter in parameters])
    return next(iter(rows), None)


_ANY_PERSON = -1


@cache
def _person_query(vendor: str, has_factors: bool) -> tuple[str, tuple[Any, ...]]:
    """Return the SQL for one person of a database, and its parameters with `_ANY_PERSON` in place of the key."""
    query: Any = with_owed_factor(Person.objects.filter(pk=_ANY_PERSON)).query
    sql, parameters = query.sql_with_params()
    return sql, tuple(parameters)


def _rows() -> QuerySet[Any]:
    model: Any = apps.get_app_config("mfa").get_model("Authenticator")
    rows: QuerySet[Any] = model.objects.all()
    return rows
