import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { failedIn, lendBehind, visit } from './visit.ts'

/** What a service does with a request instead of answering it. */
type Silence = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const json = { 'content-type': 'application/json' }

const silences: Record<string, Silence> = {
  'no answer': () => {},
  'headers and then nothing': (_, outgoing) => {
    outgoing.writeHead(200, json)
    outgoing.flushHeaders()
  },
  'a byte a second': (_, outgoing) => {
    outgoing.writeHead(200, json)
    const drip = setInterval(() => outgoing.write(' '), 1000)
    outgoing.on('close', () => clearInterval(drip))
  },
}

/** Which requests get it; `count`: the requests so far. */
type Scope = (incoming: IncomingMessage, count: number) => boolean

const isPut = ({ method }: IncomingMessage) => method === 'PUT'
const isExport = ({ url = '' }: IncomingMessage) => url.includes('/export')

/** Between the first contact and the end of a run of about 1,200 requests. */
const middle = 300
const begun = 30

const scopes: Record<string, Scope> = {
  'each PUT': isPut,
  'each PUT from the middle on': (incoming, count) => count > middle && isPut(incoming),
  'each export': isExport,
  'each read of a task': ({ method, url = '' }, count) =>
    count > begun && method === 'GET' && url.includes('/tasks/'),
  'everything after the first contact': (_, count) => count > begun,
  'everything from the middle on': (_, count) => count > middle,
}

const hung = /(stopped responding|GET|PUT) .*\b(no|nothing|only) .* (within|in) [\d.]+ s/

/** With default settings a run takes up to two minutes here: ENDLESS=default measures that. */
const isDefault = process.env.ENDLESS === 'default'
const limits: Record<string, string> = isDefault
  ? { TIMEOUT_MS: '10000', DOWNLOAD_TIMEOUT_S: '60', SETTLE_MS: '2000', AUDIT_WAIT_S: '30' }
  : { TIMEOUT_MS: '1000', DOWNLOAD_TIMEOUT_S: '3' }
const mostSeconds = isDefault ? 120 : 90

const cases = Object.entries(silences).flatMap(([what, silence]) =>
  Object.entries(scopes).map(([where, scope]) => ({ name: `${what}: ${where}`, silence, scope })),
)

describe.concurrent('a run ends without a breach if a service answers with', () => {
  test.for(cases)('$name', async ({ name, silence, scope }) => {
    let since: number | undefined
    const lent = await lendBehind((incoming, outgoing, count) => {
      if (!scope(incoming, count)) return false
      since ??= performance.now()
      silence(incoming, outgoing)
      return true
    })
    const visited = await visit({ ...lent.env, RUN_TIMEOUT_S: '600', ...limits })
    const seconds = (performance.now() - (since ?? Number.NaN)) / 1000
    const { code, output, report } = visited
    const changed = await lent.changed()
    if (isDefault)
      process.stdout.write(
        `| ${name} | ${code} | ${Math.round(seconds)} | ${lent.count()} | ${changed.length} |\n`,
      )
    expect(failedIn(visited), output).toEqual([])
    expect(code, output).toBe(3)
    expect(seconds, output).toBeLessThan(mostSeconds)
    expect(report.reasons.join(), output).not.toContain('RUN_TIMEOUT_S')
    // It says which requests hung, and how.
    const told = report.clauses.map(({ reason = '' }) => reason)
    expect(told.filter((reason) => hung.test(reason)).length, output).toBeGreaterThan(0)
    expect(report.residue.map(({ task }) => task)).toEqual(expect.arrayContaining(changed))
  })
})
