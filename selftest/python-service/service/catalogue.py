"""Everything that can be switched on: lawful profiles, and bugs."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Entry:
    name: str
    kind: str  # "profile", "stated" or "natural"
    sentence: str  # the contract's words, or the natural reading
    effect: str

    def as_json(self):
        return asdict(self)


# Lawful profiles: other ways in what the contract leaves open.
_PROFILES = [
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

# Bugs that break a sentence of the contract; the sentence is quoted literally.
_STATED = [
    # keys
    ("key-pdf-open",
     "Every operation requires the header `apikey` with a valid API key value (<API_KEY>).",
     "The export with file_type=pdf does not check the key; everything else does."),
    ("key-truncated",
     "When the header is missing or the key is invalid, the service answers 401 Unauthorized.",
     "Every operation also accepts a key that is only a beginning (one character or more) of the right one."),
    ("key-after-range",
     "When the header is missing or the key is invalid, the service answers 401 Unauthorized.",
     "The export reads its query before the key: no key and an invalid query (such as an inverted range) "
     "gives 400; no key and a valid query still gives 401."),
    # 404s
    ("unknown-task-409",
     "Task operations: the task_id does not match a task.",
     "An update of an unknown task is answered with 409 instead of 404; reading it still gives 404."),
    ("unknown-assessment-null",
     "Assessment retrieval: the assessment_id does not match an assessment.",
     "An unknown assessment is answered with 200 and the body null."),
    # versions and races
    ("stale-unassign",
     "Assignment update: the If-Match value differs from the task's current updated_at.",
     "An unassign accepts any If-Match value; assigning still compares."),
    ("version-seconds",
     "Assignment update: the If-Match value differs from the task's current updated_at.",
     "If-Match is compared down to the second only: other fractions of the same second are taken."),
    ("race-lost-update",
     "Task updates use optimistic concurrency: the If-Match header carries the task's updated_at, "
     "and a stale value gives 409.",
     "The version is compared 60 ms before the write and outside the lock: several simultaneous "
     "updates with the same version all succeed."),
    ("answer-old-version",
     "The response carries the new assignment and a new updated_at.",
     "The answer to a reassignment carries the updated_at of before; the following read has the new one."),
    # assignments
    ("team-type-stuck",
     "assigned_to_id | string | Id of the user or team, depending on assigned_to_type.",
     "A reassignment keeps the former assigned_to_type, so that going from a user to a team "
     "(or back) pairs the new id with the old type."),
    ("second-assigner",
     "assigned_by_id | string | Id of the user who made the assignment.",
     "A reassignment keeps the assigned_by_id of the assignment before it."),
    # comments
    ("unassign-comment-lost",
     "Assignment and unassignment comments are recorded in the entity's audit record.",
     "The audit event of an unassign has no comment."),
    ("emoji-stripped-audit",
     "The comment, if any, is visible to the assignee and recorded in the entity's audit record.",
     "Characters above U+FFFF become ? in the audit event; the task keeps them."),
    ("reassign-comment-cut",
     "The comment, if any, is visible to the assignee and recorded in the entity's audit record.",
     "The audit event of a reassignment holds only the first 255 characters of the comment."),
    ("null-comment-refused",
     "assignment_comment | string or null | no | Recorded in the entity's audit record.",
     "An unassign with assignment_comment: null is refused with 400; leaving the member out works."),
    # members
    ("name-omitted",
     "name | string or null | Task name; may be null.",
     "A task whose name is null is sent without the member name (in reads and in answers to updates)."),
    ("assessment-errors-omitted",
     "They are null when there is no error.",
     "An assessment without error is sent without the four error_ members."),
    # ranges and zones
    ("range-start-minute",
     "Includes events from this time. ISO 8601 UTC datetime, for example of the form "
     "`<YYYY-MM-DDTHH:MM:SS.sssZ>`.",
     "A range_start that is not on a full minute is rounded up to the next one: events in between are missing."),
    ("pdf-range-end-exclusive",
     "Includes events up to and including this time. Same format.",
     "In the PDF alone, events at exactly range_end are missing."),
    ("range-summer-hour",
     "Includes events from this time. ISO 8601 UTC datetime, for example of the form "
     "`<YYYY-MM-DDTHH:MM:SS.sssZ>`.",
     "Bounds that fall into the European summer time are read one hour too early (as the server's "
     "local time less its winter offset); winter bounds are right."),
    ("zone-one-offset",
     "IANA time zone identifier used to format dates in the export.",
     "All dates of an export are written with the zone's offset of 1 January, in CSV and PDF."),
    ("pdf-zone-ignored",
     "IANA time zone identifier used to format dates in the export.",
     "The PDF writes its dates in UTC in every timezone; the CSV is right."),
    # PDF limit
    ("pdf-limit-cut",
     "A request over the limit fails with 400. Use CSV or split the export with narrower filters.",
     "A PDF over the limit is answered with 200 and holds only the first 5,000 events."),
    # mails
    ("mail-team-first",
     "Assigning a task sends an email notification to the assigned user or to the members of the assigned team.",
     "Only the first member of an assigned team gets a mail."),
    ("mail-to-previous",
     "Assigning a task sends an email notification to the assigned user or to the members of the assigned team.",
     "A reassignment notifies the assignee before it instead of the new one."),
    # audit record
    ("wrong-entity",
     "The comment, if any, is recorded in the entity's audit record.",
     "The audit event of an unassign carries the assessment's id as its entity_id."),
]

# Bugs against natural readings: what nobody wrote down but everyone expects.
_NATURAL = [
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

PROFILES = [Entry(name, "profile", sentence, effect) for name, sentence, effect in _PROFILES]
BUGS = [Entry(name, kind, sentence, effect)
        for kind, rows in (("stated", _STATED), ("natural", _NATURAL)) for name, sentence, effect in rows]
BUG_NAMES = frozenset(bug.name for bug in BUGS)
PROFILE_NAMES = frozenset(profile.name for profile in PROFILES)
