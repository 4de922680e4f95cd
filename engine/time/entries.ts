// Everything that comes from outside enters here, one thing in a turn of the event loop: answers, pieces of
// bodies, timers, messages of threads, loaded modules. Between two entries the program is a pure function, so
// their order repeats a run. The clock moves only when something enters.

/** What entered: milliseconds since the record began, what it was, and what came with it. */
export type Entry = [at: number, key: string, given?: unknown]

/** Where the entries of a thread are kept, or come from. */
export type Log =
  | { mode: 'record'; begun: number; chance: string; write(entry: Entry): void }
  | { mode: 'replay'; begun: number; chance: string; entries: readonly Entry[]; isWhole: boolean }

/** Where a replay left the order of its record: other code asks for other things. */
export type Departure = { at: number; entry: number; why: string }

type Act = (given: unknown) => void
/** `missing`: the record ends before it, or does not hold it */
type Awaited = { act: Act; missing: () => void }
type Due = { at: number; act: () => void }

const idle = {
  at: 0,
  came: [] as { key: string; act: Act; given?: unknown }[],
  /** replaying: what has come and waits for its turn in the record */
  early: new Map<string, Act>(),
  /** replaying: what only the record brings */
  awaited: new Map<string, Awaited>(),
  /** replaying: the timers that are set, by number */
  timers: new Map<string, Due>(),
  /** after a departure: what is to come, the next one last */
  due: [] as Due[],
  position: 0,
  underWay: 0,
  stalled: 0,
  silentTicks: 0,
  departure: undefined as Departure | undefined,
}

let log: Log | undefined
let state = { ...idle }
let began = 0
let isTurning = false
let keeping: NodeJS.Timeout | undefined
let counts = new Map<string, number>()
let places = new Map<string, number>()

export const modeOf = (): 'plain' | Log['mode'] => log?.mode ?? 'plain'

export const departureOf = (): Departure | undefined => state.departure

/** Milliseconds since the record began, as the last entry left them. */
export const standsAt = (): number => state.at

export const beganAt = (): number => log?.begun ?? 0

export const chanceOf = (): string | undefined => log?.chance

/** From now on everything that enters is kept, or comes from a record. */
export function beginLog(kept: Log): void {
  log = kept
  state = {
    ...idle,
    came: [],
    early: new Map(),
    awaited: new Map(),
    timers: new Map(),
    due: [],
  }
  counts = new Map()
  began = performance.now()
  if (kept.mode === 'record') return
  places = new Map(kept.entries.map(([, key], place) => [key, place]))
  // A replay sets no real timer and opens no socket: something has to keep the process alive.
  keeping = setInterval(noticeSilence, 1000)
}

/** Ends it: what comes later is let in at once. */
export function endLog(): void {
  clearInterval(keeping)
  const waiting = [
    ...state.came.map(
      ({ act, given }) =>
        () =>
          act(given),
    ),
  ]
  log = undefined
  state.came = []
  for (const act of waiting) act()
}

/** The next number of its kind. */
export function numbered(kind: string): string {
  const n = (counts.get(kind) ?? 0) + 1
  counts.set(kind, n)
  return `${kind} ${n}`
}

/** Lets in what has really come, in its turn. */
export function enter(key: string, act: Act, given?: unknown): void {
  if (!log) {
    act(given)
    return
  }
  if (log.mode === 'replay' && !state.departure) state.early.set(key, () => act(given))
  else state.came.push({ key, act, given })
  wake()
}

/** Waits for what only a record brings. `after`: how much later than there, once the order is left. */
export function awaitEntry(key: string, awaited: Awaited, after = 0): void {
  if (!state.departure) state.awaited.set(key, awaited)
  else letIn(key, awaited, after)
  wake()
}

function letIn(key: string, { act, missing }: Awaited, after: number): void {
  if (log?.mode !== 'replay') return
  const [at, , given] = log.entries[places.get(key) ?? -1] ?? []
  if (at !== undefined) schedule({ at: Math.max(state.at, at + after), act: () => act(given) })
  else if (!log.isWhole) schedule({ at: state.at, act: missing })
}

/** When something entered in the record that is replayed. */
export const enteredAt = (key: string): number | undefined =>
  log?.mode === 'replay' ? log.entries[places.get(key) ?? -1]?.[0] : undefined

/** A timer of a replay: it goes off where it went off in the record. */
export function awaitTimer(key: string, ms: number, act: () => void): void {
  const due = { at: state.at + ms, act }
  if (state.departure) schedule(due)
  else {
    if (places.has(key)) state.awaited.set(key, { act, missing: act })
    state.timers.set(key, due)
  }
  wake()
}

export const forgetTimer = (key: string): void => void state.timers.delete(key)

/** A fact that is read from outside at once, such as a lock of another run. */
export function fact<T>(read: () => T): T {
  if (!log) return read()
  if (log.mode === 'record') {
    const value = read()
    log.write([state.at, 'fact', value ?? null])
    return value
  }
  const [, key, given] = log.entries[state.position] ?? []
  if (state.departure || key !== 'fact') return read()
  state.position += 1
  return (given ?? undefined) as T
}

/** Real work goes on, such as a thread: a replay waits for what it brings. */
export function hold(): () => void {
  state.underWay += 1
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    state.underWay -= 1
    wake()
  }
}

/** A promise from outside, settled in its turn. `isWork`: it settles without anything else that enters. */
export function entered<T>(kind: string, begin: () => Promise<T>, isWork = true): Promise<T> {
  if (!log) return begin()
  const key = numbered(kind)
  const release = isWork ? hold() : () => {}
  return new Promise<T>((resolve, reject) => {
    const ended = (act: () => void) => {
      enter(key, act)
      release()
    }
    begin().then(
      (value) => ended(() => resolve(value)),
      (error) => ended(() => reject(error)),
    )
  })
}

/** The pieces of what comes from outside, each in its turn. */
export async function* entering<T>(inner: AsyncIterable<T>, kind: string): AsyncGenerator<T> {
  if (!log) return yield* inner
  const pieces = inner[Symbol.asyncIterator]()
  try {
    for (;;) {
      const piece = await entered(kind, () => pieces.next(), false)
      if (piece.done) return
      yield piece.value
    }
  } finally {
    void pieces.return?.()
  }
}

function wake(): void {
  if (isTurning || !log) return
  isTurning = true
  // A turn of its own for each entry: microtasks have run before the next one.
  setImmediate(turn)
}

function turn(): void {
  isTurning = false
  if (!log) return
  const act = log.mode === 'record' ? nextThatCame(log) : nextReplayed(log)
  if (!act) return
  // An error in a timer does not stop the others.
  wake()
  act()
}

function nextThatCame({ write }: Log & { mode: 'record' }): (() => void) | undefined {
  const next = state.came.shift()
  if (!next) return undefined
  const { key, act, given } = next
  state.at = Math.round((performance.now() - began) * 100) / 100
  write(given === undefined ? [state.at, key] : [state.at, key, given])
  return () => act(given)
}

/** How many turns without anything show that nothing is under way. */
const quietTurns = 20

function nextReplayed({ entries, isWhole }: Log & { mode: 'replay' }): (() => void) | undefined {
  if (state.departure) return nextWithoutOrder()
  const next = entries[state.position]
  const [at = 0, key = '', given] = next ?? []
  const act = state.awaited.get(key)?.act ?? state.early.get(key)
  if (act) {
    for (const each of [state.awaited, state.early, state.timers]) each.delete(key)
    state.position += 1
    state.stalled = 0
    state.at = at
    return () => act(given)
  }
  // What another thread sends takes its time; the end of a whole record is the end.
  if (state.underWay > 0 || key.startsWith('told ') || (!next && isWhole)) return undefined
  state.stalled += 1
  if (state.stalled > quietTurns)
    depart(next ? `${key} does not come` : 'the record ends here: its run was killed')
  wake()
  return undefined
}

const mostSilentTicks = 10

/** The other thread does not send what it sent in the record. */
function noticeSilence(): void {
  if (log?.mode !== 'replay' || state.departure) return
  const [, key = ''] = log.entries[state.position] ?? []
  state.silentTicks = key.startsWith('told ') ? state.silentTicks + 1 : 0
  if (state.silentTicks > mostSilentTicks) depart(`${key} does not come`)
}

/** Leaves the order of the record. What is under way comes when it came there. */
export function depart(why: string): void {
  if (log?.mode !== 'replay' || state.departure) return
  state.departure = { at: state.at, entry: state.position, why }
  const { early, awaited, timers } = state
  for (const [key, act] of early) state.came.push({ key, act })
  for (const due of timers.values()) schedule(due)
  for (const [key, each] of awaited) if (!key.startsWith('timer ')) letIn(key, each, 0)
  for (const each of [early, awaited, timers]) each.clear()
  wake()
}

function nextWithoutOrder(): (() => void) | undefined {
  const next = state.came.shift()
  if (next) return () => next.act(next.given)
  if (state.underWay > 0) return undefined
  const due = state.due.pop()
  if (due) state.at = Math.max(state.at, due.at)
  return due?.act
}

/** Of two at one time the one that was set first comes first. */
function schedule(one: Due): void {
  const { due } = state
  let [from, to] = [0, due.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (one.at < (due[middle] as Due).at) from = middle + 1
    else to = middle
  }
  due.splice(from, 0, one)
  wake()
}
