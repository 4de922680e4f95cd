import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { bytesOf, recordsIn } from '../../../engine/http/record/warc.ts'
import { secretFinder } from '../../../engine/http/redaction.ts'
import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { root } from '../../kept.ts'
import { runProgram } from '../../proofs/prove.ts'
import { inOwnThread, replay } from '../../records/recording.ts'
import { openTestFolder } from '../../test-end.ts'

const world = makeWorld(1, { events: 20 })
const [key, other] = [world.apiKey, 'gateway secret 7']
const env = { SETTLE_MS: '60', AUDIT_WAIT_S: '0', SEED: '1', EXTRA_HEADERS: `x-gateway=${other}` }
const clauses = ['--clauses', 'assessment.read.success,task.read.success,export.csv.*,export.pdf.*']

function pdfWith(text: string, compress: boolean, font = 'Helvetica'): Promise<Buffer> {
  const page = new PDFDocument({ compress })
  page.font(font).text(text).end()
  return buffer(page)
}
const embedded = join(root, 'node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
const pdfs = await Promise.all([
  pdfWith(`key ${key}`, false),
  pdfWith(`key ${key}`, true),
  pdfWith(`with ${other} in it`, true, embedded),
])

type Way = [what: string, isOf: RegExp, (body: Buffer, n: number) => [Buffer, object?]]
/** How answers show a secret, each in its own way. */
const ways: Way[] = [
  ['JSON', /assessments/, (body) => [Buffer.from(`${body}`.replace('{', `{"key":"${key}",`))]],
  ['a header', /assessments/, (body) => [body, { 'x-echo': other }]],
  [
    'gzip',
    /assessments/,
    (body) => [
      gzipSync(`${body}`.replace('{', `{"key":"${other}",`)),
      { 'content-encoding': 'gzip' },
    ],
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
        id,
        'skip',
        'data',
        expect.stringContaining('is not in this record'),
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
