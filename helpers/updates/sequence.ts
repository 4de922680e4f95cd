import { type Findings, sharedAmong } from '../../engine/clause/shared.ts'
import { distinct } from '../../engine/distinct.ts'
import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import type { Answer, Recorder } from '../../engine/http/client.ts'
import type { Exchange } from '../../engine/http/exchange.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import { createRetaking } from '../loans/foreign-change.ts'
import { type Watch, watchDuring } from '../loans/watch-during.ts'
import { needAccepted, needPermitted as needAllowed, premise } from '../service/answers.ts'
import type { Owners } from '../service/owners.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, type How, transitions } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { comments, commentWith, type Parts, partsOf } from './comment-kinds.ts'
import { assigneesIn, needChangers, type OfRun, othersThan } from './controls.ts'
import {
  acceptedOf,
  createStepper,
  isAnothers,
  isDisturbed,
  kindOf,
  needOwnSteps,
  type State,
  type Step,
  type Stepper,
} from './step.ts'

/** made once: each update may cost a mail */
export type SequenceView = ReturnType<typeof createSequenceView>

export type Controls = {
  update: Answer
  unassign: Answer
  to: Assignee | null
  /** whether some comment is accepted */
  commented: boolean
}

type SequenceName = 'transitions' | 'comments'

export type Sequences = Map<SequenceName, Promise<UpdateSequence>>

type Deps = Omit<OfRun, 'known'> & {
  sequences: Sequences
  serviceFor: (record: Recorder) => Service
  findings: Findings
  watchers: Record<string, Watcher<unknown> | undefined>
  returning: Promise<void>[]
}

export type Watcher<Found> = { watch: Watch<UpdateSequence, Found> }

export function createSequenceView(deps: Deps, record: Recorder) {
  const { sequences } = deps
  const sequenceOf = (name: SequenceName): Promise<UpdateSequence> => {
    const sequence = sequences.get(name) ?? makeUpdates(deps, name, () => sequenceOf('transitions'))
    // A clause that needs it waits for it, and others may fail before.
    sequence.catch(() => {})
    sequences.set(name, sequence)
    return sequence
  }
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

  /** the steps whose comments hold texts of this kind: several if some were refused */
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
    const transitions = await sequenceOf('transitions')
    const known = acceptedIn(transitions)
    const told = describeAnswer(answer)
    if (known.length === 0 && answer.status === 409)
      throw new NotDecidable('clause', told, 'version.current-accepted')
    const all = `${told} to every update of this run; check ACTOR_ID, USER_IDS, TEAM_IDS and TASK_IDS`
    premise(known.length > 0, 'refused', all)
    const { to } = sent
    const isKnown = ({ id }: Assignee) => known.some((step) => step.sent.to?.id === id)
    if (!to || [...refusedTo, to].some(isKnown)) return step
    if (to.type === 'TEAM' && isNoTeamTaken(deps.settings, transitions))
      return { ...step, told: noTeamTaken }
    throw new NotDecidable(
      'refused',
      `${told}, and ${to.type} ${to.id} was never accepted; set ${to.type}_IDS to assignees whom the service accepts`,
    )
  }

  const needOwn = async (step: Step) => {
    const taken = acceptedIn(await sequenceOf('transitions'))
    needOwnSteps(deps.history, [step], taken.includes(step) ? taken : [step])
    return step
  }

  const people = async () => {
    const everybody = (await accepted('transitions')).flatMap(({ sent }) => sent.to ?? [])
    return [...new Map(everybody.map((to) => [to.id, to])).values()]
  }

  const needControls = async (...kinds: ('update' | 'unassign')[]): Promise<Controls> => {
    const sequence = await sequenceOf('transitions')
    const made = madeIn(sequence)
    // In the form of the refused ones: assigning with a comment if comments are accepted, unassigning without.
    const isOfForm = ({ sent, answer }: Step) =>
      sent.to ? !!sent.comment && isAccepted(answer) : sent.comment === undefined
    const controlAmong = (own: Step[]) =>
      own.find((step) => isTaken(step) && isOfForm(step)) ?? own.find(isTaken) ?? own[0]
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

  return { step, ofTexts, accepted, people, needControls, needOwn, needPermitted }
}

const noTeamTaken =
  'every team is rejected, for assigned and unassigned tasks, but no user; set NOT_PERMITTED to what the key may not do'

/** Whether two teams or more, all that are configured, are refused in both states for no reason of their own. */
function isNoTeamTaken({ teamIds }: Settings, sequence: UpdateSequence): boolean {
  const made = madeIn(sequence)
  const toTeams = made.filter(({ sent }) => sent.to?.type === 'TEAM')
  const toUsers = made.filter(({ sent }) => sent.to?.type === 'USER')
  const answers = toTeams.flatMap(({ answer, control }) => [answer, control?.answer ?? answer])
  const tried = toTeams.flatMap(({ refusedTo, sent }) => [...refusedTo, sent.to])
  const states = new Set(toTeams.map(({ before }) => before.assignment === null))
  return (
    teamIds.length > 1 &&
    teamIds.every((id) => tried.some((to) => to?.id === id)) &&
    answers.every((each) => isRefused(each) && ![403, 404, 409].includes(each.status)) &&
    states.size > 1 &&
    toUsers.length > 0 &&
    toUsers.every((step) => isTaken(step) && step.refusedTo.length === 0)
  )
}

const troubleIn = (sequence: UpdateSequence): Trouble[] =>
  [...sequence.values()].flatMap((found) =>
    'unreached' in found && found.unreached instanceof Trouble ? [found.unreached] : [],
  )

const owners = transitions.map((name) => `assign.${name}`) as Owners

async function makeUpdates(
  deps: Deps,
  name: SequenceName,
  transitions: () => Promise<UpdateSequence>,
): Promise<UpdateSequence> {
  const { settings, lending, returning, findings } = deps
  // Most updating clauses wait for the sequences, so these use the shorter line.
  const serviceFor = (record: Recorder) => deps.serviceFor(record).ahead()
  needChangers(settings)
  const isOfComments = name === 'comments'
  const all = assigneesIn(settings)
  const people = isOfComments ? await fetchKnown(transitions, all) : all
  const few = 'set USER_IDS: two or more users to assign to'
  premise(!isOfComments || people.length > 1, 'setting', few)
  const watchers = isOfComments ? [] : Object.values(deps.watchers).flatMap((each) => each ?? [])
  const evidence: Exchange[] = []
  const service = serviceFor((exchange) => evidence.push(exchange))
  // For comments, start with another user's assignment if there is one: remains of it would show.
  // Borrowed, not lent: a started sequence never starts again.
  const loan = await lending.borrow(isOfComments ? 'USER' : 'unassigned', service, 'first')
  const unique = randomFor(settings.seed, `${name} ${loan.task.updated_at}`).string.alphanumeric(10)
  const planned = isOfComments
    ? commentSteps(unique)
    : transitionSteps(`Contract test, please ignore ${unique}`)
  const stepper = createStepper(loan, evidence, deps)
  const watches = watchers.map(
    (watcher) => (makeUpdates: () => Promise<UpdateSequence>) =>
      sharedAmong(findings, serviceFor, () => {})(watcher, (at, shared) =>
        watcher.watch({ task: loan.task, service: at, shared }, makeUpdates),
      ),
  )
  const { acted, seen } = watchDuring(watches, () => takeSteps(stepper, planned, people))
  // Watchers that still wait keep the task, but not the clauses that use the sequence.
  const returned = seen.then(loan.giveBack)
  returned.catch(() => {})
  returning.push(returned)
  try {
    return await acted
  } finally {
    if (watchers.length === 0) await returned
  }
}

/** all assignees if the accepted ones are too few to reassign */
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

export type UpdateSequence = Map<string, Step | { unreached: unknown }>

export type NamedStep = { name: string; step: Step }

export const acceptedStepsOf = (sequence: UpdateSequence): NamedStep[] =>
  [...sequence].flatMap(([name, found], at, all) => {
    // A step that tried several kinds of texts stands under each of them.
    const isFirst = all.findIndex(([, other]) => other === found) === at
    if (!isFirst || 'unreached' in found || !isAccepted(acceptedOf(found))) return []
    return [{ name, step: found }]
  })

type PlannedStep = {
  name: string
  from?: State
  /** `anybody`: to all assignees in turn */
  to: State | 'anybody'
  comment?: string | null
  /** what its comment consists of; refused for its texts, it is sent again in halves */
  parts?: Parts
  how?: How
}

const transitionSteps = (comment: string): PlannedStep[] =>
  (
    [
      ['unassigned-to-user', 'unassigned', 'user'],
      ['user-to-user', 'user', 'user', 1],
      // It follows an update with a comment, so that an inherited comment would show.
      ['user-to-team', 'user', 'team'],
      ['team-to-team', 'team', 'team', 2],
      ['team-to-user', 'team', 'user', 3],
      ['unassign-user', 'user', 'unassigned', 4],
      ['unassigned-to-team', 'unassigned', 'team', null],
      ['unassign-team', 'team', 'unassigned'],
      // Once more with comments, and with headers that say the same.
      ['to-team-again', 'unassigned', 'team', 5, 'upper case'],
      ['unassign-team-again', 'team', 'unassigned', 6, 'title case'],
    ] as const
  ).map(([name, from, to, nth, headerForm]) => ({
    ...{ name, from, to, comment: nth && `${comment} (${nth})` },
    ...(headerForm && { how: { headerForm } }),
  }))

const commentSteps = (unique: string): PlannedStep[] => [
  ...comments.map((name) => ({ name, to: 'anybody' as const, parts: partsOf(name, unique) })),
  { name: 'null', to: 'anybody', comment: null },
  { name: 'unassign-null', to: 'unassigned', comment: null },
]

/** A step with a comment of texts stands under the kinds of its texts. */
async function takeSteps(
  stepper: Stepper,
  plannedSteps: readonly PlannedStep[],
  people: readonly Assignee[],
): Promise<UpdateSequence> {
  const sequence: UpdateSequence = new Map()
  const accepted = new Set<string>()
  const refused = new Set<string>()
  // If the writer is unknown, it may be the service.
  const retaking = createRetaking((step: Step) => isDisturbed(step) && isAnothers(step))
  // Comments go to a team first: few updates do, and the texts that stores spoil most come first.
  let turn = Math.max(0, people.findIndex(({ type }) => type === 'TEAM') - 1)
  for (const planned of plannedSteps)
    try {
      if (planned.parts) await takeTexts(planned, planned.parts)
      else note(planned.name, await retaking(() => take(planned)))
    } catch (error) {
      const kinds = planned.parts?.texts.map(({ kind }) => kind) ?? [planned.name]
      for (const kind of distinct(kinds)) note(kind, { unreached: error })
    }
  return sequence

  function note(kind: string, found: Step | { unreached: unknown }) {
    const times = [...sequence.keys()].filter((name) => name.split(' ')[0] === kind).length
    sequence.set(times === 0 ? kind : `${kind} ${times + 1}`, found)
  }

  async function takeTexts(planned: PlannedStep, parts: Parts): Promise<void> {
    const { texts } = parts
    const commented = { ...planned, comment: commentWith(parts) }
    const step = Object.assign(await retaking(() => take(commented)), { texts })
    const isOfText = !isAccepted(step.answer) && isAccepted(acceptedOf(step))
    const half = isOfText ? texts.length >> 1 : 0
    if (half === 0) for (const kind of distinct(texts.map((one) => one.kind))) note(kind, step)
    else
      for (const some of [texts.slice(0, half), texts.slice(half)])
        await takeTexts(planned, { ...parts, texts: some })
  }

  /** One assignee may be refused and another accepted: that is the service's choice. */
  async function take({ from, to: state, comment, how }: PlannedStep): Promise<Step> {
    if (from) await stepper.bring(from === 'unassigned' ? null : starting(from))
    const refusedTo: Assignee[] = []
    const candidates = state === 'unassigned' ? [null] : goals(state, from)
    for (;;) {
      const to = candidates.shift() ?? null
      const step = await stepper.take({ to, comment, ...(how && { how }) })
      if (!to) return step
      if (isAccepted(acceptedOf(step))) accepted.add(to.id)
      else refused.add(to.id)
      const mayBeWhom = !isAccepted(acceptedOf(step)) && ![403, 409].includes(step.answer.status)
      if (!mayBeWhom || candidates.length === 0) return Object.assign(step, { refusedTo })
      refusedTo.push(to)
    }
  }

  function goals(state: Exclude<State, 'unassigned'> | 'anybody', from?: State): Assignee[] {
    const others = othersThan(people, stepper.task())
    if (state === 'anybody') return others.slice(turn++ % others.length).slice(0, 1)
    // New assignees first, then refused ones: the refusal may have had another reason.
    const rank = ({ id }: Assignee) => (accepted.has(id) ? 2 : refused.has(id) ? 1 : 0)
    const how = state === from ? 'two or more' : 'one'
    return needOf(others, state, how).sort((a, b) => rank(a) - rank(b))
  }

  function starting(state: State): Assignee {
    const own = needOf(people, state, 'one')
    return own.find(({ id }) => accepted.has(id)) ?? (own[0] as Assignee)
  }
}

/** Whom to assign to in this state; ends the clause where the settings name nobody. */
function needOf(people: readonly Assignee[], state: State, how: 'one' | 'two or more') {
  const own = people.filter(({ type }) => kindOf(type) === state)
  const [setting, noun] = state === 'team' ? ['TEAM_IDS', 'team'] : ['USER_IDS', 'user']
  const few = `set ${setting}: ${how} ${noun}${how === 'one' ? '' : 's'} to assign to`
  if (own.length === 0) throw new NotDecidable('setting', few)
  return own
}
