/** Why a learned mock does otherwise than its service, by the clause in which it does. */
export const reasons: Record<string, string> = {
  'assign.same-assignee':
    'who may not be assigned cannot be assigned again either, and the mock does not know whom a task had before; or statuses that go by the turn',
  'assign.error-body':
    'the refusal that was seen is that of the person, for the task was asked with one who is not taken; or it differs by what a body holds beside the mistake',
  'assign.both-objects':
    'statuses that go by the turn are answered in turn, and not to the same requests',
  'assign.unassign-unassigned':
    'statuses that go by the turn are answered in turn, and not to the same requests',
  'assign.error-codes':
    'a body that is refused in one turn and taken in the next: only one of the two was seen',
  'assign.comment-limit':
    'a comment that is refused although a longer one is taken: no limit explains it',
  'assign.neither-object':
    'statuses that go by the turn are answered in turn, and not to the same requests',
  'assign.extra-fields':
    'statuses that go by the turn are answered in turn, and not to the same requests',
  'assign.unknown-assignee':
    'statuses that go by the turn are answered in turn, and not to the same requests',
  'assign.validation-order':
    'two mistakes that were answered alike do not say which was looked for first',
  'assign.comment.plain': 'two answers of one millisecond show one version where nothing is kept',
  'assessment.read.error-field-types':
    'of fields of several types each assessment shows one, and there are fewer assessments than types',
  'task.read.timestamp-forms': 'several forms in one answer: which field has which was not seen',
  'task.read.error-body':
    'refusals of one kind that differ by the id: the first that was seen is given',
  'assessment.read.error-body':
    'refusals of one kind that differ by the id: the first that was seen is given',
  'assign.status-of-invalid-body':
    'a body that is refused for something else first: the order of such checks is not seen one by one',
  'export.dates':
    'a column of numbers in a row, which is not one of the columns that can be learned',
  'export.locales-that-change-the-file':
    'where a file shows hardly any words, its events decide whether a language changes it',
  'export.header-row': 'a line in front looks like the name of a column, where there is one column',
  'export.columns': 'a line in front looks like the name of a column, where there is one column',
  'export.filter-case': 'where events look alike, which of them were let through is not seen',
  'export.metadata-bracket-encoding':
    'where events look alike, which of them were let through is not seen',
  'export.filter-columns': 'words in place of types and sources are data of the account',
  'export.array-encoding':
    'a form of several values that is not among those tried; or one that is read only where there are several',
  'export.range.null': 'what others did at that time',
  'export.row-order': 'running numbers in place of ids: the mock has UUIDs, which are in no order',
  'export.timezone.accepted': 'which zones are refused was not seen; all but UTC are',
  'notify.others': 'a comment of an assignment before is not a mail to somebody else',
  'notify.refused':
    'mails that come after the waiting is over are told apart from others by chance',
  'audit.actor': 'events that name the assignee as who caused them: the id does not say whom else',
  'notify.comment': 'what a mail says is in no observation: those of the mock show the comment',
  'export.range.offset-form':
    'how a bound in another form is read cannot be seen where all events are of one second',
  'audit.assignment-recorded':
    'events that come a moment later: whether they are looked for before is chance',
  'audit.assign-comment': 'comments in a column that is not one of those that can be learned',
  'audit.unassign-comment': 'comments in a column that is not one of those that can be learned',
  'audit.refused-not-recorded': 'events beside those of the refused update, by chance',
  'assign.new-version.shown': 'whether a read is behind at that moment is chance',
  'versioning.path': 'whether the base ends in /v5 is a matter of the address',
}

/** The ids of clauses in which something stays, without a reason. */
export const withoutReason = (stays: readonly string[]): string[] =>
  stays.map((told) => told.split(': ')[0] ?? '').filter((id) => !Object.hasOwn(reasons, id))
