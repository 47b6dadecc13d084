from typing import Any

from django.db import migrations

MESSAGE = "The audit log is append-only."
SQLITE = f"""
CREATE TRIGGER designer_audit_append_only BEFORE UPDATE ON designer_auditevent
BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END
"""
POSTGRESQL = f"""
CREATE FUNCTION designer_audit_append_only() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION '{MESSAGE}'; END $$ LANGUAGE plpgsql;
CREATE TRIGGER designer_audit_append_only BEFORE UPDATE ON designer_auditevent
FOR EACH ROW EXECUTE FUNCTION designer_audit_append_only()
"""


def add(apps: Any, schema_editor: Any) -> None:
    """Have the database refuse changed rows, whoever asks it. Rows past their retention are removed, so that is allowed.

    SQLite drops a trigger when a later migration makes its table anew: that migration has to add it again.
    """
    schema_editor.execute(SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL)


def remove(apps: Any, schema_editor: Any) -> None:
    table = "" if schema_editor.connection.vendor == "sqlite" else " ON designer_auditevent"
    schema_editor.execute(f"DROP TRIGGER designer_audit_append_only{table}")
    if table:
        schema_editor.execute("DROP FUNCTION designer_audit_append_only()")


class Migration(migrations.Migration):
    dependencies = [("designer", "0011_access")]
    operations = [migrations.RunPython(add, remove)]
