import { expect, test } from 'vitest'
import { formerIdOf, formerIds, isRetired, presentId } from '../../helpers/contract/former-ids.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { type ListedClause, suite } from '../../program/clauses.ts'
import { isThere, read, tree } from './tree.ts'

type Release = { version: string; clauses: ListedClause[] }

const fileOf = (version: string) => `selftest/repository/released/${version}.json`

/** The clauses of each release, as program/clauses.json listed them. */
const releases: Release[] = versions
  .filter((version) => tree.includes(fileOf(version)))
  .map((version) => ({ version, clauses: JSON.parse(read(fileOf(version))) }))

const changes = read('CHANGELOG.md')
const lastRelease = /^## (\d+\.\d+)/m.exec(changes)?.[1] ?? ''

const isClause = (id: string) => suite.some((clause) => clause.id === id)
const isKnown = (version: string) => versions.some((each) => each === version)
const isNewer = (one: string, other: string) =>
  one.localeCompare(other, 'en', { numeric: true }) > 0

/** The level, and the words of a statement that are data: numbers, names of fields and headers. */
const factsIn = ({ level, statement }: Pick<ListedClause, 'level' | 'statement'>): string => {
  const words = statement.split(/\s+/).map((word) => word.replace(/^['"(]+|[.,:;)'"]+$/g, ''))
  const data = words.filter((word) => /[\dA-Z_/]/.test(word))
  return [level, ...new Set(data.sort())].join(' ')
}

/** The clauses whose facts are others than in this release, and whose version does not say so. */
function changedSince({ version, clauses }: Release, now: readonly ListedClause[]): string[] {
  return clauses.flatMap((before) => {
    const clause = now.find(({ id }) => id === presentId(before.id))
    if (!clause || isNewer(clause.since ?? versions[0], version)) return []
    const [then, today] = [factsIn(before), factsIn(clause)]
    return then === today ? [] : [`${clause.id}: ${then} in ${version}, now ${today}`]
  })
}

/** What is wrong, and what to do. */
const laws: Record<string, [wrong: () => unknown[], advice: string]> = {
  'the clauses of the last release are kept': [
    () => [fileOf(lastRelease)].filter((file) => !isThere(file)),
    'copy program/clauses.json of the release to this file',
  ],
  'an id that is gone since a release is a former id': [
    () =>
      releases.flatMap(({ version, clauses }) =>
        clauses
          .filter(({ id }) => !isClause(id) && !formerIdOf(id))
          .map(({ id }) => `${id} of ${version}`),
      ),
    'rename a clause by npm run rename; for a retired one add a row to helpers/contract/former-ids.ts',
  ],
  'a former id belongs to no clause, and what replaces it does': [
    () =>
      Object.keys(formerIds).filter(
        (id) => isClause(id) || !(isRetired(id) || isClause(presentId(id))),
      ),
    'correct these rows in helpers/contract/former-ids.ts',
  ],
  'a former id names a known version, and is in the changelog': [
    () =>
      Object.entries(formerIds)
        .filter(([id, { since }]) => !(isKnown(since) && changes.includes(id)))
        .map(([id]) => id),
    'add the version to helpers/settings/versions.ts and the id to CHANGELOG.md',
  ],
  'an id keeps its meaning: level, numbers and names, unless its version says otherwise': [
    () => releases.flatMap((release) => changedSince(release, suite)),
    'give the clause another id, or the version of the change as its since',
  ],
}

test.each(Object.entries(laws))('%s', (_, [wrong, advice]) => {
  expect(wrong(), advice).toEqual([])
})

test('a number or a level that changed is another meaning, and another wording is not', () => {
  const listed = (statement: string, more: Partial<ListedClause> = {}): ListedClause => ({
    ...{ id: 'a.b', level: 'must', section: 'Errors', statement },
    ...more,
  })
  const release = { version: '0.2', clauses: [listed('answer 409 to a stale If-Match')] }
  const changed = (now: ListedClause) => changedSince(release, [now])
  const wording = 'respond 409 when an update has a stale If-Match'
  const status = 'respond 412 to a stale If-Match'
  expect(changed(listed(wording))).toEqual([])
  expect(changed(listed(wording, { level: 'should' }))).toEqual([
    'a.b: must 409 If-Match in 0.2, now should 409 If-Match',
  ])
  expect(changed(listed(status))).toEqual(['a.b: must 409 If-Match in 0.2, now must 412 If-Match'])
  expect(changed(listed(status, { since: '0.3' }))).toEqual([])
})
