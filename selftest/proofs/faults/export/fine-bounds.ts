import type { AuditEvent } from '../../../../reference/calls/events.ts'
import { aroundAChange, inWindow, moved, toMilliseconds, toSeconds } from '../../bent/exports.ts'
import { faultsNamed } from '../../fault.ts'

type Stored = Pick<AuditEvent, 'time'>

export const toMicroseconds = (time: string) => `${time.slice(0, 26)}000Z`
const inSeconds = ({ local }: { local: string }) => local.slice(0, 19)

/** A few events of whole seconds among those of milliseconds. */
export const someInSeconds = ({ time }: Stored) =>
  Number(time.slice(14, 16)) % 4 === 0 ? toSeconds(time) : toMilliseconds(time)

const canonical = (time: string) => time.replace('Z', '.000000000Z')

/** The first and the last events of the window lie where it begins and ends. */
export const onTheEdges = ({ time }: Stored) => {
  if (time.startsWith('2025-10-10T0')) return canonical(aroundAChange.EXPORT_FROM)
  return time.startsWith('2025-11-09T2') ? canonical(aroundAChange.EXPORT_TO) : time
}

/** What shows only within the second that a file shows, or at the very edge of the window. */
const bounds = faultsNamed({
  'range_end is exclusive, bounds are cut to microseconds, and times shown in seconds': {
    isFrom: ({ time, start }) => time >= toMicroseconds(start),
    isUpTo: ({ time, end }) => time < toMicroseconds(end),
    dateForm: inSeconds,
    breaks: ['export.range.end-inclusive.exact'],
  },
  'range_end loses its milliseconds, and times are shown in seconds': {
    isUpTo: ({ time, end }) => time <= toSeconds(end),
    dateForm: inSeconds,
    storedTime: someInSeconds,
    breaks: ['export.range.end-inclusive.exact'],
  },
  'range_start loses its milliseconds, and times are shown in seconds': {
    isFrom: ({ time, start }) => time >= toSeconds(start),
    dateForm: inSeconds,
    breaks: ['export.range.apart'],
  },
  'range_end is that of its second, and times are shown in seconds': {
    isUpTo: ({ time, end }) => time <= `${end.slice(0, 20)}999999999Z`,
    dateForm: inSeconds,
    breaks: ['export.range.apart'],
  },
  'range_end is two milliseconds later, and events lie on the edges of the window': {
    isUpTo: ({ time, end }) => time <= moved(end, 2 / 60_000),
    storedTime: onTheEdges,
    breaks: ['export.range.apart', 'export.range.outside.rows'],
  },
  'reversed ranges of less than a second are let in, and times are shown in seconds': {
    rangeRefusal: ({ range: { start = '', end = '' } }) =>
      end !== '' && start.slice(0, 19) > end.slice(0, 19) ? 400 : undefined,
    dateForm: inSeconds,
    breaks: ['export.range.reversed.csv', 'export.range.reversed.pdf'],
  },
})

/** Bounds so wrong are seen by who compares parts with the whole as well. */
const mayBreak = [
  'audit.exact-end',
  'export.range.split',
  'export.range.split.rows',
  'export.range.pdf.rows',
]

export const fineBounds = bounds.map((fault) => inWindow({ mayBreak, ...fault }))
