import { expect, test } from 'vitest'
import { collectClauses } from '../../program/clauses.ts'
import { notImitated, table } from '../../reference/learn/table.ts'

test('each observing clause drives a rule or has a reason why not', {
  timeout: 60_000,
}, async () => {
  const clauses = await collectClauses()
  const observing = clauses.flatMap(({ id, level }) => (level === 'observe' ? [id] : []))
  const driving = new Set(table.flatMap(({ of }) => Object.keys(of)))
  expect([...driving, ...Object.keys(notImitated)].toSorted()).toEqual(observing.toSorted())
})
