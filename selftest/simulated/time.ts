// Simulated time: everything in this process that waits or reads the clock, libraries included,
// uses a clock that jumps to the next timer when there is nothing else to do. It replaces globals
// in this process alone: an imported clock would change a hundred places of the product, and timers
// of libraries would stay in real time.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import promises from 'node:timers/promises'
import zlib from 'node:zlib'

const real = {
  Date,
  now: performance.now,
  timers: { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate },
  promises: { setTimeout: promises.setTimeout, setImmediate: promises.setImmediate },
}

/** Every simulation begins at the same instant, a whole second, so that results repeat. */
const loaded = performance.now()
const beginning = loaded - ((performance.timeOrigin + loaded) % 1000)

type Timer = { at: number; every?: number; act: () => void; isOff: boolean }

let now = beginning
/** Those that wait; the next one is the last. */
let alarms: Timer[] = []
let ready: Timer[] = []
let realWork = 0
let isTurning = false
let isSimulated = false

/** Adds a timer; of two at one time the one that was set first goes off first. */
function push(timer: Timer): void {
  let [from, to] = [0, alarms.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (timer.at < (alarms[middle] as Timer).at) from = middle + 1
    else to = middle
  }
  alarms.splice(from, 0, timer)
}

/** One turn of the loop: everything that was ready has run, microtasks too. */
function turn(): void {
  isTurning = false
  if (ready.length > 0) for (const each of ready.splice(0)) run(each)
  else if (realWork === 0) {
    let next = alarms.pop()
    while (next?.isOff) next = alarms.pop()
    if (next) {
      now = Math.max(now, next.at)
      run(next)
    }
  }
  wake()
}

function run(timer: Timer): void {
  if (timer.isOff) return
  if (timer.every === undefined) timer.isOff = true
  else {
    timer.at = now + timer.every
    push(timer)
  }
  // An error in a timer does not stop the loop, as in Node.
  wake()
  timer.act()
}

function wake(): void {
  const isIdle = ready.length === 0 && (realWork > 0 || alarms.length === 0)
  if (isTurning || !isSimulated || isIdle) return
  isTurning = true
  real.timers.setImmediate(turn)
}

function set(ms: number, act: () => void, every?: number): Timer {
  const timer = { at: now + ms, act, isOff: false, ...(every && { every }) }
  push(timer)
  wake()
  return timer
}

/** Calls back after so many milliseconds, or fractions of one, of simulated time. */
export const after = (ms: number, act: () => void): void => void set(ms, act)

/** Makes the clock wait for real work, such as a thread; returns a function that ends the wait. */
export function holdTime(): () => void {
  realWork += 1
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    realWork -= 1
    wake()
  }
}

const handles = new WeakMap<object, Timer>()

/** As much of Node's timer object as is used here. */
function handleOf(timer: Timer) {
  const handle = { ref: () => handle, unref: () => handle, hasRef: () => true }
  handles.set(handle, timer)
  return handle
}

function clear(handle: unknown): void {
  const timer = typeof handle === 'object' && handle !== null ? handles.get(handle) : undefined
  if (timer) timer.isOff = true
}

type Act = (...given: unknown[]) => void

/** As Node rounds: whole milliseconds, one at least. */
const whole = (ms: unknown) => Math.max(1, Math.trunc(Number(ms) || 0))

const simulated = {
  setTimeout: (act: Act, ms?: number, ...given: unknown[]) =>
    handleOf(set(whole(ms), () => act(...given))),
  setInterval: (act: Act, ms?: number, ...given: unknown[]) =>
    handleOf(set(whole(ms), () => act(...given), whole(ms))),
  setImmediate: (act: Act, ...given: unknown[]) => {
    const timer: Timer = { at: now, act: () => act(...given), isOff: false }
    ready.push(timer)
    wake()
    return handleOf(timer)
  },
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
}

const simulatedPromises = {
  setTimeout: (ms?: number, value?: unknown) =>
    new Promise((resolve) => set(whole(ms), () => resolve(value))),
  setImmediate: (value?: unknown) =>
    new Promise((resolve) => simulated.setImmediate(() => resolve(value))),
}

const dateNow = () => Math.floor(performance.timeOrigin + now)

function SimulatedDate(...given: unknown[]) {
  return given.length === 0
    ? new real.Date(dateNow())
    : Reflect.construct(real.Date, given, real.Date)
}
Object.assign(SimulatedDate, { now: dateNow, parse: real.Date.parse, UTC: real.Date.UTC })
SimulatedDate.prototype = real.Date.prototype

/** Both ends in one thread: a message arrives at once. */
class ChannelHere {
  static readonly #all = new Map<string, Set<ChannelHere>>()
  readonly #ends: Set<ChannelHere>
  onmessage: ((message: { data: unknown }) => void) | undefined

  constructor(name: string) {
    this.#ends = ChannelHere.#all.get(name) ?? new Set()
    ChannelHere.#all.set(name, this.#ends.add(this))
  }

  postMessage(data: unknown): void {
    for (const end of this.#ends)
      if (end !== this) queueMicrotask(() => this.#ends.has(end) && end.onmessage?.({ data }))
  }

  close(): void {
    this.#ends.delete(this)
  }
}

/** Puts both ends of every channel in this thread, where the clauses run too. */
export const keepChannelsHere = () => Object.assign(globalThis, { BroadcastChannel: ChannelHere })

type Transforming = {
  _transform(chunk: unknown, encoding: string, over: (error?: Error) => void): void
  once(event: 'close', act: () => void): void
  off(event: 'close', act: () => void): void
}
// Compression runs in another thread.
const compressing: Transforming = Object.getPrototypeOf(zlib.Gunzip.prototype)
const base: Transforming = Object.getPrototypeOf(compressing)
const transform = base._transform

function transformHeld(
  this: Transforming,
  ...[chunk, encoding, over]: Parameters<typeof transform>
) {
  const release = holdTime()
  this.once('close', release)
  transform.call(this, chunk, encoding, (error) => {
    this.off('close', release)
    release()
    over(error)
  })
}

/** Acts in simulated time, which begins anew. */
export async function inSimulatedTime<T>(act: () => Promise<T>): Promise<T> {
  now = beginning
  isSimulated = true
  Object.assign(globalThis, simulated, { Date: SimulatedDate })
  Object.assign(timers, simulated)
  Object.assign(promises, simulatedPromises)
  syncBuiltinESMExports()
  performance.now = () => now
  base._transform = transformHeld
  try {
    return await act()
  } finally {
    isSimulated = false
    alarms = []
    ready = []
    Object.assign(globalThis, real.timers, { Date: real.Date })
    Object.assign(timers, real.timers)
    Object.assign(promises, real.promises)
    syncBuiltinESMExports()
    performance.now = real.now
    base._transform = transform
  }
}
