// Changes by hand to a report and its record: what an editor alters, and what `verify` has to say of it.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { httpBlock, httpIn, readRecords, type WarcRecord } from '../../engine/http/record/warc.ts'
import type { Entry } from '../../engine/time/entries.ts'
import type { Written } from './recording.ts'

/** What the replay shows of a change; for the seal and the digests `sealed` names the place. */
export type Found = { sealed: string; replayed: string | RegExp }
export type Change = { kind: string; edit(report: Written, record: string): Found }

const pick = <T>(list: readonly T[], is: (each: T) => unknown, kind = 'a part'): T => {
  const found = list.find(is)
  if (!found) throw new Error(`the report has no such thing: ${kind}`)
  return found
}
const clauseOf = ({ clauses }: Written, is: (clause: Written['clauses'][number]) => unknown) =>
  pick(clauses, is, 'a clause')

/** An exchange on which a clause depends. */
function exchangeOf(report: Written, is: (one: Written['exchanges'][number]) => unknown) {
  const used = new Set(report.clauses.flatMap(({ evidence }) => evidence.map((e) => e.exchange)))
  return pick(report.exchanges, (one) => used.has(one.number) && is(one), 'an exchange')
}

const ofRun = (kind: string, name: string, alter: (report: Written) => void): Change => ({
  kind,
  edit: (report) => {
    alter(report)
    return { sealed: 'it is not as it was written, beside', replayed: `the report: ${name}` }
  },
})

const ofClause = (
  kind: string,
  is: (clause: Written['clauses'][number]) => unknown,
  alter: (clause: Written['clauses'][number], report: Written) => string,
): Change => ({
  kind,
  edit: (report) => {
    const clause = clauseOf(report, is)
    const place = alter(clause, report)
    return {
      sealed: `clause ${clause.id} is not as it was written`,
      replayed: `contradicted      ${clause.id}: ${place}`,
    }
  },
})

const ofExchange = (
  kind: string,
  is: (one: Written['exchanges'][number]) => unknown,
  alter: (one: Written['exchanges'][number], report: Written) => string,
): Change => ({
  kind,
  edit: (report) => {
    const one = exchangeOf(report, is)
    const { number } = one
    const place = alter(one, report)
    return {
      sealed: `exchange ${number} is not as it was written`,
      replayed: `exchange ${number}, ${place}`,
    }
  },
})

function count({ counts }: Written, level: 'must' | 'should', from: string, to: string): void {
  const own = counts[level] as Record<string, number>
  own[from] = (own[from] ?? 0) - 1
  own[to] = (own[to] ?? 0) + 1
}

const isGood = ({ level, verdict }: Written['clauses'][number]) =>
  level === 'must' && verdict === 'pass'
const isBroken = ({ breaches }: Written['clauses'][number]) => breaches

const ofReport: Change[] = [
  ofClause('a verdict', isGood, (clause, report) => {
    Object.assign(clause, { verdict: 'fail', reason: 'it broke' })
    count(report, 'must', 'pass', 'fail')
    return 'verdict is "fail"'
  }),
  ofClause('a verdict made good', isBroken, (clause, report) => {
    clause.verdict = 'pass'
    count(report, 'must', 'fail', 'pass')
    return 'verdict is "pass"'
  }),
  ofClause('a reason', isBroken, (clause) => {
    clause.reason = 'two updates with one version were accepted, as agreed'
    return 'reason is "two'
  }),
  ofClause('a breach', isBroken, (clause) => {
    const [breach] = clause.breaches ?? []
    if (breach) breach.sentence = 'it is slow'
    return 'breaches'
  }),
  ofClause(
    'evidence',
    ({ evidence }) => evidence.length > 3,
    (clause) => {
      clause.evidence.pop()
      return 'evidence is '
    },
  ),
  ofClause(
    'an observed value',
    ({ verdict, observed }) => verdict === 'observed' && typeof observed === 'number',
    (clause) => {
      clause.observed = 400
      return 'observed is 400'
    },
  ),
  {
    kind: 'a clause left out',
    edit: (report) => {
      const { id } = clauseOf(report, isGood)
      report.clauses = report.clauses.filter((clause) => clause.id !== id)
      const { must } = report.counts
      must.pass = (must.pass ?? 0) - 1
      return {
        sealed: `clause ${id} is not as it was written`,
        replayed: `${id}: the report lacks it`,
      }
    },
  },
  ofExchange(
    'a status',
    ({ status }) => status === 200,
    (one) => {
      one.status = 404
      return 'status is 404'
    },
  ),
  ofExchange(
    'a header',
    ({ headers }) => headers?.['content-type'],
    (one) => {
      Object.assign(one.headers ?? {}, { 'content-type': 'text/html' })
      return 'headers, content-type is "text/html"'
    },
  ),
  ofExchange(
    'a time',
    ({ method }) => method === 'PUT',
    (one) => {
      one.start = new Date(Date.parse(one.start) + 1).toISOString()
      return 'start is '
    },
  ),
  ofExchange(
    'an id',
    ({ path }) => /^\/tasks\/[\da-f-]{36}$/.test(path),
    (one) => {
      one.path = one.path.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
      return 'path is '
    },
  ),
  ofExchange(
    "the key's place",
    ({ requestHeaders }) => requestHeaders.apikey,
    (one) => {
      const { apikey = '', ...rest } = one.requestHeaders
      one.requestHeaders = { ...rest, authorization: apikey }
      return 'requestHeaders, apikey is nothing'
    },
  ),
  ofExchange(
    'how long an answer took',
    ({ method }) => method === 'PUT',
    (one) => {
      one.milliseconds += 1
      return 'milliseconds is '
    },
  ),
  {
    kind: 'two exchanges swapped',
    edit: (report) => {
      const one = exchangeOf(report, ({ status }) => status === 200)
      const other = exchangeOf(report, ({ status }) => status === 409)
      ;[one.number, other.number] = [other.number, one.number]
      return {
        sealed: `exchange ${one.number} is not as it was written`,
        replayed: `exchange ${one.number}, `,
      }
    },
  },
  {
    kind: 'an exchange left out',
    edit: (report) => {
      const { number } = exchangeOf(report, ({ method }) => method === 'PUT')
      report.exchanges = report.exchanges.filter((each) => each.number !== number)
      return {
        sealed: `exchange ${number} is not as it was written`,
        replayed: `exchange ${number}, on which `,
      }
    },
  },
  ofRun('a count', 'its counts are not', ({ counts }) => {
    counts.must.pass = 7
  }),
  ofRun('the verdict of the run', 'verdict is ', (report) => {
    report.verdict = report.verdict === 'conformant' ? 'inconclusive' : 'conformant'
    report.reasons = ['the mailbox was down']
  }),
  ofRun('the number of requests', 'requests is ', (report) => {
    report.requests += 1
  }),
  ofRun('a setting', 'settings, SETTLE_MS is "1"', (report) => {
    report.settings = { ...report.settings, SETTLE_MS: '1' }
  }),
  ofRun('a task that was not put back', 'residue is ', (report) => {
    report.residue = [{ task: 'abc', reason: 'it is locked' }]
  }),
]

/** Writes the exchanges of a record anew. */
function editWarc(record: string, alter: (all: WarcRecord[]) => WarcRecord[]): string {
  const name = 'clauses-1.warc'
  const file = join(record, name)
  const bytes = alter(readRecords(file)).flatMap(({ fields, block }) => {
    const head = { ...fields, 'Content-Length': String(block.length) }
    const lines = Object.entries(head).map(([field, value]) => `${field}: ${value}\r\n`)
    return [Buffer.from(`WARC/1.1\r\n${lines.join('')}\r\n`), block, Buffer.from('\r\n\r\n')]
  })
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  writeFileSync(`${file}.br`, brotliCompressSync(Buffer.concat(bytes), { params }))
  return `${name}.br of the record is not as the run left it`
}

function editLines(record: string, alter: (all: Entry[]) => Entry[]): string {
  const name = 'clauses-1.jsonl'
  const file = join(record, name)
  const all = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const lines = alter(all.map((line) => JSON.parse(line))).map((each) => JSON.stringify(each))
  writeFileSync(file, `${lines.join('\n')}\n`)
  return `${name} of the record is not as the run left it`
}

type Run = { settings: Record<string, unknown>; asked: Record<string, unknown> }
function editRun(record: string, alter: (run: Run) => void): string {
  const file = join(record, 'record.json')
  const run = JSON.parse(readFileSync(file, 'utf8'))
  alter(run)
  writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`)
  return 'record.json of the record is not as the run left it'
}

const isOf = (number: number | string, type: RegExp) => (each: WarcRecord) =>
  each.fields.Exchange === String(number) && type.test(each.fields['WARC-Type'] ?? '')

/** The answer of an exchange, otherwise. */
const answering = (
  number: number,
  alter: (answer: ReturnType<typeof httpIn>) => ReturnType<typeof httpIn>,
) =>
  ((all) => {
    const found = pick(all, isOf(number, /^re(sponse|visit)$/), `the answer of exchange ${number}`)
    const { first, headers, body } = alter(httpIn(found.block))
    found.block = httpBlock(first, headers, body)
    return all
  }) satisfies (all: WarcRecord[]) => WarcRecord[]

/** The number of an exchange of the clauses is that of its request in their record. */
const inRecord = (record: string, is: (first: string) => boolean): number =>
  Number(
    pick(
      readRecords(join(record, 'clauses-1.warc')),
      ({ fields, block }) => fields['WARC-Type'] === 'request' && is(httpIn(block).first),
      'a request',
    ).fields.Exchange,
  )

/** `from`: the first exchange of the clauses in the numbers of the report. */
const ofAnswer = (
  kind: string,
  is: (first: string) => boolean,
  alter: (answer: ReturnType<typeof httpIn>) => ReturnType<typeof httpIn>,
  replayed: string | RegExp,
): Change => ({
  kind,
  edit: (_, record) => ({
    sealed: editWarc(record, answering(inRecord(record, is), alter)),
    replayed,
  }),
})

const ofLog = (
  kind: string,
  alter: (all: Entry[]) => Entry[],
  replayed: string | RegExp,
): Change => ({ kind, edit: (_, record) => ({ sealed: editLines(record, alter), replayed }) })

const ofSettings = (
  kind: string,
  alter: (run: Run) => void,
  replayed: string | RegExp,
): Change => ({ kind, edit: (_, record) => ({ sealed: editRun(record, alter), replayed }) })

const isRead = (first: string) => /^GET \/tasks\/[\da-f-]{36} /.test(first)
const isExport = (type: string) => (first: string) =>
  first.startsWith('GET /audit') && first.includes(`file_type=${type}`)
const inText = (from: RegExp, to: string) => (answer: ReturnType<typeof httpIn>) => {
  const text = answer.body.toString('latin1')
  if (!from.test(text)) throw new Error(`the body has no ${from}: ${text.slice(0, 200)}`)
  return { ...answer, body: Buffer.from(text.replace(from, to), 'latin1') }
}
const anyClause = (place: string) => new RegExp(`contradicted {6}[a-z][\\w.-]+: .*${place}`)
const departed = /the record is not of this run, which the same suite made: /

const place = (all: readonly Entry[], key: RegExp, nth = 0): number => {
  const found = all.flatMap(([, each], at) => (key.test(each) ? [at] : []))[nth]
  if (found === undefined) throw new Error(`the record has no entry ${key}`)
  return found
}
const without = (all: Entry[], at: number) => all.filter((_, index) => index !== at)

const ofRecord: Change[] = [
  ofAnswer(
    'a status in the record',
    isRead,
    (answer) => ({ ...answer, first: 'HTTP/1.1 403 ' }),
    anyClause('(status is|verdict is)'),
  ),
  ofAnswer(
    'a header in the record',
    isRead,
    (answer) => ({ ...answer, headers: { ...answer.headers, 'x-cache': 'hit' } }),
    anyClause('headers'),
  ),
  ofAnswer(
    'an id in the record',
    isRead,
    inText(/"id":"./, '"id":"x'),
    anyClause('verdict is "pass"'),
  ),
  ofAnswer(
    'a cell of a CSV',
    isExport('csv'),
    inText(/(\n[^,]*,[^,]*,[^,]*,)[^,]*/, '$1something'),
    anyClause(''),
  ),
  ofAnswer(
    'a page of a PDF',
    isExport('pdf'),
    inText(/\/Type \/Page\n/, '/Type /Pagf\n'),
    anyClause(''),
  ),
  {
    kind: 'a request left out',
    edit: (_, record) => {
      const number = inRecord(record, isRead)
      const isOther = (each: WarcRecord) => each.fields.Exchange !== String(number)
      return { sealed: editWarc(record, (all) => all.filter(isOther)), replayed: departed }
    },
  },
  {
    kind: 'two requests swapped',
    edit: (_, record) => {
      const [one, other] = [
        inRecord(record, isRead),
        inRecord(record, (first) => /^PUT/.test(first)),
      ]
      const swapped = (number: string | undefined) =>
        ({ [one]: String(other), [other]: String(one) })[number ?? ''] ?? number
      const alter = (all: WarcRecord[]) => {
        for (const { fields } of all)
          if (fields.Exchange) fields.Exchange = swapped(fields.Exchange) as string
        return all
      }
      return { sealed: editWarc(record, alter), replayed: departed }
    },
  },
  {
    kind: "the key's place in the record",
    edit: (_, record) => {
      const number = inRecord(record, isRead)
      const alter = (all: WarcRecord[]) => {
        const found = pick(all, isOf(number, /^request$/), 'a request')
        found.block = Buffer.from(
          found.block.toString('latin1').replace('apikey: ', 'authorization: '),
          'latin1',
        )
        return all
      }
      return { sealed: editWarc(record, alter), replayed: departed }
    },
  },
  ofLog(
    "an entry's time",
    (all) => {
      const at = place(all, /^head /, 20)
      return all.map(([then, ...rest], index) => [index >= at ? then + 5 : then, ...rest])
    },
    /(durationMs|start|milliseconds) is/,
  ),
  ofLog(
    'two entries swapped',
    (all) => {
      const at = place(all, /^head /, 20)
      const next = place(all, /^head /, 21)
      const [one, other] = [all[at] as Entry, all[next] as Entry]
      return all.with(at, [one[0], ...other.slice(1)] as Entry).with(next, [
        other[0],
        ...one.slice(1),
      ] as Entry)
    },
    /(milliseconds|start|verdict|evidence.*|same suite made)/,
  ),
  ofLog('an entry left out', (all) => without(all, place(all, /^head /, 30)), departed),
  ofLog(
    'when the record began',
    (all) => all.map(([at, key, given]) => [at, key, key === 'begin' ? { ...(given as object), begun: 1e12 } : given]),
    anyClause('start is'),
  ),
  ofSettings(
    'the wait in record.json',
    ({ settings }) => {
      settings.settleMs = 2_000
    },
    /(same suite made|is .* in the report)/,
  ),
  ofSettings(
    'the seed in record.json',
    ({ settings }) => {
      settings.seed = 2
    },
    /(seed is 1 in the report|same suite made)/,
  ),
  ofSettings(
    'the selection in record.json',
    ({ asked }) => {
      asked.clauses = ['task.*', 'version.*', 'export.csv.*']
    },
    /(the replay does not have it|same suite made)/,
  ),
]

export const changes: Change[] = [...ofReport, ...ofRecord].slice(0, 60)
