import { expect, test } from 'vitest'
import { traceIdOf } from '../../../engine/http/exchange.ts'
import { clientFor, remembering } from './servers.ts'

const get = { method: 'GET', path: '/' } as const

test('a request has a trace of its own and the headers for a gateway, which stay between it and the service', async () => {
  const { url, asked } = await remembering()
  const elsewhere = await remembering()
  const extraHeaders = { 'x-gateway-key': 'gateway secret', 'x-env': 'test' }
  const { client, exchanges } = clientFor(url, { trace: true, extraHeaders })
  await client.ask({ ...get, path: '/gateway%20secret' })
  await client.ask(get)
  await client.ask({ ...get, base: elsewhere.url, key: null })
  const traces = asked.map(({ headers }) => headers.traceparent as string)
  for (const trace of traces) expect(trace).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
  expect(new Set(traces).size).toBe(2)
  expect(asked[0]?.headers).toMatchObject(extraHeaders)
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty('traceparent')
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty('x-gateway-key')
  const [first] = exchanges
  expect(first && traceIdOf(first)).toBe(traces[0]?.split('-')[1])
  expect(first?.requestHeaders).toMatchObject({
    'x-gateway-key': '(configured)',
    'x-env': '(configured)',
  })
  expect(first?.path).toBe('/(configured)')
})
