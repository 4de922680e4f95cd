// Everything from outside enters here, one thing in a turn of the event loop. Between two entries the program
// is a pure function, so their order repeats a run. The clock moves only when something enters.

export type Entry = [at: number, key: string, given?: unknown]

type Log = { begun: number; chance: string } & (
  | { mode: 'record'; write(entry: Entry): void; flush(): void }
  | { mode: 'replay'; entries: readonly Entry[]; isWhole: boolean }
)

/** Where a replay left the order of its record: the program asks for something else. */
export type Departure = { at: number; why: string }

type Replayed = Extract<Log, { mode: 'replay' }>
type Act = (given: unknown) => void
/** `missing`: the record ends before it; `due`: when a timer goes off; `isHere`: it has really come */
type Waiting = { act: Act; missing?: () => void; due?: number; isHere?: boolean }
type Due = { at: number; key: string; act: Act; given?: unknown }

let log: Log | undefined
let at = 0
let began = 0
let counts = new Map<string, number>()
const waiting = new Map<string, Waiting>()
/** what waits for its turn, or after a departure for its time, the next one last; at 0: now */
const due: Due[] = []
let places = new Map<string, number>()
let position = 0
let underWay = 0
let silentTicks = 0
let departure: Departure | undefined
let isTurning = false
let ticking: NodeJS.Timeout | undefined

export const logNow = (): Log | undefined => log
export const departureNow = (): Departure | undefined => departure
export const standsAt = (): number => at

export function beginLog(kept: Log): void {
  ;[log, at, position, underWay, departure] = [kept, 0, 0, 0, undefined]
  ;[silentTicks, counts] = [0, new Map()]
  began = performance.now()
  if (kept.mode === 'record') {
    // A killed run loses no more than this.
    ticking = setInterval(kept.flush, 100).unref()
    return
  }
  places = new Map(kept.entries.map(([, key], place) => [key, place]))
  // A replay sets no real timer and opens no socket: something has to keep the process alive.
  ticking = setInterval(noticeSilence, 1000)
}

export function endLog(): void {
  clearInterval(ticking)
  const left = log?.mode === 'record' ? due.splice(0).reverse() : []
  log = undefined
  waiting.clear()
  due.length = 0
  for (const { act, given } of left) act(given)
}

export function numbered(kind: string): string {
  const n = (counts.get(kind) ?? 0) + 1
  counts.set(kind, n)
  return `${kind} ${n}`
}

export function enter(key: string, act: Act, given?: unknown): void {
  if (!log) return void act(given)
  if (log.mode === 'replay' && !departure) waiting.set(key, { act: () => act(given), isHere: true })
  else schedule({ at: 0, key, act, given })
  wake()
}

/** From the main thread: if it left its record, so does this one. A record that has ended lacks it. */
export function enterSent(what: string, hasLeft: boolean, act: Act): void {
  if (hasLeft) depart('the replay was ended')
  enter(numbered(`sent ${what}`), act)
}

/** Waits for what only the record brings; after a departure it comes `later` than in the record. */
export function awaitEntry(key: string, one: Waiting, later = 0): void {
  if (log?.mode !== 'replay') return
  if (departure) scheduleAsRecorded(log, key, one, later)
  else waiting.set(key, one)
  wake()
}

function scheduleAsRecorded(kept: Replayed, key: string, one: Waiting, later: number): void {
  const { act, missing, due: timer } = one
  const [then, , given] = entryOf(kept, key) ?? []
  if (timer !== undefined) schedule({ at: timer, key, act })
  else if (then !== undefined) schedule({ at: Math.max(at, then + later), key, act, given })
  else if (!kept.isWhole && missing) schedule({ at, key, act: missing })
}

const entryOf = ({ entries }: Replayed, key: string) => entries[places.get(key) ?? -1]

/** How much later than in its record, which it left, a replay stands now. */
export function laterThan(key: string): number | undefined {
  const then = log?.mode === 'replay' && departure ? entryOf(log, key) : undefined
  return then && at - then[0]
}

export function fact<T>(read: () => T): T {
  const [, key, given] = (log?.mode === 'replay' && !departure && log.entries[position]) || []
  if (key === 'fact') position += 1
  const value = key === 'fact' ? ((given ?? undefined) as T) : read()
  if (log?.mode === 'record') log.write([at, 'fact', value ?? null])
  return value
}

/** Real work goes on, such as a thread: a replay waits for what it brings. */
export function hold(): () => void {
  underWay += 1
  let isOver = false
  return () => {
    if (!isOver) underWay = Math.max(0, underWay - 1)
    isOver = true
    wake()
  }
}

type Failed = { failed: { name: string; message: string; code?: unknown } }

const failedBy = (error: unknown): Failed => {
  const { name, message, code } = error as NodeJS.ErrnoException
  return { failed: { name, message, ...(code ? { code } : {}) } }
}

/** How a promise enters: under a key of its own; `isWork`: it settles without anything else that enters */
type How<T> = { key?: string; isWork?: boolean; given?: (value: T) => unknown }

/** what it gave is kept where `given` names it */
export function entered<T>(kind: string, begin: () => Promise<T>, how: How<T> = {}): Promise<T> {
  if (!log) return begin()
  const { key = numbered(kind), isWork = true, given } = how
  const release = isWork ? hold() : () => {}
  return new Promise<T>((resolve, reject) => {
    begin()
      .then(
        (value) => enter(key, () => resolve(value), given?.(value)),
        (error) => enter(key, () => reject(error), given && failedBy(error)),
      )
      .finally(release)
  })
}

/** `given` keeps the sizes of pieces, and -1 for the end */
export async function* entering<T extends { length: number }>(
  inner: AsyncIterable<T>,
  kind: string,
  isKept = false,
): AsyncGenerator<T> {
  if (!log) return yield* inner
  const pieces = inner[Symbol.asyncIterator]()
  const given = ({ done, value }: IteratorResult<T>) => (done ? -1 : value.length)
  const how = { isWork: false, ...(isKept && { given }) }
  try {
    for (;;) {
      const piece = await entered(kind, () => pieces.next(), how)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    void pieces.return?.()
  }
}

export const recalled = (key: string, missing: () => Error, later: number): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const act = (given: unknown) => {
      const { failed } = (given ?? {}) as Partial<Failed>
      if (failed) reject(Object.assign(new Error(), failed))
      else resolve(given)
    }
    awaitEntry(key, { act, missing: () => reject(missing()) }, later)
  })

function wake(): void {
  if (isTurning || !log) return
  isTurning = true
  // A turn of its own for each entry: microtasks have run before the next one.
  setImmediate(turn)
}

function turn(): void {
  isTurning = false
  const act = log && (log.mode === 'record' || departure ? nextDue(log) : nextInOrder(log))
  if (!act) return
  // Before it acts: an error in a timer does not stop the others.
  wake()
  act()
}

function nextDue(kept: Log): (() => void) | undefined {
  const next = due.at(-1)
  if (!next || (next.at > 0 && underWay > 0)) return undefined
  due.pop()
  const { key, act, given } = next
  if (kept.mode === 'replay') at = Math.max(at, next.at)
  else {
    at = Math.round((performance.now() - began) * 100) / 100
    kept.write(given === undefined ? [at, key] : [at, key, given])
  }
  return () => act(given)
}

export const endsHere = 'the record ends before its run did, which was killed'

function nextInOrder({ entries, isWhole }: Replayed): (() => void) | undefined {
  const next = entries[position]
  const [then = 0, key = '', given] = next ?? []
  const one = waiting.get(key)
  if (one) {
    waiting.delete(key)
    position += 1
    silentTicks = 0
    at = then
    return () => one.act(given)
  }
  if (!next && !isWhole) depart(endsHere)
  return undefined
}

/** What another thread sends takes its time, and so does real work; a timer that is not set never comes. */
function noticeSilence(): void {
  const key = (log?.mode === 'replay' && log.entries[position]?.[1]) || 'said '
  silentTicks += 1
  // At the beginning the suites are loaded.
  const most = underWay > 0 || position === 0 || key.startsWith('sent ') ? 120 : 5
  if (silentTicks > most && !(underWay > 0 && /^(said|news) /.test(key)))
    depart(`the record goes on with "${key}", which does not come now`)
}

export function depart(why: string): void {
  if (log?.mode !== 'replay' || departure) return
  departure = { at, why }
  for (const [key, one] of waiting)
    if (one.isHere) schedule({ at: 0, key, act: one.act })
    else scheduleAsRecorded(log, key, one, 0)
  waiting.clear()
  wake()
}

/** Of two at one time the one that was set first comes first. */
function schedule(one: Due): void {
  due.splice(due.findLastIndex((each) => each.at > one.at) + 1, 0, one)
  wake()
}

/** Forgets a timer that is off: it must not move the clock. */
export function forget(key: string): void {
  if (!places.has(key)) waiting.delete(key)
  const at = key && departure ? due.findIndex((one) => one.key === key) : -1
  if (at !== -1) due.splice(at, 1)
}
