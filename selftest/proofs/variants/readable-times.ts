import { inWindow, twoTimes } from '../bent/exports.ts'
import { variantsNamed } from '../fault.ts'

const dayMs = 86_400_000
/** The thirteenth month of 28 days lies in the window. */
const firstDay = Date.UTC(2024, 10, 7)
const two = (value: number) => String(value).padStart(2, '0')

/** A date by a calendar of thirteen months. */
function ofThirteenMonths(local: string): string {
  const days = Math.floor((Date.parse(`${local.slice(0, 10)}T00:00:00Z`) - firstDay) / dayMs)
  const [year, dayOfYear] = [Math.floor(days / 364), ((days % 364) + 364) % 364]
  const [month, day] = [Math.floor(dayOfYear / 28), dayOfYear % 28]
  return `${2018 + year}-${two(month + 1)}-${two(day + 1)} ${local.slice(11, 19)}`
}

/** The times of the window in another half of their days. */
const inHalf =
  (first: 0 | 12) =>
  ({ time }: { time: string }) =>
    /^2025-1[01]/.test(time)
      ? `${time.slice(0, 11)}${two(first + (Number(time.slice(11, 13)) % 12))}${time.slice(13, 23)}000000Z`
      : time

const withoutZone = ({ local }: { local: string }) => local.slice(0, 19).replace('T', ' ')

/** A time by twelve hours, and the half of the day. */
function halved(cell: string): [string, string] {
  const hours = Number(cell.slice(11, 13))
  return [`${cell.slice(0, 11)}${two(hours % 12 || 12)}${cell.slice(13)}`, hours < 12 ? 'am' : 'pm']
}

const variants = variantsNamed({
  'milliseconds since 1970 stand beside a date that is less fine': { ...twoTimes },
  'times are written in a calendar of thirteen months': {
    dateForm: ({ local }) => ofThirteenMonths(local),
  },
  'UTC is passed over for a zone twelve hours behind, which is not written': {
    isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
    defaultZone: () => 'Etc/GMT+12',
    dateForm: withoutZone,
  },
  'a zone twelve hours behind beside events of afternoons alone': {
    isNotGiven: ({ value }) => value === 'UTC' || value === 'Etc/UTC',
    defaultZone: () => 'Etc/GMT+12',
    dateForm: withoutZone,
    storedTime: inHalf(12),
  },
  'all events are of mornings, and times have no zone': {
    storedTime: inHalf(0),
    dateForm: withoutZone,
  },
  'am and pm stand in a column of their own': {
    headerRow: () => false,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    dateForm: withoutZone,
    cells: ({ cells: [id = '', time = '', ...rest] }) => [id, ...halved(time), ...rest],
  },
  'a second column of times holds zeros and nines where there is none': {
    headerRow: () => false,
    columns: () => ['id', 'time', 'event_type', 'comment'],
    cells: ({ cells, event: { id } }) => [
      ...cells,
      id < '8' ? '0000-00-00 00:00:00' : '9999-99-99 99:99:99',
    ],
  },
})

export const readableTimes = variants.map(inWindow)
