"""Everything that people made, in one file that any of our databases can be filled from.

The file is gzip of JSON lines: a manifest, then one line a row in the order of the models, then an end with the number
of rows. What a model stores is taken from its fields, so a new model is in it without a word here. Left out are only
sessions (people sign in again) and what is over within minutes.
"""

from .file_format import BackupError, told
from .restore import Held, held, is_backup, restore
from .write import backup

__all__ = ["BackupError", "Held", "backup", "held", "is_backup", "restore", "told"]
