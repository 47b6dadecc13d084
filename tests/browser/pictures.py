"""Pictures of real pages: those of the documents, and a gallery of every page; `python3 run.py pictures` calls it.

It is no test of its own: pytest gives it the site, its people and the browser that the tests have.
"""

import io
import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation
from PIL import Image
from playwright.sync_api import BrowserContext, Error, Page, Route

from config.views import internal_error
from designer.document import Spec
from designer.document.edits import Set, current_value
from designer.document.load import from_data
from designer.examples import example
from designer.http.shares import ShareSpentError
from designer.models import Design
from reviews.models import Link
from tests.browser.conftest import LOCALES, Shared
from tests.browser.soon import expect
from tests.core.application.test_sentences import IOT
from tests.db.test_permissions import NOBODY, OFF, SITE, Scene, scene  # noqa: F401 - a fixture

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MOST_BYTES = 1_000_000
"""What the moving picture of the README may weigh."""
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
LONG = "A name that is as long as names of tables, families and columns are where several companies agreed on it"


# --- documents --------------------------------------------------------------------------------------------------


@pytest.fixture
def allowed_console_errors() -> list[str]:
    """The gallery shows errors, too."""
    return ["status of 4", "status of 5", "Failed to load resource"]


IDLE_MS = 15_000
SCROLL_THROUGH = """async () => {
  for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
  }
  scrollTo(0, 0);
}"""
"""What is fetched when it comes into view is then fetched."""


def settle(page: Page) -> None:
    """Wait until nothing is fetched or drawn any more."""
    expect(page.locator("[data-slot].stale")).to_have_count(0)
    page.wait_for_load_state("networkidle", timeout=IDLE_MS)
    page.evaluate("document.fonts.ready")


def picture(page: Page) -> Image.Image:
    """Return what the window shows."""
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


def test_documents(page: Page) -> None:
    """From three sentences to a review: each step is a picture of the tutorial, all of them the README's."""
    page.set_viewport_size({"width": 1280, "height": 800})
    frames: list[tuple[Image.Image, int]] = []

    def keep(name: str = "", *, milliseconds: int = 1500) -> None:
        settle(page)
        shown = picture(page)
        frames.append((shown, milliseconds))
        if name:
            PICTURES.mkdir(exist_ok=True)
            shown.save(PICTURES / f"{name}.webp", quality=82, method=6)

    page.goto("/")
    keep()
    for number, sentence in enumerate(IOT):
        page.locator("#typed").fill(sentence)
        keep(milliseconds=900)
        page.locator("#typed").press("Enter")
        expect(page.locator("#typed")).to_have_value("")
        expect(page.locator(".schema-choice").first).to_be_visible()
        if number == len(IOT) - 1:
            expect(page.locator(".schema-choice").first).to_contain_text("reports_by_tenant")
        keep("sentences" if number == len(IOT) - 1 else "", milliseconds=1200)
    page.get_by_role("button", name="Show schemas").evaluate("button => button.scrollIntoView({block: 'start'})")
    keep("schemas", milliseconds=2500)
    page.get_by_role("button", name="Use this").first.click()
    page.wait_for_url("**/designs/*/")
    keep("design", milliseconds=3000)
    key = page.url.rstrip("/").rpartition("/")[2]
    page.goto(f"/designs/{key}/at/reports")
    keep("table", milliseconds=2500)
    page.goto(f"/designs/{key}/review/")
    keep("review", milliseconds=3000)

    small = [(each.resize((960, 600), Image.Resampling.LANCZOS), length) for each, length in frames]
    (first, _), *rest = small
    first.save(
        PICTURES / "keywright.webp", save_all=True, append_images=[each for each, _ in rest], loop=0, quality=70,
        duration=[length for _, length in small], method=6,
    )  # fmt: skip
    assert (PICTURES / "keywright.webp").stat().st_size <= MOST_BYTES


# --- gallery ----------------------------------------------------------------------------------------------------


class Shot(NamedTuple):
    """A page of the gallery: its name, its address, and who looks at it."""

    name: str
    path: str
    who: str | None = "owner"
    loading: str = ""
    """What of it is still being fetched, as a pattern of addresses."""
    failing: str = ""
    """What of it is answered by the page of an internal error."""
    refused: str = ""
    """What of it is answered by the page of a spent share of processor time."""
    act: Callable[[Page], None] | None = None
    """What its person does before the picture is taken."""


def every_page(scene: Scene) -> Iterator[Shot]:  # noqa: F811
    """Every address of the site that is a whole page for the owner of a team, and those that anybody opens."""
    for name, what in SITE.items():
        if what.get not in (NOBODY, OFF):
            path = scene.path(name)
            client = scene.client(None if what.get == "open" else "owner")
            client.raise_request_exception = False
            answer = client.get(path)
            kind = answer.headers.get("Content-Type", "")
            if kind.startswith("text/html") and not answer.streaming and b"<html" in answer.content:
                yield Shot(name, path, None if what.get == "open" else "owner")


def states(scene: Scene) -> Iterator[Shot]:  # noqa: F811
    """Empty, loading, wrong and long."""
    owner = scene.people["owner"]
    team = scene.design.team

    def start(spec: Spec) -> str:
        return Design.objects.start(spec, team=team, by=owner).key

    def go_offline(page: Page) -> None:
        page.context.set_offline(True)
        page.locator(".in-place input.number").first.fill("1234")
        expect(page.locator("body")).to_have_class(re.compile("offline"))

    def meet_another(page: Page) -> None:
        page.locator("#centre textarea").first.wait_for()
        design = Design.objects.get(key=key)
        was = current_value(design.spec, table, "description")
        design.apply(Set(at=table, name="description", value=f"{was} (theirs)", was=was), by=scene.people["editor"])
        page.locator("#centre textarea").first.fill("What I typed meanwhile")
        expect(page.locator(".conflict")).to_be_visible()

    def type_nonsense(page: Page) -> None:
        page.locator(".in-place input.number").first.fill("many")
        expect(page.locator(".in-place .problem").first).not_to_be_empty()

    key, table = start(example("karte").spec), example("karte").spec.tables[0].id
    yield Shot("state-example", f"/designs/{key}/")
    yield Shot("state-example-review", f"/designs/{key}/review/")
    yield Shot("state-example-table", f"/designs/{key}/at/{table}")
    typed = start(example("karte").spec)  # of its own: what is typed offline is saved when the connection is back
    yield Shot("state-offline", f"/designs/{typed}/", act=go_offline)
    yield Shot("state-error-in-a-value", f"/designs/{typed}/", act=type_nonsense)
    yield Shot("state-conflict", f"/designs/{key}/at/{table}", loading="**/news?*", act=meet_another)
    yield Shot("state-error-403", scene.path("team_log"), "viewer")
    yield Shot("state-error-500", f"/designs/{key}/history", failing=f"**/designs/{key}/history")
    yield Shot("state-error-insight", f"/designs/{key}/", failing="**/of/**")
    yield Shot("state-error-review", f"/designs/{key}/review/", failing="**/review/recommended")
    yield Shot("state-loading-review", f"/designs/{key}/review/", loading="**/review/recommended")
    yield Shot("state-loading-rows", f"/designs/{key}/rows", loading="**/of/**")
    yield Shot("state-error-429", f"/designs/{key}/review/", refused=f"**/designs/{key}/review/")
    yield Shot("state-error-429-insight", f"/designs/{key}/", refused="**/of/**")
    yield Shot("state-empty-start", "/", "stranger")
    empty = start(Spec(name="Nothing yet"))
    for name in ("", "review/", "runs/", "links/", "history", "variants/", "measured/", "export/"):
        yield Shot(f"state-empty-{name.strip('/') or 'design'}", f"/designs/{empty}/{name}")
    yield Shot("state-loading-design", f"/designs/{key}/", loading="**/of/**")
    yield Shot("state-error-404", "/no-such-page")
    yield Shot("state-error-design-of-others", f"/designs/{key}/", "stranger")
    yield Shot("state-error-link", "/review/no-such-link/", None)
    link, token = Link.objects.start(design=Design.objects.get(key=key), name="Over", made_by=owner)
    link.revoke(by=owner)
    yield Shot("state-error-ended-link", f"/review/{token}/", None)
    hot = start(example("timestamp-first").spec)
    yield Shot("state-hot-design", f"/designs/{hot}/")
    yield Shot("state-hot-review", f"/designs/{hot}/review/")
    long = start(from_data(long_document()))
    for name in ("", "review/", "export/", "history", "at/t0", "rows", "runs/", "links/"):
        yield Shot(f"state-long-{name.strip('/').replace('/', '-') or 'design'}", f"/designs/{long}/{name}")
    wide = start(from_data(wide_document()))
    for name in ("", "review/", "at/t"):
        yield Shot(f"state-wide-{name.strip('/').replace('/', '-') or 'design'}", f"/designs/{wide}/{name}")


def long_document() -> dict[str, Any]:
    """Return a design with forty tables and long names."""
    tables = [
        {
            "id": f"t{n}", "name": f"{LONG.replace(' ', '_').lower()[:40]}_{n}",
            "row_kinds": [{
                "id": f"k{n}", "key": [{"id": f"s{n}", "kind": "field", "field": "d"}],
                "writes": [{"id": f"w{n}", "name": LONG, "activity": "a"}],
            }],
            "families": [{"id": f"f{n}", "name": "m", "columns": [{"id": f"c{n}", "qualifier": LONG[:60]}]}],
        }
        for n in range(40)
    ]  # fmt: skip
    fields = [{"id": "d", "name": "device_of_the_customer_of_the_reseller"}]
    activities = [{"id": "a", "name": LONG, "rate_per_second": 12_345.678}]
    return {"name": LONG * 2, "description": LONG * 8, "fields": fields, "activities": activities, "tables": tables}


def wide_document() -> dict[str, Any]:
    """Return a design with one table of a long key, many families, columns and reads, in several scripts."""
    names = (
        "テナント識別子_長い日本語の名前",
        "المستأجر",
        "שם_השוכר",
        "device_🔥",
        *(f"{LONG[:30]}_{n}" for n in range(4)),
    )
    fields = [{"id": f"d{n}", "name": name} for n, name in enumerate(names)]
    key = [{"id": f"s{n}", "kind": "field", "field": f"d{n}", "after": "#"} for n in range(len(names))]
    reads = [
        {"id": f"r{n}", "name": name, "rate_per_second": 1 + n, "binds": [{"field": f"d{k}"} for k in range(1 + n % 5)]}
        for n, name in enumerate(
            ("最新の二十件の注文をひとりの顧客について取得する", "اعرض آخر عشرين طلبا", *[LONG] * 12)
        )
    ]
    families = [{"id": f"f{n}", "name": f"family{n}"} for n in range(16)]
    families[0]["columns"] = [{"id": f"c{n}", "qualifier": f"{names[n % 4]}_{n}"} for n in range(24)]  # type: ignore[assignment]
    kind = {"id": "k", "key": [*key, {"id": "time", "kind": "time"}], "reads": reads,
            "writes": [{"id": "w", "name": "Write שלום עולם", "activity": "a"}]}  # fmt: skip
    return {
        "name": "設計 مرحبا", "description": "説明。" * 80, "fields": fields,
        "activities": [{"id": "a", "name": "デバイスが計測値を送信する（十秒ごと）", "rate_per_second": 2000}],
        "tables": [{"id": "t", "name": LONG.replace(" ", "_")[:50], "row_kinds": [kind], "families": families}],
    }  # fmt: skip


def sign_in(context: BrowserContext, scene: Scene, who: str | None, address: str) -> None:  # noqa: F811
    """Have the browser be somebody's."""
    context.clear_cookies()
    if who:
        client = Client()
        client.force_login(scene.people[who])
        value = client.cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": address}])


@pytest.mark.skipif("KEYWRIGHT_GALLERY" not in os.environ, reason="python3 run.py pictures --gallery FOLDER")
def test_gallery(contexts: Shared, live_server: Any, scene: Scene) -> None:  # noqa: F811
    """Every page in both languages and colour schemes, on a phone and on a desk."""
    folder = Path(os.environ["KEYWRIGHT_GALLERY"])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = re.compile(os.environ.get("KEYWRIGHT_GALLERY_ONLY", ""))
    shots = [shot for shot in (*every_page(scene), *states(scene)) if wanted.search(shot.name)]
    notes = []
    for language in LOCALES:
        context = contexts.of(language)
        page = context.new_page()
        page.on("pageerror", lambda error, page=page: notes.append(f"{page.url}: {error}"))
        for shot in shots:
            sign_in(context, scene, shot.who, live_server.url)
            if shot.loading:
                page.route(shot.loading, lambda route: None)
            if shot.failing:
                page.route(shot.failing, partial(fail, internal_error_page(language)))
            if shot.refused:
                page.route(shot.refused, partial(fail, refusal_page(language)))
            for size in (WIDE, NARROW):
                page.set_viewport_size(size)  # type: ignore[arg-type]
                context.set_offline(False)
                try:
                    page.goto(shot.path, wait_until="domcontentloaded" if shot.loading else "load")
                    if not shot.loading:
                        page.evaluate(SCROLL_THROUGH)
                        settle(page)
                    if shot.act:
                        shot.act(page)
                except (Error, AssertionError) as error:
                    notes.append(f"{shot.name}: {str(error).splitlines()[0]}")
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    name = f"{shot.name}-{language}-{size['width']}-{scheme}.png"
                    page.screenshot(path=folder / name, full_page=True, animations="disabled")
                overflow = page.evaluate("document.documentElement.scrollWidth") - size["width"]
                if overflow > 0:
                    notes.append(f"{shot.name}-{language}-{size['width']}: {overflow} px wider than the window")
            context.set_offline(False)
            page.unroute_all(behavior="ignoreErrors")
        page.close()
    write_index(folder, notes)


def fail(answer: dict[str, Any], route: Route) -> None:
    """Answer a request so."""
    route.fulfill(**answer)


def internal_error_page(language: str) -> dict[str, Any]:
    """Return what a browser is answered when the program fails."""
    with translation.override(language):
        answer = internal_error(RequestFactory().get("/"))
    return {"status": 500, "content_type": "text/html; charset=utf-8", "body": answer.content.decode()}


def refusal_page(language: str) -> dict[str, Any]:
    """Return what a browser is answered when a share of processor time is spent."""
    with translation.override(language):
        body = render_to_string("error.html", {"error": ShareSpentError("team", 12)}, RequestFactory().get("/"))
    headers = {"Content-Type": "text/html; charset=utf-8", "Retry-After": "12"}
    return {"status": 429, "headers": headers, "body": body}


def write_index(folder: Path, notes: list[str]) -> None:
    """Write a page with all pictures, and what was noticed while they were made."""
    figure = '<figure><a href="{0}"><img loading="lazy" src="{0}"></a><figcaption>{0}</figcaption></figure>'
    pictures = "".join(figure.format(path.name) for path in sorted(folder.glob("*.png")))
    style = "main{display:flex;flex-wrap:wrap;gap:16px}img{width:320px;max-height:480px;object-fit:cover}"
    told = "".join(f"<li>{escape(note)}</li>" for note in notes)
    head = f"<!doctype html><meta charset=utf-8><title>Gallery</title><style>{style}</style>"
    (folder / "index.html").write_text(f"{head}<ul>{told}</ul><main>{pictures}</main>", encoding="utf-8")
