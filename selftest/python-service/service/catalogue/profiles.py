"""Lawful profiles: other ways in what the contract leaves open."""

from .entry import Entry

_ROWS = [
    ("csv-titled", "Content type and file name of the exported file: not shown.",
     "The CSV starts with three title lines and an empty line, and separates with semicolons."),
    ("text-errors", "Shape of the error response body: not shown.",
     "Errors are sent as plain text."),
    ("other-statuses", "Success status codes of the three JSON operations below: not shown.",
     "Updates are answered with 202 (and the task); invalid bodies with 422, a missing If-Match with 428."),
    ("lagging-reads", "GET /tasks/{task_id} (nothing is said about when a read shows an update)",
     "Tasks are read from a replica that is 300 ms behind."),
    ("extra-fields", "Response: the full Task object. (nothing forbids more members)",
     "Tasks, assignments and assessments carry additional members."),
    ("short-comments", "Status returned for an invalid or incomplete assignment body: not shown.",
     "Comments of more than 200 characters are refused with 400."),
    ("local-dates", "IANA time zone identifier used to format dates in the export.",
     "With a timezone, dates are written as DD.MM.YYYY HH:MM:SS.sss without offset."),
    ("other-pdf", "Fields of a stored audit event record: not shown.",
     "The PDF is in landscape, uncompressed, one line per event with fewer fields (no comment, three "
     "ids: event, auditee, entity)."),
    ("strict-unassign", "Behaviour of `unassign` on a task that has no assignment: not shown.",
     "Unassigning an unassigned task is refused with 400."),
    ("refuse-same", "Assigned to the newly given user or team",
     "Assigning to the one who already has the task is refused with 400."),
    ("nano-versions", "Timestamps are ISO 8601 UTC datetime strings.",
     "updated_at has nine digits after the second."),
    ("late-events", "Audit events can be read through the export operation.",
     "Events can be read 500 ms after the update that they record."),
]

PROFILES = [Entry(name, "profile", sentence, effect) for name, sentence, effect in _ROWS]
