import { type Findings, sharedAmong } from '../../engine/clause/shared.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Recorder } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import type { History } from '../history/history.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { type Watch, watchDuring } from '../loans/watch-during.ts'
import { needPermitted as needAllowed } from '../service/answers.ts'
import type { Owners } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, transitions } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { needOwn } from './after-update.ts'
import { assigneesIn, needChangers } from './controls.ts'
import { acceptedStepsOf, type Journey, takeCommentLegs, takeLegs, transitionLegs } from './legs.ts'
import { acceptedOf, createStepper, type Step } from './step.ts'

/** The journeys of a run, taken once and judged by many clauses: each update costs somebody a mail. */
export type JourneyView = {
  /** one step of a journey, as evidence of the clause that asks for it */
  step(journey: JourneyName, name: string): Promise<Step>
  /** the steps whose comments were to try texts of this kind: several where some were refused */
  ofTexts(kind: string): Promise<Step[]>
  /** all steps of these journeys whose update was accepted */
  accepted(...journeys: JourneyName[]): Promise<Step[]>
  /** those of whom it is known that the service accepts them as assignees */
  people(): Promise<Assignee[]>
  /** Ends the clause where what reads show after a step is another writer's work. */
  needOwn(step: Step): Promise<void>
  /** Ends the clause where the refusal of a step says nothing about it (rule R5). */
  needPermitted(step: Step): Promise<void>
}

export type JourneyName = 'transitions' | 'comments'

/** A journey that was set out on; `met` has what it took until it had met everybody, or all of it. */
type Begun = { whole: Promise<Journey>; met: Promise<Journey> }

/** The journeys that were set out on, by name. */
export type Journeys = Map<JourneyName, Begun>

type Deps = {
  settings: Settings
  history: History
  lending: Lending
  journeys: Journeys
  serviceFor: (record: Recorder) => Service
  findings: Findings
  /** who watches while the transitions are made; what is found goes by their names */
  watchers: Record<string, Watcher<unknown> | undefined>
  /** tasks on their way back */
  returning: Promise<void>[]
  stop: AbortSignal
}

/** What it finds is shared under the watcher itself. */
export type Watcher<Found> = { watch: Watch<Journey, Found> }

/** The view that one clause has of the journeys of its run. */
export function createJourneyView(deps: Deps, record: Recorder): JourneyView {
  const { journeys } = deps
  const begun = (name: JourneyName): Begun => {
    const journey = journeys.get(name) ?? begin(deps, name, () => begun('transitions').met)
    journeys.set(name, journey)
    return journey
  }
  const journeyOf = (name: JourneyName) => begun(name).whole

  const step = async (journey: JourneyName, name: string) => {
    const found = (await journeyOf(journey)).get(name) as Step | { unreached: unknown }
    if ('unreached' in found) throw found.unreached
    for (const exchange of found.evidence) record(exchange)
    return found
  }

  const ofTexts = async (kind: string) => {
    const names = [...(await journeyOf('comments')).keys()]
    const own = names.filter((name) => name.split(' ')[0] === kind)
    return Promise.all(own.map((name) => step('comments', name)))
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
      throw lost[0] ?? new NotDecidable('clause', 'no update of a task was accepted', ...owners)
    }
    for (const each of steps) for (const exchange of each.evidence) record(exchange)
    return steps
  }

  const needPermitted = async (step: Step) => {
    const { answer, sent, refusedTo } = step
    // What is refused for its comment alone is permitted.
    needAllowed(acceptedOf(step))
    if (isAccepted(answer) || answer.status >= 500) return
    // The transitions are what tries every assignee; the comments go to the same people.
    const known = acceptedIn(await journeyOf('transitions'))
    if (known.length === 0)
      throw answer.status === 409
        ? new NotDecidable('clause', describeAnswer(answer), 'version.current-accepted')
        : new NotDecidable(
            'refused',
            `${describeAnswer(answer)} to every update of this run; check ACTOR_ID, USER_IDS, TEAM_IDS and TASK_IDS`,
          )
    if (!sent.to) return
    const { id, type } = sent.to
    const isKnown = (to: Assignee) => known.some((step) => step.sent.to?.id === to.id)
    if ([...refusedTo, sent.to].some(isKnown)) return
    throw new NotDecidable(
      'refused',
      `${describeAnswer(answer)}, and ${type} ${id} was never accepted; set ${type}_IDS to assignees whom the service accepts`,
    )
  }

  const ownAmong = async (step: Step) => {
    const taken = acceptedIn(await journeyOf('transitions'))
    needOwn(deps.history, step, taken.includes(step) ? taken : [step])
  }

  const people = async () => {
    const met = acceptedIn(await begun('transitions').met)
    for (const each of met) for (const exchange of each.evidence) record(exchange)
    // Where nobody was met, the journey says why.
    const steps = met.length > 0 ? met : await accepted('transitions')
    const everybody = steps.flatMap(({ sent }) => sent.to ?? [])
    return [...new Map(everybody.map((to) => [to.id, to])).values()]
  }

  return { step, ofTexts, accepted, people, needOwn: ownAmong, needPermitted }
}

const troubleIn = (journey: Journey): Trouble[] =>
  [...journey.values()].flatMap((found) =>
    'unreached' in found && found.unreached instanceof Trouble ? [found.unreached] : [],
  )

/** The clauses that judge whether updates are accepted. */
const owners = transitions.map((name) => `assign.${name}`) as Owners

function begin(deps: Deps, name: JourneyName, transitions: () => Promise<Journey>): Begun {
  let tell: (begun: Journey) => void = () => {}
  const early = new Promise<Journey>((resolve) => {
    tell = resolve
  })
  const whole = travel(deps, name, transitions, tell)
  const met = Promise.race([early, whole])
  // Whoever waits for either hears of it; nobody has to wait for both.
  for (const each of [whole, met]) each.catch(() => {})
  return { whole, met }
}

async function travel(
  deps: Deps,
  name: JourneyName,
  transitions: () => Promise<Journey>,
  tell: (begun: Journey) => void,
): Promise<Journey> {
  const { settings, lending } = deps
  // Most clauses that update wait for the journeys, which wait for who watches them, and take one step after another.
  const serviceFor = (record: Recorder) => deps.serviceFor(record).ahead()
  const { actorId: actor } = needChangers(settings)
  const all = assigneesIn(settings)
  const user = all.filter(({ type }) => type === 'USER')
  const team = all.filter(({ type }) => type === 'TEAM')
  const watchers =
    name === 'transitions' ? Object.values(deps.watchers).flatMap((each) => each ?? []) : []
  const evidence: Exchange[] = []
  const service = serviceFor((exchange) => evidence.push(exchange))
  const everybody = name === 'comments' ? await fetchKnown(transitions, all) : []
  // For comments somebody else's assignment, where there is one: what is kept of it shows.
  const wanted = name === 'comments' ? 'USER' : 'unassigned'
  type OnTheWay = { acted: Promise<Journey>; returned: Promise<void> }
  const { acted, returned } = await new Promise<OnTheWay>((resolve, reject) => {
    const takeOn = async (loan: Loan) => {
      try {
        const { acted, seen } = act(loan)
        deps.returning.push(returned)
        resolve({ acted, returned })
        // What watchers still wait for keeps the task, and nobody who wants the journey.
        await seen
      } finally {
        await loan.giveBack()
      }
    }
    // Not lent: once set out on, it is not begun anew.
    const returned = lending.borrow(wanted, service, 'first').then(takeOn)
    returned.catch(reject)
  })
  try {
    return await acted
  } finally {
    if (watchers.length === 0) await returned
  }

  function act(loan: Loan) {
    const version = loan.task.updated_at
    const unique = randomFor(settings.seed, `${name} ${version}`).string.alphanumeric(10)
    const stepper = createStepper(loan, service, evidence, {
      actor,
      history: deps.history,
      settleMs: settings.settleMs,
      stop: deps.stop,
    })
    const goThrough = () =>
      name === 'transitions'
        ? takeLegs(
            stepper,
            transitionLegs(`Contract test, please ignore ${unique}`),
            { user, team },
            tell,
          )
        : takeCommentLegs(stepper, unique, everybody)
    return watchDuring(
      watchers.map(
        (watcher) => (travel: () => Promise<Journey>) =>
          sharedAmong(deps.findings, serviceFor, () => {})(watcher, (at, shared) =>
            watcher.watch({ task: loan.task, service: at, shared }, travel),
          ),
      ),
      goThrough,
    )
  }
}

/** Those whom the service was seen to accept; all, where these are too few to reassign. */
async function fetchKnown(
  transitions: () => Promise<Journey>,
  all: Assignee[],
): Promise<Assignee[]> {
  const steps = acceptedIn(await transitions())
  const known = all.filter(({ id }) => steps.some(({ sent }) => sent.to?.id === id))
  return known.length > 1 ? known : all
}

const acceptedIn = (journey: Journey): Step[] => acceptedStepsOf(journey).map(({ step }) => step)
