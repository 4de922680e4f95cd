import { expect, test } from 'vitest'
import { nearness } from '../../../../helpers/updates/other-tasks.ts'

const task = (id: string, entity: string, assessment: string) => ({
  id,
  body: { id, entity_id: entity, assessment_id: assessment, name: 'the same' },
})
const bodies = [
  task('1', 'e1', 'a1'),
  task('2', 'e1', 'a2'),
  task('3', 'E1', 'a1'),
  task('4', 'e2', 'a4'),
]

test('a task is as near to others as it has ids in common with the nearest of them', () => {
  expect(nearness('1', ['2', '4'], bodies)).toBe(1)
  expect(nearness('1', ['2', '3'], bodies)).toBe(2)
  expect(nearness('4', ['1', '2', '3'], bodies)).toBe(0)
})

test('it is not near to itself, nor to what cannot be read', () => {
  expect(nearness('1', ['1'], bodies)).toBe(0)
  expect(nearness('1', ['9'], bodies)).toBe(0)
  expect(nearness('9', ['1'], bodies)).toBe(0)
})
