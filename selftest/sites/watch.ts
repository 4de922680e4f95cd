import type { Switch } from './runtime.ts'

/** A clause that did not hold: a crash is an error of the suite. */
export type Ending = 'broken' | 'undecided' | 'trouble' | 'crash'

/** How a clause ended otherwise than well, and the sites that its error went through. */
export type Ended = { clause: string; kind: Ending; sites: string[]; reason: string }

/** What sites did in a run. */
export type Deeds = {
  ended: Ended[]
  /** the breaches that were handed on: the owner, and the site */
  handed: { owner: string; site: string; sentence: string }[]
  /** sites that would have ended something, also where another place took it over */
  spoke: string[]
  /** how often a site that is off was reached is not counted, that it was is */
  silenced: boolean
}

type Outcome = { kind: string; reason?: string; sites?: string[] }
type Meta = { clause?: { id: string }; outcome?: Outcome }
type Result = { state?: string; errors?: { message: string; name?: string; sites?: string[] }[] }
type Pack = [id: string, result: Result | undefined, meta: Meta | undefined]

const size = 2 ** 17

const endings: Readonly<Record<string, Ending>> = {
  NotDecidable: 'undecided',
  Breach: 'broken',
  AssertionError: 'broken',
  Trouble: 'trouble',
  FateUnknown: 'trouble',
}
const endingOf = (name: string): Ending => endings[name] ?? 'crash'

/** Watches the sites of one run, and has one of them off. */
export class Watch {
  readonly provided: Switch
  readonly #ended = new Map<string, Ended>()

  constructor(off?: string) {
    this.provided = { off, log: new SharedArrayBuffer(size) }
  }

  /** Hears what a worker tells its main process. */
  hear(message: unknown): void {
    const { m, a } = (message ?? {}) as { m?: string; a?: [Pack[]] }
    if (m !== 'onTaskUpdate' || !Array.isArray(a?.[0])) return
    for (const [, result, meta] of a[0]) {
      const clause = meta?.clause?.id
      if (clause === undefined) continue
      const { outcome } = meta ?? {}
      const [error] = result?.errors ?? []
      if (outcome && outcome.kind !== 'held') {
        const { kind, reason = '', sites = [] } = outcome
        const isCrash = reason.startsWith('internal error of the suite')
        const ending = isCrash ? 'crash' : (kind as Ending)
        this.#ended.set(clause, { clause, kind: ending, sites, reason })
      } else if (!outcome && error) {
        // A given that cannot be had ends a clause before its body begins.
        const { name = '', message: reason, sites = [] } = error
        this.#ended.set(clause, { clause, kind: endingOf(name), sites, reason })
      }
    }
  }

  /** What comes next is of another file of tests. */
  forget(): void {
    new Int32Array(this.provided.log, 0, 1)[0] = 0
    this.#ended.clear()
  }

  get deeds(): Deeds {
    const [length = 0] = new Int32Array(this.provided.log, 0, 1)
    const text = new TextDecoder().decode(new Uint8Array(this.provided.log, 4, length).slice())
    const lines = text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t') as [string, string, string])
    const of = (deed: string) => lines.flatMap(([did, site]) => (did === deed ? [site] : []))
    const ofOwner = (did: string) => did.slice('handed '.length)
    return {
      ended: [...this.#ended.values()],
      handed: lines.flatMap(([did, site, sentence]) =>
        did.startsWith('handed ') ? [{ owner: ofOwner(did), site, sentence }] : [],
      ),
      spoke: of('spoke'),
      silenced: of('silenced').length > 0,
    }
  }
}
