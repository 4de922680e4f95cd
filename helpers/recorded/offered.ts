import { distinct } from '../../engine/distinct.ts'
import { grouped } from '../../engine/grouped.ts'
import type { Query, Span } from '../export/ask/query.ts'
import type { Request } from '../export/laws/file.ts'
import {
  isCsv,
  isPlain,
  type Learned,
  type Looked,
  textOf,
  valuesIn,
} from '../export/laws/recorded-files.ts'
import { zonedColumnOf } from '../export/laws/requests.ts'
import type { KnownValue } from '../export/learn/filters.ts'
import { unlessUndecided } from '../export/learn/ranges.ts'
import type { Offered } from '../service/export-facts.ts'

/** A range with two equal looks at all of its events, and what was asked for in between. */
export type Epoch = { span: Span; within: Looked[] }

/** The choices of other clients than a run, each shown by the files that a run would ask for. */
export function offeredIn({ span, within }: Epoch, looks: readonly Looked[]): Offered {
  const isShown = (query: Query) => looks.some(({ text }) => text === textOf(query))
  /** Those that were asked for most come first. */
  const valuesOf = (name: 'timezone' | 'locale', usual: string) => {
    const all = grouped(looks, ({ asked }) => asked[name] ?? usual)
    const others = [...all].filter(
      ([value]) => value !== usual && isShown({ ...span, fileType: 'csv', [name]: value }),
    )
    return others.sort(([, one], [, other]) => other.length - one.length).map(([value]) => value)
  }
  const spans = within.flatMap((look): Span[] => {
    const { start, end } = look.asked
    return start && end && isCsv(look) && isPlain(look) ? [{ start, end }] : []
  })
  const ends = spans.flatMap(({ start, end }) => (start === span.start ? end : []))
  const isFrom = (at: string) => spans.some(({ start, end }) => start === at && end === span.end)
  return {
    timezones: valuesOf('timezone', 'UTC'),
    locales: valuesOf('locale', 'en'),
    span,
    cuts: distinct(ends).filter(isFrom),
    unknown: new Map(),
  }
}

/** The exports in which values that are known meet each other, a zone, a language, or a part of the range. */
export async function combinedIn({ span, within }: Epoch, { filters, ranges, exports }: Learned) {
  const requests: Request[] = []
  for (const { asked } of within) {
    const { start = '', end = '', fileType, timezone, locale } = asked
    const values: KnownValue[][] = []
    for (const [field, given] of valuesIn(asked)) {
      const known = await filters.known(field).catch(unlessUndecided)
      values.push((known ?? []).filter(({ value }) => given.includes(value)))
    }
    const bounds = start !== span.start || end !== span.end ? { start, end } : undefined
    const isCombined = values.length > 1 || timezone || locale || bounds
    const type = fileType === 'pdf' ? 'pdf' : 'csv'
    if (isCombined && values.length > 0 && values.every(({ length }) => length > 0))
      requests.push({ values, fileType: type, timezone, locale, bounds })
  }
  const [zone] = exports.facts.recorded?.timezones ?? []
  return { requests, timeColumn: zone && (await zonedColumnOf(ranges, zone)) }
}
