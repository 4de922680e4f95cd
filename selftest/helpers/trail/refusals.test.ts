import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import { type Mail, wordsOf } from '../../../helpers/trail/mailbox.ts'
import { exportedLate, mailedLate, mailsLeft } from '../../../helpers/trail/refusals.ts'
import { mail, settings } from './sent-mails.ts'

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

  /** A history in which an update with this comment was refused. */
  const refusals = (sent?: string) => {
    const history = createHistory()
    const body = { update: { assignment_comment: sent } }
    const refusal = { status: 409, attempts: 1, text: '', headers: {} } as unknown as Answer
    history.begin({ kind: 'update', task: 't', body })(refusal)
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
    const csv = async (_: unknown, { each }: { each(cells: string[]): void }) =>
      each(isOver ? [comment] : [])
    const exports = { times: () => [Date.now()], fresh: { csv } } as never
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
        fresh: {
          csv: async (_: unknown, { each }: { each(cells: string[]): void }) => {
            each(['1', wordsOf(cell)])
            each(['2', cell])
            each(['3', ''])
          },
        },
      }) as never
    expect(await exportedLate(exportsOf(comment), refusals(comment), over)).toBe('some time later')
    expect(await exportedLate(exportsOf('news'), refusals(comment), over)).toBe('none')
  })

  test('nothing is asked for where none carried a comment', async () => {
    const ask = async () => {
      throw new Error('it is asked for')
    }
    const exports = { times: () => [Date.now()], fresh: { csv: ask } } as never
    expect(await mailedLate({ later: ask } as never, refusals(), over)).toBe('nobody')
    expect(await exportedLate(exports, refusals(), over)).toBe('none')
  })
})
