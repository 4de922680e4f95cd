import { matchesAny } from '../../engine/glob.ts'

/**
 * Why a mutant that survives is a lawful service: an id or a glob of ids, and the sentence of the
 * contract that leaves it open. A survivor without one is a gap.
 */
export const lawful: Readonly<Record<string, string>> = {
  '*.read/form/id-upper-case': 'Identifier fields are strings (UUID-shaped).',
  // One operation alone shows an assessment, so that nothing contradicts another value of the same form.
  'assessment.read/other/created_at': 'Timestamps are ISO 8601 UTC datetime strings.',
  'assessment.read/other/outcome_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/other/status_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/swap/outcome_id+status_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/other/template_id': 'Identifier fields are strings (UUID-shaped).',
  // The order of members and a mark before a JSON text have no meaning; readers may pass over the mark.
  '*.read/body/reorder': 'All request and response bodies are JSON.',
  '*.read/body/mark': 'All request and response bodies are JSON.',
  'assign.update/body/more':
    'Response: the updated Task object; what else it may show is not said.',
  // No other encoding than UTF-8 is JSON between systems; readers pass over what a header says of it.
  'task.read/header/content-type-charset': 'All request and response bodies are JSON.',
  // Of headers the contract says nothing.
  'assign.update/header/location-elsewhere':
    'Response: the updated Task object; what else it may show is not said.',
  // Nothing that a run may do changes an assessment: its first answer is its newest.
  'assessment.read/exchange/replay': 'Response: the full Assessment object.',
  'export.csv/ask-value/auditee_id-upper': 'Identifier fields are strings (UUID-shaped).',
  'export.csv/row/head-again': 'Fields of a stored audit event record: not shown.',
  // How many rows an event has is said nowhere.
  'export.csv/row/repeat-all': 'Fields of a stored audit event record: not shown.',
  'export.csv/row/no-head-when-empty':
    'Content type and file name of the exported file: not shown.',
  'export.csv/text/no-last-end':
    'Content type and file name of the exported file: not shown; RFC 4180 leaves the last line end out or in.',
  // The first two digits of one time: the event is there by its id, and a PDF need not show times.
  'export.pdf/page/character': 'Fields of a stored audit event record: not shown.',
  // In which order events stand is said nowhere.
  'export.pdf/page/swap': 'Fields of a stored audit event record: not shown.',
  'export.csv/row/blank': 'Content type and file name of the exported file: not shown.',
  'export.csv/cell/blank-first': 'Fields of a stored audit event record: not shown.',
}

/** The sentence that makes a mutant lawful; an id says more than a glob. */
export const argumentFor = (id: string): string | undefined =>
  lawful[id] ?? Object.entries(lawful).find(([glob]) => matchesAny(id, [glob]))?.[1]

/** Arguments for mutants that there are none of. */
export const unknownArguments = (mutants: readonly { id: string }[]): string[] =>
  Object.keys(lawful).filter((glob) => !mutants.some(({ id }) => matchesAny(id, [glob])))
