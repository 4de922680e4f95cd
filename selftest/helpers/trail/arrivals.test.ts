import { describe, expect, test } from 'vitest'
import type { WatchDeps } from '../../../helpers/loans/watch-during.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { type Arrivals, arrivalsOf, haveAllCome } from '../../../helpers/trail/arrivals.ts'
import type { Mail, Mailbox } from '../../../helpers/trail/mailbox.ts'
import type { Journey } from '../../../helpers/updates/legs.ts'
import { mail, settings, steps } from './sent-mails.ts'

const own = (n: number) => `Contract test, please ignore ${n}`
const taken = steps(['U1', own(1)], ['U3', own(2)])
const stop = new AbortController().signal
const patient: Settings = { ...settings, mailWaitS: 30 }

/** What is found where each look finds one more of these mails, and how often was looked. */
async function watchedWhile(
  mails: Mail[],
  given = patient,
): Promise<{ arrivals: Arrivals; looks: number }> {
  let looks = 0
  const since = async () => {
    looks += 1
    return mails.slice(0, looks)
  }
  const mailbox = { mark: async () => ({}), since } as unknown as Mailbox
  const watch = arrivalsOf({ mailbox, settings: given, tasks: [], stop })
  const journey: Journey = new Map(taken.map(({ name, step }) => [name, step]))
  const arrivals = await watch({ task: { id: 'this-task' } } as WatchDeps, async () => journey)
  return { arrivals, looks }
}

describe('the mails of a journey', () => {
  test('are all there once everybody was mailed, where none shows a comment', async () => {
    const { arrivals, looks } = await watchedWhile([mail('u1@x', 'a task'), mail('u3@x', 'a task')])
    expect(looks).toBe(2)
    expect(arrivals.mailed.size).toBe(2)
  })

  test('are awaited with their comments, where one mail shows a comment', async () => {
    const { arrivals, looks } = await watchedWhile([
      mail('u3@x', 'a task'),
      mail('u1@x', own(1)),
      mail('u3@x', own(2)),
    ])
    expect(looks).toBe(3)
    expect(await haveAllCome(arrivals, patient, stop)).toBe(true)
  })

  test('are waited for where nobody knows whose mail is whose', async () => {
    const mails = [
      mail('a@x', 'a task'),
      mail('b@x', 'a task'),
      mail('a@x', own(1)),
      mail('b@x', own(2)),
    ]
    const { looks } = await watchedWhile(mails, { ...patient, userMails: {} })
    expect(looks).toBe(4)
  })

  test('may be followed by others that show comments, one after another', async () => {
    const { arrivals } = await watchedWhile([mail('u1@x', 'a task'), mail('u3@x', 'a task')])
    let looks = 0
    const follow = [mail('u1@x', own(1)), mail('u3@x', own(2))]
    const later = async () => follow.slice(0, looks++)
    expect(await haveAllCome({ ...arrivals, later }, patient, stop)).toBe(false)
    expect(looks).toBe(3)
    const never = { ...arrivals, later: async () => [mail('u1@x', 'a task')] }
    expect(await haveAllCome(never, { ...patient, mailWaitS: 0 }, stop)).toBe(true)
  })
})
