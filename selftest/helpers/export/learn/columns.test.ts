import { expect, test } from 'vitest'
import { likelyColumns } from '../../../../helpers/export/learn/columns.ts'
import { smallTrail, titles } from '../small-trail.ts'

/** The fields that columns of a file without titles may show. */
const likelyFor = (field: Parameters<typeof likelyColumns>[0]) =>
  likelyColumns(field, { ...smallTrail().window, header: undefined }, []).map(
    ({ column, form }) => [titles[column], form] as const,
  )

test('words that come again may show a field, from two of them on; ids, times and a single word may not', () => {
  const columns = likelyFor('event_type').map(([title]) => title)
  expect([...new Set(columns)]).toEqual(['event_type', 'sub_type'])
})

test('a label that reads as it is written is a plain value, and no second way to read the column', () => {
  const formsOf = (title: string) =>
    likelyFor('event_type')
      .filter(([of]) => of === title)
      .map(([, form]) => form)
  expect(formsOf('event_type')).toEqual(['plain', 'label'])
  expect(formsOf('sub_type')).toEqual(['plain'])
})

test('ids that come again may show who it was', () => {
  expect(likelyFor('auditee_id')).toEqual([['auditee_id', 'plain']])
})
