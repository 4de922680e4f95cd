// Whether a law is a pure function: it says the same on frozen values, with nothing of the world at hand.
import net from 'node:net'
import type { Noted } from '../../../engine/clause/clause.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { chance, clock } from '../../../engine/time/timers.ts'
import type { Givens } from '../../../helpers/givens.ts'

type Judge = (given: never) => unknown

/** What was asked of a law, `of`, `lacks` or `look` during a run, and what it said. */
export type Call = { name: string; judge: Judge; given: unknown; said: string }

/** Notes what the laws of a clause are asked and say, until the returned function is called. */
export function watch({ judging, facts }: Noted<Givens>, calls: Call[]): () => void {
  const unwatched = { ...judging }
  const watched = Object.entries(judging).map(([part, judge]) => {
    if (!/^(law|of|lacks|look)$/.test(part) || typeof judge !== 'function') return [part, judge]
    const name = `${facts.id} (${part})`
    const asked = (given: never) => {
      const [said, end] = ended(judge as Judge, given)
      calls.push({ name, judge: judge as Judge, given, said })
      return end()
    }
    return [part, asked]
  })
  Object.assign(judging, Object.fromEntries(watched))
  return () => void Object.assign(judging, unwatched)
}

/** Why a judge is not pure, as a sentence, by what it said and what it says now, twice. */
export function impurityOf({ name, judge, given, said }: Call): string[] {
  deeplyFrozen(given)
  const [one, other] = [1, 2].map(() => withoutWorld(() => ended(judge, given)[0]))
  const differing = [one, other].find((each) => each !== said || each === promise)
  return differing === undefined ? [] : [`${name} said ${said}, and then ${differing}`]
}

const copies = {
  'a clone': (value: unknown) => structuredClone(value),
  'a copy in JSON': (value: unknown) => JSON.parse(JSON.stringify(value)),
}

/** What a judge says otherwise of a copy of what it was given, as a sentence: then that is not plain data. */
export const lossOf = ({ name, judge, given, said }: Call): string[] =>
  Object.entries(copies).flatMap(([kind, copyOf]) => {
    const [ofCopy] = ended((value) => judge(copyOf(value) as never), given)
    return ofCopy === said ? [] : [`${name} said ${said}, and of ${kind} ${ofCopy}`]
  })

const promise = 'a promise'

/** What a judge says, or what it throws, as a text and once more. */
function ended(judge: Judge, given: unknown): [said: string, end: () => unknown] {
  try {
    const value = judge(given as never)
    return [value instanceof Promise ? promise : textOf(value), () => value]
  } catch (error) {
    const end = () => {
      throw error
    }
    const isMeant = error instanceof NotDecidable || error instanceof Trouble
    if (isMeant) return [`${error.constructor.name} ${error.message} ${textOf(error)}`, end]
    return [`${error}`, end]
  }
}

const textOf = (value: unknown) => JSON.stringify(value) ?? 'nothing'

const refuse = (what: string) => () => {
  throw new Error(`a law used ${what}`)
}

/** What a law may not use: an object, and the names of its members. */
const world: [object, string[]][] = [
  [clock, Object.keys(clock)],
  [chance, Object.keys(chance)],
  [Math, ['random']],
  [performance, ['now']],
  [process, ['hrtime', 'uptime', 'nextTick']],
  [crypto, ['randomUUID', 'getRandomValues']],
  [net.Socket.prototype, ['connect', 'write']],
  [globalThis, ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']],
]

/** A Date that knows no present. */
const dateless = (real: DateConstructor): DateConstructor =>
  new Proxy(real, {
    apply: refuse('Date()'),
    construct: (date, given, target) =>
      given.length === 0 ? refuse('new Date()')() : Reflect.construct(date, given, target),
    get: (date, member) => (member === 'now' ? refuse('Date.now') : Reflect.get(date, member)),
  })

/** Runs what needs neither clock, timers, network nor chance. */
function withoutWorld<T>(run: () => T): T {
  const taken = world.flatMap(([object, names]) =>
    names.map((name) => [object, name, Object.getOwnPropertyDescriptor(object, name)] as const),
  )
  const { Date: real } = globalThis
  for (const [object, name] of taken)
    Object.defineProperty(object, name, { value: refuse(name), configurable: true, writable: true })
  globalThis.Date = dateless(real)
  try {
    return run()
  } finally {
    globalThis.Date = real
    for (const [object, name, own] of taken) {
      if (own) Object.defineProperty(object, name, own)
      else Reflect.deleteProperty(object, name)
    }
  }
}

const frozen = new WeakSet<object>()

/** Freezes a value and all that it holds; bytes and objects of the platform stay as they are. */
function deeplyFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return
  if (ArrayBuffer.isView(value) || value instanceof EventTarget) return
  frozen.add(value)
  if (value instanceof Map || value instanceof Set) {
    for (const each of value.entries()) deeplyFrozen(each)
    for (const name of ['set', 'add', 'delete', 'clear'])
      Object.defineProperty(value, name, { value: refuse(`${name} of a frozen value`) })
  }
  for (const { value: member } of Object.values(Object.getOwnPropertyDescriptors(value)))
    deeplyFrozen(member)
  Object.freeze(value)
}
