import { expect, test } from 'vitest'
import { rule } from '../../../engine/clause/law.ts'
import { linesAround, shapeOf } from '../../../engine/files/line-frame.ts'
import { gathered } from '../../../helpers/export/learn/confirmed.ts'

type Asked = { problems: never[] }
const ruled = async (...asked: Parameters<typeof gathered<Asked>>) =>
  (await rule([await gathered(...asked)], { law: ({ problems }: Asked) => problems })).problems

test('a file of more records than are kept is not compared', async () => {
  const found = { answer: { status: 200 }, csv: { records: [['1']], count: 20_001 } }
  const exports = { csv: async () => found } as never
  const judging = ruled(exports, {} as never, async (fetch) => {
    await fetch({})
    return { problems: [] }
  })
  await expect(judging).rejects.toThrow(
    'set EXPORT_FROM and EXPORT_TO to a shorter window: 20001 records are too many to compare',
  )
})

/** Judges a breach that shows each time, in a window that grows at every look, or does not. */
async function confirmedWhere(isMoving: boolean) {
  const header = ['id', 'time']
  const rows = Array.from({ length: 20 }, (_, n) => [`id ${n}`, `2026-03-01T10:00:${n + 10}Z`])
  const records = [header, ...rows]
  const [shape, lines] = [shapeOf(records), linesAround(records, rows)]
  const window = {
    header,
    rows,
    shape,
    lines,
    columns: [0, 1],
    frame: { before: 0, behind: 0 },
    asWide: 1,
  } as never
  let [looks, judged] = [0, 0]
  const csv = async () => {
    looks += 1
    const shown = isMoving ? records.slice(0, 10 + looks) : records
    return { answer: { status: 200 }, csv: { records: shown, count: shown.length } }
  }
  const judging = ruled({ fresh: { csv } } as never, window, async () => {
    judged += 1
    return { problems: [{ sentence: 'it is wrong', judged: [], control: [] } as never] }
  })
  return [await judging.then(({ length }) => length).catch(({ message }) => message), judged]
}

test('a problem is a breach once the window stays the same, and undecided if it always changes', async () => {
  expect(await confirmedWhere(false)).toEqual([1, 2])
  expect(await confirmedWhere(true)).toEqual([expect.stringMatching(/in each of 3 tries/), 4])
})
