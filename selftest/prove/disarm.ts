// Each assertion and premise in turn does nothing: a proof must say something else.
//   disarm --only 'suites/reads.ts*'     of these sites, each FILE:LINE FUNCTION
//   disarm --share 0.5 --seed 7          with a share of the proofs
import { matchesAny } from '../../engine/glob.ts'
import { jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Target, targetsOf } from './golden.ts'
import { type Flags, type Kind, say, shareOf, type TryAll, wrongOf } from './kind.ts'

/** Of the proofs in which a site acts, so many are tried. */
const most = 8

type Call = (...given: unknown[]) => unknown

/** The site that is switched off. */
let off: string | undefined
/** The sites that acted: a premise there did not hold, or a problem was made. */
let acted = new Set<string>()

/** Marks the problems that a switched-off site made; a law's engine ignores them. Copies keep the mark. */
const harmless = Symbol('harmless')

/** What a switched-off site calls, by the name of the real function. */
const calledWhenOff: Readonly<Record<string, (real: Call) => Call>> = {
  problemUnless: () => () => [],
  problem:
    (real) =>
    (...given) =>
      Object.assign(real(...given) as object, { [harmless]: true }),
  premise:
    (real) =>
    (...given) => {
      try {
        return real(...given)
      } catch {
        const [answer] = given as [boolean | Answer]
        return typeof answer === 'object' ? jsonIn(answer) : undefined
      }
    },
}

/** Notes that a site acts: it throws, or a problem is made. */
const watched =
  (real: Call, site: string, name: string): Call =>
  (...given) => {
    if (name === 'problem' || (name === 'problemUnless' && !given[0])) acted.add(site)
    try {
      return real(...given)
    } catch (error) {
      acted.add(site)
      throw error
    }
  }

// start.mjs rewrites each site to call siteOf.
Object.assign(globalThis, {
  siteOf: (site: string, name: string, real: Call): Call =>
    site === off ? (calledWhenOff[name]?.(real) ?? real) : watched(real, site, name),
  isHarmless: (problem: object) => harmless in problem,
})

const targets = targetsOf(false)

/** A proof by its number; a site that is off. */
type Try = { at: number; without?: string }

/** The verdict and cause of each clause, the sites that acted, and those that this proof loaded. */
type Tried = { said: string; acted: string[]; sites: string[] }

let loaded = 0

async function tryOne({ at, without }: Try): Promise<Tried> {
  off = without
  acted = new Set()
  const rows = await (targets[at] as Target).run().catch((error) => [['stopped', `${error}`]])
  const said = rows.map(([key = '', each = '']) =>
    [key.split('\t').at(-1), each.startsWith('observed') ? 'observed' : each].join(' '),
  )
  const { sites = [] } = globalThis as { sites?: string[] }
  const more = sites.slice(loaded)
  loaded = sites.length
  return { said: said.join('\n'), acted: [...acted], sites: more }
}

export const disarm: Kind<Try, Tried> = {
  sources: ['selftest/golden'],
  act: tryOne,
  nameOf: ({ at }) => targets[at]?.name ?? '',
  prove: disarmAll,
}

async function disarmAll(flags: Flags, tryAll: TryAll<Try, Tried>) {
  const places = [...targets.keys()]
  const drawn = shareOf(places, flags)
  const saidBy = new Map<number, string>()
  /** By site the proofs in which it acts, each with how many sites act there. */
  const actsIn = new Map<string, { at: number; among: number }[]>()
  const all = new Set<string>()
  await tryAll(
    drawn.map((at) => ({ at })),
    ({ at }, { said, acted, sites }) => {
      saidBy.set(at, said)
      for (const site of sites) all.add(site)
      for (const site of acted)
        actsIn.set(site, [...(actsIn.get(site) ?? []), { at, among: acted.length }])
    },
  )
  const chosen = [...all].filter((site) => matchesAny(site, flags.only))
  const needed = new Set<string>()
  // The fewer other sites act in a proof, the more it depends on this one.
  const proofsOf = (site: string) =>
    (actsIn.get(site) ?? []).sort((a, b) => a.among - b.among).slice(0, most)
  for (let round = 0; round < most; round += 1) {
    const left = chosen.filter((site) => !needed.has(site))
    await tryAll(
      left.flatMap((without) => {
        const proof = proofsOf(without)[round]
        return proof ? [{ at: proof.at, without }] : []
      }),
      ({ at, without = '' }, { said }) => {
        if (said !== saidBy.get(at)) needed.add(without)
      },
    )
  }
  const idle = chosen.filter((site) => !actsIn.has(site))
  const needless = chosen.filter((site) => actsIn.has(site) && !needed.has(site))
  for (const site of idle) say(`acts in no proof: ${site}`)
  const figure =
    `of ${chosen.length} assertions and premises ${needed.size} are needed, ${needless.length} are not where they act, ` +
    `${idle.length} act in none of ${drawn.length} proofs`
  const wrong = needless.map((site) => {
    const got = `the same: ${proofsOf(site).map(({ at }) => targets[at]?.name)}`
    return wrongOf(flags, [site], 'a proof says something else without it', got)
  })
  return { wrong, figure }
}
