"""`manage.py heatmap FILE --table T --png OUT`: the key ranges of a table against the hours of a day, as a picture."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from designer.management.base import CommandError
from designer.management.writing import add_overwrite, write_all
from designer.wording.formatting import english, format_value
from estimator.estimates.estimate import estimate
from estimator.management.commandline import UNUSABLE, FileCommand, file_context, find_table, with_format
from estimator.presentation.charts.heatmap import heatmap
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.plain_data import to_plain
from estimator.presentation.segments import key_reader


class Command(FileCommand):
    """Writes the heatmap of one table as PNG, or as numbers with `--json`."""

    help = "Draw a table's load per key range over a day. Exit code: 0, or 2 for unusable input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options for the table, the metric, the scale and the output file."""
        super().add_arguments(parser)
        parser.add_argument("--table", metavar="T", help="name or id; needed where the design has several tables")
        parser.add_argument("--png", metavar="OUT", help="the picture to write")
        parser.add_argument("--of", choices=("writes", "reads"), default="writes", help="default: writes")
        against = "brightest is the busiest cell (relative, the default) or a full node (absolute)"
        parser.add_argument("--against", choices=("relative", "absolute"), default="relative", help=against)
        add_overwrite(parser)

    def handle(self, *, file: str, **options: Any) -> None:
        """Draws."""
        _, spec = self.read(file)
        table = find_table(spec, options["table"])
        if not options["png"] and not options["json"]:
            raise CommandError("say where to with --png OUT, or ask for numbers with --json", returncode=UNUSABLE)
        part = estimate(spec, file_context()).tables[table.id]
        if part.traffic is None:
            reasons = "; ".join(english(because.message, because.params) for because in part.because)
            raise CommandError(f"{table.label} has no traffic to draw: {reasons}", returncode=UNUSABLE)
        if options["png"]:
            picture = heat_png(
                heatmap(part.traffic, of=options["of"], against=options["against"], read_key=key_reader(spec, part))
            )
            write_all({Path(options["png"]): picture}, overwrite=options["overwrite"])
        if options["json"]:
            self.stdout.write(json.dumps(with_format("heatmap", to_plain(part.traffic)), indent=1))
        else:
            hottest = format_value("share", part.traffic.hottest_range_share)
            self.stdout.write(f"{options['png']}: the hottest range takes {hottest} of the node time")
