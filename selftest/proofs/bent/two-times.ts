import type { Bent } from '../fault.ts'

export type Rules = NonNullable<Bent['stated']>

/** A date without a fraction of a second, and milliseconds since 1970 in a column of their own. */
export const twoTimes = {
  stated: {
    cells: ({ event, cells }) => cells.with(-1, String(Date.parse(event.time))),
  } satisfies Rules,
  open: {
    columns: () => ['id', 'time', 'comment', 'sub_type'],
    dateForm: ({ local }) => local.slice(0, 19).replace('T', ' '),
  } satisfies NonNullable<Bent['open']>,
}
