import { describe, expect, test } from 'vitest'
import { Trouble } from '../../../engine/outcome.ts'
import { floods, type Wrong, wrongs } from '../../hostile/on-the-line.ts'
import { answering, clientFor } from './servers.ts'

/** Node ends a socket before it resets it: which one a client sees first is chance. */
const eitherEnd = (message: string) => message.replace('was reset', 'was closed')

async function expectTrouble([, send, message]: Wrong, timeoutMs: number) {
  const { url } = await answering(send)
  const { client, exchanges } = clientFor(url, { timeoutMs })
  const asked = client.ask({ method: 'GET', path: '/tasks/1', retries: false })
  const error = await asked.catch((error) => error)
  expect(error).toBeInstanceOf(Trouble)
  expect(eitherEnd(error.message)).toBe(eitherEnd(`GET /tasks/1: ${message}`))
  expect(exchanges).toHaveLength(1)
  expect(eitherEnd(exchanges[0]?.trouble ?? '')).toBe(eitherEnd(message))
  expect(exchanges[0]?.body).toBeUndefined()
}

describe.concurrent('a service that', () => {
  test.for(wrongs)('%s', (wrong) => expectTrouble(wrong, /within/.test(wrong[2]) ? 1000 : 10_000))
})

describe('a service that', () => {
  test.for(floods)('%s', (flood) => expectTrouble(flood, 10_000))
})
