import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFilters } from '../../../helpers/export/learn/filters.ts'
import type { Window } from '../../../helpers/export/learn/window.ts'
import {
  contradicted,
  type ExportFacts,
  exportFacts,
} from '../../../helpers/service/export-facts.ts'
import { runAgainst } from '../../proofs/prove.ts'
import { folderWith } from '../settings/folder-with.ts'

function read(content: unknown): ExportFacts | string | undefined {
  const cwd = folderWith({ 'facts.json': JSON.stringify(content) })
  let wrong: string | undefined
  const mistake = (rest: string) => {
    wrong = rest
    return undefined
  }
  return exportFacts('facts.json', { cwd, now: 0, key: '', mistake }) ?? wrong
}

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
    const declared = { fields: { sub_type: { column: 'sub_type', form: 'label' }, tag: null } }
    const once = (_: string, find: (exports: unknown) => unknown) => find(exports)
    const exports = { facts: { declared, found: {} }, once }
    const window = { header: ['id', 'sub_type'] } as Window
    const given = { window, form: {}, sources: {} } as Parameters<typeof createFilters>[1]
    const { column } = createFilters(exports as never, given)
    expect(await column('sub_type')).toMatchObject({ column: 1, form: 'label', by: 'name' })
    expect(await column('tag')).toBeUndefined()
  })

  test('ends clauses where the export has no such column', async () => {
    const fields = { sub_type: { column: 'Art', form: 'plain' } }
    const facts = { fields, time: { columns: ['Zeit'], zone: 'UTC' } }
    const EXPORT_FACTS = join(folderWith({ 'facts.json': JSON.stringify(facts) }), 'facts.json')
    const argv = ['--clauses', 'export.filter.sub_type.exact,export.range.start-inclusive']
    const { report } = await runAgainst({ events: 300, env: { EXPORT_FACTS } }, argv, {
      makers: {},
    })
    const said = report?.clauses.map(({ reason }) => reason).join('\n')
    for (const what of ['column Art shows sub_type', 'column Zeit shows the time'])
      expect(said).toContain(`correct EXPORT_FACTS: it says that the ${what}, and the export has `)
  })

  test('is reported if the export contradicts it', () => {
    const found: ExportFacts = { delimiter: ',', columns: ['id', 'time'], encoding: 'utf-8' }
    expect(contradicted({ delimiter: ';', columns: ['id', 'time'] }, found)).toEqual([
      'EXPORT_FACTS says that delimiter of the export is ";", and it is ","',
    ])
  })
})
