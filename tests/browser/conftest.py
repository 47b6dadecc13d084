"""Browser tests drive the machine's own Chromium; a message on its console that is an error fails the test."""

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.conftest import CI

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the test's own thread

CHROMIUM = os.environ.get("CHROME") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
AXE = Path(__file__).parent / "axe.min.js"
MISSING = "no Chromium on this machine: apt-get install chromium, or set CHROME=/path/to/it"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    ours = [item for item in items if here in item.path.parents]
    if CHROMIUM is None and ours:
        if CI:
            pytest.exit(MISSING, returncode=3)
        for item in ours:
            item.add_marker(pytest.mark.skip(reason=MISSING))
    for item in ours:
        item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox", "--disable-dev-shm-usage"],
    }


@pytest.fixture
def allowed_console_errors() -> list[str]:
    """Texts that a test expects on the console, such as the browser's own line about a 404."""
    return []


@pytest.fixture
def page(context: BrowserContext, live_server: Any, allowed_console_errors: list[str]) -> Generator[Page, None, None]:
    """A page on the running site (relative addresses work with `visit`); console errors fail the test."""
    page = context.new_page()
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"{message.text} ({message.location.get('url')})")

    page.on("console", note)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    page.close()
    unexpected = [text for text in problems if not any(allowed in text for allowed in allowed_console_errors)]
    assert not unexpected, "errors on the browser's console"


@pytest.fixture
def accessible(page: Page) -> Callable[[], None]:
    """Call it to have axe look at the page as it is now; a violation fails the test with its rule and elements."""

    def look() -> None:
        expect(page.locator("[data-slot].stale")).to_have_count(0)  # what is being computed anew is pale for a moment
        # by the protocol, not as a script element: the site's Content-Security-Policy stays as it is
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert not [f"{rule['id']}: {rule['help']}: {[node['html'][:200] for node in rule['nodes']]}" for rule in found]

    return look


@pytest.fixture(scope="session")
def base_url() -> None:
    """Addresses in tests are relative to the live server, by the context's base_url."""


LOCALES = {"en": "en-GB", "ja": "ja-JP"}


@pytest.fixture
def browser_context_args(
    browser_context_args: dict[str, Any], live_server: Any, request: pytest.FixtureRequest
) -> dict[str, Any]:
    """The browser of somebody whose language is the test's parameter `language`; English without one."""
    params = getattr(request.node, "callspec", None)
    language = params.params.get("language", "en") if params else "en"
    return {**browser_context_args, "base_url": live_server.url, "locale": LOCALES[language]}
