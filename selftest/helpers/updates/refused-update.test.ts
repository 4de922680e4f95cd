import { describe, expect, test } from 'vitest'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import type { Service } from '../../../helpers/service/service.ts'
import { type RefusedUpdate, tokenIn, tryUpdate } from '../../../helpers/updates/refused-update.ts'
import { type Near, nearUnassigns, nearUpdates } from '../../../helpers/updates/versions.ts'
import { anna, askedBy, ben, heldBy, people, type Sent, settings, smallTask } from './small-task.ts'

describe('the comment by which an update that was refused is found', () => {
  const update = { assigned_by_id: 'a', assignment_comment: 'token' }
  test.each<[string, unknown, string | undefined]>([
    ['stands in its object', { update }, 'token'],
    ['stands in a text that is no object', '{"update": {"assignment_comment": "token"', 'token'],
    ['does not stand in a text', '{"update": ', undefined],
    ['does not stand in it', { update: { assigned_by_id: 'a' } }, undefined],
    ['is another one', { update: { assignment_comment: 'more' } }, undefined],
    ['goes with an unassign, after which no comment is shown', { unassign: update }, undefined],
  ])('%s', (_, body, expected) => {
    expect(tokenIn(body, 'token')).toBe(expected)
    expect(tokenIn(body, undefined)).toBeUndefined()
  })
})

const withoutAssignee: RefusedUpdate = {
  what: 'without assigned_to_id',
  on: 'any',
  body: ({ assigned_to_id: _, ...rest }) => ({ update: rest }),
}

type Options = Parameters<typeof smallTask>[0]

/** What comes of an update without an assignee on a task that Anna has. */
async function outcomeWhere(
  options: Options,
  {
    update = withoutAssignee,
    isAnothers = false,
    commented = true,
    windowMs = 30,
    watchMs = undefined as number | undefined,
  } = {},
) {
  const small = smallTask({ held: anna, ...options })
  const forbidden: unknown[] = []
  const lent: unknown[][] = []
  const lending: typeof small.lending = {
    ...small.lending,
    lend: (...asked) => {
      lent.push([asked[0], asked[3]])
      return small.lending.lend(...asked)
    },
  }
  const outcome = await tryUpdate(update, {
    lending,
    service: small.service as Service,
    settings,
    people,
    commented,
    watchMs,
    taskWatch: {
      forbid: (one: unknown) => forbidden.push(one),
      needNotAnothers: () => {},
      mayBeAnothers: () => isAnothers,
      keepsComments: true,
      patience: { windowMs: () => windowMs },
    } as never,
  })
  return { ...outcome, forbidden, lent, sent: small.sent }
}

describe('an update that is not to be carried out', () => {
  test('is looked for until the run ends where it was refused and changed nothing', async () => {
    const { answer, carriedOut, forbidden, lent } = await outcomeWhere({})
    expect(answer.status).toBe(422)
    expect(carriedOut).toBeUndefined()
    expect(forbidden).toMatchObject([{ answer: { status: 422 }, token: expect.any(String) }])
    expect(lent).toEqual([['whichever', 'at once']])
  })

  test('waits for the windows of a run where no comment shows whose it was', async () => {
    const { forbidden, lent } = await outcomeWhere({}, { commented: false })
    expect(forbidden).toMatchObject([{ token: undefined }])
    expect(lent).toEqual([['whichever', 'when windows are known']])
  })

  test.each([422, 200])('is told where it was answered %i and carried out', async (status) => {
    const stored = (sent: Sent) => ({ ...heldBy(ben), ...askedBy(sent) }) as never
    const bend = (sent: Sent) => ({ status, isCarriedOut: true, stored: stored(sent) })
    const { carriedOut } = await outcomeWhere({ bend })
    expect(carriedOut?.sentence).toBe(
      `PUT /tasks/11111111-0000-4000-8000-000000000000/update-assignment answered ${status} to an update without assigned_to_id, and it was carried out`,
    )
  })

  test('is not told where somebody else has assigned the task meanwhile', async () => {
    const bend = () => ({ status: 422, isCarriedOut: true, stored: heldBy(people[2] ?? null) })
    await expect(outcomeWhere({ bend })).rejects.toThrow(ForeignChange)
    const another = { ...heldBy(ben), assignment_comment: 'by somebody' } as never
    const byAnother = () => ({ status: 422, isCarriedOut: true, stored: another })
    await expect(outcomeWhere({ bend: byAnother }, { isAnothers: true })).rejects.toThrow(
      ForeignChange,
    )
  })

  test.each([1, 4])(
    'is sent anew where %i versions came meanwhile, and then judged',
    async (versions) => {
      let come = 0
      const { answer, sent } = await outcomeWhere({
        bend: (_, task) => {
          if (come === versions) return undefined
          come += 1
          task.updated_at = `2026-01-01T00:0${come}:00.000Z`
          return { status: 409 }
        },
      })
      expect(answer.status).toBe(422)
      expect(sent).toHaveLength(versions + 1)
    },
  )

  test('is told where the task cannot be read any more after it', async () => {
    let isBroken = false
    const { carriedOut } = await outcomeWhere({
      bend: () => {
        isBroken = true
        return undefined
      },
      onRead: (task) => {
        if (isBroken) Object.assign(task, { updated_at: 7 })
      },
    })
    expect(carriedOut?.sentence).toMatch(/ answered 422 to an update .*, and after it .*updated_at/)
  })

  test('is told where it unassigns, is refused, and takes effect with the next update', async () => {
    let isPutOff = false
    const { carriedOut } = await outcomeWhere(
      {
        bend: (one) => {
          const asked = askedBy(one)
          if (asked === null && !isPutOff) {
            isPutOff = true
            return { status: 409 }
          }
          return isPutOff && asked ? { isCarriedOut: true, stored: null } : undefined
        },
      },
      {
        update: {
          what: 'in vain',
          on: 'assigned',
          body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id } }),
        },
      },
    )
    expect(carriedOut?.sentence).toMatch(
      / answered 409 to an update in vain, and it was carried out$/,
    )
    expect(carriedOut?.got).toBe('null')
  })

  test('may still be open where nothing shows whose it was and the task was watched for less', async () => {
    const less = { windowMs: 10 }
    expect((await outcomeWhere({}, { commented: false, ...less })).isOpen).toBe(true)
    expect((await outcomeWhere({}, { commented: true, ...less })).isOpen).toBe(false)
    expect((await outcomeWhere({}, { commented: false })).isOpen).toBe(false)
    expect((await outcomeWhere({}, { commented: false, ...less, watchMs: 20 })).isOpen).toBe(false)
  })

  test('tells nothing where its version is the current one all the same', async () => {
    const same = { ...withoutAssignee, what: 'with the same digits', version: (now: string) => now }
    await expect(outcomeWhere({}, { update: same })).rejects.toMatchObject({
      why: { cause: 'freedom' },
    })
  })

  test('with a version of its own is not sent again for a 409', async () => {
    const older = { ...withoutAssignee, version: () => '2025-01-01T00:00:00.000Z' }
    const { answer, sent } = await outcomeWhere({}, { update: older })
    expect([answer.status, sent.length]).toEqual([409, 1])
  })
})

describe('a version near the current one', () => {
  const current = '2026-01-01T10:00:00.250Z'

  test.each<[Near, string, string]>([
    ['cut', 'without its fraction of a second', '2026-01-01T10:00:00Z'],
    ['shorter', 'with one digit of its fraction left out', '2026-01-01T10:00:00.20Z'],
    ['zone', 'with the same digits in another zone', '2026-01-01T10:00:00.250+01:00'],
  ])('%s: is the current one %s, of an update and of an unassign', (kind, what, sent) => {
    const all = [nearUpdates[kind], nearUnassigns[kind]]
    expect(all.map((each) => each?.version?.(current))).toEqual([sent, sent])
    expect(all.map((each) => each?.what)).toEqual([
      `whose If-Match is the current one ${what}`,
      `that unassigns with the current If-Match ${what}`,
    ])
  })
})
