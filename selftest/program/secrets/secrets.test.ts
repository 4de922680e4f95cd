import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { bytesOf, recordsIn } from '../../../engine/http/record/warc.ts'
import { secretFinder } from '../../../engine/http/redaction.ts'
import { type Stated, stated } from '../../../reference/rules/stated.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { lendService, start } from '../../helpers/loans/lent-service.ts'
import { runProgram } from '../../proofs/prove.ts'
import { inOwnThread, replay } from '../../records/recording.ts'
import { openTestFolder } from '../../test-end.ts'

const argv = ['--clauses', 'auth.*.export,export.csv.*,export.filter.*,export.range.*,audit.*']

/** Runs the clauses of the export, and counts the exported rows whose id, or more of them, the report contains. */
async function rowsKept(bent: Partial<Stated>, events: number) {
  const world = makeWorld(1, { events })
  const service = createService({ world, stated: { ...stated, ...bent } })
  const ids = new Set<string>()
  const fetch: typeof service.fetch = async (request, address) => {
    const answer = await service.fetch(request, address)
    if (answer.headers.get('content-type')?.includes('csv'))
      for (const [, id] of (await answer.clone().text()).matchAll(/^([\da-f-]{36}),/gm))
        ids.add(id as string)
    return answer
  }
  const env = { BODIES: 'all', SEED: '1', SETTLE_MS: '60', AUDIT_WAIT_S: '0' }
  const { report, output } = await runProgram(env, argv, { service: { ...service, fetch } })
  const text = JSON.stringify(report) + output
  const named = [...ids].filter((id) => text.includes(id))
  // Other cells follow the id, as the CSV or a reader has them.
  const shown = named.filter((id) => text.includes(`${id} |`) || text.includes(`${id},`))
  return { seen: ids.size, named: named.length, shown: shown.length, report }
}

const anything = { keyIsValid: () => true, range: () => ({ start: undefined, end: undefined }) }
const lossy: Partial<Stated> = {
  keyIsValid: () => true,
  rows: ({ filters, events }) => (filters.length > 0 ? events.slice(1) : events),
}
test.each<[string, Partial<Stated>, number, string]>([
  ['with BODIES=all', {}, 400, 'conformant'],
  ['filters lose events and wrong keys are accepted', lossy, 400, 'nonconformant'],
  ['ranges are ignored and wrong keys are accepted', anything, 5, 'nonconformant'],
])(
  'a report holds at most one exported event for each breach, and five ids: %s',
  async (...[, bent, events, verdict]) => {
    const { seen, named, shown, report } = await rowsKept(bent, events)
    expect(report?.verdict).toBe(verdict)
    expect(seen).toBeGreaterThan(events / 4 - 1)
    const breaches = report?.clauses.flatMap((clause) => clause.breaches ?? []) ?? []
    const { length } = breaches.filter(({ decides }) => decides)
    expect(shown).toBeLessThanOrEqual(length)
    expect(named).toBeLessThanOrEqual(5 * length)
    if (bent === lossy) expect(report?.counts.should.warn).toBeGreaterThan(3)
  },
)

test('the key stands in no command line and in no title of a process or thread', async () => {
  const shown: Buffer[] = []
  const lent = await lendService({
    between: async (request, next) => {
      const dir = `/proc/${run.child.pid}`
      for (const thread of readdirSync(`${dir}/task`))
        shown.push(readFileSync(`${dir}/task/${thread}/comm`))
      shown.push(readFileSync(`${dir}/cmdline`))
      return next(request)
    },
  })
  const run = start('directly', 'check', lent.env, ['--clauses', 'task.read.identity'])
  const { code, output } = await run.ended
  expect(code, output).toBe(0)
  expect(secretFinder(lent.env.API_KEY)(Buffer.concat(shown))).toBe(false)
  expect(Buffer.concat(shown).includes('task-assignment-contract')).toBe(true)
})

const world = makeWorld(1, { events: 20 })
const [key, other] = [world.apiKey, 'gateway secret 7']
const env = { SETTLE_MS: '60', AUDIT_WAIT_S: '0', SEED: '1', EXTRA_HEADERS: `x-gateway=${other}` }
const clauses = ['--clauses', 'assessment.read.success,task.read.success,export.csv.*,export.pdf.*']

function pdfWith(text: string, compress: boolean): Promise<Buffer> {
  const page = new PDFDocument({ compress })
  page.text(text).end()
  return buffer(page)
}
const pdfs = await Promise.all([pdfWith(`key ${key}`, false), pdfWith(`key ${key}`, true)])

type Way = [what: string, isOf: RegExp, (body: Buffer, n: number) => [Buffer, object?]]
/** How answers show a secret, each in its own way. */
const echoing = (body: Buffer, secret: string) => `${body}`.replace('{', `{"key":"${secret}",`)
const ways: Way[] = [
  ['JSON', /assessments/, (body) => [Buffer.from(echoing(body, key))]],
  ['a header', /assessments/, (body) => [body, { 'x-echo': other }]],
  [
    'gzip',
    /assessments/,
    (body) => [gzipSync(echoing(body, other)), { 'content-encoding': 'gzip' }],
  ],
  ['a CSV', /=csv/, (body) => [Buffer.concat([body, Buffer.from(`${key},x\r\n`)])]],
  ['a PDF', /=pdf/, (_, n) => [pdfs[n % pdfs.length] as Buffer]],
]

test('no file of a record holds a secret that a service echoes, and what needs it is undecided', async () => {
  const reference = createService({ world })
  const shown = new Set<string>()
  const asked: string[] = []
  const fetch: typeof reference.fetch = async (request, address) => {
    const answer = await reference.fetch(request, address)
    if (!answer.ok) return answer
    const { pathname } = new URL(request.url)
    if (!asked.includes(pathname)) asked.push(pathname)
    const own = ways.filter(([, isOf]) => isOf.test(request.url))
    const way = own[asked.indexOf(pathname) % own.length]
    if (!way) return answer
    const [body, headers] = way[2](Buffer.from(await answer.arrayBuffer()), shown.size)
    shown.add(`${way[0]} ${way[0] === 'a PDF' ? shown.size : ''}`)
    const sent = { ...Object.fromEntries(answer.headers), ...headers }
    return new Response(body as never, { headers: { ...sent, 'content-length': `${body.length}` } })
  }
  const dir = openTestFolder()
  const service = { ...reference, fetch }
  const run = await runProgram(env, [...clauses, '--record', dir], { service, ...inOwnThread })
  expect(shown.size, [...shown].join()).toBeGreaterThan(6)
  const records = readdirSync(dir)
    .filter((name) => name.endsWith('.br'))
    .flatMap((name) => recordsIn(bytesOf(join(dir, name.replace('.br', '')))))
  const holds = (bytes: Buffer) => [key, other].some((each) => secretFinder(each)(bytes))
  for (const name of readdirSync(dir)) expect(holds(readFileSync(join(dir, name)))).toBe(false)
  for (const { fields, block } of records) {
    expect(holds(Buffer.from(JSON.stringify(fields))) || holds(block)).toBe(false)
    expect(block.includes('%PDF-') || block.includes('event_type,')).toBe(false)
  }
  const leftOut = records.filter(({ fields }) => fields['Left-Out'] === 'it contained a secret')
  expect(leftOut.length).toBeGreaterThan(6)
  const again = await replay(dir)
  expect(again.report?.clauses.length).toBe(run.report?.clauses.length)
  for (const { id, verdict, cause, reason } of again.report?.clauses ?? [])
    if (!id.startsWith('task.'))
      expect([id, verdict, cause, reason]).toEqual([
        ...[id, 'skip', 'data', expect.stringContaining('is not in this record')],
      ])
  expect(JSON.stringify(again.report)).toContain('is not in this record: it contained a secret')
})

test('a secret that is found afterwards ends with 2, and removes the record', async () => {
  const dir = openTestFolder()
  const leaking = { ...env, METADATA_VALUES: `tag=${key}` }
  const service = createService({ world })
  const argv = ['--clauses', 'task.read.success', '--record', dir]
  const { exitCode, output } = await runProgram(leaking, argv, { service, ...inOwnThread })
  expect(exitCode, output).toBe(2)
  expect(output).toContain('LEAK: the record of this run contained API_KEY and was deleted')
  expect(readdirSync(dir)).toEqual([])
})
