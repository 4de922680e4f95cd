import type { Sentence } from '../../engine/run/contract.ts'

const elsewhere = { unchecked: 'lies outside what the contract covers' }
const introduces = { unchecked: 'introduces what the contract says in detail below' }
const label = { unchecked: 'a label of what follows it' }
const asAsked = { unchecked: 'each request of this run is sent so' }

/** a pair gives a sentence two lines of the page */
type Checked = string | [string, string] | { unsaid: string } | { unchecked: string }

/**
 * The contract word for word, each sentence with the clauses that check it or the reason why none can. Bars
 * separate cells; `…` marks omitted words. `unsaid`: in our words, what the contract leaves out.
 */
const table: Record<string, Record<string, Checked>> = {
  'What the service does': {
    "This document covers four operations of a workflow and compliance service: updating a task's assignment, retrieving a task by id, retrieving an assessment by id, and exporting audit events as a file. It is the only document; everything else about the service lies outside it.":
      introduces,
    'In this document {base_url} is the regional domain of the service followed by the path segment /v5. Every path below is relative to {base_url}.':
      'versioning.path, auth.wrong-region',
    'All request and response bodies are JSON, except the audit export, which returns a file.':
      'task.read.success, assessment.read.success, task.read.error-is-json, assessment.read.error-is-json',
    'The service manages tasks.': introduces,
    'A task is a work item that belongs to a workflow instance, an entity, an assessment and an institution.':
      'task.read.fields, task.read.assessment-resolves',
    'A task can be assigned to a single user or to a team, reassigned, or unassigned. A task can be read by its id.':
      'assign.*-to-user, assign.*-to-team, assign.unassign-user, assign.unassign-team, task.read.success, task.read.identity',
    'The service manages assessments.': introduces,
    'An assessment is tied to an entity and a workflow instance.':
      'assessment.read.fields, task.read.assessment-resolves',
    'It is read by its id and reports its workflow state, its outcome id and, on failure, error information.':
      'assessment.read.success, assessment.read.identity, assessment.read.error',
    'The service records audit events, which are histories of system actions and changes.':
      'audit.assignment-recorded, audit.all-recorded, audit.all-comments, audit.as-often, audit.once, audit.every-task, audit.time',
    'Events can be filtered and exported for offline analysis, reporting or archiving, in CSV or PDF format.':
      'export.csv.status, export.pdf.status, export.filter.*',
  },
  'Resources and their fields': {
    'Identifier fields are strings (UUID-shaped).':
      'task.read.identifiers, task.read.assignment, assessment.read.identifiers',
    'Timestamps are ISO 8601 UTC datetime strings.':
      'task.read.timestamps, assessment.read.timestamps, task.read.timestamp-forms, audit.updated-at',
  },
  Task: {
    'id | string … assessment_id | string … assessment_template_id | string … assignment | object or null … c_name | string … name | string or null … created_at | string … updated_at | string … locked_at | string … custom_metadata | object or null … data_version | integer … entity_id | string … institution_id | string … microfrontend_id | string … status | string … step_name | string … workflow_instance_id | string':
      'task.read.fields, task.read.types, task.read.extra-fields',
    'assignment | object or null | See Assignment. It is null when the task is unassigned.':
      'task.read.assignment',
    "updated_at | string | Timestamp. It serves as the task's version value for If-Match. It changes when the task changes.":
      'task.read.version, audit.updated-at, task.read.repeatable, assign.new-version, assign.new-version.same-assignee, assign.new-version.shown',
    'Allowed values of status other than INCOMPLETE: not shown.': 'task.read.status-values',
    'Which task fields other than assignment, custom_metadata and name can be null: not shown.':
      'task.read.nulls',
    'Contents of custom_metadata: not shown.': 'task.read.custom-metadata',
    'Meaning and update rules of data_version and locked_at: not shown.':
      'assign.data-version-rule, assign.locked-at-rule',
  },
  Assignment: {
    'assigned_by_id | string | Id of the user who made the assignment. … assigned_to_id | string | Id of the user or team, depending on assigned_to_type. … assigned_to_type | string | Allowed values: USER, TEAM.':
      'task.read.assignment, assign.fields-as-given, assign.by-another',
    'assignment_comment | string or null | Optional comment.':
      'task.read.assignment, assign.comment.null, assign.comment.omitted',
  },
  Assessment: {
    'id | string … created_at | string … entity_id | string … institution_id | string … outcome_id | string … status_id | string … template_id | string … workflow_instance_id | string … workflow_state | string … error_message | null or value … error_details | null or value … error_step | null or value … error_type | null or value':
      'assessment.read.fields, assessment.read.error-fields, assessment.read.extra-fields, assessment.read.nulls, assessment.read.values',
    'The outcome name is obtained through a separate outcome-by-id operation.': elsewhere,
    'workflow_state | string | Allowed values: Active, Cancelled, Error.': 'assessment.read.state',
    'Error fields to inspect when workflow_state is Error. They are null when there is no error.':
      'assessment.read.no-error',
    'Types of the error fields when they are set: not shown.': 'assessment.read.error-field-types',
  },
  'Audit event': {
    'Fields of a stored audit event record: not shown.':
      'export.columns, export.filter-columns, export.header-row',
    'Only the filters listed under the export endpoint are given.': introduces,
  },
  'States and transitions': {
    'Task assignment is the only state change given.':
      'assign.only-the-assignment, assign.only-this-task',
    'Whether a task can be assigned to whom it is assigned already.': {
      unsaid: 'assign.same-assignee',
    },
    "Unassigned | PUT update-assignment with an update object | The task exists and If-Match equals the task's current updated_at. | Assigned to the given user or team":
      'assign.unassigned-to-user, assign.unassigned-to-team',
    "The task exists and If-Match equals the task's current updated_at.":
      'version.model, version.retry, version.stale.*',
    'The response carries the new assignment and a new updated_at.':
      'assign.persisted, assign.persisted.*, assign.new-version, assign.read-lag',
    'The assignee (user, or team members) is notified by email. The comment, if any, is visible to the assignee':
      'notify.reassigned, notify.comment',
    'Assigned | PUT update-assignment with an update object | Same as above. | Assigned to the newly given user or team':
      'assign.user-to-user, assign.user-to-team, assign.team-to-team, assign.team-to-user',
    'Assigned | PUT update-assignment with an unassign object | Same as above. | Unassigned':
      'assign.unassign-user, assign.unassign-team',
    'States:': label,
    'Task status: INCOMPLETE is the one value that is given.': 'task.read.status-values',
    'Transitions of task status: not shown. … Transitions: not shown.':
      'assign.status-rule, assessment.read.states',
    'Assessment workflow_state: Active, Cancelled, Error.': 'assessment.read.state',
    'Behaviour of unassign on a task that has no assignment: not shown.':
      'assign.unassign-unassigned',
  },
  Endpoints: {
    'All endpoints need the apikey header (see Authentication).':
      'auth.missing-key.*, auth.invalid-key.*',
    'Success status codes of the three JSON operations below: not shown.':
      'assign.success-status, assign.content-type, task.read.success-status, task.read.content-type, task.read.cache-headers, task.read.headers, assign.headers, assessment.read.headers, assessment.read.success-status, assessment.read.content-type',
  },
  'Update a task assignment': {
    'Method and path: PUT /tasks/{task_id}/update-assignment':
      'assign.unassigned-to-user, assign.unassign-user, auth.other-paths*',
    'Path parameter: task_id (string), the id of the task.':
      'assign.answer-is-task, assign.only-this-task, assign.malformed-id',
    'Headers:': label,
    'apikey | yes | API key.': 'auth.missing-key.assign.*',
    "If-Match | yes | The task's current updated_at timestamp.":
      'version.required, version.required.unassign, version.missing-status',
    'Which forms of the If-Match value other than updated_at itself are accepted.': {
      unsaid:
        'version.star, version.quoted, version.weak, version.case, version.whitespace, version.offset',
    },
    'Content-Type | yes | application/json':
      'assign.content-type-required, assign.content-type-required.unchanged, assign.not-json, assign.header-forms',
    'Body: a JSON object that holds either an update object (assign or reassign) or an unassign object (remove the assignment). Behaviour when both or neither is sent: not shown.':
      'assign.both-objects, assign.neither-object',
    'update object:': label,
    'assigned_by_id | string | yes | Id of the user making the assignment. … assigned_to_id | string | yes | Id of the user or team, according to assigned_to_type. … assigned_to_type | string | yes | USER or TEAM.':
      'assign.required.assigned_*, assign.fields-as-given, assign.field-types, assign.refused-keeps-version, assign.unknown-assignee, assign.extra-fields, assign.extra-fields.ignored',
    'assigned_to_type | string | yes | USER or TEAM.':
      'assign.type-values, assign.type-values.status',
    'assignment_comment | string or null | no |':
      'assign.comment.null, assign.comment.omitted, assign.comment.unassign-with, assign.comment.unassign-without, assign.comment.unassign-null, assign.field-types',
    "Visible to the assigned user or team members. Recorded in the entity's audit record.":
      'assign.comment.plain, assign.comment.non-latin, assign.comment.quotes, assign.comment.placeholders, assign.comment.long, assign.comment.newlines, assign.comment.emoji, assign.comment.right-to-left, assign.comment.combining, assign.comment.values, notify.comment.as-sent, assign.comment.not-inherited, assign.comment-limit, assign.comment-trimming',
    'unassign object:': label,
    'assigned_by_id | string | yes | Id of the user removing the assignment.':
      'assign.required.unassign-assigned_by_id*',
    'Response: the updated Task object, with the assignment details and the new updated_at. After a successful unassign, assignment is null.':
      'assign.answer-is-task, assign.unassign-user, assign.unassign-team',
    'Errors: 401, 404 (task not found), 409 (version mismatch). See Errors.':
      'auth.missing-key.assign.*, assign.not-found.*, version.stale.*',
  },
  'Retrieve a task': {
    'Method and path: GET /tasks/{task_id}': 'task.read.success, auth.other-paths*',
    'Path parameter: task_id (string).': 'task.read.identity, task.read.malformed-id',
    'Header: apikey (required).': 'auth.missing-key.task.read',
    'No body.': asAsked,
    'Response: the full Task object.':
      'task.read.success, task.read.identity, task.read.repeatable',
    'Errors: 401, 404 (task not found).': 'auth.missing-key.task.read, task.read.not-found',
  },
  'Retrieve an assessment': {
    'Method and path: GET /assessments/{assessment_id}':
      'assessment.read.success, auth.other-paths*',
    'Path parameter: assessment_id (string).':
      'assessment.read.identity, assessment.read.malformed-id',
    'Ids of assessments are found through a separate list-assessments operation.': elsewhere,
    'Header: apikey (required). No body.': 'auth.missing-key.assessment.read',
    'Response: the full Assessment object.':
      'assessment.read.success, assessment.read.identity, assessment.read.repeatable',
    'Errors: 401, 404 (not found).': 'auth.missing-key.assessment.read, assessment.read.not-found',
  },
  'Export audit events': {
    'Method and path: GET /audit-sentinel/events/export': 'export.csv.status, auth.other-paths*',
    'Header: apikey (required). No body.': 'auth.missing-key.export',
    'All query parameters are optional:':
      'export.no-filter, export.no-filter.rows, export.query-forms, export.unknown-parameter',
    'auditee_id | array of strings | Filter by the id of the user who caused the event. … event_type | array of strings | Filter by event type, for example assessment. … sub_type | array of strings | Filter by event subtype, for example created or updated. … system_source | array of strings | Filter by the source of the request, for example assessment_service or task_platform.':
      'audit.actor, audit.actor-alone, audit.each-actor, export.filter.*, export.event-types, export.sub-types, export.system-sources, export.filter-case',
    'Filter by event metadata; several keys may be combined in one request. Sent as metadata[<key>]=<value>. Allowed keys: entity_id, assessment_id, task_id, workflow_instance_id, screening_application_id, screening_config_id, match_id, inquiry_id, tag, cache_id, workflow_step.':
      'export.metadata.*, export.metadata-bracket-encoding',
    'range_start | string or null | Includes events from this time. … range_end | string or null | Includes events up to and including this time.':
      'export.range.*, audit.exact-end',
    'file_type | string | csv or pdf. Default csv.': 'export.default-csv',
    'locale | string | Two-letter ISO language code of a supported language. Default en.':
      'export.default-locale*, export.locale.*, export.locales-that-change-the-file',
    'timezone | string or null | IANA time zone identifier used to format dates in the export.':
      'export.timezone.*',
    'Response: status 200 and a downloadable file in the requested format. There is no response body.':
      'export.csv.*, export.pdf.*, export.pdf-matches-csv, export.text-intact, export.pdf.text-intact, export.deterministic, export.cells-are-values.*, export.deterministic.*, export.few-events.*',
    'Encoding of repeated values of the array parameters: not shown.': 'export.array-encoding',
    'Content type and file name of the exported file: not shown.':
      'export.delivery, export.headers, export.csv-content-type, export.pdf-content-type, export.file-name, export.delimiter, export.bom, export.line-ending, export.row-order, export.dates, export.formula-cells',
    'List of supported locales: not shown.':
      'export.locale-unsupported, export.locales-that-change-the-file',
    'Errors: 400, 401, 500.':
      'export.range.reversed.*, export.invalid.*, export.pdf-limit.over, auth.missing-key.export',
  },
  Authentication: {
    'Every operation requires the header apikey with a valid API key value':
      'auth.missing-key.*, auth.invalid-key.*, auth.header-case, auth.other-paths*, auth.other-carriers, auth.other-carriers.query, auth.key-case.*',
    'When the header is missing or the key is invalid, the service answers 401 Unauthorized.':
      'auth.missing-key.*, auth.invalid-key.*, auth.before-lookup.*, auth.invalid-besides.*, auth.refused-changes-nothing, auth.refused-reveals-nothing',
    "Requests must go to the base address of the caller's own region. A wrong regional address can cause 401.":
      'auth.wrong-region',
    'When IP allow listing is enabled for the account, requests must come from an allowed IP address, otherwise 401 can result.':
      'auth.ip-allow-list',
    'Creation and management of API keys: not shown.': elsewhere,
    'Per-key permissions or scopes: not shown.': 'auth.key-permissions',
  },
  Events: {
    'Assigning a task sends an email notification to the assigned user or to the members of the assigned team.':
      'notify.user, notify.team-members, notify.all',
    "Assignment and unassignment comments are recorded in the entity's audit record. Audit events can be read through the export operation.":
      'audit.assign-comment, audit.unassign-comment',
    'Audit events are classified by event type, subtype and system source.': 'audit.classified',
    'Examples of types: assessment. Examples of subtypes: created, updated. Examples of system sources: assessment_service, task_platform. … Complete lists of event types, subtypes and system sources: not shown.':
      'export.event-types, export.sub-types, export.system-sources',
    'When an event can be read, and whether a refused update leaves one.': {
      unsaid: 'audit.delay, audit.refused-not-recorded',
    },
    'Whether anybody gets a mail about unassigning, or about a refused update.': {
      unsaid: 'notify.unassigned, notify.others, notify.refused',
    },
    'Webhook or other outbound event delivery to clients: not shown.': elsewhere,
  },
  Errors: {
    '400 | Bad Request | Export: the request is invalid, for example range_start is later than range_end, or a PDF export would hold more than 5,000 events.':
      'export.range.reversed.*, export.invalid.*, export.range.malformed, export.error-is-json, export.error-body',
    '401 | Unauthorized | The apikey header is missing or invalid; wrong regional address; request from an IP address that is not allowed when allow listing is on.':
      'auth.missing-key.*, auth.invalid-key.*, auth.wrong-region, auth.ip-allow-list',
    '404 | Task not found | Task operations: the task_id does not match a task. … 404 | Not Found | Assessment retrieval: the assessment_id does not match an assessment.':
      'task.read.not-found, task.read.malformed-id, task.read.malformed-id.status, assessment.read.not-found, assessment.read.malformed-id, assessment.read.malformed-id.status',
    '404 | Task not found | Task operations: the task_id does not match a task.':
      'assign.not-found.*, assign.malformed-id, assign.malformed-id.status',
    "409 | Version mismatch | Assignment update: the If-Match value differs from the task's current updated_at.":
      'version.stale.*, version.wrong.*, version.current-accepted',
    'The caller re-reads the task and retries with the latest updated_at.':
      'version.refused-changes-nothing, version.refused-changes-nothing.version, version.retry, version.mismatch-answered',
    '500 | Internal Server Error | Unexpected server error on export.': {
      unchecked: 'a client cannot bring one about; a 500 on the export makes clauses inconclusive',
    },
    'Shape of the error response body: not shown.':
      'task.read.error-body, task.read.error-is-json, assign.error-body, assessment.read.error-body, assessment.read.error-is-json',
    'Complete list of error codes: not shown.':
      'task.read.error-codes, assign.error-codes, assessment.read.error-codes, export.error-codes',
    'Status returned for an invalid or incomplete assignment body: not shown.':
      'assign.status-of-invalid-body, assign.validation-order, export.validation-order',
  },
  Limits: {
    'PDF export size | Export audit events with file_type pdf | 5,000 events per request | A request over the limit fails with 400. Use CSV or split the export with narrower filters.':
      'export.pdf-limit.*',
    'Rate limits and maximum size of a CSV export: not shown.': [
      'limits.rate',
      'export.csv-size-limit',
    ],
  },
  Versioning: {
    'The version is part of the path: every path is served under /v5 of the regional base address.':
      'versioning.path',
    "Task updates use optimistic concurrency: the If-Match header carries the task's updated_at, and a stale value gives 409.":
      'version.one-winner, version.history, version.model',
    'Deprecation policy and other versions: not shown.': {
      unchecked: 'nothing in an answer of /v5 tells of them',
    },
  },
}

const clausesIn = (globs: string) => ({ clauses: globs.split(', ') })

function sentencesOf(text: string, checked: Checked): Sentence[] {
  if (typeof checked === 'string') return [{ says: text, ...clausesIn(checked) }]
  if (Array.isArray(checked)) return checked.flatMap((globs) => sentencesOf(text, globs))
  return 'unsaid' in checked
    ? [{ unsaid: text, ...clausesIn(checked.unsaid) }]
    : [{ says: text, ...checked }]
}

export const sentences: Record<string, Sentence[]> = Object.fromEntries(
  Object.entries(table).map(([heading, rows]) => [
    heading,
    Object.entries(rows).flatMap(([text, checked]) => sentencesOf(text, checked)),
  ]),
)

export const clauseGlobs: string[] = Object.values(sentences)
  .flat()
  .flatMap((each) => ('clauses' in each ? each.clauses : []))
