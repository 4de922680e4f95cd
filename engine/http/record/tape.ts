// The record of one thread: its entries as lines of JSON, its exchanges as WARC beside them.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  beginLog,
  type Departure,
  departureNow,
  type Entry,
  endLog,
  logNow,
} from '../../time/entering.ts'
import { chance, clock } from '../../time/timers.ts'
import { secretFinder } from '../redaction.ts'
import { type KeptExchange, keptIn, type Repeated } from './kept.ts'
import { append, fold } from './warc.ts'

/** Where a thread keeps what enters, or where it comes from. */
export type TapePlace = {
  mode: 'record' | 'replay'
  dir: string
  /** of the thread */
  name: string
  /** no file of the record may hold them */
  secrets: readonly string[]
}

/** What a replay could not repeat, and how many requests are not in the record. */
export type Departed = Departure & { missing: number }

export type Tape = TapePlace &
  Repeated & {
    warc: string
    sent: number
    holdsSecret(bytes: Buffer): boolean
    /** record ids by digest of the payload */
    payloads: Map<string, string>
    kept: Map<number, KeptExchange>
    missing: number
  }

let tape: Tape | undefined
let threads = 0
let departures: Departed[] = []

export const tapeNow = (): Tape | undefined => tape

export function startTape(place: TapePlace): void {
  const { mode, dir, name, secrets } = place
  // Where the lines of a PDF are wrapped, blanks are lost.
  const sought = new Set(secrets.flatMap((each) => [each, each.replace(/\s+/g, '')]))
  const finders = [...sought].filter(Boolean).map(secretFinder)
  const [lines, warc] = [join(dir, `${name}.jsonl`), join(dir, `${name}.warc`)]
  threads = 0
  departures = []
  tape = {
    ...place,
    warc,
    sent: 0,
    holdsSecret: (bytes) => finders.some((holds) => holds(bytes)),
    payloads: new Map(),
    kept: mode === 'replay' ? keptIn(warc) : new Map(),
    used: new Set(),
    changes: new Map(),
    lastChange: 0,
    missing: 0,
  }
  if (mode === 'replay') {
    beginLog({ mode, ...readLog(lines, tape.kept) })
    return
  }
  const begun = clock.date()
  const ownChance = chance.hex(32)
  // To open the file for each entry would take a twentieth of the CPU of a run.
  let unwritten = ''
  const flush = () => {
    if (unwritten) appendFileSync(lines, unwritten, { mode: 0o600 })
    unwritten = ''
  }
  const write = (entry: Entry) => {
    unwritten += `${JSON.stringify(entry)}\n`
  }
  write([0, 'begin', { begun, chance: ownChance }])
  const info = Buffer.from('software: task-assignment-contract\r\nformat: WARC File Format 1.1\r\n')
  const fields = { 'WARC-Type': 'warcinfo', 'Content-Type': 'application/warc-fields' }
  append(warc, fields, info, new Date(begun).toISOString())
  beginLog({ mode, begun, chance: ownChance, write, flush })
}

/** Entries up to the last one that the files hold whole: a killed run leaves half of some. */
function readLog(file: string, kept: ReadonlyMap<number, KeptExchange>) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  const all = lines.map((line): Entry => JSON.parse(line))
  const [, , first] = all.shift() ?? []
  const { begun = 0, chance = '' } = (first ?? {}) as { begun?: number; chance?: string }
  const isWhole = all.at(-1)?.[1] === 'end'
  const isLost = ([, key, given]: Entry) => {
    const [kind, n] = key.split(' ')
    return (kind === 'head' && !given) || kind === 'piece' ? !kept.get(Number(n))?.head : false
  }
  const lost = isWhole ? -1 : all.findIndex(isLost)
  return {
    begun,
    chance,
    isWhole,
    entries: all.slice(0, isWhole || lost !== -1 ? lost : undefined),
  }
}

/** Ends the record of this thread, or its replay; returns where this departed. */
export function endTape(): Departed | undefined {
  if (!tape) return undefined
  const [{ warc, missing }, log, departure] = [tape, logNow(), departureNow()]
  const departed = departure && { ...departure, missing }
  if (departed) departures.push(departed)
  endLog()
  tape = undefined
  if (log?.mode !== 'record') return departed
  fold(warc)
  log.write([0, 'end'])
  log.flush()
  return undefined
}

/** What the replays of this process and its threads departed by. */
export const departuresSoFar = (): readonly Departed[] => departures
export const noteDeparture = (departed: Departed): void => void departures.push(departed)

/** The place of a thread that is about to start. */
export function placeOfThread(): TapePlace | undefined {
  if (!tape) return undefined
  const { mode, dir, secrets } = tape
  threads += 1
  return { mode, dir, secrets, name: `clauses-${threads}` }
}
