"""Sentences, lists and dates as the reader's language writes them."""

import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse
from django.utils import translation

from designer.examples import example
from designer.models import Design, Person

pytestmark = pytest.mark.django_db
TEXT = "{% load keywright %}{% running_text %}はい。\n   いいえ。</span> <b>a</b>,\n  b. c{% endrunning_text %}"


@pytest.mark.parametrize(
    ("language", "text"),
    [("ja", "はい。いいえ。</span><b>a</b>、b. c"), ("en", "はい。\n   いいえ。</span> <b>a</b>,\n  b. c")],
)
def test_sentences_and_commas_are_joined_as_the_language_joins_them(language: str, text: str) -> None:
    with translation.override(language):
        assert Template(TEXT).render(Context()) == text


def test_a_date_that_is_text_is_written_as_other_dates() -> None:
    shown = Template("{% load keywright %}{{ a|day }} {{ b|day }}").render(
        Context({"a": "2026-11-20", "b": "list of 2026"})
    )

    assert shown == "20 Nov 2026 list of 2026"


@pytest.mark.parametrize(
    "name", ["editor", "rows", "review", "links", "runs", "variants", "drift", "replay", "measured", "trial", "api"]
)
def test_a_page_in_japanese_has_no_space_between_sentences(client: Client, name: str) -> None:
    local = Person.objects.get_or_create_local()
    design = Design.objects.start(example("karte").spec, team=local.teams.get(), by=local)

    page = client.get(
        reverse(name, args=[] if name == "api" else [design.key]), headers={"Accept-Language": "ja"}
    ).content.decode()

    assert 'lang="ja"' in page
    assert (
        re.findall(r"。\s+(?:<span[^>]*>)?[ぁ-んァ-ヶ一-龠]", re.sub(r"<textarea.*?</textarea>", "", page, flags=re.S))
        == []
    )
