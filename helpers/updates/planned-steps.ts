import { distinct } from '../../engine/distinct.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { ForeignChange } from '../loans/foreign-change.ts'
import type { Assignee, How } from '../service/update-request.ts'
import { isAnothers, isDisturbed } from './after-update.ts'
import { comments, commentWith, type Parts, partsOf } from './comment-kinds.ts'
import { othersThan } from './controls.ts'
import { acceptedOf, kindOf, type State, type Step, type Stepper } from './step.ts'

/** A sequence's steps by name; a step that could not be made has the reason instead. */
export type UpdateSequence = Map<string, Step | { unreached: unknown }>

/** A step whose update was accepted, with or without its comment. */
export type NamedStep = { name: string; step: Step }

export const acceptedStepsOf = (sequence: UpdateSequence): NamedStep[] =>
  [...sequence].flatMap(([name, found], at, all) => {
    // A step that tried several kinds of texts stands under each of them.
    const isFirst = all.findIndex(([, other]) => other === found) === at
    if (!isFirst || 'unreached' in found || !isAccepted(acceptedOf(found))) return []
    return [{ name, step: found }]
  })

export type PlannedStep = {
  name: string
  /** the state that the task is brought to before it; left out: as it is */
  from?: State
  /** `anybody`: to all assignees in turn */
  to: State | 'anybody'
  comment?: string | null
  /** what its comment consists of; refused for its texts, it is sent again in halves */
  parts?: Parts
  how?: How
}

/** Every transition of the contract's table once, with and without comments, on one task. */
export function transitionSteps(comment: string): PlannedStep[] {
  return [
    { name: 'unassigned-to-user', from: 'unassigned', to: 'user' },
    { name: 'user-to-user', from: 'user', to: 'user', comment: `${comment} (1)` },
    // After an update with a comment, so that an inherited comment would show.
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

/** One reassignment for each comment, then one with null, and an unassignment with null. */
export const commentSteps = (unique: string): PlannedStep[] => [
  ...comments.map((name) => ({ name, to: 'anybody' as const, parts: partsOf(name, unique) })),
  { name: 'null', to: 'anybody', comment: null },
  { name: 'unassign-null', to: 'unassigned', comment: null },
]

const maxMoments = 4

/**
 * Repeats a step if reads show that another writer came between. If the writer is unknown, it may be the
 * service. If it happens each time, ownSteps decides who it was, and no further step is repeated.
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

/** Makes the steps one after another. A step with a comment of texts stands under the kinds of its texts. */
export async function takeSteps(
  stepper: Stepper,
  plannedSteps: readonly PlannedStep[],
  people: readonly Assignee[],
): Promise<UpdateSequence> {
  const sequence: UpdateSequence = new Map()
  const accepted = new Set<string>()
  const refused = new Set<string>()
  const retaking = createRetaking()
  let turn = 0
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
    const own = others.filter(({ type }) => kindOf(type) === state)
    if (own.length === 0)
      throw new NotDecidable('setting', settingFor(state, state === from ? 'two or more' : 'one'))
    // New assignees first, then refused ones: the refusal may have had another reason.
    const rank = ({ id }: Assignee) => (accepted.has(id) ? 2 : refused.has(id) ? 1 : 0)
    return own.sort((a, b) => rank(a) - rank(b))
  }

  function starting(state: State): Assignee {
    const own = people.filter(({ type }) => kindOf(type) === state)
    const start = own.find(({ id }) => accepted.has(id)) ?? own[0]
    if (!start) throw new NotDecidable('setting', settingFor(state, 'one'))
    return start
  }
}

const settingFor = (state: State, how: 'one' | 'two or more') => {
  const [setting, noun] = state === 'team' ? ['TEAM_IDS', 'team'] : ['USER_IDS', 'user']
  return `set ${setting}: ${how} ${noun}${how === 'one' ? '' : 's'} to assign to`
}
