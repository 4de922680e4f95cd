import { type Case, caseOf } from '../../engine/clause/case.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Answered, problemsOfStatus } from '../../engine/http/status-problems.ts'
import type { Origin } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import { type Operation, readOperations, whyNeeded } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { askedBetween } from '../service/answered.ts'
import { needAccepted, premise } from '../service/answers.ts'
import { differsBy, type How } from '../service/update-request.ts'
import type { KeyProbe, KeyProbes } from './key-probes.ts'

export type Trial = {
  operation: Operation
  what?: string | undefined
  answer: Answered
  control: Answered
}
type Probe = Omit<KeyProbe, 'giveBack'>
export type Ways = readonly (readonly [what: string, how: How])[]

export const problemsOfKey = ({ answer, ...more }: Trial): Problem[] =>
  problemsOfStatus(answer, statuses.badKey, more)

type Telling = { what?: string; before?: Origin }

/** A rejected key counts only if the same request with the valid key is accepted. */
export async function fetchTrial(
  probe: Probe,
  how: How,
  telling: Telling = {},
): Promise<Case<Trial>> {
  const send = (more: How) => probe.send({ ...how, ...more })
  const { answer, control } = await askedBetween(send, () => probe.send({}))
  if (!isAccepted(answer)) {
    needControl(probe, answer)
    if (answer.status !== statuses.badKey && probe.targetExists)
      needAcceptedAgain(await probe.send({}))
  }
  return trialOf(probe, { how, answer, between: control, ...telling })
}

type Tried = Telling & { how: How; answer: Answer; between?: Answer | undefined }

function trialOf({ operation, control }: Probe, tried: Tried): Case<Trial> {
  const { how, answer, between, what, before } = tried
  const trial = { operation, what, answer, control }
  // Updates share one control, which may be of another task.
  if (answer.method === 'PUT')
    return caseOf(trial, { judged: answer, control, differs: differsBy(how), before })
  return caseOf(trial, { judged: answer, control: [control, between], before })
}

/** Only if an invalid key is not rejected in it. */
export async function fetchOtherForm(probe: KeyProbe, how: How): Promise<Case<Trial>[]> {
  const answer = await probe.sendOtherwise?.(how)
  if (!answer || !isAccepted(answer)) return []
  // Send the control only if needed: one that changes a task has a cost.
  const control = (await probe.sendOtherwise?.({})) ?? probe.control
  return [trialOf({ ...probe, control }, { how, answer })]
}

export const describeWays = (all: readonly Trial[]): string =>
  all.map(({ operation, what }) => `${operation} with ${what}`).join(', ')

export async function* trials(probe: Probe, ways: Ways) {
  for (const [what, how] of ways) yield fetchTrial(probe, how, { what })
}

export async function* trialsOfReads(keyProbes: KeyProbes, ways: Ways) {
  for (const probe of await needAcceptedReads(keyProbes)) yield* trials(probe, ways)
}

/** Updates with the key in another place, if they are rejected without it: then the key was accepted. */
export async function* trialsOfUpdates(
  keyProbes: KeyProbes,
  kinds: readonly ('update' | 'unassign')[],
  ways: Ways,
) {
  for (const kind of kinds) {
    const probe = await keyProbes.of(`assign.${kind}`, { unknownTarget: true })
    const bare = await probe.send({ key: null })
    if (bare.status !== statuses.badKey) continue
    for (const [what, how] of ways) {
      const first = await probe.send(how)
      // A single 5xx says nothing.
      const answer = first.status < 500 ? first : await probe.send(how)
      yield trialOf(probe, { how, answer, what })
    }
  }
}

function needControl({ targetExists, operation, control }: Probe, answer: Answer): void {
  if (operation === 'export' && answer.status === statuses.failedExport)
    throw new Trouble(`${describeAnswer(answer)}, which the contract allows for an export`)
  if (targetExists || operation === 'export') {
    needAccepted(control)
    return
  }
  premise(control.status !== statuses.badKey, 'refused', `${describeAnswer(control)} to API_KEY`)
  const open = `: ${describeAnswer(answer)} to an invalid key, possibly because the id is unknown`
  premise(answer.status === statuses.badKey, ...whyNeeded(operation, open))
}

/** The control was accepted before, so a rejection now has a reason that is checked before the key. */
export function needAcceptedAgain(control: Answer): void {
  if (control.status >= 500) throw new Trouble(`${describeAnswer(control)} to the valid key`)
  premise(
    isAccepted(control),
    'freedom',
    `${describeAnswer(control)} to the valid key too; the contract does not say what is checked before the key`,
  )
}

export async function needAcceptedReads(keyProbes: KeyProbes): Promise<[KeyProbe, ...KeyProbe[]]> {
  const probes: KeyProbe[] = []
  let declared: unknown
  for (const operation of [...readOperations, 'export'] as const)
    try {
      probes.push(await keyProbes.of(operation))
    } catch (error) {
      if (!(error instanceof NotDecidable)) throw error
      declared = error
    }
  const isServed = ({ targetExists, control }: KeyProbe) => targetExists && isAccepted(control)
  const [first, ...more] = probes.filter(isServed)
  if (first) return [first, ...more]
  // What another clause judges comes before a missing setting or permission.
  const mayBeJudged = ({ targetExists, control }: KeyProbe) =>
    targetExists && control.status !== 403
  const [told] = probes.toSorted((a, b) => Number(mayBeJudged(b)) - Number(mayBeJudged(a)))
  if (told) needAccepted(told.control)
  throw declared
}
