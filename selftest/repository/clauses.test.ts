import { beforeAll, expect, test } from 'vitest'
import type { ClauseFacts } from '../../engine/clause/clause.ts'
import { matchesAny } from '../../engine/glob.ts'
import { clauses as declared } from '../../helpers/clause.ts'
import { sentences as byHeading } from '../../helpers/contract/sentences.ts'
import { travellers } from '../../helpers/givens.ts'
import { waitingForEnd } from '../../helpers/loans/end-of-run.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { faults } from '../proofs/areas.ts'
import { needsOf } from './needs.ts'
import { read } from './tree.ts'

let clauses: ClauseFacts[]
beforeAll(async () => {
  await import('../../suites/all.ts')
  clauses = [...declared.values()].map(({ facts }) => facts)
})

const sentences = Object.values(byHeading).flat()
const named = sentences.flatMap((sentence) => ('clauses' in sentence ? sentence.clauses : []))
const ids = () => clauses.map(({ id }) => id)

// A change of level needs a new version of the clause in the same commit. Who only lists clauses reads this file.
test('ids, levels, versions and statements of clauses do not change meaning', async () => {
  const lines = [...declared.values()].map((noted) => {
    const needs = needsOf(noted)
    return JSON.stringify({ ...noted.facts, ...(needs.length > 0 && { needs }) })
  })
  const listed = `[\n${lines.join(',\n')}\n]\n`
  await expect(listed).toMatchFileSnapshot('../../program/clauses.json')
})

const changes = read('CHANGELOG.md')
const isKnown = (version: string) => versions.some((each) => each === version)
const globs = faults.flatMap(({ breaks }) => breaks)

/** What is wrong, and what to do. */
const laws: Record<string, [wrong: () => unknown[], advice: string]> = {
  'no id is declared twice': [
    () => ids().filter((id, at, all) => all.indexOf(id) < at),
    'give each clause its own id',
  ],
  'a clause newer than the first version names a known version and is in the changelog': [
    () => clauses.filter(({ id, since }) => since && !(isKnown(since) && changes.includes(id))),
    'add the version to helpers/settings/versions.ts and the id to CHANGELOG.md',
  ],
  'every clause stands under a heading of the contract': [
    () => clauses.filter(({ section }) => !(section in byHeading)),
    'correct the section of the clause, or add the heading to helpers/contract/sentences.ts',
  ],
  'every must and should has a fault that breaks it': [
    () =>
      clauses
        .filter(({ level, id }) => level !== 'observe' && !matchesAny(id, globs))
        .map(({ id }) => id),
    'add a fault to selftest/proofs/faults, with the id in its breaks',
  ],
  'every fault breaks clauses that exist': [
    () =>
      faults
        .filter(({ breaks }) => breaks.length === 0 || !breaks.every(matchesSome))
        .map(({ name }) => name),
    'correct the ids in breaks of these faults',
  ],
  'every clause checks a sentence of the contract': [
    () => ids().filter((id) => !matchesAny(id, named)),
    'add the ids to the sentence in helpers/contract/sentences.ts that they check',
  ],
  'every clause that a sentence names exists': [
    () => named.filter((glob) => !matchesSome(glob)),
    'correct or remove these ids in helpers/contract/sentences.ts',
  ],
}

test.each(Object.entries(laws))('%s', (_, [wrong, advice]) => {
  expect(wrong(), advice).toEqual([])
})

test('what the contract says is quoted word for word, under its heading', () => {
  const text = read('helpers/contract/contract.md')
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

test('what a run waits for by name is a given of some clause', () => {
  const names = [...declared.values()].flatMap(({ givens }) => givens)
  expect(names).toEqual(expect.arrayContaining([...waitingForEnd, ...travellers]))
})

const matchesSome = (glob: string) => ids().some((id) => matchesAny(id, [glob]))
