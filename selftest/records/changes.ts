// Changes by hand to a report and its record, and what `verify` says of each.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { httpBlock, httpIn, readRecords, type WarcRecord } from '../../engine/http/record/warc.ts'
import { countsOf } from '../../engine/run/report.ts'
import type { Entry } from '../../engine/time/entering.ts'
import type { Written } from './recording.ts'

/** What the seal, or a digest of the record, shows of a change; and what the replay shows. */
export type Found = { sealed: string; replayed: string }
export type Change = { kind: string; edit(report: Written, record: string): Found }
type Part = Record<string, unknown>

/** Whether a part of a report has the given members, of which some are patterns. */
const isLike = (part: Part, like: Part): boolean =>
  Object.entries(like).every(([name, wanted]) =>
    wanted instanceof RegExp
      ? wanted.test(String(part[name]))
      : isDeepStrictEqual(part[name], wanted),
  )
function pick<T>(list: readonly T[], is: (each: T) => boolean): T {
  const found = list.find(is)
  if (!found) throw new Error(`nothing is ${is}`)
  return found
}

type Row = [kind: string, like: Part, set: Part, replayed: string]
const put = { method: 'PUT', status: 200 }
const get = { method: 'GET', status: 200 }
const good = { level: 'must', verdict: 'pass' }

const ofClauses: Row[] = [
  ['a verdict', good, { verdict: 'fail', reason: 'it broke' }, 'verdict is "fail"'],
  ['a verdict made good', { verdict: 'fail' }, { verdict: 'pass' }, 'verdict is "pass"'],
  ['a reason', { verdict: 'fail' }, { reason: 'it is slow' }, 'reason is "it is slow"'],
  ['evidence', good, { evidence: [] }, 'evidence is []'],
  ['an observed value', { observed: 428 }, { observed: 400 }, 'observed is 400'],
]
const ofExchanges: Row[] = [
  ['a status', get, { status: 404 }, 'status is 404'],
  ['a header', get, { headers: { 'content-type': 'text/html' } }, 'headers, content-type is'],
  ['a time', put, { start: '2026-01-01T00:00:00.000Z' }, 'start is "2026-01-01'],
  ['an id', get, { path: '/tasks/dd9d68f4-5e80-4f9c-9b5a-000000000000' }, 'path is "/tasks/dd9d'],
  ["the key's place", get, { requestHeaders: { auth: '(configured)' } }, 'requestHeaders, '],
]
const ofRun: Row[] = [
  ['the verdict of the run', {}, { verdict: 'inconclusive', reasons: ['no mail'] }, 'verdict is'],
  ['the number of requests', {}, { requests: 9_999 }, 'requests is 9999'],
  ['a setting', {}, { settings: { SETTLE_MS: '1' } }, 'settings, SETTLE_MS is "1"'],
]

/** Sets members of the first part of a report that is like the given one. */
const setting =
  (list: 'clauses' | 'exchanges' | undefined) =>
  ([kind, like, set, replayed]: Row): Change => ({
    kind,
    edit: (report) => {
      const used = new Set(
        report.clauses.flatMap(({ evidence }) => evidence.map((e) => e.exchange)),
      )
      const parts: Part[] = list ? report[list] : [report]
      const isUsed = ({ number }: Part) => list !== 'exchanges' || used.has(number as number)
      const part = pick(parts, (each) => isLike(each, like) && isUsed(each))
      Object.assign(part, set)
      if (list === 'clauses') report.counts = countsOf(report.clauses)
      const name = part.id ? `clause ${part.id}` : `exchange ${part.number}`
      return list
        ? {
            sealed: `${name} is not as it was written`,
            replayed: `${part.id ? `${part.id}: ` : `${name}, `}${replayed}`,
          }
        : { sealed: 'it is not as it was written, beside', replayed }
    },
  })

/** Leaves out a part of a report, or gives it the place of another. */
const others: Change[] = [
  {
    kind: 'a count',
    edit: ({ counts }) => {
      counts.must.pass = 7
      const said = 'its counts are not those of its clauses'
      return { sealed: said, replayed: said }
    },
  },
  {
    kind: 'a clause left out',
    edit: (report) => {
      const { id } = report.clauses.shift() as Written['clauses'][number]
      report.counts = countsOf(report.clauses)
      return { sealed: `clause ${id} is not as`, replayed: `${id}: the report lacks it` }
    },
  },
  {
    kind: 'an exchange left out',
    edit: (report) => {
      const at = report.exchanges.findIndex((each) => isLike(each, put))
      const [gone] = report.exchanges.splice(at, 1)
      const name = `exchange ${gone?.number}`
      return { sealed: `${name} is not as it was written`, replayed: `${name}, on which ` }
    },
  },
  {
    kind: 'two exchanges swapped',
    edit: ({ exchanges }) => {
      const [one, other] = [get, { method: 'PUT', status: 409 }].map((like) =>
        pick(exchanges, (each) => isLike(each, like)),
      ) as unknown as [Part, Part]
      ;[one.number, other.number] = [other.number, one.number]
      const name = `exchange ${one.number}`
      return { sealed: `${name} is not as it was written`, replayed: `${name}, ` }
    },
  },
]

const asWritten = (file: string) => `${file} of the record is not as the run left it`
const departed = 'the record is not of this run, which the same suite made: '

/** A change to the exchanges of the clauses, which are written anew. */
const inWarc = (kind: string, replayed: string, alter: (all: WarcRecord[]) => unknown): Change => ({
  kind,
  edit: (_, record) => {
    const file = join(record, 'clauses-1.warc')
    const all = readRecords(file)
    alter(all)
    const bytes = all.flatMap(({ fields, block }) => {
      const head = Object.entries({ ...fields, 'Content-Length': String(block.length) })
      const lines = head.map(([name, value]) => `${name}: ${value}\r\n`)
      return [Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]
    })
    writeFileSync(`${file}.br`, brotliCompressSync(Buffer.concat(bytes)))
    return { sealed: asWritten('clauses-1.warc.br'), replayed }
  },
})
const inLog = (kind: string, replayed: string, alter: (all: Entry[]) => unknown): Change => ({
  kind,
  edit: (_, record) => {
    const file = join(record, 'clauses-1.jsonl')
    const all = readFileSync(file, 'utf8').trim().split('\n')
    const entries: Entry[] = all.map((line) => JSON.parse(line))
    alter(entries)
    writeFileSync(file, entries.map((each) => `${JSON.stringify(each)}\n`).join(''))
    return { sealed: asWritten('clauses-1.jsonl'), replayed }
  },
})
const inSettings = (kind: string, set: Part, replayed: string): Change => ({
  kind,
  edit: (_, record) => {
    const file = join(record, 'record.json')
    const run = JSON.parse(readFileSync(file, 'utf8'))
    Object.assign(run.settings, set)
    writeFileSync(file, JSON.stringify(run))
    return { sealed: asWritten('record.json'), replayed }
  },
})

const isRead = /^GET \/tasks\/[\da-f-]{36} /
const exportOf = (type: string) => new RegExp(`^GET /audit.*file_type=${type}`)

/** The first exchange whose request is like this: its record, or that of its answer. */
function recordOf(all: WarcRecord[], request: RegExp, type = /request/): WarcRecord {
  const firstOf = ({ block }: WarcRecord) => httpIn(block).first
  const isAsked = (each: WarcRecord) => each.fields['WARC-Type'] === 'request'
  const asked = pick(all, (each) => isAsked(each) && request.test(firstOf(each)))
  const isOf = ({ fields }: WarcRecord) => fields.Exchange === asked.fields.Exchange
  return pick(all, (each) => isOf(each) && type.test(each.fields['WARC-Type'] ?? ''))
}
type Message = ReturnType<typeof httpIn>
const inAnswer = (
  kind: string,
  request: RegExp,
  replayed: string,
  alter: (one: Message) => object,
) =>
  inWarc(kind, replayed, (all) => {
    const answer = recordOf(all, request, /^re(sponse|visit)$/)
    const { first, headers, body } = { ...httpIn(answer.block), ...alter(httpIn(answer.block)) }
    answer.block = httpBlock(first, headers, body)
  })
const replaced =
  (from: RegExp, to: string) =>
  ({ body }: Message) => ({
    body: Buffer.from(body.toString('latin1').replace(from, to), 'latin1'),
  })
const entryAt = (all: Entry[], key: RegExp, nth: number) =>
  all.flatMap(([, each], at) => (key.test(each) ? [at] : []))[nth] as number

const ofRecord: Change[] = [
  inAnswer('a status in the record', isRead, 'status is 200', () => ({ first: 'HTTP/1.1 201 ' })),
  inAnswer('a header in the record', isRead, 'headers, x-a is', ({ headers }) => ({
    headers: { ...headers, 'x-a': 'hit' },
  })),
  inAnswer('an id in the record', isRead, 'verdict is "pass"', replaced(/"id":"./, '"id":"x')),
  inAnswer('a cell of a CSV', exportOf('csv'), 'bodySha256 is', replaced(/^id,/, 'it,')),
  inAnswer(
    'a page of a PDF',
    exportOf('pdf'),
    'export.',
    replaced(/\/Type \/Page\n/, '/Type /P\n'),
  ),
  inWarc('a request left out', departed, (all) =>
    all.splice(all.indexOf(recordOf(all, isRead)), 1),
  ),
  inWarc('two requests swapped', departed, (all) => {
    const [one, other] = [recordOf(all, isRead), recordOf(all, /^PUT/)]
    ;[one.block, other.block] = [other.block, one.block]
  }),
  inWarc("the key's place in the record", departed, (all) => {
    const asked = recordOf(all, isRead)
    asked.block = Buffer.from(
      asked.block.toString('latin1').replace('apikey: ', 'x-key: '),
      'latin1',
    )
  }),
  inLog("an entry's time", 'is ', (all) => {
    const at = entryAt(all, /^head /, 20)
    for (const entry of all.slice(at, -1)) entry[0] += 5
  }),
  inLog('two entries swapped', departed, (all) => {
    const [one, other] = [20, 60].map((nth) => all[entryAt(all, /^head /, nth)]) as [Entry, Entry]
    ;[one[1], other[1]] = [other[1], one[1]]
  }),
  inLog('an entry left out', departed, (all) => all.splice(entryAt(all, /^head /, 30), 1)),
  inLog('when the record began', 'start is', ([first]) =>
    Object.assign(first?.[2] ?? {}, { begun: Date.now() }),
  ),
  inSettings('the wait in record.json', { settleMs: 2_000 }, ''),
]

export const changes: Change[] = [
  ...ofClauses.map(setting('clauses')),
  ...ofExchanges.map(setting('exchanges')),
  ...ofRun.map(setting(undefined)),
  ...others,
  ...ofRecord,
]
