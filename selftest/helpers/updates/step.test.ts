import { describe, expect, test } from 'vitest'
import { createStepper, wasTakenAtOnce } from '../../../helpers/updates/step.ts'
import { actor, anna, ben, heldBy, smallTask } from './small-task.ts'

async function stepperOn(options: Parameters<typeof smallTask>[0] = {}) {
  const small = smallTask(options)
  const { exchanges, history, service, stop } = small
  const loan = await small.lend()
  const stepper = createStepper(loan, service, exchanges, { actor, history, settleMs: 30, stop })
  return { stepper, ...small }
}

const described = (evidence: { number: number; method: string }[]) =>
  evidence.map(({ number, method }) => `${number} ${method}`)

describe('a step', () => {
  test('is followed until reads show its version', async () => {
    const { stepper } = await stepperOn()
    const step = await stepper.take({ to: anna, comment: 'hello' })
    expect(step).toMatchObject({ versionWasRead: true, lagging: 0, refusedTo: [] })
    expect(step.stored?.assignment).toMatchObject({ assigned_to_id: anna.id })
    expect(stepper.task).toBe(step.stored)
    expect(step.control).toBeUndefined()
    expect(wasTakenAtOnce(step)).toBe(true)
  })

  test('rests on the read before it, its update and what followed, and nothing else', async () => {
    const { stepper } = await stepperOn()
    await stepper.take({ to: anna })
    const step = await stepper.take({ to: ben })
    // 1 reads the task, 2 and 3 are the first step.
    expect(described(step.evidence)).toEqual(['3 GET', '4 PUT', '5 GET'])
  })

  test('that is refused is tried once more without its comment, as its control', async () => {
    const bend = ({ body }: { body: object }) =>
      JSON.stringify(body).includes('comment') ? { status: 422 } : undefined
    const { stepper } = await stepperOn({ bend })
    const step = await stepper.take({ to: anna, comment: 'hello' })
    expect([step.answer.status, step.control?.answer.status]).toEqual([422, 200])
    expect(step.stored?.assignment).toMatchObject({ assigned_to_id: anna.id })
    expect(wasTakenAtOnce(step)).toBe(false)
  })

  test('that is answered and not stored ends with what is stored', async () => {
    const { stepper } = await stepperOn({
      held: ben,
      bend: () => ({ isCarriedOut: true, stored: heldBy(ben) }),
    })
    const step = await stepper.take({ to: anna })
    expect(step.versionWasRead).toBe(true)
    expect(step.stored?.assignment).toMatchObject({ assigned_to_id: ben.id })
  })
})

describe('bringing a task to somebody', () => {
  test('sends nothing where it is there already', async () => {
    const { stepper, sent } = await stepperOn({ held: anna })
    await stepper.bring(ben)
    expect(sent).toEqual([])
    await stepper.bring(null)
    expect(sent).toHaveLength(1)
    expect(stepper.task.assignment).toBeNull()
  })

  test('is not decided where reads do not show what was accepted', async () => {
    const { stepper } = await stepperOn({
      bend: () => ({ isCarriedOut: true, stored: heldBy(ben) }),
      held: anna,
    })
    await expect(stepper.bring(null)).rejects.toThrow(
      'reads do not show the task as unassigned after an accepted update',
    )
  })
})
