import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Impossible } from '../../impossible.ts'
import { parsed } from '../../parsed.ts'
import type { Departure, Entry } from '../../time/entering.ts'
import { beginLog, depart, departureNow, endLog, logNow } from '../../time/entering.ts'
import { chance, clock } from '../../time/timers.ts'
import { secretFinder } from '../redaction.ts'
import { bytesOf, createWarc, httpIn, recordsIn } from './warc.ts'

export type TapePlace = {
  mode: 'record' | 'replay'
  dir: string
  name: string
  secrets: readonly string[]
}

export type Departed = Departure & { missing: number }

export type Tape = ReturnType<typeof createTape>

let tape: Tape | undefined
let threads = 0
let departures: Departed[] = []

export const tapeNow = (): Tape | undefined => tape

function createTape(place: TapePlace, file: string) {
  // Where the lines of a PDF are wrapped, blanks are lost.
  const sought = new Set(place.secrets.flatMap((each) => [each, each.replace(/\s+/g, '')]))
  const finders = [...sought].filter(Boolean).map(secretFinder)
  return {
    ...place,
    warc: createWarc(file),
    /** the whole record is in memory at its end */
    room: 1024 * 1024 * 1024,
    sent: 0,
    holdsSecret: (bytes: Buffer | 'unsearched') =>
      bytes === 'unsearched' ||
      finders.some((holds) => holds(bytes)) ||
      [...sought].some((secret) => endsWithPart(bytes, secret)),
    payloads: new Map<string, string>(),
    kept: place.mode === 'replay' ? keptIn(file) : new Map<number, KeptExchange>(),
    used: new Set<number>(),
    changes: new Map<string, number>(),
    lastChange: 0,
    missing: 0,
  }
}

export function startTape(place: TapePlace): void {
  const { mode, dir, name } = place
  const lines = join(dir, `${name}.jsonl`)
  threads = 0
  departures = []
  tape = createTape(place, join(dir, `${name}.warc`))
  if (mode === 'replay') {
    beginLog({ mode, ...readLog(lines, tape.kept) })
    return
  }
  const { warc } = tape
  const begun = clock.date()
  const ownChance = chance.hex(32)
  // Opening the file for each entry would take a twentieth of the CPU of a run.
  let unwritten = ''
  const flush = () => {
    // An entry is of no use without its exchange.
    warc.flush()
    if (unwritten) appendFileSync(lines, unwritten, { mode: 0o600 })
    unwritten = ''
  }
  const write = (entry: Entry) => {
    unwritten += `${JSON.stringify(entry)}\n`
  }
  write([0, 'begin', { begun, chance: ownChance }])
  const info = Buffer.from('software: task-assignment-contract\r\nformat: WARC File Format 1.1\r\n')
  const fields = { 'WARC-Type': 'warcinfo', 'Content-Type': 'application/warc-fields' }
  warc.append(fields, [info], new Date(begun).toISOString())
  beginLog({ mode, begun, chance: ownChance, write, flush })
}

function endsWithPart(bytes: Buffer, secret: string): boolean {
  const text = bytes.toString('latin1', bytes.length - 2000)
  const at = secret.length < 4 ? -1 : text.lastIndexOf(secret.slice(0, 4))
  return at !== -1 && secret.startsWith(text.slice(at))
}

/** A killed run leaves half of some entries. */
function readLog(file: string, kept: ReadonlyMap<number, KeptExchange>) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const all = lines.map((line, at): Entry => {
    const entry = parsed(line)
    if (Array.isArray(entry) && typeof entry[1] === 'string') return entry as unknown as Entry
    throw new Impossible(`${file}: line ${at + 1} is not an entry; give a record as a run left it.`)
  })
  const { begun = 0, chance = '' } = (all.shift()?.[2] ?? {}) as { begun?: number; chance?: string }
  if (all.at(-1)?.[1] === 'end') return { begun, chance, isWhole: true, entries: all.slice(0, -1) }
  const lost = all.findIndex(([, key, given]) => {
    const [kind, n] = key.split(' ')
    const needsAnswer = kind === 'piece' || (kind === 'head' && !given)
    return needsAnswer && !kept.get(Number(n))?.head
  })
  return { begun, chance, isWhole: false, entries: lost === -1 ? all : all.slice(0, lost) }
}

export function endTape(): Departed | undefined {
  if (!tape) return undefined
  const [{ missing }, log, departure] = [tape, logNow(), departureNow()]
  const departed = departure && { ...departure, missing }
  if (departed) departures.push(departed)
  endLog()
  tape = undefined
  if (log?.mode !== 'record') return departed
  log.write([0, 'end'])
  log.flush()
  return undefined
}

export const departuresSoFar = (): readonly Departed[] => departures
export const noteDeparture = (departed: Departed): void => void departures.push(departed)

export function placeOfThread(): TapePlace | undefined {
  if (!tape) return undefined
  const { mode, dir, secrets } = tape
  threads += 1
  return { mode, dir, secrets, name: `clauses-${threads}` }
}

type KeptExchange = {
  n: number
  request: string
  method: string
  path: string
  head?: { statusCode: number; headers: Record<string, string | string[] | undefined> }
  body?: Buffer
  leftOut?: string
}

type Asked = Pick<KeptExchange, 'method' | 'path' | 'request'>

/** without its traceparent, which only identifies it */
function askedIn(block: Buffer): Asked {
  const [method = '', path = ''] = httpIn(block).first.split(' ')
  return { method, path, request: block.toString('latin1').replace(/^traceparent: .*\r\n/m, '') }
}

function keptIn(file: string): Map<number, KeptExchange> {
  const all = new Map<number, KeptExchange>()
  const bodies = new Map<string, Buffer>()
  for (const { fields, block } of recordsIn(bytesOf(file))) {
    const n = Number(fields.Exchange)
    const type = fields['WARC-Type']
    if (type === 'request') all.set(n, { n, ...askedIn(block) })
    const kept = all.get(n)
    if (!kept || (type !== 'response' && type !== 'revisit')) continue
    const { first, headers, body } = httpIn(block)
    kept.head = { statusCode: Number(first.split(' ')[1]), headers }
    kept.body = type === 'response' ? body : bodies.get(fields['WARC-Refers-To'] ?? '')
    if (type === 'response') bodies.set(fields['WARC-Record-ID'] ?? '', body)
    if (fields['Left-Out']) kept.leftOut = fields['Left-Out']
  }
  return all
}

const resourceOf = ({ method, path }: Asked): string =>
  method === 'GET' ? path.replace(/\?.*/, '') : path.replace(/\/[^/]*$/, '')

export function answerIn(tape: Tape, block: Buffer): KeptExchange | undefined {
  const asked = askedIn(block)
  tape.sent += 1
  const next = departureNow() ? undefined : tape.kept.get(tape.sent)
  const named = ({ method, path }: Asked) => `${method} ${path}`
  const [then, now] = [next ? named(next) : 'nothing', named(asked)]
  if (next?.request !== asked.request)
    depart(
      `request ${tape.sent} was ${then}, and ${then === now ? 'has other headers or another body' : `is ${now}`} now`,
    )
  const found = departureNow() ? findByRequest(asked, tape) : next
  if (!found || tape.used.has(found.n)) return found
  tape.used.add(found.n)
  // Unless it was rejected, an update may have changed its resource.
  const resource = resourceOf(found)
  if (isChange(found)) {
    tape.changes.set(resource, (tape.changes.get(resource) ?? 0) + 1)
    tape.lastChange = Math.max(tape.lastChange, found.n)
  }
  return found
}

const isChange = ({ method, head }: KeptExchange) =>
  method !== 'GET' && !(head && head.statusCode >= 400 && head.statusCode < 500)

const endOf = (path: string): number =>
  Date.parse(/[?&]\w*end=([^&]*)/.exec(path)?.[1]?.replaceAll('%3A', ':') ?? '')

/**
 * Of an exchange in the same state: its resource was changed as often. If nothing changed the resource, it came
 * after the last change of all, or its range was over when the record began. Only a read is repeated twice.
 */
function findByRequest(asked: Asked, tape: Tape): KeptExchange | undefined {
  const { kept, used, changes, lastChange } = tape
  const resource = resourceOf(asked)
  const isOfIt = (one: KeptExchange) => isChange(one) && resourceOf(one) === resource
  const all = [...kept.values()]
  const hasOwn = all.some(isOfIt)
  const isOver = endOf(asked.path) < (logNow()?.begun ?? 0)
  let before = 0
  const alike = all.filter((one) => {
    const isAlike = one.request === asked.request && before === (changes.get(resource) ?? 0)
    if (isOfIt(one)) before += 1
    return isAlike && (hasOwn || isOver || one.n > lastChange)
  })
  const last = asked.method === 'GET' ? alike.at(-1) : undefined
  return alike.find(({ n }) => !used.has(n)) ?? last
}
