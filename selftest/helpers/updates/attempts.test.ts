import { describe, expect, test } from 'vitest'
import { refusedUpdates } from '../../../helpers/history/questions.ts'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import { type Attempt, tryAlone } from '../../../helpers/updates/attempt.ts'
import { type Near, nearUnassigns, nearUpdates, stale } from '../../../helpers/updates/versions.ts'
import { accepted, play } from '../history/model.ts'
import { anna, askedBy, ben, heldBy, people, type Sent, settings, smallTask } from './small-task.ts'

describe('the comment by which an update that was refused is found', () => {
  const comment = 'Contract test, please ignore 0123456789ab'
  test.each<[string, unknown, string | undefined]>([
    ['stands in its object', { update: { assignment_comment: 'any' } }, 'any'],
    ['stands in a text', `{"update": {"assignment_comment": "${comment}", `, comment],
    ['does not stand in a text', '{"update": ', undefined],
    ['does not stand in it', { update: { assigned_by_id: 'a' } }, undefined],
    ['goes with an unassign, after which none is shown', unassignBody('a', comment), undefined],
  ])('%s', (_, body, expected) => {
    expect(commentIn(body)).toBe(expected)
  })
})

const withoutAssignee: Attempt = {
  what: 'without assigned_to_id',
  on: 'any',
  body: ({ assigned_to_id: _, ...rest }) => ({ update: rest }),
}

type Options = Parameters<typeof smallTask>[0]

/** What comes of an update without an assignee on a task that Anna has. */
async function outcomeWhere(
  options: Options,
  {
    update = withoutAssignee as Attempt,
    commented = true,
    windowMs = 30,
    watchMs = undefined as number | undefined,
  } = {},
) {
  const small = smallTask({ held: anna, ...options })
  const { history, service } = small
  // Comments are seen to be kept.
  play([accepted()], { history })
  const lent: unknown[][] = []
  const lending: typeof small.lending = {
    ...small.lending,
    lend: (...asked) => {
      lent.push([asked[0], asked[3]])
      return small.lending.lend(...asked)
    },
  }
  const settleWindow = { ...settleWindowOf(history, 30), windowMs: () => windowMs }
  const deps = { history, settleWindow, lending, service, settings, people, commented }
  const tried = await tryAlone(update, deps, { watchMs })
  return { ...tried, all: refusedUpdates(history), lent, sent: small.sent }
}

describe('an update that is not to be carried out', () => {
  test('is looked for until the run ends where it was refused and changed nothing', async () => {
    const { answer, carriedOut, all, lent } = await outcomeWhere({})
    expect(answer.status).toBe(422)
    expect(carriedOut).toBeUndefined()
    expect(all).toMatchObject([{ answer: { status: 422 }, token: expect.any(String) }])
    expect(lent).toEqual([['whichever', 'at once']])
  })

  test('waits for the windows of a run where no comment shows whose it was', async () => {
    const { all, lent } = await outcomeWhere({}, { commented: false })
    expect(all).toMatchObject([{ token: undefined }])
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
    await expect(outcomeWhere({ bend: byAnother })).rejects.toThrow('somebody else changed')
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
    expect(carriedOut?.decides?.['assignment after']).toBe('null')
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

describe('a version that was current once', () => {
  const bare = Object.fromEntries(
    Object.entries(stale).map(([kind, { followUp: _, ...alone }]) => [kind, alone]),
  )
  test.each(Object.entries({ ...bare, followUp: stale.assign.followUp as Attempt }))(
    '%s: is one that an accepted update of this run used',
    async (_, update) => {
      const { answer, carriedOut, before, after, sent } = await outcomeWhere({}, { update })
      const versions = (isCurrent: boolean) =>
        sent.flatMap((one) => (one.isCurrent === isCurrent ? one.version : []))
      expect(versions(true)).toEqual(expect.arrayContaining(versions(false)))
      expect(versions(false)).toHaveLength(1)
      expect([answer.status, carriedOut]).toEqual([409, undefined])
      expect(after).toEqual(before)
    },
  )

  test('is followed up on the same loan where it is refused', async () => {
    const { followUp, sent } = await outcomeWhere({}, { update: stale.reassign })
    expect(followUp?.answer.status).toBe(409)
    expect(sent.filter(({ isCurrent }) => !isCurrent)).toHaveLength(2)
    const bend = (one: Sent) => (one.isCurrent ? undefined : { status: 200, isCarriedOut: true })
    expect((await outcomeWhere({ bend }, { update: stale.reassign })).followUp).toBeUndefined()
  })

  test('goes with an accepted update that is sent once more, as it was', async () => {
    const update = stale.reassign.followUp as Attempt
    const { sent } = await outcomeWhere({}, { update })
    expect(sent[1]).toEqual({ ...sent[0], isCurrent: false })
  })

  test('is followed by the latest one, which is accepted, where it was to unassign', async () => {
    const { next } = await outcomeWhere({}, { update: stale.unassign })
    expect(next?.status).toBe(200)
  })

  test('is told where it is refused and carried out', async () => {
    const bend = (one: Sent) => (one.isCurrent ? undefined : { status: 409, isCarriedOut: true })
    for (const update of Object.values(stale))
      expect((await outcomeWhere({ bend }, { update })).carriedOut).toBeDefined()
  })

  test('is not to be had where an accepted update leaves the version as it was', async () => {
    const bend = () => ({ status: 200, isCarriedOut: false })
    const keeping = outcomeWhere({ bend }, { update: stale.reassign })
    await expect(keeping).rejects.toMatchObject({ why: { owners: ['assign.new-version'] } })
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
    expect(all.map((each) => each?.version?.(current, []))).toEqual([sent, sent])
    expect(all.map((each) => each?.what)).toEqual([
      `whose If-Match is the current one ${what}`,
      `that unassigns with the current If-Match ${what}`,
    ])
  })
})
