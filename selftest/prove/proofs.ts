// Every fault, variant and dead thing: what each has to show.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchesAny } from '../../engine/glob.ts'
import { root } from '../kept.ts'
import { pureRun } from '../proofs/pure-run.ts'
import { type Trial, trialsOf } from '../proofs/trials.ts'
import { chosen, type Flags, type Kind, say, shareOf, type Wrong, wrongOf } from './kind.ts'

/** A trial by its place; `only`: these of its clauses judge it. */
type Drawn = { at: number; only?: string[] }

/** `later`: another order of answers makes it green. */
type Told = { problems: string[]; later: boolean; cpuMs: number }

const expected: Record<Trial['kind'], string> = {
  fault: 'the clauses that it names find it, and no others',
  variant: 'no clause finds a breach, and the run ends with 0',
  'dead thing': 'the run does not end green without a warning',
}

const lists = new Map<boolean, Trial[]>()
function listed(everything: boolean): Trial[] {
  const known = lists.get(everything)
  if (known) return known
  const made = trialsOf(everything)
  // In the middle: then a process has run others before it, and is quick.
  made.splice(made.length / 2, 0, pureRun)
  lists.set(everything, made)
  return made
}

export const proofsOf = (...kinds: Trial['kind'][]): Kind<Drawn, Told> => ({
  sources: [],

  async act({ at, only }, { everything, seeds: [seed = 1] }) {
    const before = process.cpuUsage()
    const trial = listed(everything)[at] as Trial
    process.env.SCHEDULE = String(seed)
    // A clause that judges the whole run may need the updates of other clauses.
    const isProven = only !== undefined && (await problemsOf(trial, only)).length === 0
    const problems = isProven ? [] : await problemsOf(trial)
    // Some faults show only if requests arrive in a certain order. No order may condemn a variant.
    process.env.SCHEDULE = String(seed + 1)
    const isWorthAnother = problems.length > 0 && trial.kind !== 'variant'
    const later = isWorthAnother && (await problemsOf(trial)).length === 0
    const { user, system } = process.cpuUsage(before)
    return { problems: later ? [] : problems, later, cpuMs: (user + system) / 1000 }
  },

  nameOf: ({ at }, { everything }) => listed(everything)[at]?.name ?? '',

  async prove(flags, tryAll) {
    const trials = listed(flags.everything)
    const of = trials.filter(({ kind }) => kinds.includes(kind))
    const drawn = draw(trials, new Set(chosen(of, flags)), flags)
    const [seed = 1] = flags.seeds
    const wrong: Wrong[] = []
    const proven = { fault: 0, variant: 0, 'dead thing': 0 }
    let cpuMs = 0
    await tryAll(drawn, ({ at }, told) => {
      const { kind, name } = trials[at] as Trial
      cpuMs += told.cpuMs
      const got = told.problems.join('\n    ')
      if (got === '') proven[kind] += 1
      else wrong.push(wrongOf(flags, [name, `${kind} ${name}`], expected[kind], got, [seed]))
      if (told.later) say(`proven by seed ${seed + 1}, not by ${seed}: ${name}`)
    })
    const figure =
      `${proven.fault} faults condemned, ${proven.variant} lawful variants not, ${proven['dead thing']} dead things ` +
      `noticed (seed ${seed}), ${(cpuMs / 1000 / drawn.length).toFixed(2)} s of CPU each`
    return { wrong, figure }
  },
})

async function problemsOf(trial: Trial, only?: string[]): Promise<string[]> {
  try {
    return await trial.problems(only)
  } catch (error) {
    return [`it cannot be run: ${error instanceof Error ? error.stack : error}`]
  }
}

function musts(): string[] {
  const listed = readFileSync(join(root, 'program/clauses.json'), 'utf8')
  const clauses = JSON.parse(listed) as { id: string; level: string }[]
  return clauses.flatMap(({ id, level }) => (level === 'must' ? id : []))
}

/**
 * Draws a share by a seed, and the run whose laws are watched. Then adds faults until every must has one to
 * find: few faults, each run with those clauses alone.
 */
function draw(all: Trial[], from: ReadonlySet<Trial>, flags: Flags): Drawn[] {
  const named = [...all.keys()].filter((at) => from.has(all[at] as Trial))
  const share = shareOf(named, flags)
  const drawn = named.filter((at) => share.includes(at) || all[at] === pureRun)
  const ids = flags.share === 1 ? [] : musts()
  /** The clauses that have to find the breach. */
  const findersOf = ({ by, breaks = [] }: Trial) =>
    ids.filter((id) => matchesAny(id, breaks) && (by.length === 0 || matchesAny(id, by)))
  const found = named.map((at) => ({ at, own: findersOf(all[at] as Trial) }))
  const left = new Set(found.flatMap(({ own }) => own))
  for (const { at, own } of found) if (drawn.includes(at)) for (const id of own) left.delete(id)
  const more: Drawn[] = []
  while (left.size > 0) {
    const choices = found.map(({ at, own }) => ({ at, only: own.filter((id) => left.has(id)) }))
    const best = choices.reduce((a, b) => (b.only.length > a.only.length ? b : a))
    for (const id of best.only) left.delete(id)
    more.push(best)
  }
  return [...drawn.map((at) => ({ at })), ...more].sort((a, b) => a.at - b.at)
}
