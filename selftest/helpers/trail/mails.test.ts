import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../../../helpers/settings/table.ts'
import type { Mail } from '../../../helpers/trail/mailbox.ts'
import {
  type Mailing,
  matched,
  type Recipient,
  recipientsOf,
  whyUntied,
} from '../../../helpers/trail/mails.ts'
import { wordsOf } from '../../../helpers/trail/traces.ts'
import type { NamedStep } from '../../../helpers/updates/planned-steps.ts'

const userMails = { U1: ['u1@x'], U2: ['u2@x', 'second@x'], U3: ['u3@x'] }
const teamMails = { T1: ['u1@x', 't@x'] }
const settings = { userMails, teamMails } as unknown as Settings

const steps = (...to: ([id: string, comment?: string] | null)[]): NamedStep[] =>
  to.map((sent, n) => {
    const [id = '', comment] = sent ?? []
    const assignee = sent && { id, type: id.startsWith('T') ? 'TEAM' : 'USER' }
    const start = new Date((n + 1) * 1000).toISOString()
    const step = {
      sent: { to: assignee, comment },
      answer: { status: 200 },
      evidence: [{ method: 'PUT', start }],
    }
    return { name: `step ${n}`, step: step as unknown as NamedStep['step'] }
  })

let count = 0
const mail = (to: string, text: string, created = 9000): Mail => ({
  id: `${count++}`,
  created,
  to: to.split(' '),
  words: wordsOf(text),
})

const unknown = { userMails: {}, teamMails: {} } as unknown as Settings

const missing = (taken: NamedStep[], mails: Mail[], known = settings) => {
  const recipients = recipientsOf(taken, known)
  const found = matched(recipients, mails, { taken, task: 'this-task', otherTasks: ['other-task'] })
  const words = ({ name, addresses }: Recipient) => `${name} ${addresses?.join() ?? '?'}`
  return recipients.filter((one) => !found.has(one)).map(words)
}

test('where all mails went to one address, the reason says so', () => {
  const whyOf = (...to: string[]) =>
    whyUntied(
      recipientsOf(steps(['U1'], ['U2'], ['U3']), unknown).map((one, at) => ({
        ...(one as Mailing),
        isFound: true,
        mail: mail(to[at] ?? '', ''),
      })),
    )
  expect(whyOf('all@x', 'all@x', 'all@x')).toEqual([
    'setting',
    'set USER_MAILS: all 3 emails went to one address, for every assignee',
  ])
  expect(whyOf('u1@x', 'all@x', 'all@x')?.[1]).toContain('their recipients are unknown')
})

describe('who was mailed', () => {
  /** Assignments, each to a new assignee, some with a comment, and a mail of each to one address. */
  const sequences = fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }).map((commented) => {
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

  test('everybody, in any order of their mails', () => {
    const listed = sequences.chain(({ taken, mails }) =>
      fc.tuple(fc.constant(taken), shuffled(mails)),
    )
    fc.assert(
      fc.property(listed, ([taken, mails]) => {
        expect(missing(taken, mails)).toEqual([])
      }),
    )
  })

  test('all but the one whose mail did not come', () => {
    const one = fc.tuple(sequences, fc.nat())
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

  test('a mail that shows a later comment does not belong to an earlier update', () => {
    const taken = steps(['U1'], ['U3', 'later'])
    expect(missing(taken, [mail('u1@x', 'later'), mail('u3@x', 'later')])).toEqual(['step 0 u1@x'])
  })

  test('the update without a later mail is missing, or another one if mails are slow', () => {
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
