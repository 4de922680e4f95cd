import { type Findings, sharedAmong } from '../../engine/clause/shared.ts'
import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer, Recorder } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import type { History } from '../history/history.ts'
import type { Lending, Loan } from '../loans/lending.ts'
import { type Watch, watchDuring } from '../loans/watch-during.ts'
import { needAccepted, needPermitted as needAllowed } from '../service/answers.ts'
import type { Owners } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, transitions } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { needOwnSteps } from './after-update.ts'
import { assigneesIn, needChangers } from './controls.ts'
import {
  acceptedStepsOf,
  takeCommentSteps,
  takeSteps,
  transitionSteps,
  type UpdateSequence,
} from './planned-steps.ts'
import { acceptedOf, createStepper, type Step } from './step.ts'

/** The update sequences of a run, made once and judged by many clauses: each update may cost a mail. */
export type SequenceView = {
  /** one step of a sequence, as evidence of the asking clause */
  step(sequence: SequenceName, name: string): Promise<Step>
  /** the steps whose comments hold texts of this kind: several if some were refused */
  ofTexts(kind: string): Promise<Step[]>
  accepted(...sequences: SequenceName[]): Promise<Step[]>
  /** the assignees that the service is known to accept */
  people(): Promise<Assignee[]>
  /** Ends the clause if these kinds of updates are refused without a mistake, too. */
  needControls(...kinds: ('update' | 'unassign')[]): Promise<Controls>
  /** Ends the clause if reads show another writer's work after a step. */
  needOwn(step: Step): Promise<Step>
  /** Ends the clause if the refusal of a step says nothing about it. */
  needPermitted(step: Step): Promise<Step>
}

/** The controls of refused updates: the same without a mistake, accepted if any was. */
export type Controls = {
  update: Answer
  unassign: Answer
  to: Assignee | null
  /** whether comments are accepted; which ones is not shown */
  commented: boolean
}

export type SequenceName = 'transitions' | 'comments'

/** A started sequence; `met` resolves once all assignees were tried, or with the whole sequence. */
type Begun = { whole: Promise<UpdateSequence>; met: Promise<UpdateSequence> }

export type Sequences = Map<SequenceName, Begun>

type Deps = {
  settings: Settings
  history: History
  lending: Lending
  sequences: Sequences
  serviceFor: (record: Recorder) => Service
  findings: Findings
  /** watchers during the transitions; their findings have these names */
  watchers: Record<string, Watcher<unknown> | undefined>
  returning: Promise<void>[]
  stop: AbortSignal
}

/** A watcher; its finding is shared with the watcher as key. */
export type Watcher<Found> = { watch: Watch<UpdateSequence, Found> }

/** Creates one clause's view of the sequences. */
export function createSequenceView(deps: Deps, record: Recorder): SequenceView {
  const { sequences } = deps
  const begun = (name: SequenceName): Begun => {
    const sequence = sequences.get(name) ?? begin(deps, name, () => begun('transitions').met)
    sequences.set(name, sequence)
    return sequence
  }
  const sequenceOf = (name: SequenceName) => begun(name).whole
  /** as evidence of the asking clause */
  const recorded = (steps: Step[]) => {
    for (const { evidence } of steps) for (const exchange of evidence) record(exchange)
    return steps
  }

  const step = async (sequence: SequenceName, name: string) => {
    const found = (await sequenceOf(sequence)).get(name) as Step | { unreached: unknown }
    if ('unreached' in found) throw found.unreached
    recorded([found])
    return found
  }

  const ofTexts = async (kind: string) => {
    if (kind === 'plain') return [await step('transitions', 'user-to-user')]
    const names = [...(await sequenceOf('comments')).keys()]
    const own = names.filter((name) => name.split(' ')[0] === kind)
    return Promise.all(own.map((name) => step('comments', name)))
  }

  const accepted = async (...names: SequenceName[]) => {
    const taken = await Promise.allSettled(names.map(sequenceOf))
    const [first] = taken
    if (first?.status === 'rejected') throw first.reason
    const made = taken.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    const steps = made.flatMap(acceptedIn)
    // Trouble is not the service's choice: report it as trouble.
    const none = new NotDecidable('clause', 'no update of a task was accepted', ...owners)
    if (steps.length === 0) throw made.flatMap(troubleIn)[0] ?? none
    return recorded(steps)
  }

  const needPermitted = async (step: Step) => {
    const { answer, sent, refusedTo } = step
    // What is refused for its comment alone is permitted.
    needAllowed(acceptedOf(step))
    if (isAccepted(answer) || answer.status >= 500) return step
    // The transitions try every assignee; the comments go to the same ones.
    const known = acceptedIn(await sequenceOf('transitions'))
    if (known.length === 0)
      throw answer.status === 409
        ? new NotDecidable('clause', describeAnswer(answer), 'version.current-accepted')
        : new NotDecidable(
            'refused',
            `${describeAnswer(answer)} to every update of this run; check ACTOR_ID, USER_IDS, TEAM_IDS and TASK_IDS`,
          )
    if (!sent.to) return step
    const { id, type } = sent.to
    const isKnown = (to: Assignee) => known.some((step) => step.sent.to?.id === to.id)
    if ([...refusedTo, sent.to].some(isKnown)) return step
    if (type === 'TEAM' && isNoTeamTaken(deps.settings, await sequenceOf('transitions')))
      return { ...step, told: noTeamTaken }
    throw new NotDecidable(
      'refused',
      `${describeAnswer(answer)}, and ${type} ${id} was never accepted; set ${type}_IDS to assignees whom the service accepts`,
    )
  }

  const ownAmong = async (step: Step) => {
    const taken = acceptedIn(await sequenceOf('transitions'))
    needOwnSteps(deps.history, [step], taken.includes(step) ? taken : [step])
    return step
  }

  const people = async () => {
    const met = recorded(acceptedIn(await begun('transitions').met))
    // Without any accepted assignee, the sequence gives the reason.
    const steps = met.length > 0 ? met : await accepted('transitions')
    const everybody = steps.flatMap(({ sent }) => sent.to ?? [])
    return [...new Map(everybody.map((to) => [to.id, to])).values()]
  }

  const needControls: SequenceView['needControls'] = async (...kinds) => {
    const sequence = await sequenceOf('transitions')
    const made = madeIn(sequence)
    const controlAmong = (own: Step[]) => own.find(isTaken) ?? own[0]
    const update = controlAmong(made.filter(({ sent }) => sent.to))
    const unassign = controlAmong(made.filter(({ sent }) => !sent.to)) ?? update
    const whys = [...sequence.values()].flatMap((each) =>
      'unreached' in each ? each.unreached : [],
    )
    if (!update || !unassign) throw whys[0]
    recorded([update, unassign])
    const commented = made.filter((step) => step.sent.comment && isTaken(step))
    const controls = {
      ...{ update: acceptedOf(update), unassign: acceptedOf(unassign), to: update.sent.to },
      commented: commented.length > 0 && commented.every(({ answer }) => isAccepted(answer)),
    }
    for (const kind of kinds) needAccepted(controls[kind])
    return controls
  }

  return { step, ofTexts, accepted, people, needControls, needOwn: ownAmong, needPermitted }
}

const noTeamTaken =
  'every team is rejected, assigned or not, and no user (what the key may not do is for NOT_PERMITTED to declare)'

/** Whether two teams or more, all that are configured, are refused in both states for no reason of their own. */
function isNoTeamTaken({ teamIds }: Settings, sequence: UpdateSequence): boolean {
  const [toTeams, toUsers] = (['TEAM', 'USER'] as const).map((type) =>
    madeIn(sequence).filter(({ sent }) => sent.to?.type === type),
  ) as [Step[], Step[]]
  const statuses = toTeams.flatMap(({ answer, control }) => [answer, control?.answer ?? answer])
  const tried = toTeams.flatMap(({ refusedTo, sent }) => [...refusedTo, sent.to])
  return (
    teamIds.length > 1 &&
    teamIds.every((id) => tried.some((to) => to?.id === id)) &&
    statuses.every((each) => isRefused(each) && ![403, 404, 409].includes(each.status)) &&
    [true, false].every((is) =>
      toTeams.some(({ before }) => (before.assignment === null) === is),
    ) &&
    toUsers.length > 0 &&
    toUsers.every((step) => isAccepted(acceptedOf(step)) && step.refusedTo.length === 0)
  )
}

const troubleIn = (sequence: UpdateSequence): Trouble[] =>
  [...sequence.values()].flatMap((found) =>
    'unreached' in found && found.unreached instanceof Trouble ? [found.unreached] : [],
  )

/** The clauses that judge whether updates are accepted. */
const owners = transitions.map((name) => `assign.${name}`) as Owners

function begin(deps: Deps, name: SequenceName, transitions: () => Promise<UpdateSequence>): Begun {
  let tell: (begun: UpdateSequence) => void = () => {}
  const early = new Promise<UpdateSequence>((resolve) => {
    tell = resolve
  })
  const whole = makeUpdates(deps, name, transitions, tell)
  const met = Promise.race([early, whole])
  // Mark both as handled: a clause may wait for one alone.
  for (const each of [whole, met]) each.catch(() => {})
  return { whole, met }
}

async function makeUpdates(
  deps: Deps,
  name: SequenceName,
  transitions: () => Promise<UpdateSequence>,
  tell: (begun: UpdateSequence) => void,
): Promise<UpdateSequence> {
  const { settings, lending } = deps
  // Most updating clauses wait for the sequences, so these use the shorter line.
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
  // For comments, start with another user's assignment if there is one: remains of it would show.
  const wanted = name === 'comments' ? 'USER' : 'unassigned'
  // Borrowed, not lent: a started sequence never starts again.
  const loan = await lending.borrow(wanted, service, 'first')
  const { acted, seen } = act(loan)
  // Watchers that still wait keep the task, but not the clauses that use the sequence.
  const returned = seen.then(loan.giveBack)
  returned.catch(() => {})
  deps.returning.push(returned)
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
        ? takeSteps(
            stepper,
            transitionSteps(`Contract test, please ignore ${unique}`),
            { user, team },
            tell,
          )
        : takeCommentSteps(stepper, unique, everybody)
    return watchDuring(
      watchers.map(
        (watcher) => (makeUpdates: () => Promise<UpdateSequence>) =>
          sharedAmong(deps.findings, serviceFor, () => {})(watcher, (at, shared) =>
            watcher.watch({ task: loan.task, service: at, shared }, makeUpdates),
          ),
      ),
      goThrough,
    )
  }
}

/** The accepted assignees; all assignees if those are too few to reassign. */
async function fetchKnown(
  transitions: () => Promise<UpdateSequence>,
  all: Assignee[],
): Promise<Assignee[]> {
  const steps = acceptedIn(await transitions())
  const known = all.filter(({ id }) => steps.some(({ sent }) => sent.to?.id === id))
  return known.length > 1 ? known : all
}

const isTaken = (step: Step) => isAccepted(acceptedOf(step))

const madeIn = (sequence: UpdateSequence): Step[] =>
  [...sequence.values()].flatMap((found) => ('unreached' in found ? [] : found))

const acceptedIn = (sequence: UpdateSequence): Step[] =>
  acceptedStepsOf(sequence).map(({ step }) => step)
