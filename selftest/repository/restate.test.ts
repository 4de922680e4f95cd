import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { versions } from '../../helpers/settings/versions.ts'
import { root } from '../kept.ts'
import { openTestFolder } from '../test-end.ts'
import { restateIn } from './restate.ts'
import { read, tree } from './tree.ts'

const contractFile = 'helpers/contract/contract.md'
const before = read(contractFile)
const version = versions.at(-1)

/** A copy of the repository after an edit of the contract. */
function restatedCopy(edit: (contract: string) => string) {
  const folder = openTestFolder()
  const isNeeded = (file: string) => /^(?:suites|helpers\/contract)\/|^CHANGELOG/.test(file)
  for (const file of tree.filter(isNeeded)) cpSync(join(root, file), join(folder, file))
  writeFileSync(join(folder, contractFile), edit(before))
  const restated = restateIn(folder, before)
  return { ...restated, readNow: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

test('quotes and statements say another number, and count since this version', () => {
  const { readNow, numbers } = restatedCopy((contract) => contract.replaceAll('5,000', '9,000'))
  expect(numbers).toEqual([['5,000', '9,000']])
  expect(readNow('helpers/contract/sentences.ts')).not.toContain('5,000')
  const suite = readNow('suites/export-pdf-limit.ts')
  expect(suite).not.toMatch(/(?:must|should): .*5,00[01]/)
  expect(suite).toContain(
    `must: 'respond 400 to a PDF export of 9,001 events',\nsince: '${version}',`,
  )
  const [, change] = readNow('CHANGELOG.md').split('- The contract says 9,000 in place of 5,000.')
  expect(change?.split('\n')[0]).toContain('`export.pdf-limit.over`')
})

test('a number that the contract still states is left in statements', () => {
  const { numbers, files } = restatedCopy((contract) =>
    contract.replace('| 409 | Version mismatch', '| 412 | Version mismatch'),
  )
  expect(numbers).toEqual([])
  expect(files).toEqual(['helpers/contract/sentences.ts'])
})

test('a new field stands in the quote of the fields, and a new sentence is named', () => {
  const { readNow, added } = restatedCopy((contract) =>
    contract
      .replace(/^\| step_name .*\n/m, (row) => `${row}| priority | string | How urgent it is. |\n`)
      .replace('Contents of custom_metadata', 'A task has one owner.\nContents of custom_metadata'),
  )
  expect(readNow('helpers/contract/sentences.ts')).toContain(
    'step_name | string … priority | string … workflow_instance_id',
  )
  expect(added.map(({ text }) => text)).toEqual(['A task has one owner.'])
})

test('a longer sentence is quoted as it is now', () => {
  const { readNow, added } = restatedCopy((contract) =>
    contract.replace('cache_id, workflow_step.', 'cache_id, workflow_step, batch_id.'),
  )
  expect(readNow('helpers/contract/sentences.ts')).toContain('workflow_step, batch_id.')
  expect(added).toEqual([])
})
