import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formerIds } from '../../helpers/contract/former-ids.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { suite } from '../../program/clauses.ts'
import { read as readGolden } from '../golden/text.ts'
import { root } from '../kept.ts'
import { openTestFolder } from '../test-end.ts'
import { renameIn, templatesOf, whyNot } from './rename.ts'
import { read, tree } from './tree.ts'

const why = "it is the request's label"
// Another clause has an id that begins so.
const renaming = { from: 'assign.content-type-required', to: 'assign.a-label', why }
const version = versions.at(-1)

/** A copy of the repository in which the clause has its new id. */
function renamedCopy() {
  const folder = openTestFolder()
  for (const file of tree) cpSync(join(root, file), join(folder, file))
  const changed = renameIn(folder, renaming)
  return { changed, readNow: (file: string) => readFileSync(join(folder, file), 'utf8') }
}

test('a clause has its new id in every file, and its former one in history alone', () => {
  const { from, to } = renaming
  const { changed, readNow } = renamedCopy()
  const table = 'helpers/contract/former-ids.ts'
  const others = tree.filter((file) => file.endsWith('.ts') && file !== table)
  const isNamed = new RegExp(`${from}(?![\\w-]|\\.\\w)`)
  expect(others.filter((file) => isNamed.test(readNow(file)))).toEqual([])
  expect(changed).toContain(table)
  expect(readNow(table)).toContain(
    `  '${from}': {\n    since: '${version}',\n    replacedBy: '${to}',\n    why: 'it is the request\\'s label',\n  },\n`,
  )
  expect(readNow('CHANGELOG.md')).toContain(
    `- \`${from}\` is called \`${to}\` since ${version}: ${why}.`,
  )
  const ids = (text: string) => JSON.parse(text).map(({ id }: { id: string }) => id)
  const list = 'program/clauses.json'
  expect(ids(readNow(list))).toEqual(ids(read(list)).map((id: string) => (id === from ? to : id)))
  const released = tree.filter((file) => file.startsWith('selftest/repository/released/'))
  expect(changed).not.toEqual(expect.arrayContaining(released))
})

test('its rows in golden.txt move with it, to the place of the new id', () => {
  const file = 'selftest/golden.txt'
  const { readNow } = renamedCopy()
  const [before, after] = [readGolden(read(file)), readGolden(readNow(file))]
  expect([...after.keys()]).toEqual([...after.keys()].sort())
  expect(after.get(renaming.to)).toEqual(before.get(renaming.from))
  expect(after.get(renaming.from)).toBeUndefined()
  expect(after.size).toBe(before.size)
})

test('the places that put an id together are those whose text can make it', () => {
  const suite = `
    clause(\`assign.not-found.\${kind}\`, { must: \`respond to \${kind}\` })
    clause(\`\${first}.\${second}\`, { of: \`version.not-found.\${kind}\` })`
  const template = `assign.not-found.\${kind}`
  expect(templatesOf('assign.not-found.update', suite)).toEqual([template])
})

test.each([
  [{ ...renaming, from: 'export.csv.none' }, 'export.csv.none is not the id of a clause.'],
  [{ ...renaming, to: suite[0]?.id ?? '' }, `${suite[0]?.id} is the id of a clause already.`],
  [
    { ...renaming, to: Object.keys(formerIds)[0] ?? '' },
    / is a former id; an id is not used again\.$/,
  ],
  [{ ...renaming, to: 'Export.csv' }, 'Export.csv is not an id; write words.in-lower-case.'],
  [{ ...renaming, why: '' }, /^say why: /],
])('what cannot be renamed is refused: %o', (asked, sentence) => {
  expect(whyNot(asked)).toMatch(sentence)
})
