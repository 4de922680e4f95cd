"""The export as CSV."""

import csv
import io

from ..instants import iso_utc, now
from ..wording import COLUMNS, Wording

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
