"""The memory of this process: what it keeps of documents and of everything computed from them."""

from django.conf import settings

from designer.memory import Cache

MEMORY = Cache(settings.KEYWRIGHT_MEMORY << 20)
