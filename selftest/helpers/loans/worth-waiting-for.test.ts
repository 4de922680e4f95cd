import { expect, test } from 'vitest'
import { worthWaitingFor } from '../../../helpers/loans/worth-waiting-for.ts'

type Kind = Parameters<typeof worthWaitingFor>[1][number]['assigned']
const tasks = (...kinds: Kind[]) => kinds.map((assigned) => ({ assigned }))

test('a clause waits for the best kind alone, if a quarter of the tasks are of it', () => {
  const twelve = tasks(
    ...(['none', 'USER', 'TEAM'] as const).flatMap((kind) => [kind, kind, kind]),
    ...(['none', 'USER', 'USER'] as const),
  )
  expect(worthWaitingFor('unassigned', twelve)).toEqual(['none'])
  expect(worthWaitingFor('any', twelve)).toEqual(['none'])
  expect(worthWaitingFor('TEAM', twelve)).toEqual(['TEAM'])
})

test('a clause waits for the next kinds too, if the best kind is rare', () => {
  const some = tasks('none', 'USER', 'TEAM', 'TEAM')
  expect(worthWaitingFor('unassigned', some)).toEqual(['none', 'USER'])
  expect(worthWaitingFor('unassigned', tasks('none', 'TEAM', 'TEAM', 'TEAM'))).toEqual([
    'none',
    'USER',
    'TEAM',
  ])
})

test('a clause that accepts any task waits for kinds that leave room for four walks', () => {
  const some = tasks('none', 'none', 'USER', 'USER', 'TEAM')
  expect(worthWaitingFor('any', some)).toEqual(['none', 'USER'])
  expect(worthWaitingFor('any', tasks(...some.map(() => 'none' as const)))).toEqual(['none'])
})

test('without a task of the best kind, a clause waits for the other kinds', () => {
  expect(worthWaitingFor('USER', tasks('none'))).toContain('none')
  expect(worthWaitingFor('any', tasks('unknown', 'unknown'))).toContain('unknown')
})
