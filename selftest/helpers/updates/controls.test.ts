import { expect, test } from 'vitest'
import { needAnybody } from '../../../helpers/updates/controls.ts'
import { anna, ben } from './small-task.ts'

test('an update assigns to the first who is accepted; where nobody is, the setting is named', () => {
  expect(needAnybody([anna, ben])).toBe(anna)
  expect(() => needAnybody([])).toThrow('set USER_IDS: users whom the service accepts')
})
