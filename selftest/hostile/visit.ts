import { existsSync, readdirSync, readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
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
export async function lendBehind(spoil: Spoil, given: Parameters<typeof lendService>[0] = {}) {
  const lent = await lendService(given)
  const pass = handOn(lent.baseUrl)
  let count = 0
  const front = createServer((incoming, outgoing) => {
    count += 1
    if (spoil(incoming, outgoing, count) !== true) pass(incoming, outgoing)
  })
  const port = await listening(front)
  const env = { ...lent.env, BASE_URL: `http://127.0.0.1:${port}/v5` }
  return { ...lent, env, front, count: () => count }
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

/** Reading all of /proc takes milliseconds; a single process reports its own peak. */
const everyMs = 100

/** Watches the total megabytes of a process group, if /proc shows them; resolves with the peak. */
function watchMemory(group: number): () => number {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, megabytesOf(group))
  }, everyMs)
  return () => {
    clearInterval(timer)
    return most
  }
}

const pageBytes = 4096

function megabytesOf(group: number): number {
  if (!existsSync('/proc')) return 0
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const pages = pids.reduce((sum, pid) => sum + pagesOf(pid, group), 0)
  return (pages * pageBytes) / (1024 * 1024)
}

function pagesOf(pid: string, group: number): number {
  try {
    // After the name, which may hold anything: state, parent, group, and later the resident pages.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[2]) === group ? Number(fields[21]) : 0
  } catch {
    // It ended meanwhile.
    return 0
  }
}

const key = 'zoo-K3y/with+"odd" chars'.replace(' ', '_')
export const anId = '123e4567-e89b-12d3-a456-426614174000'

/** Longer than any run takes, even with defaults on a slow service; a hanging run is stopped here. */
const mostMs = process.env.FAR === 'default' ? 1_500_000 : 200_000
const mostMegabytes = 1024

type Visited = {
  code: number | null
  output: string
  report: Report
  /** index.html */
  page: string
}

/**
 * Runs the whole program against a server in its own process, and checks what always holds: it ends by
 * itself, with a report, without a stack trace, with little memory, and without the key in any output.
 */
export async function visit(
  env: Record<string, string>,
  argv: readonly string[] = [],
): Promise<Visited> {
  const place = openTestFolder()
  const [reports, peakFile] = [join(place, 'reports'), join(place, 'peak')]
  const settings = {
    API_KEY: key,
    TIMEOUT_MS: '10000',
    SETTLE_MS: '50',
    AUDIT_WAIT_S: '0',
    RUN_TIMEOUT_S: '40',
    JOURNAL_DIR: join(place, 'journal'),
    PEAK_FILE: peakFile,
    NODE_OPTIONS: `--import=${new URL('peak.mjs', import.meta.url)}`,
    ...env,
    REPORTS_DIR: reports,
  }
  const run = start('directly', 'check', settings, argv)
  const seen = watchMemory(run.child.pid ?? 0)
  const tooLong = setTimeout(() => signalGroup(run.child, 'SIGKILL'), mostMs)
  atTestEnd(() => clearTimeout(tooLong))
  const { code, output } = await run.ended
  const megabytes = seen()
  expect(code, output).toBeOneOf([0, 1, 2, 3])
  expect(output).not.toMatch(/^\s+at .+:\d+/m)
  expect(output).not.toContain('mistake of the suite')
  const report = readReport(reports)
  const reasons = [...report.reasons, ...report.clauses.map(({ reason = '' }) => reason)]
  expect(reasons.filter((each) => /the runner reported/.test(each))).toEqual([])

  // The peak of the one process, and of all of them together.
  const peak = Number(readFileSync(peakFile, 'utf8')) / 1024
  expect(Math.max(peak, megabytes), 'peak in MB').toBeLessThan(mostMegabytes)
  expectNoKey(settings.API_KEY, output, reports)
  expectNothingObeyed(output)
  return {
    code,
    output,
    report,
    page: readFileSync(join(reports, 'index.html'), 'utf8'),
  }
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

export const failedIn = ({ report }: Visited) =>
  report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
