import { expect, test } from 'vitest'
import { createClauses } from '../../../engine/clause/clause.ts'
import { ClauseRun, give } from '../../../engine/clause/given.ts'
import { once } from '../../../engine/once.ts'
import { NotDecidable } from '../../../engine/outcome.ts'

type Givens = { task: string; user: string; mailbox: string }

const facts = { id: 'a', level: 'must', statement: 's', section: 'Task' } as const

/** Makers that note what they make; there is no mailbox. */
function notingMakers() {
  const made: string[] = []
  const makers = {
    task: async () => {
      await Promise.resolve()
      made.push('task')
      return 't1'
    },
    user: () => {
      made.push('user')
      return 'u1'
    },
    mailbox: (): string => {
      throw new NotDecidable('data', 'there is no mailbox')
    },
  }
  return { makers, made }
}

test('what a clause names is made, one after another, and nothing else', async () => {
  const { makers, made } = notingMakers()
  expect(await give<Givens, 'task' | 'user'>(makers, ['task', 'user'])).toEqual({
    task: 't1',
    user: 'u1',
  })
  expect(await give<Givens, 'user'>(makers, ['user'])).toEqual({ user: 'u1' })
  expect(made).toEqual(['task', 'user', 'user'])
})

test('what is made once is made when it is first asked for', () => {
  let count = 0
  const next = once(() => {
    count += 1
    return count
  })
  expect(count).toBe(0)
  expect([next(), next()]).toEqual([1, 1])
})

/** The outcome of a clause with these givens and this body, and what its body got. */
async function outcomeWith(isMailboxNamed: boolean) {
  const { clauses, clausesOf } = createClauses<Givens>()
  const bodies: object[] = []
  const ask = (given: { task: string }) => {
    bodies.push(given)
    return [given]
  }
  // Nothing is read out of its text.
  ask.toString = () => {
    throw new Error('the text of a body was read')
  }
  const clause = clausesOf({ section: 'Task' })
  const law = { must: 's', law: () => [], of: 'tasks' }
  if (isMailboxNamed) clause('a', law)(['task', 'mailbox'], ask)
  else clause('a', law)(['task'], ask)
  const run = new ClauseRun(facts, {})
  const givens = { makersFor: () => notingMakers().makers, close: async () => {} }
  return { outcome: await clauses.get('a')?.judge?.(run, givens), bodies }
}

test('a body gets the givens that its clause names; one that cannot be had skips the clause', async () => {
  expect(await outcomeWith(false)).toEqual({ outcome: { kind: 'held' }, bodies: [{ task: 't1' }] })
  expect(await outcomeWith(true)).toEqual({
    outcome: { kind: 'undecided', reason: 'there is no mailbox', cause: 'data' },
    bodies: [],
  })
})

test('a clause cannot read a given that it does not name: its types forbid it', () => {
  const clause = createClauses<Givens>().clausesOf({ section: 'Task' })
  const law = { must: 's', law: (_: { user: string }) => [], of: 'users' }
  // @ts-expect-error `user` is not named.
  clause('a', law)(['task'], ({ user }) => [{ user }])
  // @ts-expect-error There is no given of this name.
  clause('b', law)(['person'], () => [])
})

test('at the end of a clause, what was made last is ended first', async () => {
  const run = new ClauseRun(facts, {})
  const ended: string[] = []
  run.onEnd(() => ended.push('first'))
  run.onEnd(async () => {
    await Promise.resolve()
    ended.push('last')
  })
  await run.end()
  expect(ended).toEqual(['last', 'first'])
})
