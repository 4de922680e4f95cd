import { expect, test } from 'vitest'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { fetchEmpty } from '../../../../helpers/export/learn/find-window.ts'
import { noEvents } from '../../../../helpers/export/learn/spans.ts'

const file = (count: number) => ({ answer: { status: 200 }, csv: { records: [], count } })
const refused = { answer: { status: 400 }, why: ['freedom', 'it is refused'] }
const broken = { answer: { status: 200 }, why: ['clause', 'it is no CSV', 'export.csv.readable'] }

/** Exports of a range long ago, and of one that is to come. */
const exportsOf = (past: unknown, future: unknown) =>
  ({
    csv: async (query: unknown) => (query === noEvents ? past : future),
    times: () => [Date.parse('2026-03-01T10:00:00Z')],
  }) as never

test('a file without events is one of long ago, or else one of what is to come', async () => {
  expect(await fetchEmpty(exportsOf(file(1), file(2)))).toMatchObject({ count: 1 })
  expect(await fetchEmpty(exportsOf(refused, file(2)))).toMatchObject({ count: 2 })
})

test('there is none where both are refused, which a service may do', async () => {
  expect(await fetchEmpty(exportsOf(refused, refused))).toBeUndefined()
})

test('what keeps every file from being had keeps this one as well', async () => {
  await expect(fetchEmpty(exportsOf(broken, refused))).rejects.toThrow(NotDecidable)
})
