import { expect, test } from 'vitest'
import { countEntries } from '../../../engine/files/entries.ts'
import { learnIdentity } from '../../../engine/files/identity.ts'

const times = Array.from({ length: 200 }, (_, n) =>
  new Date(1_700_000_000_000 + n * 9_999_989).toISOString(),
)
const rows = times.map((time) => [time, 'task'])

const inPages = (lines: string[]) =>
  Array.from({ length: Math.ceil(lines.length / 30) }, (_, page) =>
    ['id time', ...lines.slice(page * 30, page * 30 + 30), `Page ${page + 1}`].join('\n'),
  )

test.each([
  ['written as in the CSV', (day: string) => day],
  ['in words', (day: string) => new Date(day).toLocaleDateString('en-GB', { dateStyle: 'full' })],
])('events are told by times of day below the day, %s', (_, dayOf) => {
  const lines = times.flatMap((time, n) => {
    const [day = '', clock = ''] = time.split('T')
    // The next cell begins with what might be an offset.
    const line = `${clock.slice(0, 12)} ${n % 7 === 0 ? '-1 point' : 'task'}`
    return day === times[n - 1]?.slice(0, 10) ? [line] : [dayOf(day), line]
  })
  const pages = inPages(lines)
  const identity = learnIdentity(pages, rows)
  expect(countEntries(pages, rows, identity)).toEqual({ count: 200, missing: [], repeated: [] })
  const lost = lines.filter((line) => line.endsWith('task'))[77]
  const without = pages.map((page) => page.replace(`${lost}\n`, ''))
  expect(countEntries(without, rows, identity).missing).toHaveLength(1)
})
