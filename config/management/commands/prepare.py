"""Make what a server needs besides its database: compiled translations and collected static files."""

from typing import Any

from django.core.management.base import BaseCommand

from config.statics import collect_stale
from designer.http.translations import compile_stale


class Command(BaseCommand):
    help = "Compile translations and collect static files, where they are stale."

    def handle(self, *args: Any, **options: Any) -> None:
        compiled = compile_stale()
        collected = collect_stale()
        self.stdout.write(
            f"Translations compiled: {len(compiled)}. Static files: {'collected' if collected else 'fresh'}."
        )
