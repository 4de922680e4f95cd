import { expect, test } from 'vitest'
import type { Ledger } from '../../../helpers/history/accepted-updates.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import type { Arrivals } from '../../../helpers/trail/mail-watch.ts'
import { toldCounts } from '../../../helpers/trail/mail-watch.ts'
import type { Mail } from '../../../helpers/trail/mailbox.ts'
import { cluesOf, matched, recipientsOf } from '../../../helpers/trail/mails.ts'
import { describeOthers, mailedInRun } from '../../../helpers/trail/other-mails.ts'
import { mail, settings, steps } from './sent-mails.ts'

/** U1 is assigned, then U2: the first by nobody's task, the second from U1. */
function arrivalsOf(mails: Mail[], comments: [string?, string?] = ['one x1', 'two x2']): Arrivals {
  const taken = steps(['U1', comments[0]], ['U2', comments[1]]).map((named, at) => {
    const assignment = at === 0 ? null : { assigned_to_id: 'U1', assigned_to_type: 'USER' }
    return { ...named, step: { ...named.step, by: 'U3', before: { assignment } } }
  }) as unknown as Parameters<typeof recipientsOf>[0]
  const recipients = recipientsOf(taken, settings)
  const clues = cluesOf(taken, { task: 'task', otherTasks: [] })
  const mailed = matched(recipients, mails, clues)
  return { recipients, mails, clues, mailed, late: new Map() } as unknown as Arrivals
}
const names = ['step 0', 'step 1']

test.each([
  ['nobody', ['u2@x']],
  ['the assignee before', ['u2@x u1@x']],
  ['who assigns', ['u2@x', 'u3@x']],
  ['somebody else', ['u2@x stranger@x']],
])('beside the assignee %s is mailed', (others, second) => {
  const mails = [mail('u1@x', 'one x1'), ...second.map((to) => mail(to, 'two x2'))]
  expect(describeOthers(arrivalsOf(mails), settings)).toEqual({ others: [others], twice: 'nobody' })
})

test('an assignee who is mailed twice is seen, at any address', () => {
  const mails = [mail('u1@x', 'one x1'), mail('u2@x', 'two x2'), mail('second@x', 'two x2')]
  const told = describeOthers(arrivalsOf(mails), settings)
  expect(told).toEqual({ others: ['nobody'], twice: 'the assignee' })
  expect(toldCounts(arrivalsOf(mails), names)).toContain(
    'of 2 to be mailed 1 got one mail, 1 several',
  )
})

test('without a comment nothing is said of others', () => {
  const arrivals = arrivalsOf([mail('u1@x', 'task'), mail('u2@x', 'task')], [undefined, undefined])
  expect(() => describeOthers(arrivals, settings)).toThrow('set USER_MAILS and TEAM_MAILS')
  expect(toldCounts(arrivals, names)).toBe('of 2 to be mailed 2 got one mail, 0 several, 0 none')
})

test('who got none is counted, of the steps that are asked about', () => {
  const arrivals = arrivalsOf([mail('u1@x', 'one x1')])
  expect(toldCounts(arrivals, names)).toBe('of 2 to be mailed 1 got one mail, 0 several, 1 none')
  expect(toldCounts(arrivals, ['step 1'])).toBe(
    'of 1 to be mailed 0 got one mail, 0 several, 1 none',
  )
})

test.each([
  ['nobody', ['u2@x'], 'nobody'],
  ['the assignee before', ['u2@x u1@x'], 'nobody'],
  ['who assigns', ['u2@x', 'u3@x'], 'nobody'],
  ['somebody else', ['u2@x stranger@x'], 'nobody'],
  ['nobody', ['u2@x', 'u2@x'], 'the assignee'],
])(
  'of an update of any clause %s is seen to be mailed beside the assignee',
  (others, to, twice) => {
    const comments = ['first', 'second'].map((word) => `Contract test, please ignore ${word}`)
    const updates = ['U1', 'U2'].map((id, at) => ({
      task: 'another',
      assignment: { assigned_to_id: id, assigned_to_type: 'USER', assigned_by_id: 'U3' },
      comment: comments[at],
      at,
      exchange: at,
    }))
    const ledger = { before: new Map([['another', null]]), updates } as unknown as Ledger
    const people = { ...settings, userIds: ['U1', 'U2'], teamIds: [] } as unknown as Settings
    // The second shows what the task was assigned with before as well.
    const told = `${comments[0]} ${comments[1]}`
    const mails = [mail('u1@x', comments[0] ?? ''), ...to.map((one) => mail(one, told))]
    const ofJourney = arrivalsOf([mail('u1@x', 'one x1'), mail('u2@x', 'two x2')])
    const ofRun = mailedInRun(ledger, mails, people)
    expect(describeOthers(ofJourney, people, ofRun)).toEqual({ others: [others], twice })
  },
)
