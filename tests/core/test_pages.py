"""One way to answer with a page, and how a person's errors are shown."""

from collections.abc import Callable

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.views import defaults
from django.views.csrf import csrf_failure
from django_htmx.middleware import HtmxMiddleware

from designer.http.errors import DesignError, UserErrors
from designer.http.pages import page


class GoneError(DesignError):
    status = 409


def answer(request: HttpRequest) -> HttpResponse:
    return page(request, "error.html", {"error": DesignError("Nothing is here.")}, part="_error.html")


def ask(**headers: str) -> str:
    request = RequestFactory().get("/", headers=headers)
    return HtmxMiddleware(answer)(request).content.decode()


def test_a_browser_gets_the_whole_page_and_htmx_gets_the_part() -> None:
    assert "<html" in ask()
    assert ask(hx_request="true").strip() == '<p class="error" role="alert">Nothing is here.</p>'


@pytest.mark.parametrize("header", ["hx_boosted", "hx_history_restore_request"])
def test_a_boosted_link_and_a_restored_history_entry_get_the_whole_page(header: str) -> None:
    assert "<html" in ask(hx_request="true", **{header: "true"})


def test_caches_are_told_that_the_two_answers_differ() -> None:
    response = HtmxMiddleware(answer)(RequestFactory().get("/"))

    assert {"HX-Request", "HX-Boosted"} <= set(response.headers["Vary"].split(", "))


def test_a_mistake_that_a_person_can_mend_is_told_in_its_sentence() -> None:
    request = RequestFactory().get("/", headers={"hx_request": "true"})
    HtmxMiddleware(answer)(request)

    response = UserErrors(answer).process_exception(
        request, GoneError("This design was removed; ask Ana for <another>.")
    )

    assert response is not None
    assert response.status_code == 409
    assert "ask Ana for &lt;another&gt;." in response.content.decode()


def test_a_fault_of_ours_is_not_dressed_up_as_a_persons_mistake() -> None:
    assert UserErrors(answer).process_exception(RequestFactory().get("/"), ValueError("bug")) is None


@pytest.mark.parametrize(
    ("view", "status", "says"),
    [
        (lambda request: defaults.server_error(request), 500, "This is an error in Keywright, not in your input."),
        (lambda request: defaults.page_not_found(request, Exception("secret")), 404, "Page not found"),
        (lambda request: defaults.permission_denied(request, Exception("secret")), 403, "You do not have access"),
        (lambda request: csrf_failure(request, reason="secret"), 403, "The form has expired"),
    ],
)
def test_error_pages_look_like_the_others_and_tell_no_secrets(
    view: Callable[[HttpRequest], HttpResponse], status: int, says: str
) -> None:
    response = view(RequestFactory().get("/"))
    text = response.content.decode()

    assert response.status_code == status
    assert says in text
    assert 'class="site-header"' in text
    assert "secret" not in text
