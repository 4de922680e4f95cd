// Speed and scale, measured side by side: npm run bench [-- PART… --rounds N --small]
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  besideService,
  createPeak,
  interleaved,
  missingIn,
  type Row,
  root,
  scratch,
  tableOf,
  timed,
  timedNode,
  tsx,
} from './measure.ts'

/** How much a part measures; small is for trying the bench itself. */
type Size = { rounds: number; small: boolean }
type Part = { title: string; measure(size: Size): Promise<{ rows: Row[]; notes?: string[] }> }

const REPORTS_DIR = join(scratch, 'reports')
const bare = join(root, 'bench/bare.mjs')
const nothing = () => timedNode(['-e', '0'])

/** A run of one clause that sends no request: nothing but the start of a run. */
const runIdle = () =>
  timedNode(tsx('contract.ts', 'check', '--clauses', 'auth.wrong-region'), {
    env: { REPORTS_DIR },
    mayEndWith: 3,
  })

const run: Part = {
  title: 'the default run on the embedded service, beside bare undici that sends the same requests',
  async measure({ rounds }) {
    const check = (env = {}) =>
      timedNode(tsx('contract.ts', 'check', '--seed', '1'), { env: { REPORTS_DIR, ...env } })
    const recorded = join(scratch, 'recorded')
    await check({ REPORTS_DIR: recorded, BODIES: 'all' })
    // Each replay has a service of its own that begins as that of a run does.
    const replay = () =>
      besideService(({ BASE_URL, API_KEY = '' }) =>
        timedNode([bare, new URL(BASE_URL).origin, join(recorded, 'traffic.har')], {
          env: { API_KEY },
        }),
      )
    const ways = { run: check, bare: replay, idle: runIdle, nothing }
    const found = await interleaved(ways, rounds)
    const ratio = found.seconds(
      ['run', 'idle', 'bare', 'nothing'],
      (run = 0, idle = 0, bare = 0, nothing = 0) => (run - idle) / (bare - nothing),
    )
    const first = (of: string) => {
      const values = found.told('bare', (each) => each[of] ?? 0)
      return Array.isArray(values) ? values[0] : '?'
    }
    return {
      rows: [
        { what: 'all clauses', unit: 's', values: found.seconds(['run']), ratio, most: 2.5 },
        { what: 'their requests, bare', unit: 's', values: found.seconds(['bare']) },
        { what: 'one clause that asks nothing', unit: 's', values: found.seconds(['idle']) },
        { what: 'a process that does nothing', unit: 's', values: found.seconds(['nothing']) },
      ],
      notes: [
        'Ratio: (run − run of one clause that asks nothing) / (bare requests − process that does nothing).',
        `Bare: ${first('requests')} requests; ${first('asIs')} of them were answered with the status of the recording. ` +
          'The bare client waits where the run waited for an answer, and nowhere else; it has its service in another process.',
      ],
    }
  },
}

/** The program as `npm run contract` starts it, without npm. */
async function started(env: Record<string, string>) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { look, megabytes } = createPeak()
  const given = { env: { REPORTS_DIR, SEED: '1', ...env }, look }
  const sample = await timed('/bin/sh', ['-c', scripts.contract], given)
  return { ...sample, told: { megabytes: megabytes() } }
}

const memory: Part = {
  title:
    'how much memory a run takes at most: the sum of PSS of its processes, by /proc, npm apart',
  async measure({ rounds }) {
    const ways = {
      embedded: () => started({}),
      target: () =>
        besideService((settings) =>
          started({ ...settings, JOURNAL_DIR: join(scratch, 'journal') }),
        ),
    }
    const found = await interleaved(ways, rounds)
    const row = (what: string, name: keyof typeof ways, most: number): Row => {
      const values = found.told(name, ({ megabytes = Number.NaN }) => megabytes)
      return { what, unit: 'MB', values, most }
    }
    return {
      rows: [
        row('the default run, embedded service', 'embedded', 560),
        row('a run against a target', 'target', 500),
      ],
      notes: ['Looked at every 50 ms. Started as the script of package.json starts it.'],
    }
  },
}

/** Some cells have quotes and line breaks, and letters of two and three bytes. */
const comments = [
  ...['', 'Please review', '"He said ""no"", twice"', 'Überprüfung 確認', '"two\nlines"'],
]
const idOf = (start: string, n: number) => `${start}-4000-8000-${String(n).padStart(12, '0')}`
const lineOf = (n: number) =>
  `${idOf('00000000-0000', n)},2025-06-01T${String(n % 24).padStart(2, '0')}:00:00.000Z,` +
  `${idOf('11111111-1111', n % 97)},task,updated,task_platform,task updated by a colleague with a ` +
  `name of some length and a description that goes on,${comments[n % 5]},vip\r\n`

function writeCsv(file: string, rows: number) {
  const at = openSync(file, 'w')
  writeSync(at, 'id,time,auditee_id,event_type,sub_type,system_source,description,comment,tag\r\n')
  const atOnce = 1000
  for (let n = 0; n < rows; n += atOnce)
    writeSync(at, Array.from({ length: atOnce }, (_, more) => lineOf(n + more)).join(''))
  closeSync(at)
}

const csv: Part = {
  title: 'a large CSV, read and checked, beside papaparse alone',
  async measure({ rounds, small }) {
    const count = small ? 50_000 : 1_000_000
    const file = join(scratch, 'large.csv')
    writeCsv(file, count)
    const names = ['nothing', 'papaparse by row', 'read and checked'] as const
    const [none, byRow, checked] = names
    const ways = names.map((name) => [
      name,
      () => timedNode(tsx('bench/own.ts', 'csv', file, name)),
    ])
    const found = await interleaved<(typeof names)[number]>(Object.fromEntries(ways), rounds)
    const ratio = found.seconds(
      [checked, byRow, none],
      (one = 0, other = 0, nothing = 0) => (one - nothing) / (other - nothing),
    )
    const forEach = (name: typeof byRow | typeof checked): Row => ({
      what: `${name}: memory for each row`,
      unit: 'bytes',
      values: found.told(name, ({ above = Number.NaN }) => above / count),
      ...(name === checked && { most: 100 }),
    })
    return {
      rows: [
        ...names.map((what): Row => {
          const time: Row = { what, unit: 's', values: found.seconds([what]) }
          return what === checked ? { ...time, ratio, most: 2.5 } : time
        }),
        forEach(byRow),
        forEach(checked),
      ],
      notes: [
        `${count} rows of about 250 bytes in a file. Ratio: (reading − nothing) / (papaparse by row − nothing), whole ` +
          'processes. Memory: the peak of the process less what it had before it read.',
      ],
    }
  },
}

const parts: Record<string, Part> = { run, memory, csv }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    small: { type: 'boolean', default: false },
  },
})
const strange = positionals.filter((name) => !parts[name])
if (strange.length > 0) {
  console.error(`${strange.join(', ')} is not a part: ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}

mkdirSync(scratch, { recursive: true })
const size = { rounds: values.small ? 1 : Math.max(1, Number(values.rounds)), small: values.small }
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const part = parts[name] as Part
  console.log(`\n${name}: ${part.title}`)
  const { rows, notes = [] } = await part
    .measure(size)
    .catch((error: Error) => ({ rows: [], notes: [`not measured: ${error.message}`] }))
  const table = rows.length > 0 ? [tableOf(rows)] : []
  console.log(`\n${[...table, ...missingIn(rows), ...notes].join('\n\n')}`)
}
