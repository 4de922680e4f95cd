// Recorded exports behind the port that a run uses, so that the same laws judge them.

import { Readable } from 'node:stream'
import { sharedAmong } from '../../engine/clause/shared.ts'
import { createKnownFiles } from '../../engine/files/csv.ts'
import { instantAt } from '../../engine/files/dates.ts'
import { addTo, grouped } from '../../engine/grouped.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { isDescribed } from '../export/ask/breaches.ts'
import { createExports, type Exports } from '../export/ask/exports.ts'
import { parameters, type Query, queryText } from '../export/ask/query.ts'
import type { Owned } from '../service/judge.ts'
import { metadataKeys } from '../service/operations.ts'
import type { Service } from '../service/service.ts'
import type { Seen } from './recorded.ts'

/** A recorded export. Its body is read again when needed: all bodies together are too large. */
export type Look = Omit<Seen, 'body'> & {
  asked: Query
  /** what was asked for, in one order of its parts */
  text: string
  bytes: number
  count?: number
}

/** The body of an exchange by its number, where the recording has all of it. */
export type BodyOf = (exchange: number) => Buffer | undefined

export const notShown = 'not decided by this traffic'

export const textOf = (query: Query): string => queryText(query, 'repeat')

const single = {
  range_start: 'start',
  range_end: 'end',
  file_type: 'fileType',
  locale: 'locale',
  timezone: 'timezone',
} as const

export function queryIn(text: string): Query {
  const query: Query = { fileType: null }
  const filters = new Map<string, string[]>()
  const metadata = new Map<string, string>()
  const more: string[] = []
  for (const [name, value] of new URLSearchParams(text)) {
    const [, key = ''] = /^metadata\[(\w+)\]$/.exec(name) ?? []
    const place = single[name as keyof typeof single]
    if (metadataKeys.some((each) => each === key) && !metadata.has(key)) metadata.set(key, value)
    else if (parameters.some((each) => each === name)) addTo(filters, name, value)
    else if (place && query[place] == null) query[place] = value
    else more.push(`${name}=${value}`)
  }
  const lists = { filters: Object.fromEntries(filters), metadata: Object.fromEntries(metadata) }
  return { ...query, ...lists, ...(more.length > 0 && { more: more.join('&') }) }
}

export function mistakesIn({ start, end, fileType, timezone, more = '' }: Query): string[] {
  const isTime = (text = '') =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text))
  const isReversed = isTime(start) && isTime(end) && instantAt(start ?? '') > instantAt(end ?? '')
  const isNoTime = (bound = '') => /^[a-z ]+$/i.test(bound) && bound !== 'null'
  const isNoZone = !isDescribed({ ...(timezone && { timezone }) }, false)
  const is: [boolean, string][] = [
    [isReversed, `range.reversed.${fileType === 'pdf' ? 'pdf' : 'csv'}`],
    [fileType != null && !['csv', 'pdf'].includes(fileType), 'invalid.file-type'],
    [/(^|&)metadata\[\w+\]=/.test(more), 'invalid.metadata-key'],
    [isNoTime(start) || isNoTime(end), 'invalid.range-form'],
    // Only some libraries know some short names of time zones.
    [isNoZone && !/^[A-Z]{1,5}$/i.test(timezone ?? ''), 'invalid.timezone'],
  ]
  return is.flatMap(([isSo, name]) => (isSo ? [`export.${name}`] : []))
}

/** What was not recorded ends a law undecided. */
export function replayed(
  looks: readonly Look[],
  bodyOf: BodyOf,
  met: (owned: Owned) => void = () => {},
): Exports {
  const byText = grouped(looks, ({ text }) => text)
  const turns = new Map<string, number>()
  const service: Pick<Service, 'download' | 'downloadFrom' | 'times' | 'knownFiles' | 'facts'> = {
    async download(query, sink) {
      const asked = queryIn(query)
      const own = textOf(asked)
      // Without file_type the type is csv.
      const isBare = !byText.has(own) && asked.fileType === 'csv'
      const text = isBare ? textOf({ ...asked, fileType: null }) : own
      const answers = byText.get(text) ?? []
      const turn = turns.get(text) ?? 0
      turns.set(text, turn + 1)
      const look = answers[turn % answers.length]
      const body = look && bodyOf(look.number)
      if (!body) throw new NotDecidable('data', notShown)
      const answer = { ...look.answer, bytesRead: body.length }
      const address = new URL(look.path, 'http://recorded')
      return { answer, address, met, result: await sink(Readable.from([body]), answer) }
    },
    downloadFrom: async () => 'unreachable',
    times: () => [Math.min(...looks.map(({ start }) => start))],
    knownFiles: createKnownFiles(),
    facts: { declared: {}, found: {} },
  }
  const asService = service as Service
  const shared = sharedAmong(
    new Map(),
    () => asService,
    () => {},
  )
  return createExports(asService, shared, 'repeat')
}
