import { describe, expect, test } from 'vitest'
import { fetchByEnd } from '../../../helpers/trail/late-mails.ts'
import { describeLate } from '../../../helpers/trail/mail-watch.ts'
import type { Mail } from '../../../helpers/trail/mailbox.ts'
import { cluesOf, matched, type Recipient, recipientsOf } from '../../../helpers/trail/mails.ts'
import { mail, settings, steps } from './sent-mails.ts'

describe('after MAIL_WAIT_S', () => {
  const taken = steps(['U1'], ['U3', 'second'], ['U2', 'third'])
  /** What is known at the end, of mails that came in time and of all; the task was free at 5 s. */
  async function byEnd(inTime: Mail[], more: Mail[]) {
    const recipients = recipientsOf(taken, settings)
    const clues = cluesOf(taken, { task: 'this-task', otherTasks: [] })
    const all = [...inTime, ...more]
    const found = await fetchByEnd({
      taken,
      recipients,
      clues,
      mails: inTime,
      all: inTime,
      mailed: matched(recipients, inTime, clues),
      milliseconds: 0,
      releasedAt: 5000,
      late: new Map(),
      unclear: [],
      later: async () => all,
    })
    const names = (some: Iterable<Recipient>) => [...some].map(({ name }) => name)
    return {
      late: names(found.late.keys()),
      unclear: names(found.unclear),
      missing: names(recipients.filter((one) => !found.mailed.has(one))),
      says: describeLate(found, ['step 0', 'step 1', 'step 2']),
    }
  }
  const second = (created: number) => mail('u3@x', 'second', created)
  const third = (created: number) => mail('u2@x', 'third', created)

  test('mails of the updates count, and how late they came is said', async () => {
    const mails = [mail('u1@x', 'a task', 8000), second(9000), third(10_000)]
    expect(await byEnd([], mails)).toEqual({
      late: ['step 1', 'step 2', 'step 0'],
      unclear: [],
      missing: [],
      says: '; 3 of them only after MAIL_WAIT_S, up to 7 s after the update',
    })
  })

  test('a later mail without a comment is of what other clauses did, where others came in time', async () => {
    const found = await byEnd([second(2100), third(3100)], [mail('u1@x', 'a task', 9000)])
    expect(found).toMatchObject({ late: [], unclear: [], missing: ['step 0'], says: '' })
  })

  test('a later mail without a comment is not clear, where others came late', async () => {
    const found = await byEnd([], [second(9000), third(10_000), mail('u1@x', 'a task', 60_000)])
    expect(found).toMatchObject({ unclear: ['step 0'], missing: ['step 0'] })
  })

  test('mails are not clear where none shows a comment, and missing where none came', async () => {
    const found = await byEnd([], [mail('u1@x', 'a task', 9000)])
    expect(found.unclear).toEqual(['step 0'])
    expect(found.missing).toEqual(['step 0', 'step 1', 'step 2'])
  })
})
