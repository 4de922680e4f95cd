import { describe, expect, test } from 'vitest'
import { createHistory } from '../../../helpers/history/history.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { exportedLate, mailedLate } from '../../../helpers/watch/late-traces.ts'
import { type Arrivals, needClear } from '../../../helpers/watch/mail-watch.ts'
import { type Mail, wordsOf } from '../../../helpers/watch/mailbox.ts'
import { cluesOf, recipientsOf } from '../../../helpers/watch/mails.ts'
import { mailsLeft } from '../../../helpers/watch/refusal-watch.ts'
import { needRecognised, needTied } from '../../../helpers/watch/tied-mails.ts'
import { answerOf } from '../history/model.ts'
import { mail, settings, steps } from './sent-mails.ts'

const unknown = { userMails: {}, teamMails: {} } as unknown as Settings

function arrivalsOf(taken: ReturnType<typeof steps>, mails: Mail[], known = unknown): Arrivals {
  const recipients = recipientsOf(taken, known)
  const clues = cluesOf(taken, { task: 'this-task', otherTasks: [] })
  return { recipients, mails, all: mails, clues, mailed: new Map() } as unknown as Arrivals
}

describe('a mail of the service', () => {
  const taken = steps(['U1', 'one x1'])

  test.each([
    ['a comment', mail('a@x', 'one x1')],
    ['a task', mail('a@x', 'about this-task')],
  ])('is recognised by %s', (_, one) => {
    expect(() => needRecognised(arrivalsOf(taken, [mail('b@x', 'news'), one]))).not.toThrow()
  })

  test('is recognised by an address', () => {
    const mails = [mail('u1@x', 'hello')]
    expect(() => needRecognised(arrivalsOf(taken, mails, settings))).not.toThrow()
    expect(() => needRecognised(arrivalsOf(taken, mails))).toThrow(
      'set USER_MAILS: of 1 mails none',
    )
  })

  test.each<[string, ReturnType<typeof steps>, Settings, string]>([
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
    expect(() => needTied(arrivals, ['step 0', 'step 1'])).not.toThrow()
    expect(() => needTied(arrivals, ['step 2'])).toThrow('set TEAM_MAILS: mails came')
    const shared = arrivalsOf(all, [mail('a@x', 'one x1'), mail('a@x', 'two x2')])
    expect(() => needTied(shared, ['step 0'])).toThrow('set USER_MAILS: mails came')
  })

  test('that came after the time to wait, and names no update, is waited for longer', () => {
    const arrivals = arrivalsOf(steps(['U1']), [])
    const late = { ...arrivals, unclear: arrivals.recipients } as Arrivals
    const waited = { mailWaitS: 5 } as Settings
    expect(() => needClear(late, ['step 7'], waited)).not.toThrow()
    expect(() => needClear(late, ['step 0'], waited)).toThrow(
      /^set MAIL_WAIT_S to more than 5: mails to USER U1 came after that, and nothing in them shows of which update$/,
    )
  })
})

describe('of a refused update', () => {
  const stop = new AbortController().signal
  const comment = 'Contract test, please ignore 7'
  const to = { id: 'U1', type: 'USER' as const }
  const mailedOf = (mails: Mail[]) => {
    const mailbox = { mark: async () => ({}), since: async () => mails } as never
    const look = mailsLeft(mailbox, settings, { milliseconds: 1, stop })
    const task = { id: 'this-task' } as never
    return look({ task, service: {} as never, shared: (() => {}) as never }, async () => ({
      to,
      comment,
    }))
  }

  test.each<[string, Mail[]]>([
    ['nobody', [mail('u1@x', 'of another task')]],
    ['who would have been assigned', [mail('b@x', comment), mail('u1@x', 'about this-task')]],
    ['somebody', [mail('b@x', comment)]],
  ])('%s is mailed', async (expected, mails) => {
    expect(await mailedOf(mails)).toBe(expected)
  })

  const refusals = (comment?: string) => {
    const history = createHistory()
    const body = updateBody('a', to, comment)
    history.begin({ kind: 'update', task: 't', body })(answerOf(undefined, 409))
    return history
  }
  const over = async () => {}

  test('nothing is looked for before the run is over', async () => {
    let isOver = false
    const end = async () => {
      isOver = true
    }
    const later = async () => (isOver ? [mail('a@x', comment)] : [])
    expect(await mailedLate({ later } as never, refusals(comment), end)).toMatch(/^somebody/)
    isOver = false
    const csvAnew = async (_: unknown, { each }: { each(cells: string[]): void }) =>
      each(isOver ? [comment] : [])
    const exports = { times: () => [Date.now()], csvAnew } as never
    expect(await exportedLate(exports, refusals(comment), end)).toBe('some time later')
  })

  test('what shows its comment at the end of the run is found', async () => {
    const later = async () => [mail('a@x', `${comment} and more`)]
    expect(await mailedLate({ later } as never, refusals(comment), over)).toMatch(/^somebody/)
    expect(
      await mailedLate({ later } as never, refusals('Contract test, please ignore 8'), over),
    ).toBe('nobody')
    const exportsOf = (cell: string) =>
      ({
        times: () => [Date.now()],
        csvAnew: async (_: unknown, { each }: { each(cells: string[]): void }) => {
          each(['1', wordsOf(cell)])
          each(['2', cell])
          each(['3', ''])
        },
      }) as never
    expect(await exportedLate(exportsOf(comment), refusals(comment), over)).toBe('some time later')
    expect(await exportedLate(exportsOf('news'), refusals(comment), over)).toBe('none')
  })

  test('nothing is asked for where none carried a comment', async () => {
    const ask = async () => {
      throw new Error('it is asked for')
    }
    const exports = { times: () => [Date.now()], csvAnew: ask } as never
    expect(await mailedLate({ later: ask } as never, refusals(), over)).toBe('nobody')
    expect(await exportedLate(exports, refusals(), over)).toBe('none')
  })
})
