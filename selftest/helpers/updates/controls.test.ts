import { expect, test } from 'vitest'
import { needAnybody } from '../../../helpers/updates/controls.ts'
import { anna, ben } from './small-task.ts'

test('an update is in the name of the first who is accepted, and of nobody where nobody is', () => {
  expect(needAnybody([anna, ben])).toBe(anna)
  expect(() => needAnybody([])).toThrow('set USER_IDS: users whom the service accepts')
})
