"""The export as PDF: pages of text lines in Helvetica that can be extracted again."""

import functools
import zlib

from .audit import METADATA_KEYS
from .instants import iso_utc, now
from .selection import Wording


BODY, BOLD = "F1", "F3"
_CARRIER = "F2"

# Helvetica's widths of the characters 32 to 126, in thousandths of the font size.
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
    556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
    556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
    500, 500, 500, 334, 260, 334, 584,
)


@functools.cache
def _character_width(character):
    code = ord(character)
    if 32 <= code < 127:
        return _WIDTHS[code - 32]
    return 556 if _is_plain(character) else 1000


def text_width(text, size):
    return sum(_character_width(character) for character in text) * size / 1000


@functools.cache
def _is_plain(character):
    try:
        return len(character.encode("cp1252")) == 1
    except UnicodeEncodeError:
        return False


def _runs(text):
    """(plain or not, text) for each stretch of characters of one kind."""
    if text.isascii():
        yield True, text
        return
    run = ""
    for character in text:
        if run and _is_plain(character) != _is_plain(run[-1]):
            yield _is_plain(run[-1]), run
            run = ""
        run += character
    if run:
        yield _is_plain(run[-1]), run


def _literal(text):
    raw = text.encode("cp1252")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


class PdfWriter:
    def __init__(self, width, height, compress=True):
        self._size = (width, height)
        self._compress = compress
        self._glyphs = {}  # character -> code in the carrier font
        self._pages = []

    def add_page(self, texts):
        """`texts` are (x, y, font, size, text), y from the bottom."""
        self._pages.append(b"\n".join(self._show(*text) for text in texts))

    def _show(self, x, y, font, size, text):
        clean = text if text.isprintable() else "".join(
            " " if character.isspace() else character for character in text)
        parts = [f"BT 1 0 0 1 {x:.2f} {y:.2f} Tm".encode()]
        for plain, run in _runs(clean):
            parts.append(f"/{font if plain else _CARRIER} {size} Tf".encode())
            parts.append((_literal(run) if plain else self._coded(run)) + b" Tj")
        return b" ".join(parts) + b" ET"

    def _coded(self, run):
        codes = [self._glyphs.setdefault(character, len(self._glyphs) + 1) for character in run]
        return b"<" + b"".join(b"%04X" % code for code in codes) + b">"

    def finish(self):
        first_page = 9
        kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(self._pages)))
        width, height = self._size
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self._pages)} >>".encode(),
            _helvetica("Helvetica"),
            b"<< /Type /Font /Subtype /Type0 /BaseFont /Helvetica /Encoding /Identity-H "
            b"/DescendantFonts [5 0 R] /ToUnicode 7 0 R >>",
            b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Helvetica /DW 1000 /FontDescriptor 6 0 R "
            b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
            b"<< /Type /FontDescriptor /FontName /Helvetica /Flags 4 /FontBBox [-166 -225 1000 931] "
            b"/ItalicAngle 0 /Ascent 718 /Descent -207 /CapHeight 718 /StemV 88 >>",
            self._stream(self._to_unicode()),
            _helvetica("Helvetica-Bold"),
        ]
        for index, content in enumerate(self._pages):
            objects.append((
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {height}] "
                f"/Contents {first_page + 2 * index + 1} 0 R /Resources << /Font "
                f"<< /{BODY} 3 0 R /{_CARRIER} 4 0 R /{BOLD} 8 0 R >> >> >>").encode())
            objects.append(self._stream(content))
        return _assemble(objects)

    def _stream(self, content):
        filtering = b""
        if self._compress:
            content = zlib.compress(content)
            filtering = b" /Filter /FlateDecode"
        return b"<< /Length %d%s >>\nstream\n" % (len(content), filtering) + content + b"\nendstream"

    def _to_unicode(self):
        lines = [
            "/CIDInit /ProcSet findresource begin", "12 dict begin", "begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def", "/CMapType 2 def",
            "1 begincodespacerange", "<0000> <FFFF>", "endcodespacerange",
        ]
        entries = [f"<{code:04X}> <{character.encode('utf-16-be').hex().upper()}>"
                   for character, code in self._glyphs.items()]
        for start in range(0, len(entries), 100):
            block = entries[start:start + 100]
            lines += [f"{len(block)} beginbfchar", *block, "endbfchar"]
        lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
        return "\n".join(lines).encode()


def _helvetica(name):
    return f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()


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


MARGIN = 42
SIZE = 8
LEADING = 10.5
PORTRAIT = (595, 842)
LANDSCAPE = (842, 595)
_TABLE = (("date", 0, 125), ("event_type", 125, 75), ("sub_type", 200, 65), ("system_source", 265, 95),
          ("id", 360, 132), ("auditee_id", 492, 132), ("entity_id", 624, 134))
_TABLE_SIZE = 6.5


def pdf_file(events, query, write_date, settings):
    wording = Wording(query.locale)
    table = settings.way("other-pdf")
    size = LANDSCAPE if table else PORTRAIT
    if table:
        blocks = [[_table_line(event, write_date)] for event in events]
    else:
        blocks = [_block(event, wording, write_date) for event in events]
    pages = _paginate(blocks, _lines_per_page(size[1]))
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


def _paginate(blocks, capacity):
    """Lines of each page; a block of lines stays together unless it exceeds a page."""
    pages = [[]]
    for block in blocks:
        if len(pages[-1]) + len(block) > capacity and pages[-1]:
            pages.append([])
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
