// A CSV of 1,000,000 rows: read and checked as the suite does, beside papaparse alone on the same
// stream. Each in processes of its own, whose peak memory is told, in turn.
// node --import tsx bench/csv.ts [rows]
import { execFileSync } from 'node:child_process'
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { readCsv } from '../helpers/export/csv.ts'

const rounds = 5
const ways = ['papaparse alone', 'read and checked', 'the stream alone'] as const

const rows = Number(process.argv[2] ?? 1_000_000)
const way = process.argv[3] as (typeof ways)[number] | undefined

/** About 300 bytes a row, some with quotes and line breaks, in pieces as they come from a socket. */
function* file(): Generator<Buffer> {
  const perPiece = 256
  yield Buffer.from(
    'id,time,auditee_id,event_type,sub_type,system_source,description,comment,tag\r\n',
  )
  for (let n = 0; n < rows; n += perPiece) {
    const lines = Array.from({ length: Math.min(perPiece, rows - n) }, (_, at) => lineOf(n + at))
    yield Buffer.from(lines.join(''))
  }
}

const comments = [
  '',
  'Please review',
  '"He said ""no"", twice"',
  'Überprüfung 確認',
  '"two\nlines"',
]
const lineOf = (n: number) =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')},2025-06-01T${String(n % 24).padStart(2, '0')}:00:00.000Z,11111111-1111-4111-8111-${String(n % 97).padStart(12, '0')},task,updated,task_platform,task updated by somebody with a name of some length and a description that goes on,${comments[n % 5]},vip\r\n`

const work: Record<(typeof ways)[number], () => Promise<number>> = {
  'the stream alone': async () => {
    let bytes = 0
    for (const piece of file()) bytes += piece.length
    return bytes
  },
  'papaparse alone': () =>
    new Promise((resolve, reject) => {
      let count = 0
      const source = Readable.from(file())
      source.setEncoding('utf8')
      Papa.parse<string[]>(source, {
        delimiter: ',',
        newline: '\r\n',
        step: () => {
          count += 1
        },
        complete: () => resolve(count),
        error: reject,
      })
    }),
  'read and checked': async () => (await readCsv(Readable.from(file()), { keep: 20_000 })).count,
}

if (way) {
  const start = performance.now()
  const result = await work[way]()
  const seconds = (performance.now() - start) / 1000
  const megabytes = process.resourceUsage().maxRSS / 1024
  console.log(JSON.stringify({ result, seconds, megabytes }))
} else {
  type Run = { result: number; seconds: number; megabytes: number }
  const found = new Map<string, Run[]>(ways.map((each) => [each, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const each of ways) {
      const args = [...process.execArgv, import.meta.filename, String(rows), each]
      found.get(each)?.push(JSON.parse(execFileSync(process.execPath, args).toString()))
    }
  const median = (runs: Run[], of: (run: Run) => number) =>
    runs.map(of).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0
  console.table(
    Object.fromEntries(
      [...found].map(([name, runs]) => [
        name,
        {
          'seconds (median)': Number(median(runs, ({ seconds }) => seconds).toFixed(2)),
          'peak MB (median)': Math.round(median(runs, ({ megabytes }) => megabytes)),
          result: runs[0]?.result,
        },
      ]),
    ),
  )
}
