"""The export as PDF."""

from ..audit import METADATA_KEYS
from ..instants import iso_utc, now
from .pdf_writer import BODY, BOLD, PdfWriter, text_width
from ..wording import Wording

MARGIN = 42
SIZE = 8
LEADING = 10.5
PORTRAIT = (595, 842)
LANDSCAPE = (842, 595)
_TABLE = (("date", 0, 125), ("event_type", 125, 75), ("sub_type", 200, 65), ("system_source", 265, 95),
          ("id", 360, 132), ("auditee_id", 492, 132), ("entity_id", 624, 134))
_TABLE_SIZE = 6.5


def pdf_file(events, query, write_date, settings):
    wording = Wording("en" if settings.bug("pdf-locale-ignored") else query.locale)
    table = settings.way("other-pdf")
    size = LANDSCAPE if table else PORTRAIT
    if table:
        blocks = [[_table_line(event, write_date)] for event in events]
    else:
        blocks = [_block(event, wording, write_date) for event in events]
    pages = _paginate(blocks, _lines_per_page(size[1]), settings.bug("pdf-page-break"))
    writer = PdfWriter(*size, compress=not table)
    head = [
        (0, BOLD, 13, wording.title),
        (18, BODY, SIZE, f"{wording.exported}: {iso_utc(now())}   {wording.count}: {len(events)}"),
    ]
    for number, lines in enumerate(pages, 1):
        foot = f"{wording.page} {number} / {len(pages)}"
        writer.add_page(_page(head, _table_head(wording) if table else [], lines, foot, size[1]))
    return writer.finish()


def _lines_per_page(height):
    return int((height - 2 * MARGIN - 60) / LEADING)


def _page(head, table_head, lines, foot, height):
    top = height - MARGIN
    texts = [(MARGIN, top - down, font, size, text) for down, font, size, text in head]
    y = top - 40
    for line in [table_head, *lines]:
        texts += [(MARGIN + x, y, font, size, text) for x, font, size, text in line if text]
        y -= LEADING
    return texts + [(MARGIN, MARGIN - 12, BODY, SIZE, foot)]


def _paginate(blocks, capacity, loses_block_at_break):
    """Lines of each page; a block of lines stays together unless it exceeds a page."""
    pages = [[]]
    for block in blocks:
        if len(pages[-1]) + len(block) > capacity and pages[-1]:
            pages.append([])
            if loses_block_at_break:
                continue
        while len(block) > capacity:
            pages[-1] += block[:capacity]
            block = block[capacity:]
            pages.append([])
        pages[-1] += block
    return pages


# one block of lines per event

def _block(event, wording, write_date):
    def labelled(column, value):
        return f"{wording.label(column)}: {value}"

    width = PORTRAIT[0] - 2 * MARGIN
    texts = [
        "   ".join([labelled("id", event.id), labelled("auditee_id", event.auditee_id)]),
        "   ".join(labelled(column, getattr(event, column)) for column in ("event_type", "sub_type", "system_source")),
        "   ".join(labelled(key, event.metadata[key]) for key in METADATA_KEYS if event.metadata.get(key)),
    ]
    if event.comment:
        texts += labelled("comment", event.comment).splitlines()
    lines = [[(0, BOLD, SIZE, labelled("date", write_date(event.occurred_at)))]]
    for text in texts:
        lines += [[(0, BODY, SIZE, line)] for line in _wrap(text, width)]
    return lines + [[]]


def _wrap(text, width):
    lines, line, used = [], "", 0.0
    for piece in _pieces(text, width):
        piece_width = text_width(piece, SIZE)
        if line and used + text_width(piece.rstrip(), SIZE) > width:
            lines.append(line.rstrip())
            line, used = "", 0.0
        line += piece
        used += piece_width
    if line.strip():
        lines.append(line.rstrip())
    return lines


def _pieces(text, width):
    """Words with the space after them; a word wider than a line comes in slices."""
    longest = int(width / SIZE)
    for word in text.split(" "):
        while text_width(word, SIZE) > width:
            yield word[:longest]
            word = word[longest:]
        yield word + " "


# one line per event

def _table_line(event, write_date):
    cells = {
        "date": write_date(event.occurred_at),
        "entity_id": event.metadata.get("entity_id", ""),
    }
    return [(x, BODY, _TABLE_SIZE, _clip(cells.get(column) or str(getattr(event, column, "")), width))
            for column, x, width in _TABLE]


def _table_head(wording):
    return [(x, BOLD, _TABLE_SIZE, wording.label(column)) for column, x, _ in _TABLE]


def _clip(text, width):
    while text and text_width(text, _TABLE_SIZE) > width:
        text = text[:-1]
    return text
