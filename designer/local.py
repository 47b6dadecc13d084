"""Who a request is from: in embedded mode always the one person of this machine."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from designer.models import Person


class LocalPerson:
    """Signs the local person in, without a session, where the mode knows only one person."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.KEYWRIGHT_MODE == "embedded":
            request.user = SimpleLazyObject(Person.objects.local)  # type: ignore[assignment]
        return self.get_response(request)
