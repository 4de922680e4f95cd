import type { Multiset } from '../../../engine/files/multiset.ts'
import { sizeOf } from '../../../engine/files/multiset.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import type { Exports } from '../ask/exports.ts'
import type { Field } from '../ask/query.ts'
import { filterBy, isMetadataKey } from '../ask/query.ts'
import type { Source } from './columns.ts'
import { learnColumn, namedColumns, valuesShown } from './columns.ts'
import type { ArrayForm } from './encoding.ts'
import { eventsSeen } from './relations.ts'
import { type Sources, valuesBeside, valuesRead, valuesToTry } from './values.ts'
import { spanOf, type Window } from './window.ts'

/** What is known of the filters of the export, each found out once a run. */
export type Filters = {
  form: ArrayForm
  /** exports whose lists are written in that form */
  exports: Exports
  /** the column that shows a field, where it could be learned */
  column(field: Field): Promise<Source | undefined>
  /** values that some events of the window have and others have not, the most telling first */
  known(field: Field): Promise<Known[]>
  /** as known, but without one the clause ends there */
  needKnown(field: Field): Promise<[Known, ...Known[]]>
  /** values that may occur, however little is known of the file */
  likely(field: Field): Promise<string[]>
  /** values that reads of tasks and assessments show under the name of the field */
  read(field: Field): Promise<string[]>
  /** why there is no such value: for a key of metadata that nobody declared one of, a setting */
  whyNoValue(field: Field): Why
}

/** A value of a field, and its events. */
export type Known = { field: Field; value: string; events: Multiset }

const maxTried = 8
const maxKnown = 3

/** Creates the filters of a clause, on exports whose lists are written in the form. */
export function createFilters(
  exports: Exports,
  { window, form, sources }: { window: Window; form: ArrayForm; sources: Sources },
): Filters {
  const column = (field: Field) =>
    exports.once(`column of ${field}`, async (inner) =>
      isMetadataKey(field) || form.settled
        ? learnColumn(field, inner, window, await valuesBeside(field, sources))
        : undefined,
    )
  const likely = async (field: Field) => {
    const source = await column(field)
    // What a column of the field's name shows may occur, even where no export was seen to fit it.
    const shown = source
      ? valuesShown(source, window.rows)
      : namedColumns(field, window).flatMap((each) => valuesShown(each, window.rows).slice(0, 2))
    const beside = isMetadataKey(field)
      ? await valuesBeside(field, sources)
      : await valuesToTry(field, window, sources)
    return [...new Set([...shown, ...beside])]
  }
  const known = (field: Field) =>
    exports.once(`values of ${field}`, async (inner) => {
      const found: Known[] = []
      for (const value of (await likely(field)).slice(0, maxTried)) {
        const query = { ...spanOf(window), ...filterBy(field, value) }
        const events = eventsSeen(window, await inner.csv(query))
        const size = sizeOf(events)
        if (size > 0 && size < window.rows.length) found.push({ field, value, events })
        if (found.length >= maxKnown) break
      }
      return found
    })
  const whyNoValue = (field: Field): Why => {
    const { metadataValues } = sources.settings
    const isMissing = isMetadataKey(field) && !metadataValues[field]?.length
    const [source] = namedColumns(field, window)
    const [example] = source ? valuesShown(source, window.rows) : []
    if (source && example !== undefined) {
      const title = window.header?.[source.column] ?? source.column + 1
      const reason = `those that the column ${title} shows, such as ${example}, find no event of the window, or all of them`
      return isMissing
        ? ['setting', `set METADATA_VALUES to other values of ${field}: ${reason}`]
        : ['data', `other values of ${field} are needed: ${reason}`]
    }
    return isMissing
      ? ['setting', describeNoValue(field)]
      : ['data', `${noValue(field)}; a window with such events is needed`]
  }
  return {
    form,
    exports,
    column,
    known,
    likely,
    read: (field) => valuesRead(field, sources.read),
    whyNoValue,
    needKnown: async (field) => {
      needSettled({ form }, field)
      const [first, ...more] = await known(field)
      if (first) return [first, ...more]
      throw new NotDecidable(...whyNoValue(field))
    },
  }
}

/** Ends the clause where it is not known how the values of a parameter are written. */
export function needSettled({ form }: Pick<Filters, 'form'>, field: Field): void {
  if (isMetadataKey(field) || form.settled) return
  throw new NotDecidable(
    'setting',
    'set ARRAY_ENCODING: no value of an array parameter narrowed the export, however it was written',
  )
}

const noValue = (field: Field) =>
  `no value of ${field} is known that some events of the window have and others do not have`

/** Why there is nothing to ask for. */
export const describeNoValue = (field: Field) =>
  isMetadataKey(field) ? `set METADATA_VALUES: ${noValue(field)}` : noValue(field)
