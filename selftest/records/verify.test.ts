import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Impossible } from '../../engine/impossible.ts'
import { countsOf, type Report } from '../../engine/run/report.ts'
import { digestsOf } from '../../program/run/record.ts'
import { madeBy } from '../../program/run/version.ts'
import { replayOf, verify } from '../../program/verify.ts'
import { sealOf } from '../../reporting/seal.ts'
import { cases, isLong } from '../long.ts'
import { openTestFolder, openWorkerFolder } from '../test-end.ts'
import { differencesOf, recordsIn, reportIn, type Written, writtenOf } from './recording.ts'

const all = join(import.meta.dirname, 'kept')
const kept = join(all, 'a-small-service-that-loses-updates')
/** The run as if this commit had made it: another suite may ask for other things. */
const honest = openWorkerFolder()

const replays = new Map<string, Promise<Report>>()
/** Replays a record once. */
function replayOnce(record: string): Promise<Report> {
  const key = JSON.stringify(digestsOf(record))
  const found = replays.get(key) ?? replayOf(record)
  replays.set(key, found)
  return found
}

const seal = (report: Written) => Object.assign(report, { seal: sealOf(report) })
const write = (place: string, report: Written) =>
  writeFileSync(join(place, 'report.json'), JSON.stringify(report))

beforeAll(() => {
  cpSync(kept, honest, { recursive: true })
  const file = join(honest, 'record/record.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), madeBy }))
  const report = { ...reportIn(kept), ...madeBy, record: digestsOf(join(honest, 'record')) }
  write(honest, seal(report))
})

async function verified(place: string): Promise<{ code: number; output: string }> {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const argv = [join(place, 'report.json')]
  const code = await verify({ argv, env: {}, cwd: place, out, replay: replayOnce })
  return { code, output: output.join('') }
}

const advice = (places: readonly string[], why: string | undefined) =>
  `A run of this commit is not what its record holds${why ? `: ${why}` : ''}. If the suite asks for other things, or
judges otherwise, on purpose, record anew: npm run prove -- records write selftest/records/kept
If code was only moved, this change is a mistake. It differs at:
${places.slice(0, 5).join('\n')}`

// `npm test` replays the one with a breach, `npm run long` that of the lawful service too.
const tried = recordsIn(all).filter((name) => isLong || join(all, name) === kept)
test.each(tried)('the record of %s is replayed exactly', async (name) => {
  const place = join(all, name)
  const report = await replayOnce(join(place === kept ? honest : place, 'record'))
  const { places } = differencesOf(reportIn(place), writtenOf(report))
  const why = report.replayed?.departed?.why
  expect(places, advice(places, why)).toEqual([])
  expect(why, advice([], why)).toBeUndefined()
})

test('every verdict of an honest report is confirmed', async () => {
  const { code, output } = await verified(honest)
  expect(output).toMatch(/^NOT CONTRADICTED by the replay of .*: \d+ verdicts confirmed, 0 contrad/)
  expect(code, output).toBe(0)
})

type Part = Record<string, unknown>
/** What flags add to a report, as a replay has other flags; and what is made anew after a change. */
const leftOut = ['waiver', 'drift', 'newerThan', 'repeat', 'counts', 'seal']

/** Each member of a value that holds no others, with its parent. */
const leavesOf = (value: object): [Part, string][] =>
  Object.entries(value).flatMap(([name, part]): [Part, string][] => {
    if (leftOut.includes(name)) return []
    return part && typeof part === 'object' ? leavesOf(part) : [[value as Part, name]]
  })

/** What a replay says again: its clauses, the exchanges that they depend on, and what the run did. */
function leavesOfReplay(report: Written): [Part, string][] {
  const { clauses, exchanges, settings = {} } = report
  const used = new Set(clauses.flatMap(({ evidence }) => evidence.map(({ exchange }) => exchange)))
  const run = ['requests', 'seed', 'startedAt', 'durationMs', 'restored'].map(
    (name): [Part, string] => [report as unknown as Part, name],
  )
  return [
    ...leavesOf([clauses, exchanges.filter(({ number }) => used.has(number)), settings]),
    ...run,
  ]
}

const changed = (value: unknown) =>
  typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value ?? ''}0`

/** What is said of the honest report with a change, whose counts and perhaps seal are made anew. */
async function saidAfter(change: (report: Written) => unknown, sealsAnew: boolean) {
  const place = openTestFolder()
  cpSync(honest, place, { recursive: true })
  const report = reportIn(place)
  change(report)
  report.counts = countsOf(report.clauses)
  write(place, sealsAnew ? seal(report) : report)
  return verified(place).catch((error) => {
    // Not a report any more.
    if (error instanceof Impossible) return { code: 1, output: error.message }
    throw error
  })
}

test.each([
  ['changed', leavesOf, false],
  ['changed, also if its seal is made anew,', leavesOfReplay, true],
] as const)('a report in which a member was %s is contradicted', async (_, leaves, sealsAnew) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (nth) => {
      let what = ''
      const { code, output } = await saidAfter((report) => {
        const all = leaves(report)
        const [part, name] = all[nth % all.length] as [Part, string]
        part[name] = changed(part[name])
        what = `${name} is ${part[name]}`
      }, sealsAnew)
      expect(code, `${what}: ${output}`).toBe(1)
    }),
    { numRuns: cases(isLong ? 60 : 30) },
  )
})

test('a report without one of its clauses or exchanges is contradicted', async () => {
  for (const list of ['clauses', 'exchanges'] as const)
    for (const sealsAnew of [false, true])
      expect((await saidAfter((report) => report[list].shift(), sealsAnew)).code).toBe(1)
})

/** The first message with this line, by the number of its exchange: its request, or the answer to that. */
function indexOf(warc: readonly string[], request: RegExp, type = /request/): number {
  const asked = warc.find((each) => /Type: request/.test(each) && request.test(each)) ?? ''
  const [exchange = 'none'] = /Exchange: \d+\r/.exec(asked) ?? []
  return warc.findIndex((each) => each.includes(exchange) && type.test(each))
}
const inAnswer =
  (request: RegExp, from: RegExp, to: string) =>
  (warc: string[]): string[] => {
    const at = indexOf(warc, request, /Type: re(sponse|visit)/)
    return warc.with(at, (warc[at] ?? '').replace(from, to))
  }
const read = /\nGET \/v?5?\/?tasks\/[\da-f-]{36} /
const fileOf = (type: string) => new RegExp(`\\nGET \\S*/export\\?\\S*file_type=${type}`)
const heads = (log: readonly string[]) =>
  log.flatMap((each, at) => (/"head /.test(each) ? [at] : []))

const departed = 'the record is not of this run, which the same suite made: '
const warc = 'clauses-1.warc.br'
const log = 'clauses-1.jsonl'

/** Changes to the record by hand, in its messages or lines, without making them longer; and what the replay shows of each. */
// biome-ignore format: one change a line
const inRecord: [what: string, file: string, change: (parts: string[]) => string[], replayed: string][] = [
  ['a status', warc, inAnswer(read, /1\.1 200/, '1.1 201'), 'status is 200'],
  ['a header', warc, inAnswer(read, /application\/json/, 'application/jsom'), 'headers, content-type is'],
  ['an id', warc, inAnswer(read, /"id":"./, '"id":"x'), 'verdict is "pass"'],
  ['a cell of a CSV', warc, inAnswer(fileOf('csv'), /\r\n\r\nid,/, '\r\n\r\nit,'), 'bodySha256 is'],
  ['a page of a PDF', warc, inAnswer(fileOf('pdf'), /\/Type \/Page\n/, '/Type /Pane\n'), 'export.'],
  ['a request left out', warc, (all) => all.toSpliced(indexOf(all, read), 1), departed],
  ["the key's place", warc, (all) => all.map((each) => each.replace(/apikey: /, 'apikez: ')), departed],
  ['the time of entries', log, (all) => all.map((each, at) => (at > (heads(all)[20] ?? 0) ? each.replace(/^\[(\d+)/, (_, ms) => `[${Number(ms) + 5}`) : each)), 'is '],
  ['an entry left out', log, (all) => all.toSpliced(heads(all)[30] ?? 0, 1), departed],
  ['when it began', log, (all) => all.map((each) => each.replace(/"begun":(\d+)/, (_, ms) => `"begun":${Number(ms) + 5000}`)), 'start is'],
  ['a wait', 'record.json', (all) => all.map((each) => each.replace(/"settleMs":\s*\d+/, '"settleMs":2000')), ''],
]

test.each(isLong ? inRecord : [])(
  'what was changed in the record is found, with and without new digests: %s',
  async (_, name, change, replayed) => {
    const place = openTestFolder()
    cpSync(honest, place, { recursive: true })
    const file = join(place, 'record', name)
    const isPacked = name.endsWith('.br')
    const bytes = isPacked ? brotliDecompressSync(readFileSync(file)) : readFileSync(file)
    const then = bytes.toString('latin1')
    const now = change(then.split(isPacked ? /(?=WARC\/1\.1\r\n)/ : /(?<=\n)/)).join('')
    expect(now).not.toBe(then)
    const text = Buffer.from(now, 'latin1')
    writeFileSync(file, isPacked ? brotliCompressSync(text) : text)
    for (const said of [`${name} of the record changed since the run`, replayed]) {
      const { code, output } = await verified(place)
      const lines = output.split('\n').filter((line) => line.startsWith('contradicted'))
      expect(lines.join('\n'), output).toContain(said)
      expect(code).toBe(1)
      write(place, seal({ ...reportIn(place), record: digestsOf(join(place, 'record')) }))
    }
  },
)
