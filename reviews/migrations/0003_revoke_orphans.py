"""Revoke links whose maker may not share the design any more: until now they outlived that."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef
from django.utils import timezone


def revoke(apps: Any, schema_editor: Any) -> None:
    members = apps.get_model("designer", "Membership").objects
    sharers = members.filter(
        team=OuterRef("design__team"), person=OuterRef("made_by"), role__in=("owner", "editor")
    )
    apps.get_model("reviews", "Link").objects.filter(~Exists(sharers), revoked=None).update(revoked=timezone.now())


class Migration(migrations.Migration):
    dependencies = [("designer", "0007_withdraw_orphans"), ("reviews", "0002_mails")]
    operations = [migrations.RunPython(revoke, migrations.RunPython.noop)]
