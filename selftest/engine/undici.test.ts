import * as undici from 'undici'
import { expect, test } from 'vitest'
import { Agent, request } from '../../engine/undici.ts'

test('what goes straight to a service is what undici gives', () => {
  expect(Agent).toBe(undici.Agent)
  expect(request).toBe(undici.Dispatcher.prototype.request)
})
