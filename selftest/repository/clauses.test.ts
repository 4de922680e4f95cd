import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { ClauseFacts } from '../../engine/clause/clause.ts'
import { matchesAny } from '../../engine/glob.ts'
import { sentences as byHeading } from '../../helpers/contract.ts'
import { firstVersion, versions } from '../../helpers/settings/versions.ts'
import { allClauses } from '../all-clauses.ts'
import { faults } from '../proofs/areas.ts'

let clauses: ClauseFacts[]
beforeAll(async () => {
  clauses = await allClauses()
})

const sentences = Object.values(byHeading).flat()
const named = sentences.flatMap((sentence) => ('clauses' in sentence ? sentence.clauses : []))
const ids = () => clauses.map(({ id }) => id)

// A change of level needs a new version of the clause in the same commit.
test('ids, levels, versions and statements of clauses do not change meaning', () => {
  const listed = clauses.map(
    ({ id, level, statement, since = firstVersion }) => `${id}  ${level} ${since}: ${statement}`,
  )
  expect(listed.sort().join('\n')).toMatchSnapshot()
})

test('a clause newer than the first version names a known version and is in the changelog', () => {
  const changes = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  const unknown = clauses.filter(
    ({ id, since }) =>
      since !== undefined && !(versions.some((each) => each === since) && changes.includes(id)),
  )
  expect(
    unknown,
    'add the version to helpers/settings/versions.ts and the id to CHANGELOG.md',
  ).toEqual([])
})

test('no id is declared twice', () => {
  expect(ids(), 'give each clause its own id').toEqual([...new Set(ids())])
})

test('every clause stands under a heading of the contract', () => {
  const lost = clauses.filter(({ section }) => !(section in byHeading))
  expect(
    lost,
    'unknown headings: correct the section of the clause, or add the heading to helpers/contract.ts',
  ).toEqual([])
})

test('every must and should has a fault that breaks it', () => {
  const globs = faults.flatMap(({ breaks }) => breaks)
  const unproven = clauses
    .filter(({ level, id }) => level !== 'observe' && !matchesAny(id, globs))
    .map(({ id }) => id)
  expect(
    unproven,
    'no fault breaks these clauses: add one to selftest/proofs/faults, with the id in its breaks',
  ).toEqual([])
})

test('every fault breaks clauses that exist', () => {
  const wrong = faults.filter(
    ({ breaks }) => breaks.length === 0 || !breaks.every((glob) => matchesSome(glob)),
  )
  expect(
    wrong.map(({ name }) => name),
    'correct the ids in breaks of these faults',
  ).toEqual([])
})

test('every clause checks a sentence of the contract', () => {
  const unfounded = ids().filter((id) => !matchesAny(id, named))
  expect(
    unfounded,
    'no sentence names these clauses: add the ids to the sentence in helpers/contract.ts that they check',
  ).toEqual([])
})

test('what the contract says is quoted word for word, under its heading', () => {
  const text = readFileSync(join(import.meta.dirname, 'contract.md'), 'utf8')
  const sections = new Map<string, string>()
  let heading = ''
  for (const line of text.replaceAll('`', '').split('\n')) {
    const [, title] = /^#+ (?:\d+\. )?([^(]+)/.exec(line) ?? []
    if (title !== undefined) heading = title.trim()
    else sections.set(heading, `${sections.get(heading) ?? ''}${line.replace(/^\| | \|$/g, '')}\n`)
  }
  const rest = sections.get(
    'Task Assignment, Task and Assessment Retrieval, and Audit Export Interface',
  )
  const wrong = Object.entries(byHeading).flatMap(([title, within]) =>
    within.flatMap((each) => {
      if (!('says' in each)) return []
      const place = `${title === 'What the service does' ? rest : ''}${sections.get(title) ?? ''}`
      let from = 0
      return each.says.split(' … ').flatMap((part) => {
        const at = place.indexOf(part, from)
        from = at + part.length
        return at < 0 ? [`${title}: ${part}`] : []
      })
    }),
  )
  expect(wrong, 'quote contract.md word for word, or make it `unsaid`').toEqual([])
})

test('every clause that a sentence names exists', () => {
  expect(
    named.filter((glob) => !matchesSome(glob)),
    'correct or remove these ids in helpers/contract.ts',
  ).toEqual([])
})

const matchesSome = (glob: string) => ids().some((id) => matchesAny(id, [glob]))
