import { offsetsOf } from '../../../../reference/export/zones.ts'
import { type Rules, twoTimes } from '../../bent/exports.ts'
import { fault, tableOf } from '../../fault.ts'

/** What is wrong with dates beside which the same time stands as a number, and more finely. */
export const besideNumbers = tableOf<[string, NonNullable<Rules['offset']>, string]>([
  ['the time zone is ignored', () => 0, 'export.timezone.formats'],
  [
    'the offset of winter is written all year',
    ({ zone }) => offsetsOf(zone)('2025-01-15T00:00:00.000Z'),
    'export.timezone.offset',
  ],
]).map(([what, offset, id]) =>
  fault(`beside milliseconds since 1970 ${what}`, {
    ...twoTimes.stated,
    offset,
    ...twoTimes.open,
    breaks: [id],
  }),
)
