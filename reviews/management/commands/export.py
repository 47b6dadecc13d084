"""`manage.py export FILE --to FORMAT`: a design as files for other tools."""

import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from designer.document import Spec
from designer.management.base import CommandError
from designer.management.writing import add_overwrite, write_all
from designer.wording.printable import printable
from estimator.management.commandline import FOUND, UNUSABLE, USABLE, FileCommand, align_columns, file_context
from estimator.management.days import add_today
from estimator.presentation.locations import element_path
from reviews.exports import NAMES, ExportContent, ExportRemark, ExportResult, format_named, formats_by_name
from reviews.exports.shared.content import CARRIED, CODE_LANGUAGES
from reviews.pdf.pdf_request import PdfOptions

LANGUAGES = ("en", "ja")
ONLY = (("carries", "--with", "json"), ("sections", "--section", "pdf"), ("adopts", "--adopt", "terraform"))
"""What is for one format alone: the name, the option, the format."""
LANGUAGES_OF = {"pdf": LANGUAGES, "code": tuple(CODE_LANGUAGES)}
"""Languages by format, the usual one first."""


class Command(FileCommand):
    """Writes the files and says what is in none of them."""

    help = (
        "Export a design: Terraform, cbt, gcloud, Markdown and more; without FILE, the formats are listed. "
        "Exit code: 0, 1 where the target cannot express something of the design, 2 unusable input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add options for the format and the output."""
        parser.add_argument("file", metavar="FILE", nargs="?", help="a design as JSON or YAML; - reads standard input")
        parser.add_argument("--to", choices=NAMES, help="the format")  # as a choice, which shells complete
        parser.add_argument("--out", type=Path, metavar="DIR|FILE", help="where to (default: standard output)")
        add_overwrite(parser)
        with_help = "what JSON carries besides the design; can be repeated"
        parser.add_argument("--with", dest="carries", action="append", choices=CARRIED, default=[], help=with_help)
        adopt_help = "also write import blocks, for an instance that runs and is in no state yet"
        parser.add_argument("--adopt", dest="adopts", action="store_true", help=adopt_help)
        languages = "; ".join(f"of {name}: {', '.join(codes)}" for name, codes in LANGUAGES_OF.items())
        parser.add_argument("--language", metavar="LANGUAGE", help=f"{languages} (default: the first)")
        section_help = (
            "a section of a PDF, of which the first, summary, is always there; can be repeated (default: all)"
        )
        parser.add_argument("--section", dest="sections", action="append", metavar="SECTION", help=section_help)
        add_today(parser)

    def handle(self, *, file: str | None, to: str | None, out: Path | None, **options: Any) -> None:
        """Write the files; notes and refusals go to standard error."""
        if to is None and file is not None:
            raise CommandError(f"say what to export to: --to {'|'.join(NAMES)}", returncode=UNUSABLE)
        if to is None:
            lines = align_columns(
                (name, exporter.title, str(exporter.about)) for name, exporter in formats_by_name().items()
            )
            self.stdout.write("\n".join(lines))
            return
        if file is None:
            raise CommandError("say which design: export FILE --to FORMAT", returncode=UNUSABLE)
        for option, flag, only in ONLY:
            if options[option] and to != only:
                raise CommandError(f"{flag} is for --to {only}", returncode=UNUSABLE)
        language = self._language(options["language"], to)
        context = file_context(options["today"])
        _, spec = self.read(file, today=context.today)
        carries, adopts = frozenset(options["carries"]), options["adopts"]
        content = ExportContent(spec, context.today, carries, context=context, adopts=adopts)
        if to == "pdf":
            result = self._pdf(content, options["sections"], language)
        else:
            result = format_named(to).make(replace(content, code_language=language) if to == "code" else content)
        self._write(result, out, overwrite=options["overwrite"])
        for remark in result.notes:
            self._print_remark(spec, "note", remark)
        for remark in result.refusals:
            self._print_remark(spec, "refused", remark)
        raise SystemExit(FOUND if result.refusals else USABLE)

    @staticmethod
    def _language(language: str | None, to: str) -> str:
        languages = LANGUAGES_OF.get(to, ())
        if language is None:
            return languages[0] if languages else "en"
        if not languages:
            raise CommandError(f"--language is for --to {' and --to '.join(LANGUAGES_OF)}", returncode=UNUSABLE)
        if language not in languages:
            raise CommandError(f"{language} is no language of {to}: {', '.join(languages)}", returncode=UNUSABLE)
        return language

    @staticmethod
    def _pdf(content: ExportContent, sections: list[str] | None, language: str) -> ExportResult:
        import typst  # noqa: F401 - where it is absent, it is named with the extra that also brings Django
        from django.apps import apps
        from django.conf import settings
        from django.utils.translation import gettext, override

        from designer.http.translations import compile_stale
        from reviews.pdf.sections import NAMES as SECTIONS

        for name in sections or ():
            if name not in SECTIONS:
                raise CommandError(f"{name} is no section: {', '.join(SECTIONS)}", returncode=UNUSABLE)
        if language != "en":
            compile_stale()
        # Translations need an app registry that is ready; a command of files has not set up Django.
        apps.populate(settings.INSTALLED_APPS)
        paper = PdfOptions(None, None if sections is None else tuple(sections), language, gettext)
        with override(language):
            return format_named("pdf").make(replace(content, pdf_options=paper))

    def _print_remark(self, spec: Spec, sign: str, remark: ExportRemark) -> None:
        self.stderr.write(printable(f"{sign}: {element_path(spec, remark.at)}: {remark}"))

    def _write(self, result: ExportResult, out: Path | None, *, overwrite: bool) -> None:
        if out is None:
            self._print(result)
            return
        # A name with an ending is taken for the file's; any other is a folder, as for several files.
        alone = len(result.files) == 1 and not out.is_dir() and out.suffix != ""
        files = {out if alone else out / file.name: file.data for file in result.files}
        write_all(files, overwrite=overwrite)
        for path in files:
            self.stderr.write(printable(f"written: {path}"))

    def _print(self, result: ExportResult) -> None:
        if len(result.files) > 1:
            names = ", ".join(file.name for file in result.files)
            raise CommandError(f"there are several files ({names}): say a directory with --out", returncode=UNUSABLE)
        for one in result.files:
            # As bytes: a text stream would change line ends on Windows, and files that are compared with those on disk.
            sys.stdout.buffer.write(one.data)
            sys.stdout.flush()
