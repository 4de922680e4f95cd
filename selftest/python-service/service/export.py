"""The export operation: a query in, a file out."""

import threading

from .files.csv_file import csv_file
from .errors import Refusal
from .instants import DateWriter, now
from .files.pdf_file import pdf_file
from .selection import InvalidQuery, read_query
from .web import Response

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
