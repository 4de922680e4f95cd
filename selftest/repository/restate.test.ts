import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { metadataKeys } from '../../helpers/contract/metadata-keys.ts'
import { pdfLimit, pdfLimitInWords } from '../../helpers/contract/pdf-limit.ts'
import { statuses } from '../../helpers/contract/statuses.ts'
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

const numbered = (number: number) => number.toLocaleString('en')
const other = pdfLimit + 4000

test('quotes and statements say another number, and count since this version', () => {
  const from = pdfLimitInWords
  const to = numbered(other)
  const { readNow, numbers } = restatedCopy((contract) => contract.replaceAll(from, to))
  expect(numbers).toEqual([[from, to]])
  expect(readNow('helpers/contract/sentences.ts')).not.toContain(from)
  const suite = readNow('suites/export-pdf-limit.ts')
  const over = `must: 'respond 400 to a PDF export of ${numbered(other + 1)} events',`
  expect(suite).toContain(over)
  const [clause = ''] = suite.slice(suite.indexOf(over)).split('})')
  expect(clause).toContain(`since: '${version}'`)
  const [, change = ''] = readNow('CHANGELOG.md').split(`${to} in place of ${from}.`)
  expect(change.split('\n')[0]).toContain('`export.pdf-limit.over`')
})

test('a number that the contract still states is left in statements', () => {
  const row = `| ${statuses.staleVersion} | Version mismatch`
  const { numbers, files } = restatedCopy((contract) =>
    contract.replace(row, '| 499 | Version mismatch'),
  )
  expect(numbers).toEqual([])
  expect(files).toEqual(['helpers/contract/sentences.ts'])
})

test('a new field stands in the quote of the fields, and a new sentence is named', () => {
  const { readNow, added } = restatedCopy((contract) =>
    contract
      .replace(/^\| step_name .*\n/m, (row) => `${row}| new_field | string | It is new. |\n`)
      .replace('Contents of custom_metadata', 'A task has one owner.\nContents of custom_metadata'),
  )
  expect(readNow('helpers/contract/sentences.ts')).toContain(
    'step_name | string … new_field | string … ',
  )
  expect(added.map(({ text }) => text)).toEqual(['A task has one owner.'])
})

test('a longer sentence is quoted as it is now', () => {
  const last = metadataKeys.at(-1)
  const { readNow, added } = restatedCopy((contract) =>
    contract.replace(`, ${last}.`, `, ${last}, new_key.`),
  )
  expect(readNow('helpers/contract/sentences.ts')).toContain(`, ${last}, new_key.`)
  expect(added).toEqual([])
})
