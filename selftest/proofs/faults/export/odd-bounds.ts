import { offsetsOf } from '../../../../reference/export/zones.ts'
import { inWindow, moved } from '../../bent/export-window.ts'
import type { Fault } from '../../fault.ts'

/** What shows only where one bound stands alone, or lies where nobody asks. */
const bounds: Fault[] = [
  {
    name: 'the time zone moves a range that has no start',
    stated: {
      range: ({ range: { start, end }, zone }) => ({
        start,
        end: start === undefined && end ? moved(end, -offsetsOf(zone)(end)) : end,
      }),
    },
    breaks: ['export.range.open-ended'],
  },
  {
    name: 'an end where the counting of time begins is none',
    stated: {
      range: ({ range: { start, end } }) => ({
        start,
        end: end && Date.parse(end) === 0 ? undefined : end,
      }),
    },
    breaks: ['export.range.open-ended'],
  },
  {
    name: 'times that take more than 32 bits are in the past',
    stated: {
      range: ({ range: { start, end } }) => ({ start: in32Bits(start), end: in32Bits(end) }),
    },
    breaks: ['export.range.open-ended', 'export.range.outside.rows'],
  },
]

function in32Bits(time: string | undefined): string | undefined {
  if (time === undefined) return undefined
  const seconds = Math.floor(Date.parse(time) / 1000)
  return new Date((seconds | 0) * 1000).toISOString()
}

export const oddBounds = bounds.map(inWindow)
