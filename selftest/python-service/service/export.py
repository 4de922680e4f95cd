"""The export operation: a query in, a file out; the file as CSV."""

import csv
import io
import threading

from .instants import DateWriter, iso_utc, now
from .pdf import pdf_file
from .selection import COLUMNS, InvalidQuery, Wording, read_query
from .web import Refusal, Response


PAGE = 500
TIE_PAGE = 1000


def csv_file(events, query, write_date, settings):
    wording = Wording(query.locale)
    titled = settings.way("csv-titled")
    quoting = {}
    if settings.bug("csv-quotes-backslash"):
        quoting = {"doublequote": False, "escapechar": "\\"}
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=";" if titled else ",", lineterminator="\r\n", **quoting)
    if titled:
        writer.writerows([[wording.title], [wording.exported, iso_utc(now())], [wording.count, len(events)], []])
    writer.writerow([wording.label(column) for column in COLUMNS])
    for page in _pages(events, settings):
        writer.writerows(_row(event, write_date) for event in page)
    return text.getvalue().encode("utf-8")


def _row(event, write_date):
    cells = {
        "id": event.id,
        "date": write_date(event.occurred_at),
        "auditee_id": event.auditee_id,
        "event_type": event.event_type,
        "sub_type": event.sub_type,
        "system_source": event.system_source,
        "comment": event.comment,
        **event.metadata,
    }
    return [cells.get(column) or "" for column in COLUMNS]


def _pages(events, settings):
    if settings.bug("csv-tie-lost"):
        yield from _pages_after_time(events)
        return
    number = -(-len(events) // PAGE)
    if settings.bug("csv-last-page") and len(events) > PAGE:
        number = len(events) // PAGE
    for index in range(number):
        yield events[index * PAGE:(index + 1) * PAGE]


def _pages_after_time(events):
    page = events[:TIE_PAGE]
    while page:
        yield page
        last = page[-1].occurred_at
        page = [event for event in events if event.occurred_at > last][:TIE_PAGE]


_CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "pdf": "application/pdf"}


class Exporter:
    def __init__(self, log, settings):
        self._log = log
        self._settings = settings
        self._cache = {}
        self._cache_lock = threading.Lock()

    def check(self, request):
        """The request's query; refuses an invalid one."""
        try:
            return read_query(request.pairs, self._settings)
        except InvalidQuery as problem:
            raise Refusal(400, "bad_request", str(problem)) from None

    def handle(self, request):
        query = self.check(request)
        return Response(
            200, self._file(query), _CONTENT_TYPES[query.file_type],
            (("Content-Disposition", f'attachment; filename="{_file_name(query)}"'),
             ("Cache-Control", "no-store")),
        )

    def _file(self, query):
        if not self._settings.bug("export-cache-zone"):
            return self._make(query)
        with self._cache_lock:
            key = (query.text, self._log.size())
            if key not in self._cache:
                self._cache[key] = self._make(query)
            return self._cache[key]

    def _make(self, query):
        events = self._log.find(query.selection)
        if query.file_type == "csv":
            return csv_file(events, query, self._date_writer(query), self._settings)
        limit = self._settings.pdf_limit
        if len(events) > limit and not self._settings.bug("pdf-limit-cut"):
            raise Refusal(400, "bad_request", f"A PDF export holds at most {limit} events")
        return pdf_file(events[:limit], query, self._date_writer(query), self._settings)

    def _date_writer(self, query):
        ignored = query.file_type == "pdf" and self._settings.bug("pdf-zone-ignored")
        return DateWriter(
            None if ignored else query.timezone,
            local_form=self._settings.way("local-dates"),
            one_offset=self._settings.bug("zone-one-offset"),
        )


def _file_name(query):
    return f"audit-events-{now():%Y%m%d-%H%M%S}.{query.file_type}"
