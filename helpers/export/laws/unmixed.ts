// Exports must not affect one another: neither earlier nor simultaneous requests.

import { contentOf } from '../../../engine/files/content.ts'
import { isEqual, minus, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type CsvExport, type Exports, isUsable } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { eventRows, type Window } from '../learn/window.ts'
import { laterBy, type NamedQuery } from './asked-in-turn.ts'
import { problemsOfOtherEvents } from './same-file.ts'

const files = ['text', 'PDF']

type ShownFile = { content: string; rows: string[][]; file: CsvExport | PdfExport }

const isPdf = ({ by }: NamedQuery) => by === 'format'

async function see(
  { csv, pdf }: { csv: Exports['csv']; pdf: Exports['pdf'] },
  window: Window,
  asked: NamedQuery,
): Promise<ShownFile | undefined> {
  const { fileType: _, ...query } = asked.query
  const found: CsvExport | PdfExport = isPdf(asked) ? await pdf(query) : await csv(query)
  if (!isAccepted(found.answer)) return undefined
  if ('read' in found) {
    const content = contentOf(found.bytes?.toString('latin1', 0, 2048) ?? '')
    return { content, rows: [], file: found }
  }
  const content = contentOf(found.csv?.beginning ?? '')
  if (!isUsable(found)) return { content, rows: [], file: found }
  const rows = eventRows(window, found.csv?.records ?? [], found.csv?.cut)
  return { content, rows, file: found }
}

/**
 * Files that equal, or contain parts of, the file of another request, where the same request gave its own
 * file before. Other changes are ignored: events come and go.
 */
async function problemsOfMixing(
  window: Window,
  asks: readonly NamedQuery[],
  own: ReadonlyMap<NamedQuery, ShownFile>,
  seen: readonly { asked: NamedQuery; found: ShownFile | undefined }[],
  when: (asked: NamedQuery, at: number) => string,
): Promise<Problem[]> {
  const eventsOf = ({ rows }: ShownFile) => multisetOf(rows, window.columns)
  return seen.flatMap(({ asked, found }, at) => {
    const right = own.get(asked)
    if (!right || !found) return []
    const told = `${asked.what}, asked for ${when(asked, at)},`
    const isOther = found.content !== right.content
    if (isOther && files.includes(found.content) && files.includes(right.content))
      return [
        problem(`${told} is ${found.content}, and was ${right.content} before`, {
          expected: right.content,
          got: found.content,
          judged: found.file,
          control: right.file,
          again: { why: needsOthers },
        }),
      ]
    const [events, ownEvents] = [eventsOf(found), eventsOf(right)]
    if (isPdf(asked) || isEqual(events, ownEvents)) return []
    const strange = minus(events, ownEvents)
    // More events that look like its own may have arrived.
    const looksNew = new Map([...strange].filter(([key]) => !ownEvents.has(key)))
    const areTelling = 2 * sizeOf(looksNew) > sizeOf(strange)
    const isOf = (other: NamedQuery, file: ShownFile) => {
      const theirs = eventsOf(file)
      if (isEqual(theirs, ownEvents) || isMoved(window, [asked, right], [other, file])) return false
      const isOfTheirs = areTelling && sizeOf(strange) > 0 && sizeOf(minus(strange, theirs)) === 0
      return isEqual(events, theirs) || isOfTheirs
    }
    const source = asks.find((other) => {
      if (other === asked || isPdf(other)) return false
      const files = [own.get(other), ...seen.map((each) => each.asked === other && each.found)]
      return files.some((file) => file && isOf(other, file))
    })
    if (!source) return []
    const mixing = describeMixing(source, sizeOf(strange), found.rows.length)
    return [
      problem(`${told} ${mixing}`, {
        expected: `the ${right.rows.length} rows that it had before`,
        got: `${sizeOf(strange)} other rows of ${found.rows.length}`,
        judged: found.file,
        control: right.file,
        again: { why: needsOthers },
      }),
    ]
  })
}

const needsOthers = 'it shows only after other requests, or while others are under way'

const describeMixing = ({ what, by }: NamedQuery, strange: number, rows: number): string => {
  if (by === 'zone' || by === 'language')
    return `differs in ${by === 'zone' ? 'dates' : 'language'} alone: ${strange} of its ${rows} rows are those of ${what}`
  return strange === 0
    ? `holds the ${rows} events of ${what}`
    : `holds ${strange} events of ${what}, which do not belong there`
}

/** Files of the same events in two forms differ: data moved between them. */
function isMoved(
  window: Window,
  [one, a]: [NamedQuery, ShownFile],
  [other, b]: [NamedQuery, ShownFile],
): boolean {
  const isForm = ({ by }: NamedQuery) => !['filter', 'range', 'format'].includes(by)
  if (!isForm(one) || !isForm(other)) return false
  return problemsOfOtherEvents('', window, a.rows, b.rows).length > 0
}

const minAsked = 3

async function ownFiles(exports: Exports, window: Window, asks: readonly NamedQuery[]) {
  const own = new Map<NamedQuery, ShownFile>()
  for (const asked of asks) {
    const found = await see(exports, window, asked)
    if (found) own.set(asked, found)
  }
  if (own.size >= minAsked) return own
  throw new NotDecidable(
    'freedom',
    `of ${asks.length} exports that differ in zone, language, filter, format or range ${own.size} are accepted; which requests are invalid is not shown in full`,
  )
}

const later = (asked: NamedQuery, milliseconds: number): NamedQuery => ({
  ...asked,
  query: laterBy(asked.query, milliseconds),
})

/**
 * What is wrong with exports that are repeated in another order: if a service caches without the whole
 * query, the first file shows in later ones. The plain one follows two zones and two languages.
 */
export async function problemsInTurn(
  exports: Exports,
  window: Window,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const own = await ownFiles(exports, window, asks)
  const { firsts, seconds } = divided([...own.keys()])
  const plain = firsts.slice(0, seconds.length > 0 ? 1 : 0)
  const walk = [...firsts.toReversed(), ...seconds, ...plain]
  const seen: { asked: NamedQuery; found: ShownFile | undefined }[] = []
  for (const [at, asked] of walk.entries()) {
    const milliseconds = at < firsts.length ? 1 : 2
    seen.push({
      asked,
      found: await see(exports.fresh, window, later(asked, milliseconds)),
    })
  }
  return problemsOfMixing(window, asks, own, seen, (_, at) => {
    const before = walk[at - 1]
    return before ? `again after ${before.what}` : 'again'
  })
}

/** The second zone and the second language, and all others. */
function divided(asks: readonly NamedQuery[]): { firsts: NamedQuery[]; seconds: NamedQuery[] } {
  const isSecond = ({ by }: NamedQuery, at: number) =>
    (by === 'zone' || by === 'language') && asks.findIndex((other) => other.by === by) < at
  return {
    firsts: asks.filter((asked, at) => !isSecond(asked, at)),
    seconds: asks.filter(isSecond),
  }
}

export async function problemsAtOnce(
  exports: Exports,
  window: Window,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const own = await ownFiles(exports, window, divided(asks).firsts)
  const seen = await Promise.all(
    [...own.keys()].map(async (asked) => ({
      asked,
      found: await see(exports.fresh, window, asked),
    })),
  )
  return problemsOfMixing(window, asks, own, seen, () => 'at the same time as others')
}
