"""Browser tests drive the machine's own Chromium; a message on its console that is an error fails the test."""

import os
import shutil
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page

from tests.browser.soon import PATIENCE_MS, expect
from tests.conftest import CI

os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright's loop runs in the test's own thread

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first draws the same pages, without the windows of a browser around them: they cost a third."""
CHROMIUM = os.environ.get("CHROME") or next(filter(None, map(shutil.which, NAMES)), None)
AXE = Path(__file__).parent / "axe.min.js"
# Chromium's own address bar is pages with scripts, too, which no test ever sees, made anew for each window.
# The last such list counts, so the others are Playwright's own (1.65, chromiumSwitches.ts).
WITHOUT = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch", "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip
MISSING = "no Chromium on this machine: apt-get install chromium-headless-shell, or set CHROME=/path/to/it"


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
        "args": [
            "--no-sandbox",
            "--disable-dev-shm-usage",
            f"--disable-features={','.join(WITHOUT)}",
            "--disable-gpu",  # drawn by the processor either way: not by one that plays a graphics card
        ],
    }


@pytest.fixture
def allowed_console_errors() -> list[str]:
    """Texts that a test expects on the console, such as the browser's own line about a 404."""
    return []


class Shared:
    """One browser context a language for all tests, so that styles and scripts are fetched once; emptied after each."""

    def __init__(self, browser: Browser, args: dict[str, Any]) -> None:
        self.browser, self.args = browser, args
        self.kept: dict[str, BrowserContext] = {}

    def of(self, language: str) -> BrowserContext:
        if language not in self.kept:
            self.kept[language] = self.browser.new_context(**self.args, locale=LOCALES[language])
            self.kept[language].set_default_timeout(PATIENCE_MS)
        return self.kept[language]


LOCALES = {"en": "en-GB", "ja": "ja-JP"}
EMPTIED = "localStorage.clear(); sessionStorage.clear();"


@pytest.fixture(scope="session")
def base_url() -> None:
    """Addresses in tests are relative to the live server, by the context's base_url."""


@pytest.fixture(scope="session")
def contexts(browser: Browser, browser_context_args: dict[str, Any], live_server: Any) -> Shared:
    return Shared(browser, {**browser_context_args, "base_url": live_server.url})


@pytest.fixture
def context(contexts: Shared, request: pytest.FixtureRequest) -> Generator[BrowserContext, None, None]:
    """The browser of somebody whose language is the test's parameter `language`; English without one."""
    params = getattr(request.node, "callspec", None)
    context = contexts.of(params.params.get("language", "en") if params else "en")
    yield context
    context.set_offline(False)
    context.unroute_all(behavior="ignoreErrors")
    context.clear_permissions()
    context.clear_cookies()


@pytest.fixture
def page(
    context: BrowserContext, request: pytest.FixtureRequest, allowed_console_errors: list[str]
) -> Generator[Page, None, None]:
    """A page on the running site (relative addresses work with `visit`); console errors fail the test."""
    page = context.pages[0] if context.pages else context.new_page()
    problems: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"{message.text} ({message.location.get('url')})")

    def fail(error: Error) -> None:
        problems.append(str(error))

    page.on("console", note)
    page.on("pageerror", fail)
    yield page
    page.remove_listener("console", note)
    page.remove_listener("pageerror", fail)
    left(page, close="fresh_page" in request.keywords)
    unexpected = [text for text in problems if not any(allowed in text for allowed in allowed_console_errors)]
    assert not unexpected, "errors on the browser's console"


def left(page: Page, *, close: bool) -> None:
    """The page as the next test finds it: the same one, as a new page costs three processes, but nothing kept."""
    page.unroute_all(behavior="ignoreErrors")
    try:
        if close:
            raise Error("a test listens to this page")
        page.goto("/static/favicon.svg")  # not where the page asks whether to leave what is unsaved
        page.evaluate(EMPTIED)
        page.mouse.move(0, 0)  # else it points at whatever comes to stand there
        page.set_viewport_size({"width": 1280, "height": 720})
        page.emulate_media(color_scheme="light")
    except Error:
        page.close()


@pytest.fixture
def accessible(page: Page) -> Callable[..., None]:
    """Call it to have axe look at the page as it is now; a violation fails the test with its rule and elements.

    `schemes` are looked at one after the other. What does not hang on colours is asked in the first only.
    """

    def look(*schemes: str) -> None:
        expect(page.locator("[data-slot].stale")).to_have_count(0)  # what is being computed anew is pale for a moment
        if not page.evaluate("'axe' in window"):
            # by the protocol, not as a script element: the site's Content-Security-Policy stays as it is
            page.evaluate(axe_source())
        found = []
        for n, scheme in enumerate(schemes or ("",)):
            if scheme:
                page.emulate_media(color_scheme=scheme)
            asked = {"runOnly": ["color-contrast"]} if n else {"resultTypes": ["violations"]}
            found += page.evaluate(AXE_RUN, asked)
        assert not found

    return look


AXE_RUN = """async (options) => (await axe.run(document, {...options, preload: false})).violations
  .map((rule) => `${rule.id}: ${rule.help}: ${rule.nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`)"""


@cache
def axe_source() -> str:
    return AXE.read_text(encoding="utf-8")
