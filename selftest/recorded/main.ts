// node selftest/simulated/start.mjs selftest/recorded/main.ts [GLOB]   what the traffic of a client shows of each fault and variant
import { matchesAny } from '../../engine/glob.ts'
import type { Recorded } from '../../helpers/service/seen.ts'
import { type AuditEvent, makeEvents } from '../../reference/calls/events.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld, type World } from '../../reference/world/world.ts'
import type { Fault, Hidden, Variant } from '../proofs/fault.ts'
import { type Proof, proofs } from '../proofs/trials.ts'
import { inSimulatedTime } from '../simulated/time.ts'
import { judgementOf, signatureOf, useService, wrongKey } from './client.ts'
import { besideLawful } from './lawful.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
// GLOB, then `tasks` or `exports` and `1/3` for a third of them
const [glob = '*', ...flags] = process.argv.slice(2)
const [nth = 1, of = 1] = (flags.find((each) => each.includes('/')) ?? '1/1').split('/').map(Number)

type Part = 'tasks' | 'exports'

const worlds = new Map<number, { world: World; events: AuditEvent[] }>()
function worldOf(count: number) {
  const known = worlds.get(count)
  if (known) return known
  const world = makeWorld(1, { events: count })
  const made = { world, events: makeEvents(world) }
  worlds.set(count, made)
  return made
}

/** What a client recorded, and which exchange shows a fault. */
type Traffic = { recorded: Recorded[]; apart: string | undefined }

async function record(
  { bent, isVariant }: Pick<Proof, 'bent' | 'isVariant'>,
  part: Part,
): Promise<Traffic> {
  const usual = worldOf(bent.events ?? 240)
  const { events } = usual
  const world = bent.held ? structuredClone(usual.world) : usual.world
  for (const task of world.tasks)
    if (bent.held) task.assignment = task.assignment && bent.held(task.assignment)
  const rules = { open: { ...open, ...bent.open } }
  const limit = bent.pdfLimit ? { pdfLimit: bent.pdfLimit } : {}
  const service = createService({
    world,
    events,
    stated: { ...stated, ...bent.stated },
    ...rules,
    ...limit,
  })
  if (isVariant) return { recorded: await useService(service, events, part), apart: undefined }
  // What is lawful stays where a stated rule is bent too.
  const lawful = { stated, ...(bent.stated ? rules : { open }), ...limit }
  const besides = besideLawful(service, (state) => createService({ ...state, ...lawful }))
  const recorded = await useService(besides, events, part)
  return { recorded, apart: await besides.apart(recorded) }
}

function judge(recorded: readonly Recorded[], { bent }: Pick<Proof, 'bent'>) {
  const actorId = bent.env?.ACTOR_ID ?? worldOf(240).world.users[0]?.id
  return judgementOf(recorded, { actorId, wrongKeys: [wrongKey], pdfLimit: bent.pdfLimit })
}

const honest = new Map<string, string[]>()
/** What the client is answered by a service without a fault. */
async function usualAnswers(events: number, part: Part): Promise<string[]> {
  const kind = `${part} ${events}`
  const known = honest.get(kind)
  if (known) return known
  const { recorded, apart } = await inSimulatedTime(() =>
    record({ bent: { events, stated: {} }, isVariant: false }, part),
  )
  if (apart) say(`HONEST ${apart}`)
  const all = await judge(recorded, { bent: {} })
  for (const [id, { problems }] of all)
    if (problems.length > 0) say(`HONEST ${id}: ${problems[0]?.sentence}`)
  say(`${all.size} clauses decided by ${recorded.length} exchanges`)
  const signatures = recorded.map(signatureOf)
  honest.set(kind, signatures)
  return signatures
}

let [shown, condemned, condemnedVariants, variants] = [0, 0, 0, 0]
for (const [place, proof] of proofs.entries()) {
  if (place % of !== nth - 1) continue
  if (!matchesAny(proof.name, [glob]) || proof.bent.surroundings) continue
  const { events = 240, held } = proof.bent
  const told: Partial<Fault & Hidden & Variant> = proof.bent
  const { warns = [], mayWarn = [], breaks = [], exit, blames = [], likeOthers } = told
  const isOfFile = [...proof.by, ...blames].some((id) => id.startsWith('export'))
  const part: Part = isOfFile ? 'exports' : 'tasks'
  if (['tasks', 'exports'].some((each) => each !== part && flags.includes(each))) continue
  try {
    const { recorded, apart } = await inSimulatedTime(() => record(proof, part))
    const all = await judge(recorded, proof)
    const broken = [...all].filter(
      ([id, { problems }]) => problems.length > 0 && !matchesAny(id, [...warns, ...mayWarn]),
    )
    if (proof.isVariant) {
      variants += 1
      if (broken.length > 0) {
        condemnedVariants += 1
        say(
          `CONDEMNED ${proof.name}\n  ${broken.map(([id, { problems }]) => `${id}: ${problems[0]?.sentence}`).join('\n  ')}`,
        )
      } else if (flags.includes('--all')) say(`lawful ${proof.name}`)
      continue
    }
    // A run itself condemns nothing, or cannot tell it from another writer.
    if ((breaks.length === 0 && exit !== 1) || likeOthers) continue
    const usual = await usualAnswers(events, part)
    const isUsual = !held && recorded.every((each, at) => signatureOf(each) === usual[at])
    if (isUsual || !(held || apart)) {
      if (broken.length > 0) say(`ODD ${proof.name}: ${broken.map(([id]) => id)}`)
      else if (!isUsual && flags.includes('--all')) say(`hidden ${proof.name} [${breaks}]`)
      continue
    }
    shown += 1
    if (broken.length > 0) condemned += 1
    else say(`missed  ${proof.name} [${breaks}] ${apart}`)
    if (flags.includes('--all') && broken.length > 0)
      say(`found  ${proof.name}: ${broken.map(([id]) => id)}`)
  } catch (error) {
    say(`CRASHED ${proof.name}: ${error instanceof Error ? error.stack : error}`)
  }
}
say(
  `${condemned} of ${shown} faults that the traffic shows are condemned; ${condemnedVariants} of ${variants} variants are`,
)
process.exit(0)
