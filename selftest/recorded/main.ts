// node selftest/simulated/start.mjs selftest/recorded/main.ts [GLOB]   what the traffic of a client shows of each fault and variant
import { matchesAny } from '../../engine/glob.ts'
import { createJudgement } from '../../helpers/recorded/judge.ts'
import { type Recorded, seenAs } from '../../helpers/recorded/recorded.ts'
import { makeEvents } from '../../reference/calls/events.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { type Proof, proofs } from '../proofs/proofs.ts'
import { inSimulatedTime } from '../simulated/time.ts'
import { signatureOf, useService, wrongKey } from './client.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
// GLOB, then `tasks` or `exports` and `1/3` for a third of them
const [glob = '*', ...flags] = process.argv.slice(2)
const [nth = 1, of = 1] = (flags.find((each) => each.includes('/')) ?? '1/1').split('/').map(Number)

type Part = 'tasks' | 'exports'

async function record({ bent }: Pick<Proof, 'bent'>, part: Part): Promise<Recorded[]> {
  const world = makeWorld(1, { events: bent.events ?? 240 })
  for (const task of world.tasks)
    if (bent.held) task.assignment = task.assignment && bent.held(task.assignment)
  const events = makeEvents(world)
  const service = createService({
    world,
    events,
    stated: { ...stated, ...bent.stated },
    open: { ...open, ...bent.open },
    ...(bent.pdfLimit ? { pdfLimit: bent.pdfLimit } : {}),
  })
  return useService(service, events, part)
}

async function judge(recorded: readonly Recorded[], { bent }: Pick<Proof, 'bent'>) {
  const actorId = bent.env?.ACTOR_ID ?? makeWorld(1, { events: 1 }).users[0]?.id
  const judgement = createJudgement({
    actorId,
    bodyOf: (number) => recorded.find((each) => each.number === number)?.body,
  })
  for (const each of recorded) {
    const seen = seenAs(each, [wrongKey])
    if (seen) await judgement.see(seen)
  }
  return (await judgement.end()).all
}

const honest = new Map<string, string[]>()
/** What the client is answered by a service without a fault. */
async function usualAnswers(events: number, part: Part): Promise<string[]> {
  const kind = `${part} ${events}`
  const known = honest.get(kind)
  if (known) return known
  const recorded = await inSimulatedTime(() => record({ bent: { events } }, part))
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
  const part: Part = proof.by.some((id) => id.startsWith('export')) ? 'exports' : 'tasks'
  if (['tasks', 'exports'].some((each) => each !== part && flags.includes(each))) continue
  try {
    const recorded = await inSimulatedTime(() => record(proof, part))
    const all = await judge(recorded, proof)
    const { warns = [], mayWarn = [] } = proof.bent as { warns?: string[]; mayWarn?: string[] }
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
    const usual = await usualAnswers(events, part)
    if (!held && recorded.every((each, at) => signatureOf(each) === usual[at])) {
      if (broken.length > 0) say(`ODD ${proof.name}: ${broken.map(([id]) => id)}`)
      continue
    }
    shown += 1
    if (broken.length > 0) condemned += 1
    else say(`missed  ${proof.name} [${'breaks' in proof.bent ? proof.bent.breaks : ''}]`)
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
