import { type Aspect, same } from './aspect.ts'
import { columns, dates, exports } from './exports.ts'
import { reads, refusals } from './reads.ts'
import { trail, updates } from './updates.ts'

export const table: Aspect[] = [
  ...reads,
  refusals,
  ...updates,
  ...exports,
  columns,
  dates,
  ...trail,
]

const read = ['task.read.headers', 'task.read.cache-headers', 'assessment.read.headers']
const extra = ['task.read.extra-fields', 'assessment.read.extra-fields']
const data = ['task.read.custom-metadata', 'assessment.read.states']
const words = ['export.event-types', 'export.sub-types', 'export.system-sources']
const bounds = ['export.range.offset-form', 'export.range.date-only', 'export.range.null']
const filters = ['export.metadata-bracket-encoding', 'export.filter-case']
const order = ['assign.validation-order', 'export.validation-order']

/** Observing clauses that drive no rule, each with the reason. */
export const notImitated: Record<string, string> = {
  ...same([...read, 'assign.headers', 'export.headers'], 'most headers were seen by name alone'),
  ...same(extra, 'the report does not hold the values of these fields'),
  ...same([...data, ...words], 'the world of this service holds its own data'),
  ...same([...bounds, ...filters], 'this service keeps its own reading of such a query'),
  ...same(order, 'this service keeps its own order of checks'),
  'assessment.read.error-field-types': 'this service keeps its own types of error fields',
  'export.formula-cells': 'this service writes the text of a cell as it is',
  'export.csv-size-limit': 'this service gives every CSV',
  'versioning.path': 'this service answers 404 to a path without /v5',
}
