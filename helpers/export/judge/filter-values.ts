// Whether a filter gives exactly the events with its value, judged by the column that shows it.

import { intersection, type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { describeFilter, type Field, filterBy, isIdentifier, mergeQueries } from '../ask/query.ts'
import { codeOf } from '../learn/cells.ts'
import { rowsShowing, type Source, valuesShown } from '../learn/columns.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Filters } from '../learn/filters.ts'
import { createEventFetch, eventsAmong, linesOf, problemsOfEvents } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'

/** Users and ids may be many, types and sources are few. */
const maxValues = (field: Field) => (isIdentifier(field) ? 5 : 30)

/** The values of a field to ask for, each alone: those that its column shows, or else that are known. */
export async function valuesToAsk(
  field: Field,
  filters: Filters,
  { rows }: Window,
): Promise<string[]> {
  const known = await filters.needKnown(field)
  const source = await filters.column(field)
  return source
    ? valuesShown(source, rows).slice(0, maxValues(field))
    : known.map(({ value }) => value)
}

/** What is wrong with the export for one value, by the export without it and by the column. */
export async function problemsOfValue(
  value: string,
  field: Field,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const source = await filters.column(field)
  return confirmed(filters.exports, window, async (fetch) => {
    const whole = await fetch(spanOf(window))
    const found = await fetchEvents(fetch, window, field, value)
    const all = eventsAmong(window, whole)
    const rows = source && rowsShowing(source, value, whole)
    return problemsOfEvents(describeFilter(field, value), found, {
      least: rows ? eventsAmong(window, rows.sure) : new Map(),
      most: rows ? eventsAmong(window, rows.possible) : all,
      all,
      control: whole,
      lines: linesOf(window),
    })
  })
}

/** That values which the file shows under the field's own name give no event, any of them. */
export async function problemsOfNoEvent(
  field: Field,
  { exports, tries }: Filters,
  window: Window,
): Promise<Problem[]> {
  const tried = await tries(field)
  const shown = tried.filter(({ known }) => known === 'shown').map(({ value }) => value)
  if (shown.length === 0 || tried.some(({ effect }) => effect !== 'none')) return []
  return confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const whole = await events()
    const found: Multiset[] = []
    for (const value of shown) found.push(await events(filterBy(field, value)))
    if (found.some((each) => sizeOf(each) > 0)) return []
    const sentence = `no event for ${shown.map((value) => describeFilter(field, value)).join(' or ')}, though the file shows each as ${field}`
    return [
      problem(sentence, {
        expected: 'the events that show it',
        got: 'no event',
        judged: found,
        control: whole,
      }),
    ]
  })
}

/** What the exactness of a filter was judged by, for a note. */
export async function describeBasis(
  field: Field,
  filters: Filters,
  { header }: Window,
): Promise<string> {
  const source = await filters.column(field)
  if (!source) return 'no column shows it: judged by the export without the filter'
  return `by the column ${header?.[source.column] ?? source.column + 1}`
}

/** The values that are not refused: what a column shows need not be what can be asked for. */
async function acceptedAmong(
  values: string[],
  field: Field,
  { exports }: Filters,
  window: Window,
): Promise<string[]> {
  const taken: string[] = []
  for (const value of values) {
    const { answer } = await exports.csv(mergeQueries(spanOf(window), filterBy(field, value)))
    if (!isRefused(answer)) taken.push(value)
  }
  return taken
}

/** The columns that were learned, of these fields. */
export async function learnedColumns(
  fields: readonly Field[],
  filters: Filters,
): Promise<Source[]> {
  const columns = await Promise.all(fields.map((field) => filters.column(field)))
  return columns.flatMap((column) => column ?? [])
}

/** The events for a value; where there are none, for what it stands for if it is a label. */
async function fetchEvents(
  fetch: Fetch,
  window: Window,
  field: Field,
  value: string,
): Promise<Multiset> {
  const events = createEventFetch(fetch, window)
  const found = await events(filterBy(field, value))
  const code = codeOf(value)
  return sizeOf(found) > 0 || code === value ? found : events(filterBy(field, code))
}

const maxParts = 40

/**
 * Whether the exports for all values of a field add up to the events that show one; more than the
 * values of few fields would cost too many exports.
 */
export async function problemsOfParts(
  source: Source,
  filters: Filters,
  window: Window,
): Promise<Problem[]> {
  const { field } = source
  const shown = valuesShown(source, window.rows)
  if (shown.length > maxParts)
    throw new NotDecidable(
      'setting',
      `set EXPORT_FROM and EXPORT_TO to a shorter window: ${field} has ${shown.length} values in it, more than ${maxParts}`,
    )
  const values = await acceptedAmong(shown, field, filters, window)
  return confirmed(filters.exports, window, async (fetch) => {
    const whole = await fetch(spanOf(window))
    const all = eventsAmong(window, whole)
    const sum = { found: 0, least: 0, most: 0 }
    const parts: Multiset[] = []
    for (const value of values) {
      const events = await fetchEvents(fetch, window, field, value)
      parts.push(events)
      const { sure, possible } = rowsShowing(source, value, whole)
      sum.found += sizeOf(intersection(events, all))
      sum.least += sure.length
      sum.most += possible.length
    }
    return sum.found >= sum.least && sum.found <= sum.most
      ? []
      : [
          problem(
            `${sum.found} events for all ${values.length} values of ${field}, which ${sum.least} events show`,
            {
              expected: `${sum.least} events`,
              got: `${sum.found} events`,
              judged: parts,
              control: whole,
            },
          ),
        ]
  })
}
