import { describe, expect, test } from 'vitest'
import { readCsvText } from '../../engine/files/csv.ts'
import { instantAt, instantOf, readingsOf } from '../../engine/files/dates.ts'
import { shapeOf, tableIn, titlesBefore } from '../../engine/files/line-frame.ts'
import { valuesIn } from '../../helpers/export/learn/columns.ts'
import { bytesOf, columns, few, listed } from './corpus.ts'
import { csvFiles } from './csv-files.ts'

describe.each(csvFiles)('$path, by $by', ({ path, events, numbered, otherwise = {} }) => {
  const from = numbered ? 1 : 0
  const wanted = events === 'all' ? listed : listed.slice(0, few)
  const read = async () => {
    const { records, flaws } = await readCsvText(bytesOf(path), { keep: 10_000 })
    const shape = shapeOf(records)
    const table = tableIn(shape, records)
    const isTitled = table[0]?.includes('event_type')
    const header = titlesBefore(shape, { before: Number(isTitled), behind: 0 }, records)
    const rows = isTitled ? table.slice(1) : table
    return { flaws, header: header?.slice(from), rows: rows.map((row) => row.slice(from)) }
  }

  test('events, order and ids', async () => {
    const { rows, header, flaws } = await read()
    expect(rows.map((row) => row[0])).toEqual(wanted.map(({ id }) => id))
    expect(header).toEqual(columns)
    expect(flaws).toEqual([])
  })

  test('times', async () => {
    const { rows } = await read()
    const [reading] = readingsOf(rows.map((row) => row[1] ?? ''))
    expect(reading?.dates.map(instantOf)).toEqual(wanted.map(({ time }) => instantAt(time)))
  })

  test('values', async () => {
    const { rows } = await read()
    const apart = columns.flatMap((column, at) => {
      // A placeholder for no value counts as none.
      const isSame = (cell: string, value: string) =>
        cell === value || (value === '' && valuesIn(cell, 'tag', 'plain').length === 0)
      const count = rows.filter(
        (row, n) => !isSame(row[at] ?? '', wanted[n]?.[column] ?? ''),
      ).length
      return count > 0 ? [[column, count]] : []
    })
    const known = Object.entries(otherwise).map(([column, { events: count }]) => [column, count])
    expect(Object.fromEntries(apart)).toEqual(Object.fromEntries(known))
  })
})
