// Changes by hand to a report and its record, and what `verify` says of each.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import {
  bytesOf,
  createWarc,
  fold,
  httpBlock,
  httpIn,
  recordsIn,
  type WarcRecord,
} from '../../engine/http/record/warc.ts'
import { countsOf } from '../../engine/run/report.ts'
import type { Entry } from '../../engine/time/entering.ts'
import rows from './changes.json' with { type: 'json' }
import type { Written } from './recording.ts'

/** What the seal, or a digest of the record, shows of a change; and what the replay shows. */
export type Found = { sealed: string; replayed: string }
export type Change = { kind: string; edit(report: Written, record: string): Found }
type Part = Record<string, unknown>

const isLike = (part: Part, like: Part): boolean =>
  Object.entries(like).every(([name, wanted]) => isDeepStrictEqual(part[name], wanted))

function pick<T>(list: readonly T[], is: (each: T) => boolean): T {
  const found = list.find(is)
  if (!found) throw new Error(`nothing is ${is}`)
  return found
}

/** The first part that is like this gets these members; what the replay shows then. */
type Row = [kind: string, like: Part, set: Part, replayed: string]
const put = { method: 'PUT', status: 200 }
const get = { method: 'GET', status: 200 }

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
            sealed: `${name} changed since it was written`,
            replayed: `${part.id ? `${part.id}: ` : `${name}, `}${replayed}`,
          }
        : { sealed: 'it changed since it was written, beside', replayed }
    },
  })

/** Leaves out a part of a report, or gives it the place of another. */
const others: Record<string, Change['edit']> = {
  'a count': ({ counts }) => {
    counts.must.pass = 7
    const said = 'its counts are not those of its clauses'
    return { sealed: said, replayed: said }
  },
  'a clause left out': (report) => {
    const { id } = report.clauses.shift() as Written['clauses'][number]
    report.counts = countsOf(report.clauses)
    return { sealed: `clause ${id} changed`, replayed: `${id}: the report lacks it` }
  },
  'an exchange left out': ({ exchanges }) => {
    const [gone] = exchanges.splice(exchanges.indexOf(exchangeLike(exchanges, put)), 1)
    return ofExchange(gone?.number, 'on which ')
  },
  'two exchanges swapped': ({ exchanges }) => {
    const one = exchangeLike(exchanges, get)
    const other = exchangeLike(exchanges, { ...put, status: 409 })
    ;[one.number, other.number] = [other.number, one.number]
    return ofExchange(one.number, '')
  },
}
type Exchange = Written['exchanges'][number]
const exchangeLike = (all: Exchange[], like: Part) => pick(all, (each) => isLike(each, like))
const ofExchange = (number = 0, replayed: string): Found => ({
  sealed: `exchange ${number} changed since it was written`,
  replayed: `exchange ${number}, ${replayed}`,
})

const departed = 'the record is not of this run, which the same suite made: '

const inFile =
  <T>(name: string, read: (file: string) => T, write: (file: string, all: T) => void) =>
  (kind: string, replayed: string, alter: (all: T) => unknown): Change => ({
    kind,
    edit: (_, record) => {
      const file = join(record, name.replace('.br', ''))
      const all = read(file)
      alter(all)
      write(file, all)
      return { sealed: `${name} of the record changed since the run`, replayed }
    },
  })
const inWarc = inFile(
  'clauses-1.warc.br',
  (file) => recordsIn(bytesOf(file)),
  (file, all) => {
    const warc = createWarc(file)
    for (const { fields, block } of all) warc.append(fields, [block], '')
    warc.flush()
    fold(file, readFileSync(file))
  },
)
const linesIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n')
const inLog = inFile(
  'clauses-1.jsonl',
  (file) => linesIn(file).map((line): Entry => JSON.parse(line)),
  (file, all) => writeFileSync(file, all.map((each) => `${JSON.stringify(each)}\n`).join('')),
)
const inRun = inFile(
  'record.json',
  (file) => JSON.parse(readFileSync(file, 'utf8')),
  (file, run) => writeFileSync(file, JSON.stringify(run)),
)

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
  inRun('the wait in record.json', '', ({ settings }) =>
    Object.assign(settings, { settleMs: 2_000 }),
  ),
]

export const changes: Change[] = [
  ...(rows.clauses as Row[]).map(setting('clauses')),
  ...(rows.exchanges as Row[]).map(setting('exchanges')),
  ...(rows.run as Row[]).map(setting(undefined)),
  ...Object.entries(others).map(([kind, edit]) => ({ kind, edit })),
  ...ofRecord,
]
