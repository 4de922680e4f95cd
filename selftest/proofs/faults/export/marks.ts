import type { AuditEvent } from '../../../../reference/calls/events.ts'
import type { Export } from '../../../../reference/calls/export-call.ts'
import { open } from '../../../../reference/rules/open.ts'
import { inCsv, inPdf, inWindow } from '../../bent/exports.ts'
import { type Bent, type Fault, fault, tableOf } from '../../fault.ts'

type Cells = Export & { event: AuditEvent; cells: string[] }

const isTime = (cell: string) => /^\d{4}-\d\d-\d\dT/.test(cell)

/** What stands in place of some cells of a file. */
const cellsAs = (as: (cell: string, asked: Cells) => string): Bent['stated'] => ({
  cells: (asked) => asked.cells.map((cell) => as(cell, asked)),
})

const ofCsv = tableOf<[string, (cell: string, asked: Cells) => string]>([
  ['every time is Invalid DateTime', (cell) => (isTime(cell) ? 'Invalid DateTime' : cell)],
  ['times end with a point', (cell) => (isTime(cell) ? cell.replace(/\.\d+/, '.') : cell)],
  ['the hour after 23 is 24 and more', (cell) => cell.replace(/T0(\d:)/, 'T3$1')],
  [
    'a source is [object Object]',
    (cell, { event }) => (cell === event.system_source ? '[object Object]' : cell),
  ],
  [
    'descriptions name undefined and null',
    (cell, { event }) =>
      cell === event.description ? `${event.sub_type} by undefined null` : cell,
  ],
  [
    'a placeholder of the description is not filled',
    (cell, { event }) => (cell === event.description ? 'task {{kind}} by %s' : cell),
  ],
]).map(([what, as]) =>
  fault(`${what}, in CSVs`, {
    ...cellsAs((cell, asked) => (inCsv(asked) ? as(cell, asked) : cell)),
    breaks: ['export.cells-are-values.csv'],
    mayBreak: ['export.timezone.readable'],
  }),
)

const ofPdf = tableOf<[string, (cell: string, asked: Cells) => string]>([
  ['a source is NaN', (cell, { event }) => (cell === event.system_source ? 'NaN' : cell)],
  [
    'a source is {{source}}',
    (cell, { event }) => (cell === event.system_source ? '{{source}}' : cell),
  ],
]).map(([what, as]) =>
  fault(`${what}, in PDFs`, {
    ...cellsAs((cell, asked) => (inPdf(asked) ? as(cell, asked) : cell)),
    breaks: ['export.cells-are-values.pdf'],
  }),
)

/** Caught by the clauses on marks of broken programs. */
export const faults: Fault[] = [...ofCsv, ...ofPdf].map(inWindow)

/** A row of titles in some files of the same events, and not in others. */
export const untitled = tableOf<[string, (asked: Export) => boolean]>([
  ['English alone', ({ locale }) => locale !== 'en'],
  ['another language alone', ({ locale }) => locale === 'en'],
]).map(([where, headerRow]) =>
  inWindow(
    fault(`the row of titles is missing in ${where}`, {
      ...open,
      headerRow: (asked) => inPdf(asked) || headerRow(asked),
      breaks: ['export.deterministic'],
      mayBreak: ['export.locale*', 'export.timezone*'],
    }),
  ),
)
