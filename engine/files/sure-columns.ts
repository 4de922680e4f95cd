import { columnsOf, type Rows } from './multiset.ts'

/** What every event shows in a column: an id, a digit, or any text. */
type Kind = 'id' | 'number' | 'text'

export type SureColumn = { column: number; kind: Kind }

/** An id, with or without dashes. */
export const uuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** These hold in every language and time zone. */
const fits: Record<Kind, (cell: string) => boolean> = {
  // The length excludes most cells.
  id: (cell) => cell.length >= 32 && cell.length <= 36 && uuid.test(cell),
  number: (cell) => /\p{Nd}/u.test(cell),
  text: (cell) => cell !== '',
}
const strictestFirst: Kind[] = ['id', 'number', 'text']

type Group = { columns: SureColumn[]; filled: boolean[]; size: number }

/** The columns that most records fill together. Fewer than two of them prove nothing. */
export function sureColumnsOf(records: Rows): SureColumn[] {
  const groups = groupsIn(records)
  const base = groups.find(({ columns }) => columns.length >= minColumns)
  if (!base) return []
  const stricter = groups.find((group) => lacksTitlesOnly(records, base, group))
  const sure = [...base.columns, ...(stricter?.columns ?? [])]
  // Headings and totals fill few cells; events without some of the others' cells fill many.
  return base.size === records.length || sure.length >= minColumnsBesideLines ? sure : []
}

const minColumns = 2
const minColumnsBesideLines = 3

function groupsIn(records: Rows): Group[] {
  const groups = new Map<string, Group>()
  for (const column of columnsOf(records))
    for (const kind of strictestFirst) {
      const filled = records.map((record) => fits[kind](record[column] ?? ''))
      const size = filled.filter(Boolean).length
      if (size * 2 <= records.length) continue
      const key = filled.map(Number).join('')
      const group = groups.get(key) ?? { columns: [], filled, size }
      group.columns.push({ column, kind })
      groups.set(key, group)
      break
    }
  return [...groups.values()].sort((a, b) => b.size - a.size)
}

function lacksTitlesOnly(records: Rows, base: Group, stricter: Group): boolean {
  const isLeftOut = (at: number) => base.filled[at] && !stricter.filled[at]
  if (stricter.filled.some((filled, at) => filled && !base.filled[at])) return false
  const left = records.filter((_, at) => isLeftOut(at))
  const [title] = left
  return (
    title !== undefined &&
    records.indexOf(title) < stricter.filled.indexOf(true) &&
    isTitles(title) &&
    left.every((record) => record.every((cell, at) => cell === title[at]))
  )
}

/** Whether a record may be a header row: different names in all columns but one or two. */
export function isTitles(record: readonly string[]): boolean {
  const named = record.filter((cell) => cell !== '')
  return (
    record.length - named.length <= record.length / 10 + Number(record.length > 2) &&
    new Set(named).size === named.length &&
    !named.some((cell) => uuid.test(cell))
  )
}

export const isStrict = ({ kind }: SureColumn): boolean => kind !== 'text'

export const departures = (sure: readonly SureColumn[], record: readonly string[]): number =>
  sure.filter(({ column, kind }) => !fits[kind](record[column] ?? '')).length
