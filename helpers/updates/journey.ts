import { type Findings, sharedAmong } from '../../engine/clause/shared.ts'
import type { Recorder } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { Breach, NotDecidable, Trouble } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import type { Lending } from '../loans/lending.ts'
import { isAccepted, told } from '../service/answers.ts'
import type { Assignee, Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { type Journey, takenIn, tellComments, transitionLegs, travel } from './legs.ts'
import { type Step, type Walker, walkerOn } from './step.ts'
import { type Look, lookedOn } from './watch.ts'

/** The journeys of a run, taken once and judged by many clauses: each update costs somebody a mail. */
export type Travelled = {
  /** one step of a journey, as evidence of the clause that asks for it */
  step(journey: JourneyName, name: string): Promise<Step>
  /** all steps of these journeys whose update was accepted */
  accepted(...journeys: JourneyName[]): Promise<Step[]>
  /** those of whom it is known that the service takes them as assignees */
  people(): Promise<Assignee[]>
  /** Ends the clause where the refusal of a step says nothing about it (rule R5). */
  needPermitted(step: Step): Promise<void>
}

export type JourneyName = 'transitions' | 'comments'

/** The journeys that were set out on, by name. */
export type Journeys = Map<JourneyName, Promise<Journey>>

type Room = {
  settings: Settings
  lending: Lending
  journeys: Journeys
  serviceFor: (record: Recorder) => Service
  findings: Findings
  /** who looks on while the transitions are made; what is found goes by their names */
  onlookers: readonly Onlooker[]
  /** tasks on their way back */
  returning: Promise<void>[]
}

export type Onlooker = { name: string; look: Look<Journey, unknown> }

/** The view that one clause has of the journeys of its run. */
export function travelledIn(room: Room, record: Recorder): Travelled {
  const { journeys } = room
  const journeyOf = (name: JourneyName) => {
    let journey = journeys.get(name)
    if (!journey) {
      journey = setOut(room, name, () => journeyOf('transitions'))
      journeys.set(name, journey)
    }
    return journey
  }

  const step = async (journey: JourneyName, name: string) => {
    const found = (await journeyOf(journey)).get(name)
    if (!found) throw new Trouble(`the journey ended before ${name}`)
    if ('unreached' in found) throw asPremise(found.unreached)
    for (const exchange of found.evidence) record(exchange)
    return found
  }

  const accepted = async (...names: JourneyName[]) => {
    const taken = await Promise.allSettled(names.map(journeyOf))
    const [first] = taken
    if (first?.status === 'rejected') throw first.reason
    const steps = taken.flatMap((each) =>
      each.status === 'fulfilled' ? acceptedIn(each.value) : [],
    )
    if (steps.length === 0) {
      // Trouble on the way is no choice of the service: the clause is then not decided for trouble.
      const lost = taken.flatMap((each) =>
        each.status === 'fulfilled' ? troubleIn(each.value) : [],
      )
      throw lost[0] ?? new NotDecidable('no update was accepted: see assign.*-to-*')
    }
    for (const each of steps) for (const exchange of each.evidence) record(exchange)
    return steps
  }

  const needPermitted = async ({ answer, sent, refusedTo }: Step) => {
    if (answer.status === 403) throw new NotDecidable(`${told(answer)}: the key may not update`)
    if (isAccepted(answer) || answer.status >= 500) return
    // The transitions are what tries every assignee; the comments go to the same people.
    const known = acceptedIn(await journeyOf('transitions'))
    if (known.length === 0)
      throw new NotDecidable(`${told(answer)}, as any update: may ACTOR_ID change assignments?`)
    if (!sent.to) return
    const { id, type } = sent.to
    const isKnown = (to: Assignee) => known.some((step) => step.sent.to?.id === to.id)
    if ([...refusedTo, sent.to].some(isKnown)) return
    throw new NotDecidable(
      `${told(answer)}, and ${id} was never accepted: is it a ${type.toLowerCase()} of this institution?`,
    )
  }

  const people = async () => {
    const everybody = (await accepted('transitions')).flatMap(({ sent }) => sent.to ?? [])
    return [...new Map(everybody.map((to) => [to.id, to])).values()]
  }

  return { step, accepted, people, needPermitted }
}

const troubleIn = (journey: Journey): Trouble[] =>
  [...journey.values()].flatMap((found) =>
    'unreached' in found && found.unreached instanceof Trouble ? [found.unreached] : [],
  )

/** What a read broke is another clause's matter: here it only keeps a step from being taken. */
const asPremise = (error: unknown) =>
  error instanceof Breach ? new NotDecidable(`the walk ended: ${error.message}`) : error

async function setOut(
  room: Room,
  name: JourneyName,
  transitions: () => Promise<Journey>,
): Promise<Journey> {
  const { settings, lending, serviceFor } = room
  const user = settings.userIds.map((id): Assignee => ({ id, type: 'USER' }))
  const team = settings.teamIds.map((id): Assignee => ({ id, type: 'TEAM' }))
  if (user.length + team.length === 0) throw new NotDecidable('set USER_IDS: users to assign to')
  const evidence: Exchange[] = []
  const service = serviceFor((exchange) => evidence.push(exchange))
  const everybody = name === 'comments' ? await knownIn(transitions, [...user, ...team]) : []
  // For comments somebody else's assignment, where there is one: what is kept of it shows.
  const wanted = name === 'comments' ? 'USER' : 'unassigned'
  const loan = await lending.borrow(wanted, service)
  const unique = randomFor(settings.seed, `${name} ${loan.task.updated_at}`).string.alphanumeric(10)
  const walker: Walker = walkerOn(loan, service, evidence, {
    actor: settings.actorId ?? '',
    settleMs: settings.settleMs,
  })
  const goThrough = () =>
    name === 'transitions'
      ? travel(walker, transitionLegs(`Contract test, please ignore ${unique}`), { user, team })
      : tellComments(walker, unique, everybody)

  const onlookers = name === 'transitions' ? room.onlookers : []
  const { acted, seen } = lookedOn(
    onlookers.map(
      (onlooker) => (travel: () => Promise<Journey>) =>
        sharedAmong(room.findings, serviceFor, () => {})(onlooker.name, (at, shared) =>
          onlooker.look({ task: loan.task, service: at, shared }, travel),
        ),
    ),
    goThrough,
  )
  const givenBack = seen.then(loan.giveBack)
  room.returning.push(givenBack)
  givenBack.catch(() => {})
  try {
    return await acted
  } finally {
    // What onlookers still wait for keeps the task, and nobody who wants the journey.
    if (onlookers.length === 0) await givenBack
  }
}

/** Those whom the service was seen to take; all, where these are too few to reassign. */
async function knownIn(transitions: () => Promise<Journey>, all: Assignee[]): Promise<Assignee[]> {
  const steps = acceptedIn(await transitions())
  const known = all.filter(({ id }) => steps.some(({ sent }) => sent.to?.id === id))
  return known.length > 1 ? known : all
}

const acceptedIn = (journey: Journey): Step[] => takenIn(journey).map(({ step }) => step)
