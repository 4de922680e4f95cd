// Filters that go by the values of another field, or match a part of a value.

import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { metadataKeys } from '../../service/operations.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  isMetadataKey,
  mergeQueries,
  parameters,
} from '../ask/query.ts'
import { codeOf, nameMatch } from '../learn/cells.ts'
import { namedColumns, valuesShown } from '../learn/columns.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import { createEventFetch, eventsSeen } from '../learn/relations.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'

const maxValues = 2

/**
 * That a field goes by the values of another one: its own values, which the file shows under its
 * name, reads show under it and the file somewhere, or somebody declared, give no event, and values
 * of the other give the other's events. Where
 * none of its own is known that tells nothing: in every event the two may be the same.
 */
export async function problemsOfMixedUpFields(
  field: Field,
  filters: Filters,
  window: Window,
  declared: readonly string[] = [],
): Promise<Problem[]> {
  const source = await filters.column(field)
  const read = (await filters.read(field)).filter((value) => isInFile(value, window))
  const own = {
    shown: [...shownFor(field, window), ...read.slice(0, maxValues)],
    declared: declared.slice(0, maxValues),
  }
  if (source?.by === 'name' || own.shown.length + own.declared.length === 0) return []
  if (!isMetadataKey(field) && !filters.form.settled) return []
  const alike: readonly Field[] = isMetadataKey(field) ? metadataKeys : parameters
  for (const other of alike.filter((each) => each !== field)) {
    const known = (await filters.known(other)).slice(0, maxValues)
    const problems = await problemsBesideOther(field, own, known, filters, window)
    if (problems.length > 0) return problems
  }
  return []
}

/** Values that the file shows under the very name of a field, as its title or as a key beside them. */
function shownFor(field: Field, window: Window): string[] {
  const named = namedColumns(field, window).filter(
    ({ column, form }) =>
      form === 'inside' || nameMatch(window.header?.[column] ?? '', field) === 'so',
  )
  return named.flatMap((source) => valuesShown(source, window.rows).slice(0, maxValues))
}

const isInFile = (value: string, { rows }: Window) =>
  rows.some((row) => row.some((cell) => cell.trim() === value))

async function problemsBesideOther(
  field: Field,
  own: { shown: string[]; declared: string[] },
  ofOther: readonly Known[],
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  // Values that are not known may be refused: then they give nothing.
  const givenFor = async (value: string) =>
    eventsSeen(window, await exports.csv(mergeQueries(spanOf(window), filterBy(field, value))))
  if (ofOther.length === 0) return []
  // A file may show a short name where the filter takes an id: then it shows nothing to ask for.
  const isLikeOther = (shown: string) =>
    ofOther.every(({ value }) => isUuid(value) === isUuid(shown))
  const shown = own.shown.filter(isLikeOther)
  if (shown.length + own.declared.length === 0) return []
  for (const { value, events } of ofOther) if (!isEqual(await givenFor(value), events)) return []
  for (const value of shown) if (sizeOf(await givenFor(value)) > 0) return []
  // Where in the audit trail it stands is not declared.
  const read = 1 + window.lines.before + window.lines.behind
  for (const value of own.declared) {
    const { csv } = await exports.csv(filterBy(field, value), { read })
    if (eventRows(window, csv?.records ?? [], csv?.cut).length > 0) return []
    // For want of a range it may be refused as too large: that tells nothing of the value.
    const within = await exports.csv(mergeQueries(spanOf(window), filterBy(field, value)))
    if (!csv && within.csv) return []
  }

  return confirmed(exports, window, async (fetch) => {
    const events = createEventFetch(fetch, window)
    const problems: Problem[] = []
    for (const { field: other, value } of ofOther) {
      const found = await events(filterBy(field, value))
      const control = await events(filterBy(other, value))
      if (sizeOf(found) === 0 || !isEqual(found, control)) return []
      problems.push(
        problem(
          `${describeFilter(field, value)} gives the ${sizeOf(found)} events of that ${other}, and what is known as ${field} gives none`,
          {
            expected: `the events of that ${field}`,
            got: `the ${sizeOf(found)} events of that ${other}`,
            judged: found,
            control,
          },
        ),
      )
    }
    return problems
  })
}

/**
 * That the events of a value come for others that resemble it, though no cell shows them: for a part
 * of it, and for a pattern that it fits. What signs such as % stand for is not shown, so this is no
 * more than the natural reading.
 */
export async function problemsOfPartialMatch(
  known: Known,
  { exports }: Filters,
  window: Window,
): Promise<Problem[]> {
  const { field, value, events: ofValue } = known
  const queryFor = (other: string) => mergeQueries(spanOf(window), filterBy(field, other))
  // What comes for a value that none has is the matter of unknown-value.
  let ofNone: Multiset = new Map()
  const amongOf = (found: Multiset) =>
    sizeOf(found) >= window.rows.length ? 0 : sizeOf(intersection(minus(found, ofNone), ofValue))
  const suspected = await Promise.all(
    similarValues(known).map(async (other) => {
      const found = await exports.csv(queryFor(other))
      // What is refused is not found, for whatever reason.
      if (found.answer.status !== 200) return []
      const isFound = amongOf(eventsSeen(window, found)) > 0
      return isFound && !isShown(other, window) ? [other] : []
    }),
  )
  if (suspected.flat().length > 0)
    ofNone = eventsSeen(window, await exports.csv(queryFor(noValueLike(value))))
  for (const other of suspected.flat()) {
    const problems = await confirmed(exports, window, async (fetch) => {
      const found = await createEventFetch(fetch, window)(filterBy(field, other))
      const among = amongOf(found)
      return among === 0
        ? []
        : [
            problem(
              `${describeFilter(field, other)} gives ${among} of the ${sizeOf(ofValue)} events for ${value}, which is another value`,
              {
                expected: 'no event',
                got: `${among} events of ${value}`,
                judged: found,
                control: ofValue,
              },
            ),
          ]
    })
    if (problems.length > 0) return problems
  }
  return []
}

/** A value of the same length, and for ids of the same form, that no event has. */
const noValueLike = (value: string): string =>
  isUuid(value)
    ? value.replaceAll(/[0-8]/g, (digit) => `${8 - Number(digit)}`)
    : `none-${reversed(value)}`

const reversed = (text: string) => [...text].reverse().join('')

function similarValues({ field, value }: Known): string[] {
  const half = value.slice(0, value.length / 2)
  const signs = [`${half}%`, value.replace(/(?<=.)[^_](?=.)/, '_'), `${half}*`]
  // A service reads signs in all keys alike: every second key is asked for %, and the others for _.
  const at = isMetadataKey(field) ? metadataKeys.indexOf(field) % 2 : undefined
  const others = [value.slice(0, -1), ...(at === undefined ? signs : signs.slice(at, at + 1))]
  // What differs in signs alone may be the same to a service that makes codes of what it is given.
  return value.length < 3 ? [] : others.filter((other) => codeOf(other) !== codeOf(value))
}

/** Whether cells show it as a word of its own: two letters stand within many others. */
function isShown(other: string, { rows }: Window): boolean {
  const quoted = other.toLowerCase().replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, 'u')
  return rows.flat().some((cell) => word.test(cell.toLowerCase()))
}
