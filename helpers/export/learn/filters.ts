import type { Multiset } from '../../../engine/files/multiset.ts'
import { describeAnswer } from '../../../engine/http/answers.ts'
import { NotDecidable, Trouble, type Why } from '../../../engine/outcome.ts'
import { randomFor } from '../../../engine/random.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { columnName, placeOf } from '../../service/export-facts.ts'
import { type Encoding, metadataKeys } from '../../service/operations.ts'
import type { Exports } from '../ask/exports.ts'
import { type Field, isIdentifier, isMetadataKey, parameters } from '../ask/query.ts'
import { isNamed, learnColumn, namedColumns, type Source, valuesShown } from './columns.ts'
import { type ArrayForm, formsOfOne } from './encoding.ts'
import {
  type Candidate,
  describeTries,
  type FilterState,
  stateOf,
  type Try,
  triesIn,
  tryValue,
} from './tries.ts'
import { type Sources, valuesBeside, valuesRead, valuesToTry } from './values.ts'
import type { Window } from './window.ts'

export type Filters = {
  form: ArrayForm
  /** exports that write lists in that form */
  exports: Exports
  window: Window
  column(field: Field): Promise<Source | undefined>
  /** values that some events of the window have and others lack, the most telling first */
  known(field: Field): Promise<KnownValue[]>
  /** the same; ends the clause if there is none */
  needKnown(field: Field): Promise<[KnownValue, ...KnownValue[]]>
  /** values that may occur, even if little is known of the file */
  likely(field: Field): Promise<string[]>
  read(field: Field): Promise<string[]>
  /** the results of values of a field, in the known form of lists */
  tries(field: Field): Promise<Try[]>
  tryUnknown(field: Field): Promise<Try>
  state(field: Field): Promise<FilterState>
  /** whether the filter refuses values that must be accepted: known ones, or as no other filter does */
  refusesKnown(field: Field): Promise<boolean>
  /** why no value of these fields separates events; what a clause judges comes first */
  why(...fields: Field[]): Promise<Why>
}

export type KnownValue = { field: Field; value: string; events: Multiset }

const maxTried = 8
const maxKnown = 3
const maxTriedInOtherForms = 4

export const ownerOfAcceptance = (field: Field): string =>
  isMetadataKey(field) ? `export.metadata.${field}.accepted` : `export.filter.${field}.narrows`

const ownerOfEffect = (field: Field): string =>
  `export.${isMetadataKey(field) ? 'metadata' : 'filter'}.${field}.unknown-value`

export function createFilters(
  exports: Exports,
  { window, form, sources }: { window: Window; form: ArrayForm; sources: Sources },
): Filters {
  const { settings } = sources
  const column = (field: Field) =>
    exports.once(`column of ${field}`, async (inner): Promise<Source | undefined> => {
      const { declared, found } = exports.facts
      const said = declared.fields?.[field]
      if (said) {
        const { column, form } = said
        return { field, column: placeOf(column, field, window.header), form, by: 'name' }
      }
      if (said === null || !(isMetadataKey(field) || form.settled)) return undefined
      const source = await learnColumn(field, inner, window, await valuesBeside(field, sources))
      const shown = source && {
        column: columnName(source.column, window.header),
        form: source.form,
      }
      found.fields = { ...found.fields, [field]: shown ?? null }
      return source
    })
  const candidates = async (field: Field): Promise<Candidate[]> => {
    const source = await column(field)
    // Values in a column of the field's name may occur, even if no export matched it.
    const shown = source
      ? [{ source, values: valuesShown(source, window.rows) }]
      : namedColumns(field, window)
          // Ids have no labels.
          .filter((each) => each.form !== 'label' || !isIdentifier(field))
          .map((each) => ({ source: each, values: valuesShown(each, window.rows).slice(0, 2) }))
    const beside = isMetadataKey(field)
      ? await valuesBeside(field, sources)
      : await valuesToTry(field, window, sources)
    const declared = isMetadataKey(field) ? (settings.metadataValues[field] ?? []) : []
    const all = new Map<string, Candidate['known']>()
    for (const { source, values } of shown)
      for (const value of values) {
        const isShown = isNamed(source, window) && isOfField(field, value)
        all.set(value, all.get(value) ?? (isShown ? 'shown' : undefined))
      }
    for (const value of beside)
      all.set(value, all.get(value) ?? (declared.includes(value) ? 'declared' : undefined))
    const found = [...all].map(([value, known]) => ({ value, known }))
    const ids = isIdentifier(field) ? found.filter(({ value }) => isUuid(value)) : []
    return ids.length > 0 ? ids : found
  }
  const tries = (field: Field) =>
    exports.once(`values of ${field}`, async (inner) => {
      const tried: Try[] = []
      for (const candidate of (await candidates(field)).slice(0, maxTried)) {
        tried.push(await tryValue(inner, window, { field, ...candidate }))
        if (tried.filter(isTelling).length >= maxKnown) break
      }
      return tried
    })
  const known = async (field: Field) =>
    (await tries(field))
      .filter(isTelling)
      .map(({ value, events }): KnownValue => ({ field, value, events }))
  const tryUnknown = (field: Field, encoding?: Encoding) =>
    tryValue(exports, window, { field, value: valueOfNone(field, settings.seed), encoding })
  const state = (field: Field) =>
    exports.once(`what ${field} does`, async (inner) => {
      const forms: FilterState['forms'] = [
        {
          encoding: form.encoding,
          tries: await tries(field),
          unknownValue: await tryUnknown(field),
        },
      ]
      if (isMetadataKey(field) || form.declared) return stateOf(forms)
      const few = (await candidates(field)).slice(0, maxTriedInOtherForms)
      for (const encoding of formsOfOne) {
        if (encoding === form.encoding || stateOf(forms).kind === 'understood') continue
        const tried: Try[] = []
        for (const candidate of few)
          tried.push(await tryValue(inner, window, { field, ...candidate, encoding }))
        forms.push({ encoding, tries: tried, unknownValue: await tryUnknown(field, encoding) })
      }
      return stateOf(forms)
    })
  const acceptsNone = async (): Promise<boolean> => {
    for (const field of [...parameters, ...metadataKeys])
      if (['none', 'all', 'some'].includes((await tryUnknown(field)).effect)) return true
    return false
  }
  const refusesKnown = async (field: Field) => {
    const { kind, forms } = await state(field)
    const tried = forms.flatMap((each) => each.tries)
    if (kind !== 'refused' || tried.length === 0) return false
    // If unknown values are refused, values that no file shows may be unknown.
    return tried.some((each) => each.known) || (await acceptsNone())
  }
  const whyOf = async (field: Field): Promise<Why> => {
    const found = await state(field)
    const tried = await tries(field)
    const all = `${describeField(field)}: ${describeTries(tried)}`
    const asked = found.forms.flatMap(triesIn)
    const failing = asked.find(({ answer }) => answer.status >= 500)
    if (failing)
      throw new Trouble(`${describeAnswer(failing.answer)}; this clause needs its result`)
    if (found.kind === 'ignored')
      return ['clause', `${describeField(field)} has no effect`, ownerOfEffect(field)]
    if (await refusesKnown(field)) return ['clause', all, ownerOfAcceptance(field)]
    if (found.kind === 'understood' && form.settled && found.as !== form.encoding)
      return [
        'freedom',
        `${field} is understood as ${found.as}, another parameter as ${form.encoding}; the encoding of repeated values is not shown`,
      ]
    const isShown = tried.some((each) => each.known)
    if (isMetadataKey(field) && !isShown)
      return [
        'setting',
        `set METADATA_VALUES: ${tried.length === 0 ? noValue(field) : `some events of the window have to have the value; ${all}`}`,
      ]
    return [
      'data',
      tried.length === 0
        ? `${noValue(field)}; a window with such events is needed`
        : `${all}; a window is needed in which some events have a value of ${field} that others do not have`,
    ]
  }
  const why = async (...fields: Field[]): Promise<Why> => {
    const all: Why[] = []
    for (const field of fields) if ((await known(field)).length === 0) all.push(await whyOf(field))
    const sentence = `two values of ${fields.join(', ')} are needed: each of two has to have events that the other does not have`
    return all.find(([cause]) => cause === 'clause') ?? all[0] ?? ['data', sentence]
  }
  return {
    form,
    exports,
    window,
    column,
    known,
    likely: async (field) => (await candidates(field)).map(({ value }) => value),
    read: (field) => valuesRead(field, sources.read),
    tries,
    tryUnknown,
    state,
    refusesKnown,
    why,
    needKnown: async (field) => {
      const [first, ...more] = await known(field)
      if (first) return [first, ...more]
      throw new NotDecidable(...(await why(field)))
    },
  }
}

const isTelling = ({ effect }: Try) => effect === 'some'

/** A column of ids may contain a name, which cannot be filtered by. */
const isOfField = (field: Field, value: string): boolean => !isIdentifier(field) || isUuid(value)

/** A value that no event has, the same in all clauses of a run. */
function valueOfNone(field: Field, seed: number): string {
  const random = randomFor(seed, `no value of ${field}`)
  return isIdentifier(field)
    ? random.string.uuid()
    : `none-${random.string.alphanumeric(12).toLowerCase()}`
}

export const describeField = (field: Field) => (isMetadataKey(field) ? `metadata[${field}]` : field)

const noValue = (field: Field) =>
  `no value of ${field} is known that some events of the window have and others do not have`
