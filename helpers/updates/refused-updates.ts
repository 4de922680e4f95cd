import { Trouble } from '../../engine/outcome.ts'
import type { Lending } from '../loans/lending.ts'
import { isAccepted, needAccepted, premise, told } from '../service/answers.ts'
import type { Shared } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedUpdates, needChangers } from './controls.ts'
import type { Travelled } from './journey.ts'
import { type Attempt, attempt, type Faulty } from './refused-update.ts'
import { equalAssignments } from './step.ts'

/** Updates that are not to be carried out, each tried once a run beside a control that is. */
export type Attempts = {
  of(faulty: Faulty): Promise<Attempt>
  /** what was carried out all the same, a sentence each; where nothing ever is, that tells nothing */
  carriedOut(tried: readonly Attempt[]): Promise<string[]>
  /** Goes on only where a valid update of this kind was accepted. */
  needControl(kind: 'update' | 'unassign'): Promise<void>
}

/** The view that one clause has of the attempts of its run. */
export function attemptsIn(room: {
  settings: Settings
  lending: Lending
  shared: Shared
  journey: Travelled
}): Attempts {
  const { settings, lending, shared, journey } = room
  const needControl = async (kind: 'update' | 'unassign') => {
    needChangers(settings)
    const controls = await shared('accepted updates', (at) =>
      acceptedUpdates(lending, at, settings),
    )
    needAccepted(controls[kind])
  }
  const of = async (faulty: Faulty) => {
    // First the control: with a single task it would wait for the loan of this very attempt.
    await needControl(faulty.on === 'assigned' ? 'unassign' : 'update')
    const people = await journey.people()
    const tryIt = (name: string) =>
      shared(name, (service) => attempt(faulty, { lending, service, settings, people }))
    const tried = await tryIt(`update ${faulty.what}`)
    // Somebody else may have made this very change: it is held against the service if it always comes.
    for (let time = 2; tried.carriedOut && time <= 3; time += 1) {
      const again = await tryIt(`time ${time}, update ${faulty.what}`)
      if (!again.carriedOut) throw new Trouble('somebody else changed the task meanwhile')
    }
    const forbidden = tried.answer.status === 403 && !isAccepted(tried.answer)
    premise(!forbidden || tried.carriedOut !== undefined, 'the key may not do this (403)')
    return tried
  }
  const carriedOut = async (tried: readonly Attempt[]) => {
    const sentences = tried.flatMap((each) => each.carriedOut ?? [])
    const vain = tried.find((each) => isAccepted(each.answer) && !each.carriedOut)
    if (sentences.length === 0 && vain) {
      const steps = await journey.accepted('transitions')
      const changes = steps.some(
        ({ before, stored }) => stored && !equalAssignments(before.assignment, stored.assignment),
      )
      premise(
        changes,
        `${told(vain.answer)}, and no read shows what any accepted update does: see assign.persisted`,
      )
    }
    return sentences
  }
  return { of, carriedOut, needControl }
}
