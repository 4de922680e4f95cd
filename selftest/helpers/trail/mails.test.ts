import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../helpers/history/accepted-updates.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import {
  type Arrivals,
  describeLate,
  fetchByEnd,
  needClear,
  needRecognised,
  needTied,
} from '../../../helpers/trail/arrivals.ts'
import type { Mail } from '../../../helpers/trail/mailbox.ts'
import { describeOthers, mailingOf } from '../../../helpers/trail/mailed.ts'
import { cluesOf, matched, type Recipient, recipientsOf } from '../../../helpers/trail/mails.ts'
import type { NamedStep } from '../../../helpers/updates/legs.ts'
import { mail, settings, steps } from './sent-mails.ts'

const unknown = { userMails: {}, teamMails: {} } as unknown as Settings
const tasks = { task: 'this-task', otherTasks: ['other-task'] }

const missing = (taken: NamedStep[], mails: Mail[], known = settings) => {
  const recipients = recipientsOf(taken, known)
  const found = matched(recipients, mails, cluesOf(taken, tasks))
  const words = ({ name, addresses }: Recipient) => `${name} ${addresses?.join() ?? '?'}`
  return recipients.filter((one) => !found.has(one)).map(words)
}

describe('who was mailed', () => {
  /** Assignments to somebody else each time, some with a comment, and a mail of each to one address each. */
  const journeys = fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }).map((commented) => {
    const people = commented.map((_, at) => ['U1', 'U2', 'U3'][at % 3] as string)
    const taken = steps(
      ...people.map((id, at): [string, string?] =>
        commented[at] ? [id, `comment (${at})`] : [id],
      ),
    )
    const mails = people.map((id, at) =>
      mail(`${id.toLowerCase()}@x`, commented[at] ? `comment (${at})` : '', (at + 1) * 1000 + 100),
    )
    return { taken, mails }
  })
  const shuffled = (mails: Mail[]) => fc.shuffledSubarray(mails, { minLength: mails.length })

  test('everybody, in whichever order their mails are listed', () => {
    const listed = journeys.chain(({ taken, mails }) =>
      fc.tuple(fc.constant(taken), shuffled(mails)),
    )
    fc.assert(
      fc.property(listed, ([taken, mails]) => {
        expect(missing(taken, mails)).toEqual([])
      }),
    )
  })

  test('all but the one whose mail did not come', () => {
    const one = fc.tuple(journeys, fc.nat())
    fc.assert(
      fc.property(one, ([{ taken, mails }, n]) => {
        const at = n % mails.length
        const [first = '', ...more] = missing(taken, mails.toSpliced(at, 1))
        expect(more).toEqual([])
        expect(first).toContain(recipientsOf(taken, settings)[at]?.addresses?.join())
      }),
    )
  })

  test('each address of a team, and one of a user’s', () => {
    const taken = steps(['T1'], ['u2'], null)
    expect(missing(taken, [])).toEqual(['step 0 u1@x', 'step 0 t@x', 'step 1 u2@x,second@x'])
    expect(missing(taken, [mail('u1@x t@x', ''), mail('second@x', '')])).toEqual([])
    expect(missing(taken, [mail('u1@x', ''), mail('nobody@x', '')])).toEqual([
      'step 0 t@x',
      'step 1 u2@x,second@x',
    ])
  })

  test('one mail is not of two updates, unless it shows the comments of both', () => {
    const taken = steps(['U1', 'first'], null, ['U1', 'again'])
    expect(missing(taken, [mail('u1@x', '')])).toHaveLength(1)
    expect(missing(taken, [mail('u1@x', 'again, and before: first')])).toEqual([])
  })

  test('a mail that shows a later comment is not of an update before', () => {
    const taken = steps(['U1'], ['U3', 'later'])
    expect(missing(taken, [mail('u1@x', 'later'), mail('u3@x', 'later')])).toEqual(['step 0 u1@x'])
  })

  test('the one is missing after which no mail came, or another one where mails are slow', () => {
    const taken = steps(['U1'], ['U3', 'between'], ['T1'])
    const others = [mail('u3@x', 'between', 2700), mail('t@x', '', 3700)]
    expect(missing(taken, [...others, mail('u1@x', '', 1700)])).toEqual(['step 2 u1@x'])
    expect(missing(taken, [...others, mail('u1@x', '', 3700)])).toEqual(['step 0 u1@x'])
    const slow = mail('u3@x', 'between', 3700)
    expect(missing(taken, [slow, mail('t@x', '', 4700), mail('u1@x', '', 4700)])).toHaveLength(1)
  })

  test('mails that name another task count only where no mail is seen to name its own', () => {
    const taken = steps(['U1'], ['U3', 'comment'])
    const of = (text: string) => [mail('u1@x', 'about other-task'), mail('u3@x', text)]
    expect(missing(taken, of('this-task: comment'))).toEqual(['step 0 u1@x'])
    expect(missing(taken, of('comment'))).toEqual([])
    expect(missing(taken, of(''))).toEqual([])
  })

  test('without addresses any mail counts, each once', () => {
    const taken = steps(['U1'], ['T1'])
    expect(missing(taken, [mail('a@x', '')], unknown)).toHaveLength(1)
    expect(missing(taken, [mail('a@x', ''), mail('b@x', '')], unknown)).toEqual([])
  })
})

function arrivalsOf(taken: NamedStep[], mails: Mail[], known = unknown): Arrivals {
  const recipients = recipientsOf(taken, known)
  const clues = cluesOf(taken, { ...tasks, otherTasks: [] })
  return { recipients, mails, all: mails, clues, mailed: new Map() } as unknown as Arrivals
}

describe('a mail of the service', () => {
  const taken = steps(['U1', 'one x1'])

  test.each([
    ['a comment', mail('a@x', 'one x1'), unknown],
    ['a task', mail('a@x', 'about this-task'), unknown],
    ['an address', mail('u1@x', 'hello'), settings],
  ])('is recognised by %s', (_, one, known) => {
    const mails = [mail('b@x', 'news'), one]
    expect(() => needRecognised(arrivalsOf(taken, mails, known))).not.toThrow()
  })

  test.each<[string, NamedStep[], Settings, string]>([
    ['of users', steps(['U1'], ['U2']), unknown, 'set USER_MAILS: of 1'],
    ['of teams', steps(['T1']), unknown, 'set TEAM_MAILS: of 1'],
    ['of both', steps(['U1'], ['T1']), unknown, 'set USER_MAILS and TEAM_MAILS: of 1'],
    ['of nobody who is known', steps(['U1']), settings, 'set USER_MAILS and TEAM_MAILS: of 1'],
  ])('that is none of them names the setting with the addresses %s', (_, all, known, sentence) => {
    expect(() => needRecognised(arrivalsOf(all, [mail('b@x', 'news')], known))).toThrow(sentence)
  })

  test('is tied to users by what each was mailed, and to no team', () => {
    const mails = [mail('a@x', 'one x1'), mail('b@x', 'two x2'), mail('c@x', 'three x3')]
    const all = steps(['U1', 'one x1'], ['U2', 'two x2'], ['T1', 'three x3'])
    const arrivals = arrivalsOf(all, mails)
    expect(() => needTied(arrivals, arrivals.recipients.slice(0, 2))).not.toThrow()
    expect(() => needTied(arrivals, arrivals.recipients.slice(2))).toThrow('set TEAM_MAILS: mails')
    const shared = arrivalsOf(all, [mail('a@x', 'one x1'), mail('a@x', 'two x2')])
    expect(() => needTied(shared, shared.recipients.slice(0, 1))).toThrow('set USER_MAILS: mails')
  })

  test('that came after the time to wait, and names no update, is waited for longer', () => {
    const arrivals = arrivalsOf(steps(['U1']), [])
    const late = { ...arrivals, unclear: arrivals.recipients } as Arrivals
    const waited = { mailWaitS: 5 } as Settings
    expect(() => needClear(late, [], waited)).not.toThrow()
    expect(() => needClear(late, late.recipients, waited)).toThrow(
      /^set MAIL_WAIT_S to more than 5: mails to USER U1 came after that, and nothing in them shows/,
    )
  })
})

describe('after MAIL_WAIT_S', () => {
  const taken = steps(['U1'], ['U3', 'second'], ['U2', 'third'])
  /** What is known at the end, of mails that came in time and of all; the task was free at 5 s. */
  async function byEnd(inTime: Mail[], more: Mail[]) {
    const arrivals = arrivalsOf(taken, inTime, settings)
    const { recipients, clues } = arrivals
    const mailed = matched(recipients, inTime, clues)
    const later = async () => [...inTime, ...more]
    const found = await fetchByEnd({ ...arrivals, mailed, releasedAt: 5000, later })
    const names = (some: Iterable<Recipient>) => [...some].map(({ name }) => name)
    return {
      late: names(found.late.keys()),
      unclear: names(found.unclear),
      missing: names(recipients.filter((one) => !found.mailed.has(one))),
      says: describeLate(found, recipients),
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

describe('of updates of any clause', () => {
  const first = 'Contract test, please ignore first'
  const second = 'Contract test, please ignore second'
  const ledgerOf = (...to: [id: string, comment?: string][]): Ledger => {
    const updates = to.map(([id, comment], at) => {
      const type = id.startsWith('T') ? 'TEAM' : 'USER'
      const ids = { assigned_to_id: id, assigned_to_type: type, assigned_by_id: 'U3' }
      return { task: 'another', assignment: ids, comment, at, exchange: at }
    })
    return { before: new Map([['another', null]]), updates } as unknown as Ledger
  }
  const people = { ...settings, userIds: ['U1', 'U2'], teamIds: ['T1'] } as unknown as Settings

  test.each([
    ['nobody', ['u2@x'], 'nobody'],
    ['the assignee before', ['u2@x u1@x'], 'nobody'],
    ['who assigns', ['u2@x', 'u3@x'], 'nobody'],
    ['somebody else', ['u2@x stranger@x'], 'nobody'],
    ['nobody', ['u2@x', 'second@x'], 'the assignee'],
  ])('%s is seen to be mailed beside the assignee', (others, to, twice) => {
    // The second shows what the task was assigned with before as well.
    const mails = [mail('u1@x', first), ...to.map((one) => mail(one, `${first} ${second}`))]
    const ledger = ledgerOf(['U1', first], ['U2', second])
    expect(describeOthers(ledger, mails, people)).toEqual({ others: [others], twice })
  })

  test('nobody is known without a comment, or without addresses', () => {
    const sentence = 'set USER_MAILS and TEAM_MAILS'
    expect(() => describeOthers(ledgerOf(['U1']), [mail('u1@x', '')], people)).toThrow(sentence)
    const nobody = { ...people, ...unknown }
    expect(() => describeOthers(ledgerOf(['U1', first]), [], nobody)).toThrow(sentence)
  })

  test.each<[string, [string, string?][], Mail[], number]>([
    ['all of a team', [['T1', first]], [mail('u1@x', first)], 1],
    ['one address of a user', [['U2', first]], [mail('second@x', first)], 0],
    [
      'nobody who stays',
      [
        ['U1', first],
        ['U1', second],
      ],
      [mail('u1@x', first)],
      0,
    ],
    ['with the very number', [['U1', `${first} 1`]], [mail('u1@x', `${first} 12`)], 1],
    [
      'whoever may be mailed without it',
      [['U1', '-Contract, Тест договора, ελληνικά, 契約テスト x7']],
      [mail('u1@x', 'a task')],
      0,
    ],
    [
      'not by the mail of a bare assignment',
      [['U2'], ['U1', '-Contract, Тест договора, ελληνικά, 契約テスト x7'], ['U2'], ['U1']],
      [mail('u1@x', 'a task')],
      1,
    ],
  ])('is to be mailed: %s', (_, to, mails, count) => {
    const { due, isMailed } = mailingOf(ledgerOf(...to), people)
    expect(due.filter((update) => !isMailed(update, mails))).toHaveLength(count)
  })
})
