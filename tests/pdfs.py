"""The text of PDF files, as tests read it: PDFium takes a thirtieth of the time that pypdf takes for the same text."""

import pypdfium2


def page_texts(data: bytes) -> list[str]:
    """Return the text of each page; lines end as they are set."""
    with pypdfium2.PdfDocument(data) as document:
        return [page.get_textpage().get_text_range() for page in document]
