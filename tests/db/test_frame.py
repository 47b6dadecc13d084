"""The frame of every page: the skip link, a wrong address, links within a page, and how much a page loads."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from designer.document import Spec
from designer.http.posted_addresses import address_above
from designer.models import Design, Person, Team


def text(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_the_first_link_of_a_page_leads_to_its_content(client: Client) -> None:
    page = text(client, "/")

    assert re.findall(r"<a\b[^>]*>", page)[0] == '<a class="skip-link" href="#main">'
    assert '<main id="main" tabindex="-1">' in page


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_wrong_address_leads_back_in_the_readers_language(client: Client, language: str) -> None:
    answer = client.get("/no-such-page", headers={"Accept-Language": language})
    page = answer.content.decode()

    assert answer.status_code == 404
    assert f'<html lang="{language}"' in page
    assert '<a href="/"' in page.split("<main")[1]


def test_an_address_that_only_takes_forms_leads_a_browser_to_its_page(ana: Person, team: Team, client: Client) -> None:
    key = Design.objects.start(Spec(name="Mine"), team=team, by=ana).key
    address, browser = f"/designs/{key}/review/verdict", {"Accept": "text/html,application/xhtml+xml"}
    client.force_login(ana)

    answer = client.get(address, headers=browser, follow=True)

    assert answer.redirect_chain == [(f"/designs/{key}/review/", 302)]
    assert answer.status_code == 200
    assert client.get(address).status_code == 405, "programs are told"
    assert client.get(address, headers={**browser, "HX-Request": "true"}).status_code == 405
    assert address_above("//example.com/verdict") == "/example.com/", "never another site"


@pytest.mark.parametrize("slug", ["timestamp-first", "mobile-devices"])
def test_every_link_within_a_design_leads_to_something(client: Client, slug: str) -> None:
    page = text(client, f"/examples/{slug}/")
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    links = set(re.findall(r'\bhref="#([^"]+)"', page))

    assert any(link.startswith("finding-") for link in links)
    assert links <= ids


def loaded(client: Client, address: str) -> dict[str, int]:
    """The static files that a page loads at once, with their sizes in bytes."""
    page = text(client, address)
    names = re.findall(r'<(?:script|link)\b[^>]*\b(?:src|href)="/static/([^"]+)"', page)
    sizes: dict[str, int] = {}
    while names:
        name = names.pop()
        file = finders.find(name)
        assert file, name
        if name not in sizes:
            content = Path(file).read_bytes()
            sizes[name] = len(content)
            names += [
                f"js/{other.decode()}" for other in re.findall(rb'^import .*"\./([^"]+)";$', content, re.MULTILINE)
            ]
    return sizes


def test_a_page_without_charts_to_explore_loads_little(client: Client) -> None:
    sizes = loaded(client, "/rules/")

    assert sizes
    assert not [name for name in sizes if "plotly" in name or "js/map" in name]
    typefaces = sum(size for name, size in sizes.items() if name.startswith("fonts/"))
    assert 0 < typefaces < 36_000
    assert sum(sizes.values()) - typefaces + len(text(client, "/rules/").encode()) < 150_000


def test_the_page_of_the_editor_names_every_module_that_it_loads(client: Client) -> None:
    """A module that is not named is found only after the one that imports it has come."""
    team = Person.objects.get_or_create_local().teams.get()
    answer = client.post("/designs/new", {"example": "timestamp-first", "team": team.pk})
    page = text(client, answer["Location"])

    modules = {name for name in loaded(client, answer["Location"]) if name.startswith("js/")}

    assert modules
    assert [name for name in sorted(modules) if f'/static/{name}"' not in page] == []


def test_every_button_that_copies_names_a_field_of_its_page(ana: Person, team: Team) -> None:
    client = Client()
    client.force_login(ana)
    pages = [
        client.post(f"/teams/{team.pk}/invite", {"role": "editor"}).content.decode(),
        client.post(f"/teams/{team.pk}/tokens", {"name": "CI", "scope": "read"}).content.decode(),
    ]

    for page in pages:
        names = re.findall(r'\bdata-copy="([^"]+)"', page)
        assert names
        assert all(f'<input type="text" id="{name}" readonly' in page for name in names)


def test_a_table_of_a_chart_is_asked_for_when_it_is_unfolded(client: Client) -> None:
    """The script offers to ask again where a trigger ends in `once` (tests/js/request-errors.test.js)."""
    page = text(client, "/examples/iot-fleet/")

    rows = re.search(r'<[^>]*hx-get="[^"]*/charts/causes-telemetry.rows[^>]*>', page)

    assert rows
    assert re.search(r'hx-trigger="toggle [^"]* once"', rows[0])


def test_the_editor_has_the_words_of_its_scripts(client: Client) -> None:
    team = Person.objects.get_or_create_local().teams.get()
    page = text(client, client.post("/designs/new", {"example": "timestamp-first", "team": team.pk})["Location"])

    editor = page[page.index('id="editor"') :].split(">")[0]

    for name in ("changed", "elsewhere", "show", "failed", "forbidden", "key", "me", "sequence", "sha256", "news"):
        assert re.search(rf'\bdata-{name}="[^"]+"', editor), name
