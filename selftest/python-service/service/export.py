"""The export operation: a query in, a file out; the file as CSV."""

import csv
import io

from .instants import date_writer, iso_utc, now
from .pdf import pdf_file
from .selection import COLUMNS, Wording, cells_of, read_query
from .web import Response, stated_refusal


def csv_file(events, query, write_date, settings):
    wording = Wording(query.locale)
    titled = settings.way("csv-titled")
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";" if titled else ",", lineterminator="\r\n")
    if titled:
        writer.writerows([[wording.title], [wording.exported, iso_utc(now())], [wording.count, len(events)], []])
    writer.writerow([wording.label(column) for column in COLUMNS])
    for event in events:
        cells = cells_of(event, write_date)
        writer.writerow([cells.get(column, "") for column in COLUMNS])
    return text.getvalue().encode("utf-8")


PDF_LIMIT = 5000
_CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "pdf": "application/pdf"}


class Exporter:
    def __init__(self, log, settings):
        self._log = log
        self._settings = settings

    def handle(self, request):
        query = read_query(request.pairs)
        return Response(
            200, self._file(query), _CONTENT_TYPES[query.file_type],
            (("Content-Disposition", f'attachment; filename="audit-events-{now():%Y%m%d-%H%M%S}.{query.file_type}"'),
             ("Cache-Control", "no-store")),
        )

    def _file(self, query):
        events = self._log.find(query.selection)
        write_date = date_writer(query.timezone, self._settings.way("local-dates"))
        if query.file_type == "csv":
            return csv_file(events, query, write_date, self._settings)
        if len(events) > PDF_LIMIT:
            raise stated_refusal("Bad Request", f"A PDF export holds at most {PDF_LIMIT} events")
        return pdf_file(events, query, write_date, self._settings)
