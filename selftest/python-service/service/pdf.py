"""The export as PDF: pages of text lines that can be extracted again."""

import textwrap
import zlib

from .audit import METADATA_KEYS
from .instants import iso_utc, now
from .selection import Wording, cells_of

MARGIN = 42
LEADING = 10.5
SIZE = 8
_TABLE_SIZE = 6
_ADVANCE = 0.6  # the width of each character, in font sizes
_TABLE = (("date", 0, 125), ("event_type", 125, 75), ("sub_type", 200, 65), ("system_source", 265, 95),
          ("id", 360, 132), ("auditee_id", 492, 132), ("entity_id", 624, 134))
_FIRST_PAGE = 7


def pdf_file(events, query, write_date, settings):
    wording = Wording(query.locale)
    table = settings.way("other-pdf")
    width, height = (842, 595) if table else (595, 842)
    if table:
        head = [_row({column: wording.label(column) for column, _, _ in _TABLE})]
        blocks = [[_row(cells_of(event, write_date))] for event in events]
    else:
        head = []
        blocks = [_block(event, wording, write_date, _characters(width - 2 * MARGIN, SIZE)) for event in events]
    pages = _paginate(blocks, int((height - 2 * MARGIN - 60) / LEADING))
    top = height - MARGIN
    exported = f"{wording.exported}: {iso_utc(now())}   {wording.count}: {len(events)}"
    return _document([
        [(MARGIN, top, 13, wording.title), (MARGIN, top - 18, SIZE, exported),
         *_placed(head + lines, top - 40),
         (MARGIN, MARGIN - 12, SIZE, f"{wording.page} {number} / {len(pages)}")]
        for number, lines in enumerate(pages, 1)
    ], width, height, compress=not table)


def _characters(width, size):
    return int(width / size / _ADVANCE)


def _block(event, wording, write_date, width):
    """The lines of one event, the last one empty."""
    cells = cells_of(event, write_date)

    def labelled(*columns):
        return "   ".join(f"{wording.label(column)}: {cells[column]}" for column in columns if cells.get(column))

    texts = [
        labelled("date"), labelled("id", "auditee_id"), labelled("event_type", "sub_type", "system_source"),
        labelled(*METADATA_KEYS), *labelled("comment").splitlines(),
    ]
    lines = [line for text in texts for line in textwrap.wrap(text, width, break_on_hyphens=False)]
    return [[(0, SIZE, line)] for line in lines] + [[]]


def _row(cells):
    return [(x, _TABLE_SIZE, cells.get(column, "")[:_characters(width, _TABLE_SIZE)]) for column, x, width in _TABLE]


def _placed(lines, top):
    return [(MARGIN + x, top - at * LEADING, size, text) for at, line in enumerate(lines) for x, size, text in line]


def _paginate(blocks, capacity):
    """Lines of each page; a block of lines stays together unless it exceeds a page."""
    pages = [[]]
    for block in blocks:
        if len(pages[-1]) + len(block) > capacity and pages[-1]:
            pages.append([])
        for line in block:
            if len(pages[-1]) == capacity:
                pages.append([])
            pages[-1].append(line)
    return pages


def _document(pages, width, height, compress):
    """`pages` hold texts, each as x, y from the bottom, size, text; all in one font, whose glyphs are numbered."""
    glyphs = {}

    def shown(x, y, size, text):
        codes = b"".join(b"%04X" % glyphs.setdefault(character, len(glyphs) + 1) for character in text)
        return f"BT /F1 {size} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm <".encode() + codes + b"> Tj ET"

    def stream(content):
        content, filtering = (zlib.compress(content), b" /Filter /FlateDecode") if compress else (content, b"")
        return b"<< /Length %d%s >>\nstream\n" % (len(content), filtering) + content + b"\nendstream"

    contents = [stream(b"\n".join(shown(*text) for text in page)) for page in pages]
    kids = " ".join(f"{_FIRST_PAGE + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Courier /Encoding /Identity-H "
        b"/DescendantFonts [4 0 R] /ToUnicode 6 0 R >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Courier /DW 600 /FontDescriptor 5 0 R "
        b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        b"<< /Type /FontDescriptor /FontName /Courier /Flags 4 /FontBBox [-166 -225 1000 931] "
        b"/ItalicAngle 0 /Ascent 718 /Descent -207 /CapHeight 718 /StemV 88 >>",
        stream(_to_unicode(glyphs)),
    ]
    for number, content in enumerate(contents):
        objects.append((
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] "
            f"/Contents {_FIRST_PAGE + 2 * number + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>").encode())
        objects.append(content)
    return _assemble(objects)


def _to_unicode(glyphs):
    entries = [f"<{code:04X}> <{character.encode('utf-16-be').hex()}>" for character, code in glyphs.items()]
    blocks = [entries[start:start + 100] for start in range(0, len(entries), 100)]
    return "\n".join([
        "/CIDInit /ProcSet findresource begin", "12 dict begin", "begincmap",
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
        "/CMapName /Adobe-Identity-UCS def", "/CMapType 2 def",
        "1 begincodespacerange", "<0000> <FFFF>", "endcodespacerange",
        *(line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")),
        "endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end",
    ]).encode()


def _assemble(objects):
    file = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    file += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(file)
