import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram } from '../selftest/built.ts'
import {
  createPeak,
  idle,
  interleaved,
  nothingChecked,
  type Part,
  type Row,
  scratch,
} from './figures.ts'
import { beside, npmScript, root, type Sample, timed, timedNode, tsx } from './processes.ts'

const names = [
  'nothing',
  'the stream alone',
  'papaparse by row',
  'papaparse by piece',
  'read and checked',
] as const
type Name = (typeof names)[number]

const most = { time: 2.5, bytesPerRow: 100 }

export const csv: Part = {
  title: 'a large CSV, read and checked, beside papaparse alone',
  async measure({ rounds, small }) {
    const rows = small ? 50_000 : 1_000_000
    const file = join(scratch, 'large.csv')
    writeCsv(file, rows)
    const read = (name: Name) => () => timedNode(tsx('bench/processes/csv.ts', file, name))
    const waysOfCsv = Object.fromEntries(names.map((name) => [name, read(name)]))
    const found = await interleaved(waysOfCsv as Record<Name, ReturnType<typeof read>>, rounds)
    const beside = (name: Name, base: Name) =>
      found.seconds(
        [name, base, 'nothing'],
        (one = 0, other = 0, nothing = 0) => (one - nothing) / (other - nothing),
      )
    const checked = 'read and checked'
    return {
      rows: [
        ...names.map((name): Row => {
          const time: Row = { what: name, unit: 's', values: found.seconds([name]) }
          if (name === checked)
            return { ...time, ratio: beside(name, 'papaparse by row'), most: most.time }
          return time
        }),
        {
          what: `${checked}, beside papaparse by piece`,
          unit: '',
          values: beside(checked, 'papaparse by piece'),
        },
        ...(['papaparse by row', checked] as const).map(
          (name): Row => ({
            what: `${name}: memory for each row`,
            unit: 'bytes',
            values: found.told(name, ({ above = Number.NaN }) => above / rows),
            ...(name === checked && { most: most.bytesPerRow }),
          }),
        ),
      ],
      notes: [
        `${rows} rows of about 250 bytes in a file. Ratio: (reading − nothing) / (papaparse by row − nothing), whole processes. Memory: the peak of the process less what it had before it read.`,
      ],
    }
  },
}

/** Some cells have quotes and line breaks, and letters of two and three bytes. */
const comments = [
  '',
  'Please review',
  '"He said ""no"", twice"',
  'Überprüfung 確認',
  '"two\nlines"',
]
const lineOf = (n: number) =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')},2025-06-01T${String(n % 24).padStart(2, '0')}:00:00.000Z,11111111-1111-4111-8111-${String(n % 97).padStart(12, '0')},task,updated,task_platform,task updated by a colleague with a name of some length and a description that goes on,${comments[n % 5]},vip\r\n`

function writeCsv(file: string, rows: number) {
  const at = openSync(file, 'w')
  writeSync(at, 'id,time,auditee_id,event_type,sub_type,system_source,description,comment,tag\r\n')
  const atOnce = 1000
  for (let n = 0; n < rows; n += atOnce) {
    const count = Math.min(atOnce, rows - n)
    writeSync(at, Array.from({ length: count }, (_, more) => lineOf(n + more)).join(''))
  }
  closeSync(at)
}

/** The program as `npm run contract` starts it, npm apart. */
const started = (env: Record<string, string>): Promise<Sample> => {
  const { command, args } = npmScript('contract')
  const peak = createPeak()
  return timed(command, args, { env, look: peak.look }).then((sample) => ({
    ...sample,
    told: { megabytes: peak.megabytes() },
  }))
}

export const memory: Part = {
  title:
    'how much memory a run takes at most: the sum of PSS of its processes, by /proc, npm apart',
  async measure({ rounds }) {
    const found = await interleaved(
      {
        embedded: () => started({ REPORTS_DIR: join(scratch, 'reports'), SEED: '1' }),
        target: async () => {
          const service = await beside<Record<string, string>>('bench/processes/service.ts')
          const folders = {
            REPORTS_DIR: join(scratch, 'reports'),
            JOURNAL_DIR: join(scratch, 'journal'),
          }
          return started({ ...service.told, ...folders }).finally(service.close)
        },
      },
      rounds,
    )
    const of = (name: 'embedded' | 'target') =>
      found.told(name, ({ megabytes = Number.NaN }) => megabytes)
    return {
      rows: [
        {
          what: 'the default run, embedded service',
          unit: 'MB',
          values: of('embedded'),
          most: 560,
        },
        { what: 'a run against a target', unit: 'MB', values: of('target'), most: 500 },
      ],
      notes: ['Looked at every 50 ms. Started as the script of package.json starts it.'],
    }
  },
}

const bare = (...folder: string[]) =>
  timedNode([join(root, 'bench/processes/pdf-parse.mjs'), ...folder])
const own = (way: string) => timedNode(tsx('bench/processes/pdf.ts', scratch, way))

const waysOfPdf = {
  'pdf-parse loaded': () => bare(),
  'pdf-parse alone': () => bare(scratch),
  'the suite’s readers loaded, the CSV read': () => own('nothing'),
  'the number of pages': () => own('the number of pages'),
  'text and events told apart': () => own('text and events told apart'),
}

export const pdf: Part = {
  title: 'a PDF read and its events told apart, beside pdf-parse alone with its text',
  async measure({ rounds, small }) {
    const events = small ? 500 : 5_000
    await timedNode(tsx('bench/processes/exports.ts', scratch, events))
    const found = await interleaved(waysOfPdf, rounds)
    const counted = found.told('text and events told apart', ({ result = 0 }) => result)
    // The suite's thread loads pdf-parse as well, so that its loading is left in both.
    const ratio = found.seconds(
      ['text and events told apart', 'the suite’s readers loaded, the CSV read', 'pdf-parse alone'],
      (told = 0, loaded = 0, alone = 0) => (told - loaded) / alone,
    )
    const names = Object.keys(waysOfPdf) as (keyof typeof waysOfPdf)[]
    return {
      rows: names.map((name) => ({
        what: name,
        unit: 's',
        values: found.seconds([name]),
        ...(name === 'text and events told apart' && { ratio, most: 1.15 }),
      })),
      notes: [
        `${events} events; ${Array.isArray(counted) ? counted[0] : 'none'} of them were found in the PDF. Ratio: (text and events told apart − the suite’s readers loaded, the CSV read) / (pdf-parse alone), whole processes.`,
      ],
    }
  },
}

type Settings = { BASE_URL: string }

/** The default job, beside a bare client that sends the same requests. */
export const run: Part = {
  title: 'the default run on the embedded service, beside bare undici that sends the same requests',
  async measure({ rounds }) {
    await timedNode(tsx('bench/processes/record.ts', scratch))
    const clauses = readFileSync(join(scratch, 'clauses.txt'), 'utf8')
    const check = (flags: string[]) =>
      timedNode(tsx('contract.ts', 'check', '--seed', '1', ...flags), {
        env: { REPORTS_DIR: join(scratch, 'reports') },
        mayEndWith: [flags === idle ? nothingChecked : 0],
      })
    // Each replay has a service of its own that begins as that of a run does.
    const replay = async (recording: string) => {
      const service = await beside<Settings>('bench/processes/service.ts')
      const { origin } = new URL(service.told.BASE_URL)
      const file = join(scratch, `${recording}.json`)
      return timedNode([join(root, 'bench/processes/replay.mjs'), origin, file]).finally(
        service.close,
      )
    }
    const found = await interleaved(
      {
        whole: () => check([]),
        'bare whole': () => replay('whole'),
        apart: () => check(['--clauses', clauses]),
        'bare apart': () => replay('apart'),
        idle: () => check(idle),
        nothing: () => timedNode(['-e', '0']),
      },
      rounds,
    )
    const ratio = (one: 'whole' | 'apart', other: 'bare whole' | 'bare apart') =>
      found.seconds(
        [one, 'idle', other, 'nothing'],
        (run = 0, idle = 0, bare = 0, nothing = 0) => (run - idle) / (bare - nothing),
      )
    const told = (name: 'bare whole' | 'bare apart') => {
      const first = (of: string) => {
        const values = found.told(name, (each) => each[of] ?? 0)
        return Array.isArray(values) ? values[0] : '?'
      }
      return `${first('requests')} requests; ${first('asIs')} of them were answered with the status of the recording`
    }
    const count = clauses.split(',').length
    return {
      rows: [
        {
          what: `the ${count} clauses that fetch no PDF`,
          unit: 's',
          values: found.seconds(['apart']),
          ratio: ratio('apart', 'bare apart'),
          most: 2.5,
        },
        { what: 'their requests, bare', unit: 's', values: found.seconds(['bare apart']) },
        {
          what: 'all clauses',
          unit: 's',
          values: found.seconds(['whole']),
          ratio: ratio('whole', 'bare whole'),
        },
        { what: 'their requests, bare', unit: 's', values: found.seconds(['bare whole']) },
        { what: 'one clause that asks nothing', unit: 's', values: found.seconds(['idle']) },
        { what: 'a process that does nothing', unit: 's', values: found.seconds(['nothing']) },
      ],
      notes: [
        'Ratio: (run − run of one clause that asks nothing) / (bare requests − process that does nothing).',
        `Bare, without PDFs: ${told('bare apart')}. Bare, all: ${told('bare whole')}. The bare client waits where the run waited for an answer, and nowhere else; it has its service in another process.`,
      ],
    }
  },
}

const load = (...modules: string[]) =>
  modules.map((module) => `await import(${JSON.stringify(module)})`).join(';')
const inTsx = (code: string) =>
  timedNode(['--import', 'tsx', '--input-type=module', '-e', `${code};process.exit(0)`])
const program = join(root, 'program/check.ts')

const runIdle = () =>
  timedNode(tsx('contract.ts', 'check', ...idle), {
    env: { REPORTS_DIR: join(scratch, 'reports') },
    mayEndWith: [nothingChecked],
  })

/** What the start of a run is made of: each line has what the line before it had, and more. */
const waysToStart = {
  'node alone': () => timedNode(['-e', '0']),
  'and tsx, which reads TypeScript': () => inTsx('0'),
  'and the program, with vitest and the reference service': () => inTsx(load(program)),
  'a run of one clause that asks nothing: and a worker, all suites, a first look at the service, reports':
    runIdle,
  'the same run, from the package': () =>
    timedNode([builtProgram(), 'check', ...idle], {
      env: { REPORTS_DIR: join(scratch, 'reports') },
      mayEndWith: [nothingChecked],
    }),
  'the list of clauses': () => timedNode(tsx('contract.ts', 'clauses')),
  'the list of clauses, from the package': () => timedNode([builtProgram(), 'clauses']),
}

export const start: Part = {
  title: 'what a run takes before the first clause is judged',
  async measure({ rounds }) {
    const found = await interleaved(waysToStart, rounds)
    const names = Object.keys(waysToStart) as (keyof typeof waysToStart)[]
    return {
      rows: names.map((name): Row => ({ what: name, unit: 's', values: found.seconds([name]) })),
    }
  },
}
