import { type Multiset, sizeOf } from '../../../engine/files/multiset.ts'
import { grouped } from '../../../engine/grouped.ts'
import { acceptedBody, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { NotDecidable, toSet, type Why } from '../../../engine/outcome.ts'
import { randomFor } from '../../../engine/random.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { type Encoding, tellingEncodings } from '../../contract/list-encodings.ts'
import { metadata, metadataKeys } from '../../contract/metadata-keys.ts'
import { arrayParameters, metadataParameter, parameters } from '../../contract/parameters.ts'
import type { Reading } from '../../reads/readings.ts'
import type { Settings } from '../../settings/table.ts'
import { type Exports, isUsable, needServed } from '../ask/exports.ts'
import { type Field, filterBy, isIdentifier, isMetadataKey } from '../ask/query.ts'
import {
  isNamed,
  isPlain,
  learnColumn,
  likelyColumns,
  namedColumns,
  type Source,
  valuesShown,
} from './columns.ts'
import { eventsSeen, spanOf, type Window } from './window.ts'

export type Filters = ReturnType<typeof createFilters>

export type KnownValue = { field: Field; value: string; events: Multiset }

const maxTried = 8
const maxKnown = 3
const maxTriedInOtherForms = 4

const ownerOfAcceptance = (field: Field): string =>
  isMetadataKey(field) ? `export.metadata.${field}.accepted` : `export.filter.${field}.narrows`

const ownerOfEffect = (field: Field): string =>
  `export.${isMetadataKey(field) ? 'metadata' : 'filter'}.${field}.unknown-value`

export function createFilters(
  exports: Exports,
  { window, form, sources }: { window: Window; form: ArrayForm; sources: Sources },
) {
  const { settings } = sources
  const column = (field: Field) =>
    exports.once(`column of ${field}`, async (inner): Promise<Source | undefined> => {
      if (!isMetadataKey(field) && !form.settled) return undefined
      return learnColumn(field, inner, window, await valuesBeside(field, sources))
    })
  const candidates = async (field: Field): Promise<Candidate[]> =>
    findCandidates(field, await column(field), { window, sources })
  const tries = (field: Field) =>
    exports.once(`values of ${field}`, async (inner) => {
      const tried: Try[] = []
      for (const candidate of (await candidates(field)).slice(0, maxTried)) {
        tried.push(await tryValue(inner, window, { field, ...candidate }))
        if (tried.filter(isTelling).length >= maxKnown) break
      }
      return tried
    })
  /** The values that some events of the window have and others lack, the most telling first. */
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
      for (const encoding of tellingEncodings) {
        if (encoding === form.encoding || stateOf(forms).kind === 'understood') continue
        const tried: Try[] = []
        for (const candidate of few)
          tried.push(await tryValue(inner, window, { field, ...candidate, encoding }))
        forms.push({ encoding, tries: tried, unknownValue: await tryUnknown(field, encoding) })
      }
      return stateOf(forms)
    })
  const acceptsNone = async (): Promise<boolean> => {
    for (const field of [...arrayParameters, ...metadataKeys])
      if (['none', 'all', 'some'].includes((await tryUnknown(field)).effect)) return true
    return false
  }
  /** Whether the filter refuses values that must be accepted: known ones, or as no other filter does. */
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
    const failing = found.forms.flatMap(triesIn).find(({ answer }) => answer.status >= 500)
    if (failing) needServed(failing.answer)
    if (found.kind === 'ignored')
      return ['clause', `${describeField(field)} has no effect`, ownerOfEffect(field)]
    if (await refusesKnown(field))
      return ['clause', describeTried(field, tried), ownerOfAcceptance(field)]
    if (found.kind === 'understood' && form.settled && found.as !== form.encoding)
      return [
        'freedom',
        `${field} is understood as ${found.as}, another parameter as ${form.encoding}; the contract does not specify the encoding of repeated values`,
      ]
    return whyNoValue(field, tried)
  }
  const why = async (...fields: Field[]): Promise<Why> => {
    const all: Why[] = []
    for (const field of fields) if ((await known(field)).length === 0) all.push(await whyOf(field))
    const sentence = `two values of ${fields.join(', ')} are needed: each of two has to have events that the other does not have`
    return all.find(([cause]) => cause === 'clause') ?? all[0] ?? ['data', sentence]
  }
  const needSome = async <T>(all: T[], ...fields: Field[]): Promise<[T, ...T[]]> => {
    const [first, ...more] = all
    if (first === undefined) throw new NotDecidable(...(await why(...fields)))
    return [first, ...more]
  }
  return {
    form,
    exports,
    window,
    column,
    known,
    likely: async (field: Field) => (await candidates(field)).map(({ value }) => value),
    read: (field: Field) => valuesRead(field, sources.read),
    tries,
    tryUnknown: (field: Field) => tryUnknown(field),
    state,
    refusesKnown,
    why,
    /** One or more; without one, the clause ends with what the values of these fields lack. */
    needSome,
    needKnown: async (field: Field) => needSome(await known(field), field),
  }
}

const isTelling = ({ effect }: Try) => effect === 'some'

/** A column of ids may contain a name, which cannot be filtered by. */
const isOfField = (field: Field, value: string): boolean => !isIdentifier(field) || isUuid(value)

/** A column of the field's own name shows it. */
const isShownAs = (field: Field, value: string, window: Window): boolean =>
  isOfField(field, value) &&
  namedColumns(field, window).some(
    (source) => isNamed(source, window) && valuesShown(source, window.rows).includes(value),
  )

function valueOfNone(field: Field, seed: number): string {
  const random = randomFor(seed, `no value of ${field}`)
  return isIdentifier(field)
    ? random.string.uuid()
    : `none-${random.string.alphanumeric(12).toLowerCase()}`
}

export const describeField = (field: Field) =>
  isMetadataKey(field) ? metadataParameter(field) : field

const noValue = (field: Field) =>
  `no value of ${field} is known that some events of the window have and others do not have`

/** What has to be set, or in the window, so that a value narrows it. */
function whyNoValue(field: Field, tried: readonly Try[]): Why {
  const isShown = tried.some(({ known }) => known)
  if (isMetadataKey(field) && !isShown) {
    const reason = `some events of the window have to have the value; ${describeTried(field, tried)}`
    return toSet(['METADATA_VALUES'], `: ${tried.length === 0 ? noValue(field) : reason}`)
  }
  if (tried.length === 0) return ['data', `${noValue(field)}; a window with such events is needed`]
  return [
    'data',
    `${describeTried(field, tried)}; a window is needed in which some events have a value of ${field} that others do not have`,
  ]
}

/** A value to request; known to occur if the file shows it under the field's name, or it is declared. */
type Candidate = { value: string; known?: 'shown' | 'declared' | undefined }

/** The likeliest come first. */
async function findCandidates(
  field: Field,
  source: Source | undefined,
  { window, sources }: { window: Window; sources: Sources },
): Promise<Candidate[]> {
  // Values in a column of the field's name may occur, even if no export matched it. Ids have no labels.
  const named = namedColumns(field, window).filter(
    ({ form }) => form !== 'label' || !isIdentifier(field),
  )
  const shown = source
    ? valuesShown(source, window.rows)
    : named.flatMap((column) => valuesShown(column, window.rows).slice(0, 2))
  const beside = await valuesToTry(field, window, sources)
  const { metadataValues } = sources.settings
  const declared = isMetadataKey(field) ? (metadataValues[field] ?? []) : []
  const candidates = [...new Set([...shown, ...beside])].map((value): Candidate => {
    if (isShownAs(field, value, window)) return { value, known: 'shown' }
    return declared.includes(value) ? { value, known: 'declared' } : { value }
  })
  const ids = isIdentifier(field) ? candidates.filter(({ value }) => isUuid(value)) : []
  return ids.length > 0 ? ids : candidates
}

type Try = {
  value: string
  known?: Candidate['known']
  answer: Downloaded
  effect: 'some' | 'none' | 'all' | 'refused' | 'unusable'
  events: Multiset
}

export async function tryValue(
  exports: Exports,
  window: Window,
  { field, value, known, encoding }: TryOf,
): Promise<Try> {
  const query = { ...spanOf(window), ...filterBy(field, value) }
  const found = await exports.csv(query, encoding && { encoding })
  const { answer } = found
  const events = eventsSeen(window, found)
  const size = sizeOf(events)
  const effectOf = (): Try['effect'] => {
    if (isRefused(answer)) return 'refused'
    if (!isUsable(found)) return 'unusable'
    if (size === 0) return 'none'
    return size < window.rows.length ? 'some' : 'all'
  }
  return { value, known, answer, effect: effectOf(), events }
}

type TryOf = Candidate & { field: Field; encoding?: Encoding }

type FormTried = { encoding: Encoding; tries: Try[]; unknownValue: Try }

/**
 * `understood`: in some form a value narrows, or an unknown one gives no event. `refused`: no form works,
 * and the first refuses every value. `unclear`: the values prove neither.
 */
export type FilterState =
  | { kind: 'understood'; as: Encoding; forms: FormTried[] }
  | { kind: 'ignored' | 'refused' | 'unclear'; forms: FormTried[] }

function stateOf(forms: FormTried[]): FilterState {
  const understood = forms.find(isUnderstood)
  if (understood) return { kind: 'understood', as: understood.encoding, forms }
  const all = forms.flatMap(triesIn)
  if (all.some(({ effect }) => effect === 'unusable')) return { kind: 'unclear', forms }
  // The first form is the plain name, or the one that works for another parameter.
  if (forms[0] && isRefusedIn(forms[0])) return { kind: 'refused', forms }
  // If no value is known to occur, a form that refuses all of them may still work.
  const isSure = all.every(({ effect }) => effect !== 'refused') || all.some(({ known }) => known)
  return { kind: isSure ? 'ignored' : 'unclear', forms }
}

export const isRefusedIn = (form: FormTried): boolean =>
  triesIn(form).every(({ effect }) => effect === 'refused')

export const triesIn = ({ tries, unknownValue }: FormTried): Try[] => [...tries, unknownValue]

const isUnderstood = ({ tries, unknownValue }: FormTried): boolean =>
  tries.some(({ effect }) => effect === 'some') ||
  unknownValue.effect === 'none' ||
  (unknownValue.effect === 'refused' &&
    tries.some(({ effect }) => ['none', 'all'].includes(effect)))

function describeTried(field: Field, tries: readonly Try[]): string {
  const groups = grouped(tries, ({ effect, answer }) =>
    effect === 'refused' ? `responded ${answer.status}` : effects[effect],
  )
  const parts = [...groups].map(
    ([effect, alike]) => `${listed(alike.map(({ value }) => value))} ${effect}`,
  )
  return `${describeField(field)}: ${parts.join(', ')}`
}

const effects = {
  some: 'returned some events',
  none: 'returned no event of the window',
  all: 'returned all events of the window',
  unusable: 'returned no file that can be compared',
}

const maxListed = 3

/** The first values and their number: exported values are personal data. */
const listed = (values: string[]): string =>
  values.length > maxListed
    ? `${values.slice(0, maxListed).join(', ')} and ${values.length - maxListed} more`
    : values.join(', ')

export type Sources = {
  settings: Settings
  read(): Promise<{ tasks: Reading[]; assessments: Reading[] }>
}

async function valuesBeside(field: Field, { settings, read }: Sources): Promise<string[]> {
  if (!isMetadataKey(field)) {
    const people = [settings.actorId ?? [], settings.userIds].flat()
    return field === 'auditee_id' ? people : [...parameters[field].examples]
  }
  const declared = settings.metadataValues[field] ?? []
  return [...new Set([...declared, ...(await valuesRead(field, read))])]
}

async function valuesRead(field: Field, read: Sources['read']): Promise<string[]> {
  if (!isMetadataKey(field) || metadata[field].task === undefined) return []
  const { tasks, assessments } = await read()
  const { task, assessment = '' } = metadata[field]
  const all = [
    ...tasks.map(({ answer }) => acceptedBody(answer)?.[task]),
    ...assessments.map(({ answer }) => acceptedBody(answer)?.[assessment]),
  ]
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return [...new Set(all.filter(isText))]
}

/** The likeliest first: from a column of its name, the contract, the settings, similar columns. */
async function valuesToTry(field: Field, window: Window, sources: Sources): Promise<string[]> {
  const beside = await valuesBeside(field, sources)
  if (isMetadataKey(field)) return beside
  const of = (columns: Source[], maxEach: number) =>
    columns.slice(0, 2).flatMap((source) => valuesShown(source, window.rows).slice(0, maxEach))
  const named = of(namedColumns(field, window), 2)
  const likely = of(likelyColumns(field, window, beside), 1)
  const some = [...named.slice(0, 1), ...beside.slice(0, 2), ...named.slice(1), ...likely]
  return [...new Set(some)].filter(isPlain)
}

export type ArrayForm = {
  encoding: Encoding
  /** from ARRAY_ENCODING; otherwise it was found, and a mismatch is not a breach */
  declared: boolean
  /** it is declared, or a value worked in this form */
  settled: boolean
}

const maxValues = 4

export async function probeForm(
  exports: Exports,
  window: Window,
  sources: Sources,
): Promise<ArrayForm> {
  // Many events share a type or a source, and few a user.
  const likeliest = [...arrayParameters].reverse()
  for (const parameter of likeliest)
    for (const value of (await valuesToTry(parameter, window, sources)).slice(0, maxValues))
      for (const encoding of tellingEncodings) {
        const { effect } = await tryValue(exports, window, { field: parameter, value, encoding })
        if (effect === 'some') return { encoding, declared: false, settled: true }
      }
  return { encoding: 'repeat', declared: false, settled: false }
}
