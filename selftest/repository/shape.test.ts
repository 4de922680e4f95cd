// A clause asks, its law judges: the suites that still hold clauses whose bodies judge by themselves.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { clauses, type Noted } from '../../engine/clause/clause.ts'

/** How many clauses of a file judge by themselves: a number only gets lower, and its line then goes. */
const today: Record<string, number> = {}

const folder = join(import.meta.dirname, '../../suites')
const found = new Map<string, Noted[]>()

beforeAll(async () => {
  for (const file of readdirSync(folder).filter((each) => !/^(all|entry)\.ts$/.test(each))) {
    const before = new Map(clauses)
    // A file notes its clauses when it is loaded; the query loads it again.
    await import(`${join(folder, file)}?shape`)
    const own = [...clauses.values()].filter((each) => before.get(each.facts.id) !== each)
    found.set(file, own)
  }
})

test('every clause of the suites has a file', () => {
  expect([...found.values()].flat().length).toBe(clauses.size)
})

test('no more clauses judge by themselves than today', () => {
  const advice = [...found].flatMap(([file, own]) => {
    const count = own.filter(({ judging }) => judging === undefined).length
    const most = today[file] ?? 0
    if (count > most)
      return `suites/${file} has ${count} clauses whose bodies judge, not ${most}: give the new ones a law (or a look), and let their bodies return cases; see docs/adding-a-clause.md.`
    if (count === most) return []
    return count === 0
      ? `suites/${file} has none any more: delete its line in shape.test.ts.`
      : `suites/${file} has ${count}, not ${most}: lower its number in shape.test.ts.`
  })
  const gone = Object.keys(today).filter((file) => !found.has(file))
  expect([...advice, ...gone.map((file) => `suites/${file} has gone: delete its line.`)]).toEqual(
    [],
  )
})

test('the body of a clause with a law asks, and condemns nothing', () => {
  // A loaded module calls (0, imported.expect)(…). What could not be asked for may be thrown on.
  const judges =
    /\b((?:expect(?:That)?|each|note)(?=\)?\()|throw\b(?! (?:error|new (?:[\w$]+\.)?(?:Trouble|NotDecidable))\b))/
  for (const each of [
    'expect(x)',
    '(0,a.expectThat)(x)',
    'note(`x`)',
    'throw lost',
    'throw new Breach(x)',
  ])
    expect(each).toMatch(judges)
  for (const each of [
    'toExpect(x)',
    'throw new a.Trouble(x)',
    'throw new NotDecidable(x)',
    'throw error',
  ])
    expect(each).not.toMatch(judges)
  const wrong = [...found.values()].flat().flatMap(({ facts, judging, body }) => {
    const [, word] = (judging && judges.exec(String(body))) ?? []
    return word === undefined ? [] : `${facts.id} calls ${word}`
  })
  expect(wrong, 'Move what judges into the law; a premise may end a body.').toEqual([])
})
