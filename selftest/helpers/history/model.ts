// A small service of one task, and the history that a run writes of it.

import fc from 'fast-check'
import type { Answer } from '../../../engine/http/client.ts'
import { createHistory, type History } from '../../../helpers/history/history.ts'

/** What happens next: by this run, or beside it. */
export type Step =
  | { does: 'read'; lag: number }
  | { does: 'update'; comment: string; comes: 'accepted' | 'refused' | 'lost' }
  | { does: 'another writer' }
  | { does: 'touch' }

export const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('read' as const), lag: fc.nat({ max: 3 }) }),
    fc.record({
      does: fc.constant('update' as const),
      comment: fc.constantFrom('one', 'two', 'three'),
      comes: fc.constantFrom('accepted' as const, 'refused' as const, 'lost' as const),
    }),
    fc.constant({ does: 'another writer' as const }),
    fc.constant({ does: 'touch' as const }),
  ),
  { maxLength: 30 },
)

type State = { version: string; comment: string | null }

const answerOf = ({ version, comment }: State, exchange: number, status = 200): Answer => {
  const ids = { assigned_by_id: 'a', assigned_to_id: 'b', assigned_to_type: 'USER' }
  const assignment = comment === null ? null : { ...ids, assignment_comment: comment }
  const text = status === 200 ? JSON.stringify({ updated_at: version, assignment }) : '{}'
  return { method: 'GET', path: '/tasks/t', status, exchange, text } as unknown as Answer
}

/** The states that the task has had, the newest last, beside the history of what was sent about it. */
export type Played = { history: History; states: State[]; accepted: string[]; lost: number }

/** Plays the steps; a read lags by at most so many states, and never goes back behind an earlier one. */
export function play(all: readonly Step[]): Played {
  const history = createHistory()
  const states: State[] = [{ version: 'v0', comment: null }]
  const accepted: string[] = []
  let lost = 0
  let seen = 0
  let exchange = 0
  const become = (comment: string | null) => {
    states.push({ version: `v${states.length}`, comment })
  }
  const now = () => states.at(-1) as State
  for (const step of all) {
    exchange += 1
    if (step.does === 'another writer') become('by another writer')
    else if (step.does === 'touch') become(now().comment)
    else if (step.does === 'read') {
      seen = Math.max(seen, states.length - 1 - step.lag)
      history.begin({ kind: 'read', task: 't' })(answerOf(states[seen] as State, exchange))
    } else {
      const body = { update: { assigned_to_id: 'b', assignment_comment: step.comment } }
      const end = history.begin({ kind: 'update', task: 't', body })
      if (step.comes === 'refused') end(answerOf(now(), exchange, 409))
      else {
        become(step.comment)
        if (step.comes === 'lost') end()
        else end(answerOf(now(), exchange))
        if (step.comes === 'accepted') accepted.push(step.comment)
        else lost += 1
      }
    }
  }
  return { history, states, accepted, lost }
}

/** A read that shows one of the states again. */
export const readAgain = ({ history }: Played, state: State): void =>
  history.begin({ kind: 'read', task: 't' })(answerOf(state, 99))
