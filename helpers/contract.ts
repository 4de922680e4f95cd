import type { Sentence } from '../engine/run/contract.ts'

const elsewhere = 'lies outside what the contract covers'

/**
 * The contract in this project’s own words, by its headings and in its order, each sentence with the
 * clauses that check it or the reason why none can. A test holds it against the suites both ways.
 */
export const sentences: Record<string, Sentence[]> = {
  'What the service does': [
    {
      says: 'A task belongs to a workflow instance, an entity, an assessment and an institution.',
      clauses: ['task.read.fields', 'task.read.assessment-resolves'],
    },
    {
      says: 'A task can be assigned to a user or a team, reassigned, unassigned, and read by its id.',
      clauses: [
        'assign.*-to-user',
        'assign.*-to-team',
        'assign.unassign-user',
        'assign.unassign-team',
        'task.read.success',
        'task.read.identity',
      ],
    },
    {
      says: 'An assessment is read by its id and reports its state, its outcome id and, on failure, error information.',
      clauses: ['assessment.read.success', 'assessment.read.identity', 'assessment.read.error'],
    },
    {
      says: 'Audit events can be filtered and exported as CSV or PDF.',
      clauses: ['export.csv.status', 'export.pdf.status', 'export.filter.*'],
    },
    {
      says: 'All request and response bodies are JSON, but for the exported file.',
      clauses: [
        'task.read.success',
        'assessment.read.success',
        'task.read.error-is-json',
        'assessment.read.error-is-json',
      ],
    },
  ],
  'Resources and their fields': [
    {
      says: 'Identifiers are UUID-shaped strings.',
      clauses: ['task.read.identifiers', 'task.read.assignment', 'assessment.read.identifiers'],
    },
    {
      says: 'Timestamps are ISO 8601 datetimes in UTC.',
      clauses: ['task.read.timestamps', 'assessment.read.timestamps', 'task.read.timestamp-forms'],
    },
  ],
  Task: [
    {
      says: 'The table names sixteen fields beside the id, and their types.',
      clauses: ['task.read.fields', 'task.read.types', 'task.read.extra-fields'],
    },
    {
      says: 'The assignment is null when the task is unassigned.',
      clauses: ['task.read.assignment'],
    },
    {
      says: 'updated_at is the task’s version; it changes when the task changes.',
      clauses: [
        'task.read.repeatable',
        'assign.new-version',
        'assign.new-version.same-assignee',
        'assign.new-version.shown',
      ],
    },
    {
      says: 'Allowed values of status other than INCOMPLETE: not shown.',
      clauses: ['task.read.status-values'],
    },
    {
      says: 'Which fields other than assignment, custom_metadata and name can be null: not shown.',
      clauses: ['task.read.nulls'],
    },
    {
      says: 'Contents of custom_metadata: not shown.',
      clauses: ['task.read.custom-metadata'],
    },
    {
      says: 'Meaning and update rules of data_version and locked_at: not shown.',
      clauses: ['assign.data-version-rule', 'assign.locked-at-rule'],
    },
  ],
  Assignment: [
    {
      says: 'An assignment names who assigned, to whom, and whether that is a USER or a TEAM.',
      clauses: ['task.read.assignment', 'assign.fields-as-given', 'assign.by-another'],
    },
    {
      says: 'The comment is optional, a string or null.',
      clauses: ['task.read.assignment', 'assign.comment.null', 'assign.comment.omitted'],
    },
  ],
  Assessment: [
    {
      says: 'The table names nine fields and four error fields.',
      clauses: [
        'assessment.read.fields',
        'assessment.read.error-fields',
        'assessment.read.extra-fields',
        'assessment.read.nulls',
      ],
    },
    {
      says: 'workflow_state is Active, Cancelled or Error.',
      clauses: ['assessment.read.state'],
    },
    {
      says: 'The error fields are null when there is no error.',
      clauses: ['assessment.read.no-error'],
    },
    {
      says: 'Types of the error fields when they are set: not shown.',
      clauses: ['assessment.read.error-field-types'],
    },
    {
      says: 'The name of an outcome comes from another operation.',
      unchecked: elsewhere,
    },
  ],
  'Audit event': [
    {
      says: 'Fields of a stored audit event: not shown.',
      clauses: ['export.columns', 'export.filter-columns', 'export.header-row'],
    },
  ],
  'States and transitions': [
    {
      says: 'An unassigned task becomes assigned to the user or team of an update object.',
      clauses: ['assign.unassigned-to-user', 'assign.unassigned-to-team'],
    },
    {
      says: 'An assigned task becomes assigned to the newly given user or team by an update object.',
      clauses: [
        'assign.user-to-user',
        'assign.user-to-team',
        'assign.team-to-team',
        'assign.team-to-user',
      ],
    },
    {
      says: 'An assigned task becomes unassigned by an unassign object.',
      clauses: ['assign.unassign-user', 'assign.unassign-team'],
    },
    {
      says: 'Each of these takes place where If-Match equals the task’s current updated_at.',
      clauses: ['version.model', 'version.retry', 'version.stale.*'],
    },
    {
      says: 'The answer carries the new assignment and a new updated_at, which are the task’s from then on.',
      clauses: ['assign.persisted', 'assign.persisted.*', 'assign.new-version', 'assign.read-lag'],
    },
    {
      says: 'The new assignee is mailed, and sees the comment.',
      clauses: ['notify.reassigned', 'notify.comment'],
    },
    {
      says: 'Audit events are histories of actions and changes.',
      clauses: [
        'audit.assignment-recorded',
        'audit.all-recorded',
        'audit.all-comments',
        'audit.as-often',
        'audit.every-task',
        'audit.time',
      ],
    },
    {
      says: 'Nothing but the assignment of that task is named as changed.',
      clauses: ['assign.only-the-assignment', 'assign.only-this-task'],
    },
    {
      says: 'Assigning a task to whom it is assigned already: not shown.',
      clauses: ['assign.same-assignee'],
    },
    {
      says: 'Transitions of a task’s status and of workflow_state: not shown.',
      clauses: ['assign.status-rule', 'assessment.read.states'],
    },
    {
      says: 'Unassigning a task that has no assignment: not shown.',
      clauses: ['assign.unassign-unassigned'],
    },
  ],
  Endpoints: [
    {
      says: 'Success status codes of the three JSON operations: not shown.',
      clauses: [
        'assign.success-status',
        'assign.content-type',
        'task.read.success-status',
        'task.read.content-type',
        'task.read.cache-headers',
        'task.read.headers',
        'assign.headers',
        'assessment.read.headers',
        'assessment.read.success-status',
        'assessment.read.content-type',
      ],
    },
  ],
  'Update a task assignment': [
    {
      says: 'The header If-Match is required and carries the task’s current updated_at.',
      clauses: ['version.required', 'version.required.unassign', 'version.missing-status'],
    },
    {
      says: 'The value is that of updated_at; other forms of it are not shown.',
      clauses: [
        'version.star',
        'version.quoted',
        'version.weak',
        'version.case',
        'version.whitespace',
        'version.offset',
      ],
    },
    {
      says: 'The header Content-Type is required and is application/json.',
      clauses: ['assign.content-type-required', 'assign.not-json'],
    },
    {
      says: 'The body holds an update or an unassign object; what both or neither does is not shown.',
      clauses: ['assign.both-objects', 'assign.neither-object'],
    },
    {
      says: 'An update object must name who assigns, to whom and of which type.',
      clauses: [
        'assign.required.assigned_*',
        'assign.fields-as-given',
        'assign.field-types',
        'assign.refused-keeps-version',
        'assign.unknown-assignee',
        'assign.extra-fields',
        'assign.extra-fields.ignored',
      ],
    },
    {
      says: 'assigned_to_type is USER or TEAM.',
      clauses: ['assign.type-values', 'assign.type-values.status'],
    },
    {
      says: 'An unassign object must name who unassigns.',
      clauses: ['assign.required.unassign-assigned_by_id*'],
    },
    {
      says: 'The comment of either object is a string or null and may be left out.',
      clauses: [
        'assign.comment.null',
        'assign.comment.omitted',
        'assign.comment.unassign-with',
        'assign.comment.unassign-without',
        'assign.comment.unassign-null',
        'assign.field-types',
      ],
    },
    {
      says: 'The comment of an assignment is visible to whom the task was assigned to.',
      clauses: [
        'assign.comment.plain',
        'assign.comment.non-latin',
        'assign.comment.quotes',
        'assign.comment.long',
        'assign.comment.newlines',
        'assign.comment.emoji',
        'assign.comment.right-to-left',
        'assign.comment.not-inherited',
        'assign.comment-limit',
        'assign.comment-trimming',
      ],
    },
    {
      says: 'The answer is the updated Task; after unassigning its assignment is null.',
      clauses: ['assign.answer-is-task', 'assign.unassign-user', 'assign.unassign-team'],
    },
  ],
  'Retrieve a task': [
    {
      says: 'The answer is the full Task.',
      clauses: ['task.read.success', 'task.read.identity', 'task.read.repeatable'],
    },
  ],
  'Retrieve an assessment': [
    {
      says: 'The answer is the full Assessment.',
      clauses: [
        'assessment.read.success',
        'assessment.read.identity',
        'assessment.read.repeatable',
      ],
    },
    { says: 'Ids of assessments come from another operation.', unchecked: elsewhere },
  ],
  'Export audit events': [
    {
      says: 'The answer is 200 and a downloadable file in the format asked for, with no other body.',
      clauses: [
        'export.csv.*',
        'export.pdf.*',
        'export.pdf-matches-csv',
        'export.text-intact',
        'export.pdf.text-intact',
        'export.deterministic',
        'export.cells-are-values.*',
        'export.deterministic.*',
        'export.few-events.*',
      ],
    },
    {
      says: 'All parameters are optional.',
      clauses: ['export.no-filter', 'export.no-filter.rows', 'export.unknown-parameter'],
    },
    {
      says: 'auditee_id, event_type, sub_type and system_source each filter by one or several values.',
      clauses: [
        'audit.actor',
        'audit.actor-alone',
        'export.filter.*',
        'export.event-types',
        'export.sub-types',
        'export.system-sources',
        'export.filter-case',
      ],
    },
    {
      says: 'metadata filters by any of eleven keys, and several keys may be combined.',
      clauses: ['export.metadata.*', 'export.metadata-bracket-encoding'],
    },
    {
      says: 'range_start includes events from its time, range_end those up to and including its time.',
      clauses: ['export.range.*'],
    },
    { says: 'file_type is csv or pdf, and csv by default.', clauses: ['export.default-csv'] },
    {
      says: 'locale is a supported language, and en by default.',
      clauses: ['export.default-locale*', 'export.locale.*', 'export.locales-that-change-the-file'],
    },
    { says: 'timezone is the zone in which dates are written.', clauses: ['export.timezone.*'] },
    {
      says: 'How several values of a parameter are written: not shown.',
      clauses: ['export.array-encoding'],
    },
    {
      says: 'Content type and name of the file: not shown.',
      clauses: [
        'export.delivery',
        'export.headers',
        'export.csv-content-type',
        'export.pdf-content-type',
        'export.file-name',
        'export.delimiter',
        'export.bom',
        'export.line-ending',
        'export.row-order',
        'export.dates',
        'export.formula-cells',
      ],
    },
    {
      says: 'Supported languages: not shown.',
      clauses: ['export.locale-unsupported', 'export.locales-that-change-the-file'],
    },
  ],
  Authentication: [
    {
      says: 'Every operation needs the header apikey with a valid key.',
      clauses: [
        'auth.missing-key.*',
        'auth.invalid-key.*',
        'auth.other-carriers',
        'auth.other-carriers.query',
        'auth.key-case.*',
      ],
    },
    {
      says: 'A missing or invalid key is answered 401.',
      clauses: [
        'auth.missing-key.*',
        'auth.invalid-key.*',
        'auth.before-lookup.*',
        'auth.invalid-besides.*',
        'auth.refused-changes-nothing',
        'auth.refused-reveals-nothing',
      ],
    },
    { says: 'Another region’s address can answer 401.', clauses: ['auth.wrong-region'] },
    {
      says: 'With IP allow listing, another address can get 401.',
      clauses: ['auth.ip-allow-list'],
    },
    {
      says: 'Permissions of keys: not shown.',
      clauses: ['auth.key-permissions'],
    },
    {
      says: 'Creation and management of keys: not shown.',
      unchecked: elsewhere,
    },
  ],
  Events: [
    {
      says: 'Assigning mails the user or the members of the team.',
      clauses: ['notify.user', 'notify.team-members', 'notify.all'],
    },
    {
      says: 'Comments are recorded in the entity’s audit record, which the export reads.',
      clauses: ['audit.assign-comment', 'audit.unassign-comment'],
    },
    {
      says: 'When an event can be read, and whether a refused update leaves one: not shown.',
      clauses: ['audit.delay', 'audit.refused-not-recorded'],
    },
    {
      says: 'Whether anybody is mailed of unassigning, or of a refused update: not shown.',
      clauses: ['notify.unassigned', 'notify.others', 'notify.refused'],
    },
    { says: 'Outbound event delivery to clients: not shown.', unchecked: elsewhere },
  ],
  Errors: [
    {
      says: 'An id that no task or assessment has is answered 404.',
      clauses: [
        'task.read.not-found',
        'task.read.malformed-id',
        'task.read.malformed-id.status',
        'assessment.read.not-found',
        'assessment.read.malformed-id',
        'assessment.read.malformed-id.status',
      ],
    },
    {
      says: 'An update of a task that does not exist is answered 404.',
      clauses: ['assign.not-found.*', 'assign.malformed-id', 'assign.malformed-id.status'],
    },
    {
      says: 'An If-Match that differs from the task’s current updated_at is answered 409.',
      clauses: ['version.stale.*', 'version.wrong.*', 'version.current-accepted'],
    },
    {
      says: 'What is answered 409 was not carried out: the caller reads the task again and sends the latest updated_at.',
      clauses: [
        'version.refused-changes-nothing',
        'version.refused-changes-nothing.version',
        'version.retry',
        'version.mismatch-answered',
      ],
    },
    {
      says: 'The status for an invalid or incomplete assignment body: not shown.',
      clauses: [
        'assign.status-of-invalid-body',
        'assign.validation-order',
        'export.validation-order',
      ],
    },
    {
      says: 'An invalid export is answered 400.',
      clauses: [
        'export.range.reversed.*',
        'export.invalid.*',
        'export.range.malformed',
        'export.error-is-json',
        'export.error-body',
      ],
    },
    {
      says: 'An unexpected error of the export is answered 500.',
      unchecked: 'a client cannot bring one about; a 500 on the export makes clauses inconclusive',
    },
    {
      says: 'Shape of the error body: not shown.',
      clauses: [
        'task.read.error-body',
        'task.read.error-is-json',
        'assign.error-body',
        'assessment.read.error-body',
        'assessment.read.error-is-json',
      ],
    },
    {
      says: 'Complete list of error codes: not shown.',
      clauses: [
        'task.read.error-codes',
        'assign.error-codes',
        'assessment.read.error-codes',
        'export.error-codes',
      ],
    },
  ],
  Limits: [
    {
      says: 'A PDF holds at most 5,000 events; more is answered 400, and narrower filters or CSV help.',
      clauses: ['export.pdf-limit.*'],
    },
    { says: 'Rate limits: not shown.', clauses: ['limits.rate'] },
    { says: 'The largest CSV: not shown.', clauses: ['export.csv-size-limit'] },
  ],
  Versioning: [
    { says: 'Every path is served under /v5.', clauses: ['versioning.path'] },
    {
      says: 'Task updates use optimistic concurrency: a version is taken once, and a stale one gives 409.',
      clauses: ['version.one-winner', 'version.history', 'version.model'],
    },
    {
      says: 'Deprecation policy and other versions: not shown.',
      unchecked: 'nothing in an answer of /v5 tells of them',
    },
  ],
}
