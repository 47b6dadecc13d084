"""A design that cannot exist shows no figure that cannot exist: on pages, in the terminal, in files."""

import io
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from designer.document import Spec
from designer.document.dump import dump
from designer.models import Design, Person, Team
from reviews.exports import format_named
from tests.contexts import Content
from tests.core.advice.rules.test_cannot_be_served import HOSTILE, build
from tests.pdfs import page_texts

ABSURD = re.compile(r"·10[⁰¹²³⁴-⁹]|\d(,\d{3}){4}|\d{4,} ?[EP]iB|∞|Infinity|NaN")
"""Powers of ten, more than twelve digits, thousands of exbibytes, what is no number."""


@pytest.fixture(params=["writes", "reads", "a scan of 10^12 rows", "nodes"])
def spec(request: pytest.FixtureRequest) -> Spec:
    return build(**HOSTILE[request.param])


def test_a_page_shows_none(spec: Spec, ana: Person, team: Team) -> None:
    design = Design.objects.start(spec, team=team, by=ana)
    client = Client(headers={"HX-Request": "true"})
    client.force_login(ana)
    below = f"/designs/{design.key}/of/{design.head_id}"
    pages = [f"{below}/insight?at=table", f"{below}/sheet", f"/designs/{design.key}/?at=table"]
    shown = [client.get(address, follow=True).content.decode() for address in pages]

    assert all("cannot be served" in page for page in shown[:2])
    assert ABSURD.findall(re.sub(r"<(input|textarea|option).*?>", "", "".join(shown))) == []


def test_the_terminal_and_its_json_show_none(spec: Spec, tmp_path: Path) -> None:
    file = tmp_path / "design.json"
    file.write_text(dump(spec), encoding="utf-8")
    text, data = io.StringIO(), io.StringIO()
    call_command("estimate", str(file), stdout=text)
    call_command("estimate", str(file), "--json", stdout=data)

    assert "cannot be served" in text.getvalue()
    assert ABSURD.findall(text.getvalue()) == []
    found = json.loads(data.getvalue(), parse_constant=lambda name: pytest.fail(name))
    assert (found["bills"], found["nodes"]) == ([], [])


def test_a_pdf_shows_none(spec: Spec) -> None:
    (file,) = format_named("pdf").make(Content(spec)).files
    text = "\n".join(page_texts(file.data))

    assert "cannot be served" in text
    assert ABSURD.findall(text) == []
