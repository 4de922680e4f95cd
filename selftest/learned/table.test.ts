import { describe, expect, test } from 'vitest'
import { collectClauses } from '../../program/clauses.ts'
import { breakable } from '../../reference/learn/breaches.ts'
import { openSeen } from '../../reference/learn/seen.ts'
import { aspects, notImitated } from '../../reference/learn/table.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { observing } from './learn-and-compare.ts'

const world = makeWorld(1, { events: 10 })

describe('the table of what is imitated', () => {
  test('names every observing clause, with rules or with a reason', {
    timeout: 60_000,
  }, async () => {
    const clauses = await collectClauses()
    const ids = clauses.flatMap(({ id, level }) => (level === 'observe' ? [id] : []))
    expect(observing.toSorted()).toEqual(ids.toSorted())
    const judging = new Set(clauses.map(({ id }) => id))
    expect([...breakable].filter((id) => !judging.has(id))).toEqual([])
  })

  test('has one aspect for each rule', () => {
    const seen = openSeen({ 'export.csv-size-limit': { status: 413 } }, new Map(), new Set())
    const rules = aspects.flatMap((aspect) => Object.keys(aspect.rules(seen, world).open ?? {}))
    expect(rules.toSorted()).toEqual([...new Set(rules)].toSorted())
  })

  test('gives a reason only for what drives no rule', () => {
    const driving = new Set(aspects.flatMap(({ of }) => of))
    expect(Object.keys(notImitated).filter((id) => driving.has(id))).toEqual([])
  })
})
