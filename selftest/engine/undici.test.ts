import * as undici from 'undici'
import { expect, test } from 'vitest'
import { Agent } from '../../engine/undici.ts'

test('what goes straight to a service is what undici gives', () => {
  expect(Agent).toBe(undici.Agent)
})
