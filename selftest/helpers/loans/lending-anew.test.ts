import { expect, test } from 'vitest'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { createHistory } from '../../../helpers/history/history.ts'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import { type Loan, lendingBy } from '../../../helpers/loans/lending.ts'
import { answerOf } from '../history/model.ts'

const assignment_comment = 'Contract test, please ignore 1'
const shown = { version: 'v1', by: 'late effect', assignment: { assignment_comment } } as never

/** Lends tasks 1, 2, …; those named show the refused update of another clause. */
function lendingWhere(showing: string[]) {
  const history = createHistory()
  history.begin({ kind: 'update', task: '0', body: { update: { assignment_comment } } })(
    answerOf(undefined, 409),
  )
  const given: string[] = []
  const returned: string[] = []
  const borrow = async () => {
    const id = String(given.length + 1)
    given.push(id)
    const since = performance.now()
    if (showing.includes(id)) history.begin({ kind: 'read', task: id })(answerOf(shown))
    return {
      task: { id },
      since,
      giveBack: async () => void returned.push(id),
    } as unknown as Loan
  }
  const lending = lendingBy(borrow, history)
  const use = (act: (id: string) => string) =>
    lending.lend('any', {} as never, async ({ task }) => act(task.id))
  return { use, given, returned }
}

const failing = (text: string) => () => {
  throw new Error(text)
}

test("a clause that meets another clause's refused update starts again on another task", async () => {
  const { use, given, returned } = lendingWhere(['1'])
  expect(await use((id) => (id === '1' ? failing('as the other update left it')() : id))).toBe('2')
  expect(given).toEqual(['1', '2'])
  expect(returned).toEqual(['1', '2'])
})

test('a pass on a task that shows a refused update does not count', async () => {
  expect(await lendingWhere(['1', '2']).use((id) => id)).toBe('3')
})

test('a clause that keeps meeting refused updates is undecided', async () => {
  const { use, returned } = lendingWhere(['1', '2', '3'])
  const found = await use(failing('as the other update left it')).catch((error) => error)
  expect(found).toBeInstanceOf(Trouble)
  expect(found.message).toContain('responded 409, but the assignment changed meanwhile')
  expect(returned).toEqual(['1', '2', '3'])
  const skipped = new NotDecidable('freedom', 'no comment is accepted')
  const undecided = lendingWhere(['1', '2', '3']).use(() => {
    throw skipped
  })
  await expect(undecided).rejects.toBe(skipped)
})

test('without such an update, an error is thrown at once and unchanged', async () => {
  const { use, given } = lendingWhere([])
  await expect(use(failing('a breach'))).rejects.toThrow('a breach')
  expect(given).toEqual(['1'])
})

test('a clause that meets another writer starts again on another task, twelve times in all', async () => {
  const meeting = () => {
    throw new ForeignChange(createHistory())
  }
  const { use, given, returned } = lendingWhere([])
  expect(await use((id) => (Number(id) < 6 ? meeting() : id))).toBe('6')
  expect(returned).toEqual(given)
  const always = lendingWhere([])
  await expect(always.use(meeting)).rejects.toThrow(ForeignChange)
  expect(always.returned).toHaveLength(12)
})
