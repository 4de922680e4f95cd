import { needCsv } from '../../../helpers/export/ask/exports.ts'
import type { Query } from '../../../helpers/export/ask/query.ts'
import type { Look } from '../../../helpers/export/laws/bounds.ts'
import type { Span } from '../../../helpers/export/learn/spans.ts'
import { learnTimes } from '../../../helpers/export/learn/time-column.ts'
import { eventRows } from '../../../helpers/export/learn/window.ts'
import { smallTrail } from './small-trail.ts'

type Rows = (query: Query) => string[][]

/** What is looked at where files hold these rows; its column of times is learned from others. */
export async function lookAt(rows: Rows, learned: Rows = rows, span?: Span): Promise<Look> {
  const { exports, window: whole } = smallTrail((query) => ({ rows: rows(query) }))
  const window = { ...whole, ...span }
  const honest = smallTrail((query) => ({ rows: learned(query) }))
  const times = await learnTimes(honest.exports, window)
  const fetch = async (query: Query) => eventRows(window, needCsv(await exports.csv(query)).records)
  return { fetch, window, times, column: times.columns[0] }
}
