"""The answer to what an application does: two or three schemas, and the one that becomes a design."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_POST

from designer.application import Application, Sentence, plural, understand
from designer.document import Spec
from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import form
from designer.http.shares import allow_refusal
from designer.models import Design
from designer.templatetags.keywright import language, translate
from designer.views.access import current_person
from designer.views.designs.designs import redirect_to_design, team_of, teams_of
from designer.views.designs.sentences import posted_engine, posted_sentences
from designer.views.editor.books import begin_today
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.presentation.advice_data import named_design
from estimator.presentation.schemas_page import SCHEMAS, SchemasPage, schemas_page


@require_POST
def schemas(request: HttpRequest) -> HttpResponse:
    """Show the schemas for the sentences of the form, or (`use`) make a design of one of them and open it."""
    parameters = form(request)
    if "use" not in parameters:
        allow_refusal()
    sentences = posted_sentences(parameters)
    application, problems = understand(sentences)
    context: dict[str, Any] = {"problems": problems, "teams": teams_of(request), "answer": None, "is_stale": False}
    if not problems and application.records:
        base = begin_today(Spec(engine=posted_engine(parameters)))
        answer = _schemas_page(application, sentences, base)
        digest, _, number = parameters.get("use", "").rpartition("-")
        context |= {"answer": answer, "digest": _digest(sentences, base)}
        context["is_stale"] = bool(digest) and digest != context["digest"]
        if digest and not context["is_stale"] and number.isdecimal() and int(number) < len(answer.schemas):
            return _open_design(request, answer.schemas[int(number)].spec)
    return page(request, "estimator/schemas/schemas.html", context, part="estimator/schemas/_answer.html")


def _schemas_page(application: Application, sentences: Sequence[Sentence], base: Spec) -> SchemasPage:
    """Return the answer, searched once for the same sentences, engine, day and price book."""
    context, name = current_context(), _design_name(application)
    key = (_digest(sentences, base), language(), base.start, base.instance.price_book)
    result: SchemasPage = context.get_or_compute(SCHEMAS, key, base, _search, application, name, get_language())
    return result


def _search(context: Context, base: Spec, application: Application, name: str, reader: str | None) -> SchemasPage:
    """Return the answer in the reader's language; another process calls it too."""
    with override(reader):
        return schemas_page(
            application, base, context, name=name, translate=lambda text: translate(text.message, text.params)
        )


def _design_name(application: Application) -> str:
    """Return what is stored, as the design's first name."""
    stored = (plural(record.thing or record.name) for record in application.records)
    return ", ".join(dict.fromkeys(stored))[:200].replace("_", " ").capitalize()


def _digest(sentences: Sequence[Sentence], base: Spec) -> str:
    """Return what tells the answer to these sentences on an engine from that to others."""
    data = json.dumps([base.engine, *((sentence.kind, sorted(sentence.values.items())) for sentence in sentences)])
    return hashlib.sha256(data.encode()).hexdigest()[:16]


def _open_design(request: HttpRequest, spec: Spec) -> HttpResponse:
    words = Text(N_("created from what the application does"))
    begun = begin_today(named_design(spec))
    design = Design.objects.start(begun, team=team_of(request), by=current_person(request), description=words)
    return redirect_to_design(request, design)
