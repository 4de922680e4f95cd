import { createHash } from 'node:crypto'
import type { Column, Export } from '../../../reference/calls/export-call.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import { aroundAChange, declared, inWindow } from '../bent/exports.ts'
import { type Bent, type Variant, variant, variantsNamed, withoutComments } from '../fault.ts'

/** A CSV with lines of its own; they are written when the file is whole. */
const lined = (lines: (text: string, asked: Export) => string): Bent['stated'] => ({
  file: async ({ file, ...asked }: Export & { file: ExportFile }) => {
    if (asked.fileType === 'pdf') return file
    return { ...file, content: lines(await new Response(file.content).text(), asked) }
  },
})

const recordsIn = (text: string) => text.split('\r\n').filter(Boolean).length
const total = (text: string) => `Total: ${recordsIn(text) - 1}\r\n`
const totalIfAny = (text: string) => (recordsIn(text) > 1 ? text + total(text) : text)
const sum = (text: string) => `SHA-256: ${createHash('sha256').update(text).digest('hex')}\r\n`
const types = ['inquiry', 'screening', 'task', 'assessment', 'entity']
const given = (name: string, { query }: Export) =>
  query.has(name) ? [`${name}: ${query.get(name)}`] : []

const lines = variantsNamed({
  'a last line counts events, where there are any': { ...lined(totalIfAny) },
  'a last line counts events, or says that there are none': {
    ...lined((text) =>
      recordsIn(text) > 1 ? totalIfAny(text) : `${text}No events were found\r\n`,
    ),
  },
  'a last line as wide as the rows': {
    ...lined((text) => `${text}Total: ${recordsIn(text) - 1}${','.repeat(18)}\r\n`),
  },
  'a file of one column with a last line where there are events': {
    columns: (): Column[] => ['id'],
    ...lined(totalIfAny),
    warns: withoutComments,
  },
  'no header, and an empty file where there are no events': {
    headerRow: () => false,
    ...lined((text) => (text.trim() === '' ? '' : `${text}Total: ${recordsIn(text)}\r\n`)),
  },
  'a checksum behind the events, where there are any': {
    ...lined((text) =>
      recordsIn(text) > 1 ? `${text}\r\n${total(text)}${sum(text)}` : 'nothing\r\n',
    ),
  },
  'a sum for each type that there is': {
    ...lined((text) => {
      const counts = types.map((type) => [type, text.split(`,${type},`).length - 1] as const)
      return (
        text + counts.flatMap(([type, count]) => (count ? `${type},${count}\r\n` : [])).join('')
      )
    }),
  },
  'a line for each thing that was asked for': {
    titleLines: (asked) =>
      ['timezone', 'locale', 'range_start', 'range_end'].flatMap((name) => given(name, asked)),
  },
  'titles before names in quotes, and no event in half of the window': {
    events: 100,
    // A window that is searched for goes back far beyond them.
    env: {},
    delimiter: () => ';',
    quotesAnyway: () => true,
    titleLines: () => ['Audit events', 'made just now'],
    columns: (): Column[] => ['comment', 'metadata', 'time'],
  },
  'a report: title, time, filters and an empty line before, a total behind, newest first': {
    titleLines: ({ query }) => [
      'Audit events',
      `Exported at ${new Date().toISOString().slice(0, 19)}`,
      `Filters: ${[...query].flat().join(' ') || 'none'}`,
      '',
    ],
    rowOrder: ({ events }) => events.toReversed(),
    // As on a busy machine.
    delay: ({ op, at }) => (op === 'export' && at === 'start' ? 700 : 0),
    ...lined((text) => `${text}Total,${recordsIn(text) - 4}\r\n`),
  },
  'no header, but a line of what was asked for': {
    headerRow: () => false,
    titleLines: ({ query }) => [`Parameters: ${[...query.keys()].join(' ')}`],
  },
})

/** A line for each day before its events. */
const withDays = (text: string) => {
  const day = (line: string) => /\d{4}-\d\d-\d\d/.exec(line)?.[0]
  const all = text.split('\r\n')
  return all
    .flatMap((line, at) => {
      const isNew = day(line) !== undefined && day(line) !== day(all[at - 1] ?? '')
      return isNew ? [`--- ${day(line)} ---`, line] : [line]
    })
    .join('\r\n')
}

const days = variant('a line for each day', {
  columns: (): Column[] => ['id', 'time', 'event_type', 'sub_type', 'tag'],
  ...lined(withDays),
  warns: ['export.csv.well-formed', ...withoutComments],
})

const few = [1, 3, 7, 30].map((events) =>
  variant(`a last line where there are events, of which there are ${events}`, {
    events,
    env: declared,
    ...lined(totalIfAny),
  }),
)

/** What keeps a spreadsheet from taking a text for a number, a date or a formula. */
const formulas = variant('each cell is a formula for its text', {
  cells: ({ fileType, cells }) =>
    fileType === 'csv' ? cells.map((cell) => `="${cell.replaceAll('"', '""')}"`) : cells,
})

let isBehind = false

const servers = variantsNamed({
  'every other answer is of a server that lags behind, while others use the service': {
    // What such a server has not yet shown comes later.
    env: { ...aroundAChange, AUDIT_WAIT_S: '5' },
    trafficInterval: () => 15,
    rows: ({ events }) => {
      isBehind = !isBehind
      const latest = new Date(Date.now() - 400).toISOString()
      return isBehind ? events.filter(({ time }) => time < latest) : events
    },
  },
})

/** What stands in a CSV beside and around its events, and when: nothing of it is in the contract. */
export const variants: Variant[] = [...lines, days, ...few, formulas, ...servers].map(inWindow)
