// What instrumented modules call in the worker. It rests on nothing but the modules' own words.
import { getEnvironmentData } from 'node:worker_threads'
import { inject } from 'vitest'
import { sharedSites } from './tests/order.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sites?: Switch
  }
}

/** The one site that is off, if any, and where it is written down what sites do. */
export type Switch = { off?: string | undefined; log: SharedArrayBuffer }

/** What a site does: it would have ended something, was kept from it, or handed a breach on. */
type Deed = 'spoke' | 'silenced' | `handed ${string}`

/** Of a run of clauses, or of tests. */
const current = () =>
  inject('sites') ?? (getEnvironmentData(sharedSites) as unknown as Switch | undefined)

type Marked = Error & { sites?: string[] }

let of: Switch | undefined
let written = new Set<string>()
let silences = 0
/** What comes by so often goes round for ever: a loop that nothing else ends. */
const mostSilences = 300

/** Once for each of a run, with what was said; the first four bytes say how much has been written. */
function write(deed: Deed, site: string, said = ''): void {
  const now = current()
  if (!now) return
  if (now.log !== of?.log) [written, silences] = [new Set(), 0]
  of = now
  const key = `${deed}\t${site}`
  if (written.has(key)) return
  written.add(key)
  const bytes = new TextEncoder().encode(`${key}\t${said.replace(/\s+/g, ' ')}\n`)
  const [length] = new Int32Array(now.log, 0, 1) as unknown as [number]
  if (length + bytes.length + 4 > now.log.byteLength) return
  new Uint8Array(now.log, 4).set(bytes, length)
  Atomics.store(new Int32Array(now.log, 0, 1), 0, length + bytes.length)
}

const isOff = (site: string) => current()?.off === site

/** Marks an error with the place that made it, or let it through. */
export function made<E extends Marked>(site: string, error: E): E {
  write('spoke', site)
  error.sites = [...(error.sites ?? []), site]
  return error
}

/** What is thrown: nothing, where the site that made it is off. */
export function thrown(error: Marked): Marked[] {
  const off = error?.sites?.find(isOff)
  if (off === undefined) return [error]
  write('silenced', off)
  silences += 1
  return silences > mostSilences ? [new Error(`without ${off} it never ends`)] : []
}

/** A call that ends a clause or gives a value: nothing, where it is off. */
export const calling =
  <Given extends unknown[], T>(site: string, call: (...given: Given) => T) =>
  (...given: Given): T | undefined => {
    try {
      return call(...given)
    } catch (error) {
      for (const each of thrown(made(site, error as Marked))) throw each
      return undefined
    }
  }

/** The matcher of an assertion. */
export const asserting = (site: string, assertion: object, matcher: string) =>
  calling(site, (...given: unknown[]) =>
    (assertion as Record<string, (...given: unknown[]) => unknown>)[matcher]?.(...given),
  )

/** Hands a breach to its owner. */
export const handing =
  <Owned extends { owner: string; sentence: string }>(site: string, hand: (owned: Owned) => void) =>
  (owned: Owned): void => {
    if (isOff(site)) {
      write('silenced', site)
      return
    }
    write(`handed ${owned.owner}`, site, owned.sentence)
    hand(owned)
  }

/** What became of a clause, with the sites that its error went through. */
export const ending =
  <Outcome extends object>(outcomeOf: (error: unknown) => Outcome) =>
  (error: unknown): Outcome & { sites?: string[] } => ({
    ...outcomeOf(error),
    sites: (error as Marked | undefined)?.sites ?? [],
  })
