// npm run disarm                  each assertion and premise of suites and helpers in turn does nothing: a proof must turn red
//   -- --share 0.5 --seed 7       with a share of the proofs: a fault for each clause, and variants
//   -- --proofs 'export.*'        with those of some areas
//   -- --only 'suites/reads.ts*'  of these sites
//   -- --sample 20                tries so many of the sites that act
//   -- --most 3                   how many of the proofs in which a site acts are tried
import { parseArgs } from 'node:util'
import { matchesAny } from '../../../engine/glob.ts'
import { sampleOf } from '../../sample.ts'
import { type Check, proofsOf } from './tests.ts'

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    proofs: { type: 'string', multiple: true, default: ['*'] },
    only: { type: 'string', multiple: true, default: ['*'] },
    sample: { type: 'string' },
    most: { type: 'string', default: '3' },
  },
})
const say = (text: string) => process.stdout.write(`${text}\n`)

type Call = (...given: unknown[]) => unknown

/** The site that does nothing. */
let off: string | undefined
/** The sites that acted: an assertion or a premise that did not hold, a problem that was made. */
let acted = new Set<string>()

/** Problems of a site that is off: toBeNone passes over them. */
const harmless = new WeakSet<object>()

/** Whatever is asserted of it holds. */
const anything: object = new Proxy(() => anything, {
  get: (_, name) => (name === 'then' ? undefined : anything),
})

/** What is called in place of a site that is off. */
const nothing: Readonly<Record<string, (real: Call) => Call>> = {
  expect: () => () => anything,
  expectThat: () => () => undefined,
  problemUnless: () => () => [],
  problem:
    (real) =>
    (...given) => {
      const made = real(...given) as object
      harmless.add(made)
      return made
    },
  premise:
    (real) =>
    (...given) => {
      try {
        return real(...given)
      } catch {
        const [answer] = given as [{ text?: string }]
        return answer.text === undefined ? undefined : JSON.parse(answer.text)
      }
    },
}

/** Notes whether a call throws. */
const watched =
  (real: Call, site: string): Call =>
  (...given) => {
    try {
      return real(...given)
    } catch (error) {
      acted.add(site)
      throw error
    }
  }

const watchedMembers = (of: object, site: string): object =>
  new Proxy(of, {
    get(real, name) {
      const member = Reflect.get(real, name, real)
      if (typeof member === 'function')
        // Chai guards its methods: not even bind may read them.
        return watched((...given) => Reflect.apply(member, real, given), site)
      return typeof member === 'object' && member ? watchedMembers(member, site) : member
    },
  })

const noted: Readonly<Record<string, (real: Call, site: string) => Call>> = {
  expect:
    (real, site) =>
    (...given) =>
      watchedMembers(real(...given) as object, site),
  problemUnless:
    (real, site) =>
    (holds, ...given) => {
      if (!holds) acted.add(site)
      return real(holds, ...given)
    },
  problem:
    (real, site) =>
    (...given) => {
      acted.add(site)
      return real(...given)
    },
}

// start.mjs rewrites each site to call siteOf.
Object.assign(globalThis, {
  siteOf: (site: string, name: string, real: Call): Call =>
    site === off ? (nothing[name]?.(real) ?? real) : (noted[name] ?? watched)(real, site),
  isHarmless: (problem: object) => harmless.has(problem),
})

async function isGreen({ run }: Check): Promise<boolean> {
  try {
    const problems = await run()
    if (off === undefined && problems.length > 0) say(`left out: ${problems[0]}`)
    return problems.length === 0
  } catch (error) {
    if (off === undefined) say(`left out: ${error}`)
    return false
  }
}

/** By site, the proofs in which it acts. */
const by = new Map<string, Check[]>()
for (const proof of proofsOf(values.proofs, Number(values.share), Number(values.seed))) {
  acted = new Set()
  if (await isGreen(proof)) for (const site of acted) by.set(site, [...(by.get(site) ?? []), proof])
}
const { sites = [] } = globalThis as { sites?: string[] }
const chosen = sites.filter((site) => matchesAny(site, values.only))
const acting = chosen.filter((site) => by.has(site))
const drawn = sampleOf(acting, Number(values.sample ?? acting.length), Number(values.seed))
let needed = 0
for (const site of drawn) {
  off = site
  const proofs = (by.get(site) ?? []).slice(0, Number(values.most))
  let killer: Check | undefined
  for (const proof of proofs) if (!killer && !(await isGreen(proof))) killer = proof
  off = undefined
  if (killer) needed += 1
  else say(`not needed where it acts: ${site}: ${proofs.map(({ id }) => id)}`)
}
if (values.sample === undefined)
  for (const site of chosen) if (!by.has(site)) say(`acts in no proof: ${site}`)
say(
  `of ${chosen.length} sites ${acting.length} act in a proof that ran; ${needed} of ${drawn.length} tried are needed`,
)
process.exit(0)
