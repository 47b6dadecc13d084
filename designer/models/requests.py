"""Answers to requests with an idempotency key: whoever asks again by the same key gets the same answer."""

import datetime
from typing import ClassVar

from django.db import models
from django.utils import timezone

from .jsontext import JsonText
from .people import hash_token
from .tokens import Token

KEPT_FOR = datetime.timedelta(hours=24)
MOST_OF_TOKEN = 10_000
"""So many answers of a token are kept; beyond, the oldest go."""


class KeptAnswers(models.Manager["KeptAnswer"]):
    """Reserves keys and finds their answers."""

    def reserve(self, token: Token, key: str, request_hash: str) -> tuple["KeptAnswer", bool]:
        """Return the answer of a key, and whether this call reserved it; to be called inside a transaction.

        Others who reserve the same key at the same time wait until that transaction ends: PostgreSQL by the unique
        constraint, SQLite because it has one writer at a time.
        """
        key_hash, own = hash_token(key), self.filter(token=token)
        # Before the key is looked up, so that an answer that is too old is not given again.
        own.filter(at__lt=timezone.now() - KEPT_FOR).delete()
        answer, is_new = self.get_or_create(token=token, key_hash=key_hash, defaults={"request_hash": request_hash})
        if is_new:
            last = own.order_by("-pk").values_list("pk", flat=True)[MOST_OF_TOKEN : MOST_OF_TOKEN + 1].first()
            if last is not None:
                own.filter(pk__lte=last).delete()
        return answer, is_new

    def purge(self) -> int:
        """Drop answers that are older than their lifetime; return how many."""
        return self.filter(at__lt=timezone.now() - KEPT_FOR).delete()[0]


class KeptAnswer(models.Model):
    """The answer to one request of a token."""

    token = models.ForeignKey(Token, on_delete=models.CASCADE, related_name="+")
    key_hash = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    """Of method, address and body: the same key with another request is refused."""
    at = models.DateTimeField(default=timezone.now)
    status = models.PositiveSmallIntegerField(default=0)
    headers = JsonText(default=dict)
    body = models.TextField(blank=True)

    objects: ClassVar[KeptAnswers] = KeptAnswers()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token", "key_hash"], name="one_answer_of_a_key")]
        indexes = [models.Index(fields=["token", "at"], name="answers_by_time")]
