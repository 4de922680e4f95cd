import { grouped } from '../grouped.ts'
import { NotDecidable } from '../outcome.ts'
import { dateIn, instantOf, isoOf, type Order, readingsOf, unitOf } from './dates.ts'
import { placesOf, type Squeezed, squeezed, squeezedCell } from './entry-text.ts'
import { columnsOf, type Row, type Rows } from './multiset.ts'
import { cutTo, instantsIn, type TimeForm, unitsOfForms } from './shown-instants.ts'
import { uuid } from './sure-columns.ts'

/** The first letters of some columns: they survive a cell that is wrapped or cut. */
export type Key = { columns: readonly number[]; length: number }

/**
 * What distinguishes the events of a CSV in a PDF. An event is missing only if the `others` miss it
 * too. If a PDF writes times in its own form, that form is included.
 */
export type Identity = Key & {
  others: readonly Key[]
  times?: TimeForm & { orderInCsv: Order }
  titles?: readonly string[] | undefined
}

const lengths = [64, 48, 36, 28, 24, 20, 16, 12, 10, 8]
const minLength = 8
const minIds = 5

export function learnIdentity(pages: readonly string[], rows: Rows): Identity {
  const text = squeezed(pages)
  const tellsApart = apartAmong(rows)
  const tried = ofOneColumn(rows)
    .map((key) => ({ key, found: shareFound(text, key, rows) }))
    // Of keys that are found equally often, the longest is least likely found by chance.
    .sort((a, b) => b.found - a.found || b.key.length - a.key.length)
  const shown = tried.filter(({ found }) => found > 0.5)
  const isSureId = ({ key, found }: (typeof shown)[number]) => found > 0.9 && isOfIds(rows, key)
  // An id that few entries lack says more than a time that all have: it is in no title.
  const telling = shown
    .filter(({ key }) => tellsApart(key))
    .toSorted((a, b) => Number(isSureId(b)) - Number(isSureId(a)))
  const [best] = telling
  if (best && best.found > 0.9) {
    const keys = telling.filter(({ found }) => found >= 0.9).map(({ key }) => key)
    const byColumn = grouped(keys, ({ columns: [column] }) => column)
    byColumn.delete(best.key.columns[0])
    return { ...best.key, others: [...byColumn.values()].flatMap((alike) => alike.slice(0, 1)) }
  }
  // Events with the same time are distinguished by how often it is shown.
  const byTimes = ofTimes(pages, rows)
  if (byTimes) return byTimes
  if (best) return { ...best.key, others: [] }
  // No id is found by chance: where some are found, the others are missing.
  const some = tried.find(
    ({ key, found }) => found * rows.length >= minIds && isOfIds(rows, key) && tellsApart(key),
  )
  if (some) return { ...some.key, others: [] }
  throw new NotDecidable(
    'freedom',
    'no value that identifies an event of the CSV is found in the PDF; the contract does not say which fields a file contains',
  )
}

export const searchedOf = (row: Row, { columns, length, times }: Key & Partial<Identity>) => {
  if (times) {
    const date = dateIn(row[columns[0] ?? 0] ?? '', times.orderInCsv)
    return date ? isoOf(cutTo(instantOf(date), times.unit)) : ''
  }
  return columns
    .map((column) => squeezedCell((row[column] ?? '').slice(0, length * 4)))
    .join('')
    .slice(0, length)
}

/** Whether ids distinguish events: they look alike in every language and are in no title. */
export const isOfIds = (rows: Rows, { columns: [column = 0, second] }: Key): boolean =>
  second === undefined && rows.every((row) => uuid.test(row[column] ?? ''))

const shareFound = (text: ReturnType<typeof squeezed>, key: Key, rows: Rows): number => {
  const values = new Set(rows.map((row) => searchedOf(row, key)))
  return placesOf(text, values, key.length).size / values.size
}

// A font may lack letters outside ASCII, and short numbers occur anywhere.
const isPlain = (text: string) => /^[!-~]*\d[!-~]*$/.test(text)

function ofOneColumn(rows: Rows): Key[] {
  return columnsOf(rows).flatMap((column) => {
    const cells = rows.map((row) => squeezedCell(row[column] ?? ''))
    if (!cells.every(isPlain)) return []
    const shortest = cells.reduce((least, { length }) => Math.min(least, length), 64)
    const longest = cells.reduce((most, { length }) => Math.max(most, length), 0)
    if (shortest < 10 && cells.every((cell) => /^\d+$/.test(cell))) return []
    if (shortest < minLength) return []
    // Whole values of any length, and prefixes that all values have.
    const whole = longest <= 64 ? [longest] : []
    return [...new Set([...whole, shortest, ...lengths.filter((length) => length < shortest)])].map(
      (length) => ({ columns: [column], length }),
    )
  })
}

/** Whether nearly all values of a key differ and no other cell holds them: otherwise it might be shown anyway. */
function apartAmong(rows: Rows): (key: Key) => boolean {
  let last: { columns: string; others: Squeezed } | undefined
  // Keys of one column come one after another.
  const besides = (columns: readonly number[]) => {
    const name = columns.join()
    const cells = () => rows.map((row) => row.filter((_, at) => !columns.includes(at)).join('\n'))
    if (last?.columns !== name) last = { columns: name, others: squeezed(cells()) }
    return last.others
  }
  return (key) => {
    const values = new Set(rows.map((row) => searchedOf(row, key)))
    if (values.size < rows.length * 0.9) return false
    return placesOf(besides(key.columns), values, key.length).size === 0
  }
}

export function ofTimes(pages: readonly string[], rows: Rows) {
  const forms = (['ymd', 'dmy', 'mdy'] as const).flatMap(
    (order) => timesIn(pages, order, rows.length * 0.9) ?? [],
  )
  if (forms.length === 0) return undefined
  for (const column of columnsOf(rows)) {
    const readings = readingsOf(rows.map((row) => row[column] ?? ''))
    for (const { order: orderInCsv, dates } of readings) {
      const instants = dates.map(instantOf)
      for (const { form, known } of forms) {
        const found = instants.filter((instant) => known.has(cutTo(instant, form.unit))).length
        if (found >= rows.length * 0.95)
          return { columns: [column], length: 64, others: [], times: { ...form, orderInCsv } }
      }
    }
  }
  return undefined
}

function timesIn(pages: readonly string[], order: Order, least: number) {
  const shown = instantsIn(pages, order)
  if (shown.length < least) return undefined
  const coarsest = unitOf(shown)
  const unit = unitsOfForms.find((each) => each >= coarsest) ?? coarsest
  return { form: { order, unit }, known: new Set(shown.map((instant) => cutTo(instant, unit))) }
}
