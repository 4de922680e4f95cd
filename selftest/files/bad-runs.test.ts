import { expect, test } from 'vitest'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { madePdf, pageOf, pictureOf, rawPdf } from '../engine/files/raw-pdf.ts'
import { runProgram } from '../proofs/prove.ts'

type Answer = (
  query: URLSearchParams,
  good: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>

/** A service with other answers to exports; undefined keeps the answer. */
async function judged(answer: Answer, clauses: string[], env: Record<string, string> = {}) {
  const service = createService({ world: makeWorld(1, { events: 1_200 }) })
  const fetch: typeof service.fetch = async (request, address) => {
    const { pathname, searchParams } = new URL(request.url)
    const good = async () => service.fetch(request, address)
    const bent = pathname.endsWith('/export') ? await answer(searchParams, good) : undefined
    return bent ?? good()
  }
  const argv = clauses.flatMap((glob) => ['--clauses', glob])
  const window = { EXPORT_FROM: '2025-09-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' }
  const settings = { ...window, SEED: '1', AUDIT_WAIT_S: '0', ...env }
  const { report, output, exitCode } = await runProgram(settings, argv, {
    service: { ...service, fetch },
  })
  return { clauses: report?.clauses ?? [], output, exitCode }
}

const answerOf = (content: string | Buffer | ReadableStream): Response =>
  new Response(content as never, { headers: { 'content-type': 'application/octet-stream' } })

type Found = Awaited<ReturnType<typeof judged>>
const failedIn = ({ clauses }: Found) =>
  clauses.flatMap(({ id, verdict }) => (verdict === 'fail' ? id : []))

/** Each reason is one sentence, or several that a dot in the middle of the line separates. */
const longReasonsIn = ({ clauses }: Found) =>
  clauses.flatMap(({ reason = '' }) => (/\n|^\s+at /.test(reason) ? reason : []))

const ofPdf = ['export.pdf.*', 'export.pdf-matches-csv', 'export.filter.pdf', 'export.range.pdf']
const empty = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']
test.concurrent.each<[string, () => Promise<Buffer>, string[]]>([
  ['wants a password', () => madePdf(['one'], { userPassword: 'secret' }), []],
  ['has no text', async () => pageOf('0 0 100 100 re f'), []],
  ['has pictures alone', async () => pictureOf(), []],
  ['has no page', async () => rawPdf(empty), ['export.pdf.readable']],
])('only stated musts fail if every PDF %s', async (_, make, stated) => {
  const bytes = await make()
  const found = await judged(async (query, good) => {
    const isGiven = query.get('file_type') === 'pdf' && (await good()).status === 200
    return isGiven ? answerOf(bytes) : undefined
  }, ofPdf)
  expect(failedIn(found), found.output).toEqual(stated)
  expect(longReasonsIn(found)).toEqual([])
})

const ofCsv = ['export.csv.*', 'export.default-csv', 'export.range.split', 'export.range.outside']
const wider = (columns: number) => (line: string, at: number) =>
  line + Array.from({ length: columns }, (_, n) => (at === 0 ? `,more ${n}` : `,${n % 7}`)).join('')
const longCell = (megabytes: number) => (line: string, at: number) =>
  `${line},${at === 0 ? 'note' : at === 3 ? 'x'.repeat(megabytes * 1024 * 1024) : ''}`
const inEachCell = (change: (cell: string) => string) => (line: string) =>
  line.split(',').map(change).join()
test.concurrent.each<[string, (line: string, at: number) => string, number]>([
  ['has two thousand columns', wider(1_980), 0],
  ['has a cell of 7 MB', longCell(7), 0],
  ['has a cell of more than 8 MB', longCell(9), 3],
  ['stands in single quotes', inEachCell((cell) => `'${cell}, and'`), 3],
  ['is parted by ^', (line) => line.replaceAll(',', '^'), 3],
  ['holds formulas alone', inEachCell((cell) => `="${cell}"`), 3],
])('only stated musts fail if every CSV %s', async (_, change, exitCode) => {
  const found = await judged(async (query, good) => {
    const answer = await good()
    if (query.get('file_type') === 'pdf' || answer.status !== 200) return answer
    // Without the columns that may hold line feeds.
    const lines = (await answer.text()).split('\r\n').filter(Boolean)
    return answerOf(`${lines.map(change).join('\r\n')}\r\n`)
  }, ofCsv)
  expect(failedIn(found), found.output).toEqual([])
  expect(found.exitCode, found.output).toBe(exitCode)
  expect(longReasonsIn(found)).toEqual([])
})

// A service that cuts each file loses events: the contract states that they are there, and that a
// PDF opens.
const lost = ['export.range.end-inclusive', 'export.range.split', 'export.metadata.several-keys']
test.concurrent.each<[string, string[], string[]]>([
  [
    'csv',
    ['export.csv.*', 'export.default-*', 'export.range.*', 'export.metadata.several-*'],
    lost,
  ],
  ['pdf', ['export.pdf*', 'export.*.pdf', 'export.*.pdf.*'], ['export.pdf.readable']],
])('nothing else is condemned if every %s is cut in the middle', async (kind, clauses, stated) => {
  const found = await judged(async (query, good) => {
    const answer = await good()
    if ((query.get('file_type') ?? 'csv') !== kind || answer.status !== 200) return answer
    const bytes = Buffer.from(await answer.arrayBuffer())
    return answerOf(bytes.subarray(0, Math.floor(bytes.length * 0.55)))
  }, clauses)
  expect(failedIn(found), found.output).toEqual(stated)
})
