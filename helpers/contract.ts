/**
 * One sentence of the contract in this project's own words, with the clauses that check it, or the
 * reason why no client can. A test holds this against the suites in both directions.
 */
export type Sentence = { says: string } & ({ clauses: string[] } | { unchecked: string })

const later = 'not checked by this version of the suite'
const elsewhere = 'lies outside what the contract covers'

/** The contract, by its headings and in its order. */
export const contract: Record<string, Sentence[]> = {
  'What the service does': [
    {
      says: 'A task belongs to a workflow instance, an entity, an assessment and an institution.',
      clauses: ['task.read.fields', 'task.read.assessment-resolves'],
    },
    {
      says: 'A task can be assigned to a user or a team, reassigned, unassigned, and read by its id.',
      clauses: ['task.read.success', 'task.read.identity'],
    },
    {
      says: 'An assessment is read by its id and reports its state, its outcome id and, on failure, error information.',
      clauses: ['assessment.read.success', 'assessment.read.identity', 'assessment.read.error'],
    },
    { says: 'Audit events can be filtered and exported as CSV or PDF.', unchecked: later },
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
      clauses: ['task.read.repeatable'],
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
      unchecked: 'they are data of the institution, and no part of any answer depends on them',
    },
    {
      says: 'Meaning and update rules of data_version and locked_at: not shown.',
      unchecked: later,
    },
  ],
  Assignment: [
    {
      says: 'An assignment names who assigned, to whom, and whether that is a USER or a TEAM.',
      clauses: ['task.read.assignment'],
    },
    {
      says: 'The comment is optional, a string or null.',
      clauses: ['task.read.assignment'],
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
  'Audit event': [{ says: 'Fields of a stored audit event: not shown.', unchecked: later }],
  'States and transitions': [
    { says: 'An unassigned task becomes assigned by an update object.', unchecked: later },
    { says: 'An assigned task becomes reassigned by an update object.', unchecked: later },
    { says: 'An assigned task becomes unassigned by an unassign object.', unchecked: later },
    {
      says: 'Transitions of a task’s status and of workflow_state: not shown.',
      unchecked: 'none of the four operations brings one about',
    },
    { says: 'Unassigning a task that has no assignment: not shown.', unchecked: later },
  ],
  Endpoints: [
    {
      says: 'Success status codes of the three JSON operations: not shown.',
      clauses: [
        'task.read.success-status',
        'task.read.content-type',
        'task.read.cache-headers',
        'assessment.read.success-status',
        'assessment.read.content-type',
      ],
    },
  ],
  'Update a task assignment': [
    { says: 'The body holds an update or an unassign object.', unchecked: later },
    { says: 'The answer is the updated task.', unchecked: later },
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
    { says: 'The answer is 200 and a file in the format asked for.', unchecked: later },
    { says: 'Every parameter is optional and filters the events.', unchecked: later },
  ],
  Authentication: [
    {
      says: 'Every operation needs the header apikey with a valid key.',
      clauses: [
        'auth.missing-key.*',
        'auth.invalid-key.*',
        'auth.other-carriers',
        'auth.key-case.*',
      ],
    },
    {
      says: 'A missing or invalid key is answered 401.',
      clauses: [
        'auth.missing-key.*',
        'auth.invalid-key.*',
        'auth.before-lookup.*',
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
      says: 'Creation of keys and permissions of keys: not shown.',
      unchecked: '403 to a valid request leaves the clauses that need it undecided',
    },
  ],
  Events: [
    { says: 'Assigning mails the user or the members of the team.', unchecked: later },
    { says: 'Comments are recorded in the entity’s audit record.', unchecked: later },
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
    { says: 'A stale If-Match is answered 409.', unchecked: later },
    { says: 'An invalid export is answered 400.', unchecked: later },
    {
      says: 'An unexpected error of the export is answered 500.',
      unchecked: 'a client cannot bring one about; a 500 on the export makes clauses inconclusive',
    },
    {
      says: 'Shape of the error body: not shown.',
      clauses: [
        'task.read.error-body',
        'task.read.error-is-json',
        'assessment.read.error-body',
        'assessment.read.error-is-json',
      ],
    },
  ],
  Limits: [
    { says: 'A PDF holds at most 5,000 events; more is answered 400.', unchecked: later },
    { says: 'Rate limits and the largest CSV: not shown.', unchecked: later },
  ],
  Versioning: [
    { says: 'Every path is served under /v5.', unchecked: later },
    {
      says: 'Deprecation policy and other versions: not shown.',
      unchecked: 'nothing in an answer of /v5 tells of them',
    },
  ],
}
