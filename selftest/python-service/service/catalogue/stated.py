"""Bugs that break a sentence of the contract; the sentence is quoted literally."""

from .entry import Entry

_ROWS = [
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

STATED_BUGS = [Entry(name, "stated", sentence, effect) for name, sentence, effect in _ROWS]
