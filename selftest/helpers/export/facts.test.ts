import { describe, expect, test } from 'vitest'
import type { Exports } from '../../../helpers/export/ask/exports.ts'
import { learnTimes } from '../../../helpers/export/learn/time-column.ts'
import {
  contradicted,
  type ExportFacts,
  exportFacts,
} from '../../../helpers/service/export-facts.ts'
import { folderWith } from '../settings/folder-with.ts'
import { smallTrail, titles } from './small-trail.ts'

/** What EXPORT_FACTS gives for a file, or the mistake in it. */
function read(content: unknown): ExportFacts | string | undefined {
  const cwd = folderWith({ 'facts.json': JSON.stringify(content) })
  let wrong: string | undefined
  const mistake = (rest: string) => {
    wrong = rest
    return undefined
  }
  return exportFacts('facts.json', { cwd, now: 0, key: '', mistake }) ?? wrong
}

const declaring = (exports: Exports, declared: ExportFacts) =>
  Object.assign(exports.facts, { declared })

describe('EXPORT_FACTS', () => {
  const facts: ExportFacts = { fields: { tag: { column: 'tag', form: 'plain' } }, lists: 'comma' }

  test('accepts a report, or the facts alone', () => {
    expect(read(facts)).toEqual(facts)
    expect(read({ reportVersion: 2, exportFacts: facts })).toEqual(facts)
  })

  test.each([
    [{ reportVersion: 2 }, /^names 'facts.json', a report without export facts; give/],
    [{ lists: 'commas' }, /in which lists must be equal to one of the allowed values; give/],
    [{ fields: { colour: null } }, /in which fields has 'colour', which is not a fact; give/],
    [{ colour: 1 }, /in which the file has 'colour', which is not a fact; give/],
  ])('says what is wrong with %j', (content, sentence) => {
    expect(read(content)).toMatch(sentence)
  })
})

describe('a declared fact of an export', () => {
  test('is not guessed: no export is asked for to find out which column shows a field', async () => {
    const { filters, exports, asked } = smallTrail()
    declaring(exports, { fields: { sub_type: { column: 'sub_type', form: 'label' }, tag: null } })
    expect(await filters.column('sub_type')).toEqual({
      ...{ field: 'sub_type', form: 'label', by: 'name' },
      column: titles.indexOf('sub_type'),
    })
    expect(await filters.column('tag')).toBeUndefined()
    expect(asked).toEqual([])
  })

  test('ends a clause where the export has no such column', async () => {
    const { filters, exports } = smallTrail()
    declaring(exports, { fields: { sub_type: { column: 'Art', form: 'plain' } } })
    await expect(filters.column('sub_type')).rejects.toThrow(
      /^correct EXPORT_FACTS: it says that the column Art shows sub_type, and the export has the columns id, /,
    )
  })

  test('chooses among the columns that show times', async () => {
    const { exports, window } = smallTrail()
    declaring(exports, { time: { columns: ['time'], zone: 'UTC' } })
    const { columns } = await learnTimes(exports, window)
    expect(columns.map(({ places, inUtc }) => ({ places, inUtc }))).toEqual([
      { places: [titles.indexOf('time')], inUtc: true },
    ])
  })

  test('is reported if the export contradicts it', () => {
    const found: ExportFacts = { delimiter: ',', columns: ['id', 'time'], encoding: 'utf-8' }
    expect(contradicted({ delimiter: ';', columns: ['id', 'time'] }, found)).toEqual([
      'EXPORT_FACTS says that delimiter of the export is ";", and it is ","',
    ])
  })
})
