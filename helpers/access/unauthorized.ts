import { expect } from '../../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Again } from '../../engine/problem.ts'
import { needAccepted, premise } from '../service/answers.ts'
import type { Operation } from '../service/operations.ts'
import { differsBy, type How } from '../service/update-request.ts'
import type { KeyProbe, KeyProbes } from './key-probes.ts'

/**
 * Expects 401. A refusal counts only if the valid key is accepted in the same request. Before another
 * refusal condemns, that control is repeated on the same task.
 */
export async function expectUnauthorized(
  probe: Omit<KeyProbe, 'giveBack'>,
  how: How,
  { what, again }: { what?: string; again?: Again } = {},
): Promise<void> {
  const { control, operation } = probe
  const answer = await probe.send(how)
  // Updates share one control, which may be of another task.
  if (operation.startsWith('assign.')) beside(answer, { control, differs: differsBy(how) })
  if (!isAccepted(answer)) {
    needControl(probe, answer)
    if (answer.status !== 401 && probe.targetExists) needAcceptedAgain(await probe.send({}))
  }
  expect(answer).toHaveStatus(401, { control, what, ...(again ? { again } : {}) })
}

/** Expects the other form of an operation to be refused with a bad key too. */
export async function expectNotLetIn({ sendOtherwise }: KeyProbe, how: How): Promise<void> {
  const answer = await sendOtherwise?.(how)
  if (!answer || !isAccepted(answer)) return
  // Send the control only if needed: one that changes a task has a cost.
  const control = await sendOtherwise?.({})
  if (answer.method === 'PUT') beside(answer, { control, differs: differsBy(how) })
  expect(answer).toHaveStatus(401, { control })
}

/**
 * Expects 401 to updates of unknown ids with the key in another place, if they are answered 401 without it:
 * then the key was accepted. Returns the operations that were asked.
 */
export async function expectUpdatesUnauthorized(
  keyProbes: KeyProbes,
  operations: readonly Operation[],
  carriers: Record<string, How>,
): Promise<Operation[]> {
  const asked: Operation[] = []
  for (const operation of operations) {
    const probe = await keyProbes.of(operation, { unknownTarget: true })
    const bare = await probe.send({ key: null })
    if (bare.status !== 401) continue
    for (const [what, carrier] of Object.entries(carriers)) {
      const send = () => probe.send({ key: null, ...carrier })
      const first = await send()
      // Repeat a single 5xx.
      const answer = first.status < 500 ? first : await send()
      beside(answer, {
        control: probe.control,
        differs: differsBy({ key: null, ...carrier }),
      })
      expect(answer).toHaveStatus(401, { what })
    }
    asked.push(operation)
  }
  return asked
}

type Controlled = Pick<KeyProbe, 'targetExists' | 'operation' | 'control'>

function needControl({ targetExists, operation, control }: Controlled, answer: Answer): void {
  if (operation === 'export' && answer.status === 500)
    throw new Trouble(`${describeAnswer(answer)}, which the contract allows for on the export`)
  if (targetExists || operation === 'export') {
    needAccepted(control)
    return
  }
  premise(control.status !== 401, 'refused', `${describeAnswer(control)} to API_KEY`)
  premise(
    answer.status === 401,
    'setting',
    `set ${settingsOf[operation]}: ${describeAnswer(answer)} to a bad key, perhaps because of the unknown id`,
  )
}

/** The control was accepted before, so a refusal now has a reason that is checked before the key. */
export function needAcceptedAgain(control: Answer): void {
  if (control.status >= 500) throw new Trouble(`${describeAnswer(control)} to the valid key`)
  premise(
    isAccepted(control),
    'freedom',
    `${describeAnswer(control)} to the valid key too; what is looked at before the key is not shown`,
  )
}

const updating = 'TASK_IDS, ACTOR_ID and USER_IDS'

const settingsOf: Record<Exclude<Operation, 'export'>, string> = {
  'task.read': 'TASK_IDS or READ_TASK_IDS',
  'assessment.read': 'ASSESSMENT_IDS',
  'assign.update': updating,
  'assign.unassign': updating,
}

/** The reads that the valid key may make; others are left out. */
export async function needAcceptedReads(keyProbes: KeyProbes): Promise<[KeyProbe, ...KeyProbe[]]> {
  const probes: KeyProbe[] = []
  let declared: unknown
  for (const operation of ['task.read', 'assessment.read', 'export'] as const)
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
