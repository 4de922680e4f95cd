import { needDecidable, tell } from '../../../engine/files/content.ts'
import { intersection, sizeOf } from '../../../engine/files/rows.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Faker } from '../../../engine/random.ts'
import { isRefused } from '../../service/answers.ts'
import { asking, type Field, isIdentifier, isKey, shownAs } from '../ask/field.ts'
import { confirmed } from '../learn/confirmed.ts'
import { formsOfOne } from '../learn/encoding.ts'
import { type Filters, needSettled } from '../learn/filters.ts'
import { eventsBy, eventsOf, eventsSeen } from '../learn/relations.ts'
import { eventRows, spanOf, type Window } from '../learn/window.ts'

/** The events that come for a value that none has, one sentence if there are any. */
export async function eventsForUnknown(
  field: Field,
  { filters, window, random }: { filters: Filters; window: Window; random: Faker },
): Promise<string[]> {
  const { exports } = filters
  const value = isIdentifier(field)
    ? random.string.uuid()
    : `none-${random.string.alphanumeric(12).toLowerCase()}`
  const query = { ...spanOf(window), ...asking(field, value) }
  const { answer, csv } = await exports.csv(query)
  if (csv && sizeOf(eventsOf(window, eventRows(window, csv.records))) === 0) return []
  needSettled(filters, field)
  if (isRefused(answer)) {
    needDecidable(answer)
    const known = await filters.known(field)
    if (known.length > 0) return []
    throw new NotDecidable(`${tell(answer)}, and no value of ${field} is known that is let in`)
  }
  const problems = await confirmed(exports, window, async (fetch) => {
    const events = eventsBy(fetch, window)
    const among = intersection(await events(asking(field, value)), await events())
    const size = sizeOf(among)
    return size === 0 ? [] : [`${size} events for ${shownAs(field, value)}, which none has`]
  })
  if (problems.length > 0) await needNoOtherForm(field, value, filters, window)
  return problems
}

/** A parameter that is understood in a form of its own is not ignored, only asked for wrongly. */
async function needNoOtherForm(
  field: Field,
  value: string,
  { exports, form }: Filters,
  window: Window,
): Promise<void> {
  if (isKey(field) || form.declared) return
  for (const encoding of formsOfOne) {
    const found = await exports.csv({ ...spanOf(window), ...asking(field, value) }, { encoding })
    if (found.csv && sizeOf(eventsSeen(window, found)) === 0)
      throw new NotDecidable(
        `set ARRAY_ENCODING: ${field} is understood as ${encoding}, another parameter as ${form.encoding}`,
      )
  }
}
