// Too many events for a PDF, requested in other forms than by a range alone.

import { sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { needDecidable } from '../ask/decidable.ts'
import type { Exports } from '../ask/exports.ts'
import { filterBy, parameters, type Query } from '../ask/query.ts'
import { type AroundLimit, earliest, iso } from '../learn/around-limit.ts'
import { countEvents } from '../learn/event-count.ts'
import type { Filters } from '../learn/filters.ts'
import { spanOf, type Window } from '../learn/window.ts'
import { acceptedLanguages, acceptedValues } from './zones-and-locales.ts'

/** One request; `isCounted`: its events were counted, since zone and language do not change them. */
export type OverForm = { described: string; query: Query; isCounted?: true }

/** The forms that may leave more events than a PDF holds; how many is counted. */
export async function formsOver(
  filters: Filters,
  window: Window,
  { over }: AroundLimit,
): Promise<OverForm[]> {
  const range = { start: over.start, end: over.end }
  const span = spanOf(window)
  const [timezone] = await acceptedValues(filters.exports, ['Asia/Tokyo'], (timezone) => ({
    ...span,
    timezone,
  }))
  const [locale] = await acceptedLanguages(filters.exports, span, 1)
  const shown = { ...(timezone ? { timezone } : {}), ...(locale ? { locale } : {}) }
  const filter = await broadestFilter(filters)
  const all = { start: iso(earliest), end: window.end }
  return [
    ...(Object.keys(shown).length > 0
      ? [
          {
            described: Object.values(shown).join(' and '),
            query: { ...range, ...shown },
            isCounted: true as const,
          },
        ]
      : []),
    ...(filter ? [{ described: filter.field, query: { ...all, ...filter.query } }] : []),
    { described: 'no range', query: {} },
  ]
}

export async function broadestFilter(filters: Filters) {
  const found = await Promise.all(
    parameters.map(async (field) => {
      const known = (await filters.known(field)).slice(0, filters.form.settled ? undefined : 1)
      const count = known.reduce((sum, { events }) => sum + sizeOf(events), 0)
      return { field, count, query: filterBy(field, ...known.map(({ value }) => value)) }
    }),
  )
  const broadest = found.reduce((a, b) => (b.count > a.count ? b : a))
  return broadest.count > 0 ? broadest : undefined
}

/** A PDF is given, or refused with another status than 400, though its CSV has too many events. */
export async function problemsOfOver(
  { described, query, isCounted }: OverForm,
  { exports }: Filters,
  window: Window,
  limit: number,
): Promise<Problem[]> {
  const enough = limit + Math.ceil(limit / 10) + window.lines.before + window.lines.behind
  const needOver = async (port: Exports) => {
    if ((await countEvents(port, window, query, enough)).least <= limit)
      throw new NotDecidable(
        'data',
        'no filter, zone or language leaves more events than a PDF holds',
      )
  }
  if (!isCounted) await needOver(exports)
  const { answer } = await exports.pdf(query)
  needDecidable(answer)
  if (answer.status === 400) return []
  await needOver(exports.fresh)
  const sentence = `${describeAnswer(answer)}, not 400, to more than ${limit} events with ${described}`
  return [problem(sentence, { expected: '400', got: `${answer.status}`, judged: answer })]
}
