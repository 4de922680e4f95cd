// A client uses a service with each fault or variant: the faults that its traffic shows are condemned, and nothing else is.
import { matchesAny } from '../../engine/glob.ts'
import type { Recorded } from '../../helpers/service/seen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { bentService, worldOf } from '../bent-service.ts'
import type { Fault, Hidden, Variant } from '../proofs/fault.ts'
import { type Proof, proofs } from '../proofs/trials.ts'
import { judgementOf, signatureOf, useService, wrongKey } from '../recorded/client.ts'
import { besideLawful } from '../recorded/lawful.ts'
import { inSimulatedTime } from '../simulated/time.ts'
import { chosen, type Kind, say, shareOf, wrongOf } from './kind.ts'

type Part = 'tasks' | 'exports'

const toldOf = ({ bent }: Proof): Partial<Fault & Hidden & Variant> => bent

function partOf(proof: Proof): Part {
  const { blames = [] } = toldOf(proof)
  return [...proof.by, ...blames].some((id) => id.startsWith('export')) ? 'exports' : 'tasks'
}

/** Without what no client meets, and faults that a run itself does not condemn, or cannot tell from another writer. */
const tried = proofs.filter((proof) => {
  const { surroundings, breaks = [], exit, likeOthers } = toldOf(proof)
  const isCondemned = (breaks.length > 0 || exit === 1) && !likeOthers
  return !surroundings && (proof.isVariant || isCondemned)
})

/** What a client recorded, and which exchange shows a fault. */
type Traffic = { recorded: Recorded[]; apart?: string }

const trafficOf = (bent: Proof['bent'], isVariant: boolean, part: Part): Promise<Traffic> =>
  inSimulatedTime(async () => {
    const service = bentService(bent)
    const { events } = worldOf(bent)
    if (isVariant) return { recorded: await useService(service, events, part) }
    // What is lawful stays where a stated rule is bent too.
    const rules = { stated, open: { ...open, ...(bent.stated && bent.open) } }
    const besides = besideLawful(service, (state) =>
      createService({ ...state, ...rules, pdfLimit: bent.pdfLimit }),
    )
    const recorded = await useService(besides, events, part)
    return { recorded, apart: await besides.apart(recorded) }
  })

const usual = new Map<string, string[]>()
/** What the client is answered by a service without a fault. */
async function usualAnswers(events: number, part: Part): Promise<string[]> {
  const known = usual.get(`${part} ${events}`)
  if (known) return known
  const { recorded, apart } = await trafficOf({ events }, false, part)
  if (apart) throw new Error(`a lawful service is not like itself: ${apart}`)
  const signatures = recorded.map(signatureOf)
  usual.set(`${part} ${events}`, signatures)
  return signatures
}

/** `shown`: by which exchange a fault is. */
type Told = { shown?: string; broken: string[] }

export const traffic: Kind<number, Told> = {
  sources: ['selftest/recorded'],
  nameOf: (at) => tried[at]?.name ?? '',

  async act(at) {
    const proof = tried[at] as Proof
    const [part, { events = 240, held, pdfLimit, env }] = [partOf(proof), proof.bent]
    const { warns = [], mayWarn = [] } = toldOf(proof)
    const { recorded, apart } = await trafficOf({ ...proof.bent, events }, proof.isVariant, part)
    const actorId = env?.ACTOR_ID ?? worldOf({ events }).world.users[0]?.id
    const all = await judgementOf(recorded, { actorId, wrongKeys: [wrongKey], pdfLimit })
    const broken = [...all].flatMap(([id, { problems }]) => {
      const [first] = matchesAny(id, [...warns, ...mayWarn]) ? [] : problems
      return first ? `${id}: ${first.sentence}` : []
    })
    if (proof.isVariant) return { broken }
    const usually = await usualAnswers(events, part)
    const isUsual = recorded.every((each, nth) => signatureOf(each) === usually[nth])
    return { shown: held ? 'what is held' : isUsual ? undefined : apart, broken }
  },

  async prove(flags, tryAll) {
    const of = new Set(chosen(tried, flags))
    const named = [...tried.keys()].filter((at) => of.has(tried[at] as Proof))
    const wrong: ReturnType<typeof wrongOf>[] = []
    const counts = {
      tasks: { shown: 0, condemned: 0, variants: 0 },
      exports: { shown: 0, condemned: 0, variants: 0 },
    }
    await tryAll(shareOf(named, flags), (at, { shown, broken }) => {
      const proof = tried[at] as Proof
      const count = counts[partOf(proof)]
      if (proof.isVariant) count.variants += 1
      if (shown) count.shown += 1
      if (shown && broken.length > 0) count.condemned += 1
      else if (shown) say(`missed: ${proof.name}, ${shown}`)
      else if (broken.length > 0)
        wrong.push(wrongOf(flags, [proof.name], 'no breach', broken.join('\n    ')))
    })
    const figures = Object.entries(counts).map(
      ([part, { shown, condemned, variants }]) =>
        `${part}: ${condemned} of ${shown} faults that the traffic shows, beside ${variants} variants`,
    )
    return { wrong, figure: figures.join('; ') }
  },
}
