import { matchesAny } from '../../engine/glob.ts'

/**
 * Why a surviving mutant is a lawful service: an id or a glob, and the sentence of the contract that leaves
 * it open. A survivor without an argument is a gap.
 */
export const lawful: Readonly<Record<string, string>> = {
  '*.read/form/id-upper-case': 'Identifier fields are strings (UUID-shaped).',
  // A single operation shows an assessment, so nothing contradicts another value of the same form.
  'assessment.read/other/created_at': 'Timestamps are ISO 8601 UTC datetime strings.',
  'assessment.read/other/outcome_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/other/status_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/swap/outcome_id+status_id': 'Identifier fields are strings (UUID-shaped).',
  'assessment.read/other/template_id': 'Identifier fields are strings (UUID-shaped).',
  // The order of members and a byte order mark have no meaning in JSON; readers may ignore the
  // mark.
  '*.read/body/reorder': 'All request and response bodies are JSON.',
  '*.read/body/mark': 'All request and response bodies are JSON.',
  'assign.update/body/more':
    'Response: the updated Task object; what else it may show is not said.',
  // JSON between systems is UTF-8; readers ignore the charset in the header.
  'task.read/header/content-type-charset': 'All request and response bodies are JSON.',
  // The contract says nothing of headers.
  'assign.update/header/location-elsewhere':
    'Response: the updated Task object; what else it may show is not said.',
  // No run changes an assessment: its first answer stays current.
  'assessment.read/exchange/replay': 'Response: the full Assessment object.',
  'export.csv/ask-value/auditee_id-upper': 'Identifier fields are strings (UUID-shaped).',
  'export.csv/row/head-again': 'Fields of a stored audit event record: not shown.',
  // The contract does not say how many rows an event has.
  'export.csv/row/repeat-all': 'Fields of a stored audit event record: not shown.',
  'export.csv/row/no-head-when-empty':
    'Content type and file name of the exported file: not shown.',
  'export.csv/text/no-last-end':
    'Content type and file name of the exported file: not shown; RFC 4180 leaves the last line end out or in.',
  // The first two digits of a time: the id finds the event, and a PDF need not show times.
  'export.pdf/page/character': 'Fields of a stored audit event record: not shown.',
  // The contract does not say in which order events come.
  'export.pdf/page/swap': 'Fields of a stored audit event record: not shown.',
  'export.csv/row/blank': 'Content type and file name of the exported file: not shown.',
  'export.csv/cell/blank-first': 'Fields of a stored audit event record: not shown.',
}

/** The argument for a mutant; an id wins over a glob. */
export const argumentFor = (id: string): string | undefined =>
  lawful[id] ?? Object.entries(lawful).find(([glob]) => matchesAny(id, [glob]))?.[1]

/** Arguments without a mutant. */
export const unknownArguments = (mutants: readonly { id: string }[]): string[] =>
  Object.keys(lawful).filter((glob) => !mutants.some(({ id }) => matchesAny(id, [glob])))
