"""Everything that people made, in one file that any of our databases can be filled from.

The file is gzip of JSON lines: a manifest, then one line a row in the order of the models, then an end with the number
of rows. What a model stores is taken from its fields, so a new model is in it without a word here. Left out are only
sessions (people sign in again) and what is over within minutes.
"""

from .file_format import BackupError, describe_counts
from .restore import DatabaseContents, is_backup, read_contents, restore
from .write import backup

__all__ = ["BackupError", "DatabaseContents", "backup", "describe_counts", "is_backup", "read_contents", "restore"]
