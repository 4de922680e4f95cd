import { distinct } from '../../engine/distinct.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import { isSameId } from '../service/ids.ts'
import type { Assignee, How, Transition } from '../service/update-request.ts'
import { isAnothers, isDisturbed } from './after-update.ts'
import { commentLegs, commentOf, type Parts, unassigningWithNull } from './comment-kinds.ts'
import { acceptedOf, type State, type Step, type Stepper } from './step.ts'

/** A journey's steps by name; one that could not be taken has the reason instead. */
export type Journey = Map<string, Step | { unreached: unknown }>

/** A step whose update was accepted, with or without its comment. */
export type NamedStep = { name: string; step: Step }

/** The steps of a journey whose update was accepted, in their order. */
export const acceptedStepsOf = (journey: Journey): NamedStep[] => {
  // One that tried several kinds of texts stands under each of them.
  const named = new Map([...journey].reverse().map(([name, found]) => [found, name]))
  return [...named]
    .reverse()
    .flatMap(([found, name]) =>
      'unreached' in found || !isAccepted(acceptedOf(found)) ? [] : [{ name, step: found }],
    )
}

type Leg = { name: string; from: State; to: State; comment?: string | null; how?: How }

/** Every transition of the contract's table once, with and without comments, on one task. */
export function transitionLegs(comment: string): Leg[] {
  return [
    { name: 'unassigned-to-user', from: 'unassigned', to: 'user' },
    { name: 'user-to-user', from: 'user', to: 'user', comment: `${comment} (1)` },
    // After a comment: what is shown now would be inherited.
    { name: 'user-to-team', from: 'user', to: 'team' },
    { name: 'team-to-team', from: 'team', to: 'team', comment: `${comment} (2)` },
    { name: 'team-to-user', from: 'team', to: 'user', comment: `${comment} (3)` },
    { name: 'unassign-user', from: 'user', to: 'unassigned', comment: `${comment} (4)` },
    { name: 'unassigned-to-team', from: 'unassigned', to: 'team', comment: null },
    { name: 'unassign-team', from: 'team', to: 'unassigned' },
    // Once more with comments, and with headers that say the same.
    {
      name: 'to-team-again',
      from: 'unassigned',
      to: 'team',
      comment: `${comment} (5)`,
      how: { headerForm: 'upper case' },
    },
    {
      name: 'unassign-team-again',
      from: 'team',
      to: 'unassigned',
      comment: `${comment} (6)`,
      how: { headerForm: 'title case' },
    },
  ]
}

/** The leg after which users and teams were tried, two of each. */
const everybodyMetAt: Transition = 'team-to-team'

const maxMoments = 4

/**
 * Takes a step anew where reads show that somebody else came between; where they show nobody, it may be the
 * service. Where that comes each time it is for ownSteps to say who it was: no further step is taken twice
 * then.
 */
function createRetaking(): (take: () => Promise<Step>) => Promise<Step> {
  let isInVain = false
  return async (take) => {
    for (let time = 1; ; time += 1) {
      const isLast = isInVain || time === maxMoments
      try {
        const step = await take()
        if (!isDisturbed(step) || !isAnothers(step)) return step
        isInVain ||= isLast
        if (isLast) return step
      } catch (error) {
        if (!(error instanceof ForeignChange) || isLast) throw error
      }
    }
  }
}

/**
 * Takes the legs one after another, each from the state it starts in. `tell` hears of those that were taken
 * as soon as users and teams are known to be accepted; where one of them was not, it hears nothing.
 */
export async function takeLegs(
  stepper: Stepper,
  legs: Leg[],
  people: { user: Assignee[]; team: Assignee[] },
  tell: (begun: Journey) => void = () => {},
): Promise<Journey> {
  const journey: Journey = new Map()
  const accepted = new Set<string>()
  const refused = new Set<string>()
  const retaking = createRetaking()
  for (const leg of legs) {
    try {
      const start = leg.from === 'unassigned' ? null : starting(people[leg.from])
      if (start === undefined) throw new NotDecidable('setting', settingFor(leg.from, 'one'))
      const step = await retaking(async () => {
        await stepper.bring(start)
        return take(leg)
      })
      journey.set(leg.name, step)
    } catch (error) {
      journey.set(leg.name, { unreached: error })
    }
    if (leg.name === everybodyMetAt && acceptedStepsOf(journey).length === journey.size)
      tell(new Map(journey))
  }
  return journey

  /** Where one assignee is refused, another may not be: what they are is for the service to say. */
  async function take({ from, to: state, comment, how }: Leg): Promise<Step> {
    const refusedTo: Assignee[] = []
    const candidates = state === 'unassigned' ? [null] : goals(state, from)
    for (;;) {
      const to = candidates.shift() ?? null
      const step = await stepper.take({ to, comment, ...(how && { how }) })
      if (!to) return step
      if (isAccepted(acceptedOf(step))) accepted.add(to.id)
      else refused.add(to.id)
      const mayBeWhom = !isAccepted(acceptedOf(step)) && ![403, 409].includes(step.answer.status)
      if (!mayBeWhom || candidates.length === 0) return { ...step, refusedTo }
      refusedTo.push(to)
    }
  }

  function goals(state: 'user' | 'team', from: State): Assignee[] {
    const now = stepper.task.assignment?.assigned_to_id
    const others = people[state].filter(({ id }) => !isSameId(id, now))
    if (others.length === 0)
      throw new NotDecidable('setting', settingFor(state, state === from ? 'two or more' : 'one'))
    // First somebody new, then who was refused: it may not have been for being whom they are.
    const rank = ({ id }: Assignee) => (accepted.has(id) ? 2 : refused.has(id) ? 1 : 0)
    return others.sort((a, b) => rank(a) - rank(b))
  }

  function starting(candidates: Assignee[]): Assignee | undefined {
    return candidates.find(({ id }) => accepted.has(id)) ?? candidates[0]
  }
}

const settingFor = (state: State, how: 'one' | 'two or more') => {
  const [setting, noun] = state === 'team' ? ['TEAM_IDS', 'team'] : ['USER_IDS', 'user']
  return `set ${setting}: ${how} ${noun}${how === 'one' ? '' : 's'} to assign to`
}

/**
 * Reassigns from one to the next of all assignees, a comment each. One that is refused for its texts is sent again in
 * halves: what became of each text stands under its kind.
 */
export async function takeCommentLegs(
  stepper: Stepper,
  unique: string,
  everybody: Assignee[],
): Promise<Journey> {
  const journey: Journey = new Map()
  if (everybody.length < 2)
    throw new NotDecidable('setting', 'set USER_IDS: two or more users to assign to')
  const retaking = createRetaking()
  let turn = 0
  const take = (name: string, comment: string | null) => {
    const now = stepper.task.assignment?.assigned_to_id
    const others = everybody.filter(({ id }) => !isSameId(id, now))
    const to = name === unassigningWithNull ? null : (others[turn++ % others.length] ?? null)
    return retaking(() => stepper.take({ to, comment }))
  }
  const note = (kind: string, found: Step | { unreached: unknown }) => {
    const times = [...journey.keys()].filter((name) => name.split(' ')[0] === kind).length
    journey.set(times === 0 ? kind : `${kind} ${times + 1}`, found)
  }
  const takeTexts = async (name: string, parts: Parts): Promise<void> => {
    const { texts } = parts
    const step = { ...(await take(name, commentOf(parts))), texts }
    const isOfText = !isAccepted(step.answer) && isAccepted(acceptedOf(step))
    if (texts.length === 1 || !isOfText)
      for (const kind of distinct(texts.map(({ kind }) => kind))) note(kind, step)
    if (texts.length === 1 || !isOfText) return
    const half = texts.length >> 1
    for (const some of [texts.slice(0, half), texts.slice(half)])
      await takeTexts(name, { ...parts, texts: some })
  }
  for (const { name, parts } of commentLegs(unique))
    try {
      if (parts) await takeTexts(name, parts)
      else note(name, await take(name, null))
    } catch (error) {
      const kinds = distinct(parts?.texts.map(({ kind }) => kind) ?? [name])
      for (const kind of kinds) note(kind, { unreached: error })
    }
  return journey
}
