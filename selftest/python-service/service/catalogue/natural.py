"""Bugs against natural readings: what nobody wrote down but everyone expects."""

from .entry import Entry

_ROWS = [
    # filters
    ("array-last-value",
     "Several values of one filter select the events that have any of them.",
     "Of several sub_type values only the last one counts; the other array filters are right."),
    ("pdf-metadata-first-key",
     "Several metadata keys combined in one request must all match, in PDF as in CSV.",
     "The PDF applies only the first metadata key of the query."),
    ("metadata-tag-prefix",
     "A metadata filter selects the events whose value equals the given one.",
     "metadata[tag] also selects events whose tag only begins with the given value."),
    # CSV
    ("csv-last-page",
     "The CSV holds every matching event.",
     "Once more than 500 events match, the rows after the last full page of 500 are missing."),
    ("csv-tie-lost",
     "The CSV holds every matching event, events of the same instant included.",
     "The CSV is read in pages of 1,000 that continue after the last row's time: events of the same "
     "instant as the last row of a page are missing when they fall to the next page."),
    ("csv-quotes-backslash",
     "The CSV can be read back: quotes in a quoted field are doubled.",
     'Quotes inside a field are written as \\" instead of "" (and so a backslash as two).'),
    # state leaking between requests
    ("export-cache-zone",
     "An export depends on its own parameters only.",
     "Exports are cached until the next event is recorded, and the cache's key lacks the timezone: "
     "the same export with another timezone gets the dates of the first one."),
    ("comment-left-over",
     "An update without a comment has no comment.",
     "An update object that omits assignment_comment takes the comment of the latest update object "
     "sent to the service (any task); null works."),
    # mails
    ("mail-without-comment",
     "The comment, if any, is visible to the assignee: the mail tells it to a team as it does to a user.",
     "Mails to the members of a team lack the comment; mails to a user hold it."),
    ("mail-twice",
     "One assignment sends one mail to each assignee.",
     "A reassignment sends every mail twice."),
    # audit events
    ("event-twice",
     "One accepted update is recorded as one audit event.",
     "The assignment of an unassigned task is recorded as two equal events (with two ids)."),
    ("wrong-actor",
     "The user who caused the event of an update is its assigned_by_id.",
     "The event of an unassign names the removed user or team as its auditee."),
    # PDF
    ("pdf-page-break",
     "The PDF holds every matching event.",
     "The event that no longer fits on a page is lost at each page break instead of starting the next page."),
    ("pdf-locale-ignored",
     "The locale is the language of the export's titles and labels, in PDF as in CSV.",
     "The PDF is always in English; the CSV follows the locale."),
]

NATURAL_BUGS = [Entry(name, "natural", sentence, effect) for name, sentence, effect in _ROWS]
