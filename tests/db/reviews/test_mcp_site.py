"""`keywright mcp --server`: designs of a team's site by its API, for a token that may read and one that may write."""

import asyncio
import datetime
from typing import Any

import pytest

pytest.importorskip("mcp", reason="NOT TESTED: the SDK of the Model Context Protocol is not installed here")

from mcp import Client

from designer.document.texts import Text
from designer.models import Design, Person, Team, Token
from estimator.advice.rules import RULES
from estimator.management.commandline import file_context
from reviews.management.mcp_server.server import Desk, build_server
from reviews.management.mcp_server.site_store import SiteStore
from reviews.management.mcp_server.stores import StoreError

TODAY = datetime.date(2026, 11, 26)
RULE = {"rule": "F003", "at": "family"}


@pytest.mark.django_db(transaction=True)
def test_designs_of_a_site_are_judged_and_changed_as_the_token_may(live_server: Any, settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "team"
    ana, team = Person.objects.create_user("ana@example.com", name="ana"), Team.objects.create(name="Platform")
    team.add(ana, "owner")
    design = Design.objects.start(RULES["F003"].bad(), team=team, by=ana)
    read, write = (Token.objects.issue(team, name=scope, scope=scope, by=ana)[1] for scope in ("read", "write"))

    def ask(token: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
        desk = Desk(SiteStore(live_server.url, token), file_context(TODAY), True, TODAY)

        async def session() -> list[Any]:
            async with Client(build_server(desk)) as client:
                return [await client.call_tool(name, arguments) for name, arguments in calls]

        return asyncio.run(session())

    listed, lint = ask(read, ("list_designs", {}), ("lint", {"design": design.key}))
    change = {"design": design.key, "version": lint.structured_content["version"], **RULE}
    created = ("create_design", {"design": "", "document": "format: 1\nname: Fresh\n"})
    refused, no_design, no_token = (
        *ask(read, ("apply_fix", change), ("lint", {"design": "absent"})),
        ask("kw_unknown", ("list_designs", {}))[0],
    )
    applied, again, made = ask(write, ("apply_fix", change), ("apply_fix", change), created)

    assert [one["design"] for one in listed.structured_content["designs"]] == [design.key]
    assert lint.structured_content["counts"]["warning"] == 1
    assert "may not do this" in refused.content[0].text
    assert "no such design" in no_design.content[0].text
    assert "does not know this token" in no_token.content[0].text
    assert applied.structured_content["warnings"] == 0
    assert again.is_error
    assert made.structured_content["design"] in set(Design.objects.values_list("key", flat=True))
    design.refresh_from_db()
    assert design.number == 2


@pytest.mark.django_db(transaction=True)
def test_a_document_that_changed_between_reading_and_writing_is_left_alone(live_server: Any, settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "team"
    ana, team = Person.objects.create_user("ana@example.com", name="ana"), Team.objects.create(name="Platform")
    team.add(ana, "owner")
    design = Design.objects.start(RULES["F003"].bad(), team=team, by=ana)
    store = SiteStore(live_server.url, Token.objects.issue(team, name="w", scope="write", by=ana)[1])
    stored = store.read(design.key)
    design.replace(
        RULES["F003"].good(), expected_sha256=design.head_id, by=ana, description=Text("replaced by somebody else")
    )

    with pytest.raises(StoreError, match="has changed since"):
        store.replace(stored, RULES["F003"].near_miss())
