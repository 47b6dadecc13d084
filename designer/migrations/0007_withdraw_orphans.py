"""Withdraw invitations and tokens whose maker is not an owner any more: until now they outlived that."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef
from django.utils import timezone


def withdraw(apps: Any, schema_editor: Any) -> None:
    members = apps.get_model("designer", "Membership").objects
    owners = members.filter(team=OuterRef("team"), person=OuterRef("by"), role="owner")
    apps.get_model("designer", "Invitation").objects.filter(~Exists(owners), taken_by=None).delete()
    apps.get_model("designer", "Token").objects.filter(~Exists(owners), revoked=None).update(revoked=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("designer", "0006_token_ends")]
    operations = [migrations.RunPython(withdraw, migrations.RunPython.noop)]
