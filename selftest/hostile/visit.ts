import { readdirSync, readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createPeak } from '../../bench/measure.ts'
import { secretFinder } from '../../engine/http/redaction.ts'
import type { Report } from '../../engine/run/report.ts'
import { readReport } from '../../program/input/read-report.ts'
import { listening } from '../engine/http/servers.ts'
import { lendService, signalGroup, start } from '../helpers/loans/lent-service.ts'
import { atTestEnd, openTestFolder } from '../test-end.ts'

/** Handles a request itself, or returns false to pass it on. */
export type Spoil = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  /** the number of requests so far, with this one */
  count: number,
) => boolean | undefined

/** A staging environment behind our misbehaving proxy. */
export async function lendBehind(spoil: Spoil) {
  const lent = await lendService()
  const pass = handOn(lent.baseUrl)
  let count = 0
  const front = createServer((incoming, outgoing) => {
    count += 1
    if (spoil(incoming, outgoing, count) !== true) pass(incoming, outgoing)
  })
  const port = await listening(front)
  const env = { ...lent.env, BASE_URL: `http://127.0.0.1:${port}/v5` }
  return { ...lent, env, front }
}

/** Passes a request on to another address, and its answer back unchanged. */
function handOn(to: string): RequestListener {
  const { port } = new URL(to)
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const onward = request({ port, method, path: url, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
}

const key = 'zoo-K3y/with+"odd" chars'.replace(' ', '_')

/** Longer than the RUN_TIMEOUT_S of any run; a hanging run is stopped here. */
const mostMs = 700_000
const mostMegabytes = 1024

/**
 * Runs the whole program against a server in its own process, and checks what always holds: it ends by
 * itself, with a report, without a stack trace, with little memory, and without the key in any output.
 */
export async function visit(env: Record<string, string>, argv: readonly string[] = []) {
  const place = openTestFolder()
  const reports = join(place, 'reports')
  const settings = {
    API_KEY: key,
    TIMEOUT_MS: '10000',
    SETTLE_MS: '50',
    AUDIT_WAIT_S: '0',
    RUN_TIMEOUT_S: '40',
    JOURNAL_DIR: join(place, 'journal'),
    ...env,
    REPORTS_DIR: reports,
  }
  const run = start('directly', 'check', settings, argv)
  const peak = createPeak()
  const looking = setInterval(() => peak.look(run.child.pid ?? 0), 50)
  const tooLong = setTimeout(() => signalGroup(run.child, 'SIGKILL'), mostMs)
  atTestEnd(() => clearTimeout(tooLong))
  const { code, output } = await run.ended
  clearInterval(looking)
  expect(code, output).toBeOneOf([0, 1, 2, 3])
  expect(output).not.toMatch(/^\s+at .+:\d+/m)
  expect(output).not.toContain('mistake of the suite')
  const report = readReport(reports)
  const reasons = [...report.reasons, ...report.clauses.map(({ reason = '' }) => reason)]
  expect(reasons.filter((each) => /the runner reported/.test(each))).toEqual([])

  expect(peak.megabytes(), 'peak in MB').toBeLessThan(mostMegabytes)
  expectNoKey(settings.API_KEY, output, reports)
  expectNothingObeyed(output)
  return { code, output, report, page: readFileSync(join(reports, 'index.html'), 'utf8') }
}

function expectNoKey(secret: string, output: string, dir: string) {
  const holdsKey = secretFinder(secret)
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  expect(files.filter((file) => holdsKey(readFileSync(file)))).toEqual([])
  expect(holdsKey(Buffer.from(output)), output).toBe(false)
}

/** A terminal gets only text: a service's control characters are shown, not obeyed. */
function expectNothingObeyed(output: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
}

export const failedIn = ({ report }: { report: Report }) =>
  report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
