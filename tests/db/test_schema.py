"""The JSON Schema where people get it: at its address and from the command line."""

import io
import json

from django.core.management import call_command
from django.test import Client

from designer.document.schema import schema

ADDRESS = "/schema/design-1.json"


def test_the_schema_has_an_address_and_may_be_kept(client: Client) -> None:
    response = client.get(ADDRESS)

    assert response.status_code == 200
    assert response["Content-Type"] == "application/schema+json"
    assert response["Cache-Control"] == "public, max-age=3600"
    assert response.json() == schema()
    assert client.get(ADDRESS, headers={"If-None-Match": response["ETag"]}).status_code == 304


def test_the_command_line_prints_the_same_schema() -> None:
    out = io.StringIO()

    call_command("spec_schema", stdout=out)

    assert json.loads(out.getvalue()) == schema()
