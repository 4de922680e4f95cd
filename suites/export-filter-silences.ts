import type { Some } from '../engine/clause/law.ts'
import { distinct } from '../engine/distinct.ts'
import { isEqual, sizeOf } from '../engine/files/multiset.ts'
import { isRefused } from '../engine/http/answers.ts'
import { notKnown } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clauseOfFiles as clause } from '../helpers/clause.ts'
import { type Encoding, tellingEncodings } from '../helpers/contract/list-encodings.ts'
import { keyOf, metadataKeys } from '../helpers/contract/metadata-keys.ts'
import { arrayParameters, metadataParameter } from '../helpers/contract/parameters.ts'
import { type CsvExport, needCsv } from '../helpers/export/ask/exports.ts'
import { type Field, filterBy, isMetadataKey, mergeQueries } from '../helpers/export/ask/query.ts'
import { needParameterWithTwo, understoodEncodings } from '../helpers/export/laws/filters.ts'
import { type Source, valuesShown } from '../helpers/export/learn/columns.ts'
import type { Filters, KnownValue } from '../helpers/export/learn/filters.ts'
import { eventsAmong, eventsSeen, spanOf, type Window } from '../helpers/export/learn/window.ts'

type Filtered = { what: string; found: CsvExport; known: KnownValue; window: Window }

function effectOf({ found, known, window }: Filtered): string | number {
  if (isRefused(found.answer)) return found.answer.status
  needCsv(found)
  const events = eventsSeen(window, found)
  if (sizeOf(events) === 0) return 'no event'
  if (isEqual(events, known.events)) return 'the same events'
  return isEqual(events, eventsAmong(window, window.rows)) ? 'all events' : 'other events'
}

const effectsOf = (all: Some<Filtered>): Record<string, string | number> =>
  Object.fromEntries(all.map((each) => [each.what, effectOf(each)]))

clause('export.array-encoding', {
  observe: 'which encodings of an array parameter work, for one value and for several values',
  look: (all: Some<Filtered | { several: Encoding[] }>) => ({
    one: all.flatMap((each) =>
      'found' in each && effectOf(each) === 'the same events' ? each.what : [],
    ),
    several: all.flatMap((each) => ('several' in each ? each.several : [])),
  }),
})(['window', 'filters'], async function* ({ window, filters }) {
  const parameter = await needParameterWithTwo(filters)
  const [known] = await filters.needKnown(parameter)
  const query = { ...spanOf(window), ...filterBy(parameter, known.value) }
  for (const encoding of tellingEncodings)
    yield { what: encoding, found: await filters.exports.csv(query, { encoding }), known, window }
  yield { several: await understoodEncodings(parameter, filters, window) }
})

clause('export.metadata-bracket-encoding', {
  observe:
    'what metadata[key] returns with percent-encoded brackets, and with a dot instead of brackets',
  look: effectsOf,
})(['window', 'filters'], async function* ({ window, filters }) {
  const known = await needKnownMetadata(filters)
  const forms = {
    encoded: encodeURIComponent(metadataParameter(known.field)),
    dot: `metadata.${known.field}`,
  }
  for (const [what, name] of Object.entries(forms)) {
    const query = { ...spanOf(window), more: `${name}=${encodeURIComponent(known.value)}` }
    yield { what, found: await filters.exports.csv(query), known, window }
  }
})

async function needKnownMetadata(filters: Filters): Promise<KnownValue> {
  for (const key of metadataKeys) {
    const [known] = await filters.known(key)
    if (known) return known
  }
  throw new NotDecidable(...(await filters.why(keyOf.tag)))
}

const lists = {
  'export.event-types': 'event_type',
  'export.sub-types': 'sub_type',
  'export.system-sources': 'system_source',
} as const

for (const [id, parameter] of Object.entries(lists))
  clause(id, {
    observe: `which values ${parameter} has in a past window of the audit trail`,
    section: 'Events',
    varies: 'the events of the window',
    look: ([{ source, window }]: Some<{ source: Source; window: Window }>) =>
      distinct(valuesShown(source, window.rows)).slice(0, 50),
  })(['window', 'filters'], async ({ window, filters }) => {
    const source = await filters.column(parameter)
    if (source) return [{ source, window }]
    throw new NotDecidable(
      'freedom',
      `no column is known to show ${parameter}: for none do the events of a value and the rows that show it agree`,
    )
  })

const inOtherCase = (text: string): string | undefined =>
  [text.toUpperCase(), text.toLowerCase()].find((other) => other !== text)

const fieldsInCase = ['auditee_id', 'event_type', keyOf.entity, keyOf.tag] as const

clause('export.filter-case', {
  observe: 'what filter values in a different letter case return',
  look: (all: Some<Filtered>) => ({
    ...Object.fromEntries(fieldsInCase.map((field) => [field, notKnown])),
    ...effectsOf(all),
  }),
})(['window', 'filters'], async function* ({ window, filters }) {
  let isKnown = false
  for (const field of fieldsInCase) {
    const [known] = await filters.known(field)
    const value = known && inOtherCase(known.value)
    if (!known || value === undefined) continue
    isKnown = true
    const query = mergeQueries(spanOf(window), filterBy(field, value))
    yield { what: field, found: await filters.exports.csv(query), known, window }
  }
  if (!isKnown) throw new NotDecidable(...(await filters.why('event_type')))
})

type ColumnOf = { field: Field; source: Source | undefined; window: Window }

clause('export.filter-columns', {
  observe: 'which CSV columns contain the values of filters',
  section: 'Audit event',
  look: (all: Some<ColumnOf>) =>
    Object.fromEntries(
      all.map(({ field, source, window: { header } }) => [
        isMetadataKey(field) ? `metadata.${field}` : field,
        source
          ? { column: header?.[source.column] ?? source.column + 1, form: source.form }
          : notKnown,
      ]),
    ),
})(['window', 'filters'], async function* ({ window, filters }) {
  for (const field of [...arrayParameters, ...metadataKeys])
    yield { field, source: await filters.column(field), window }
})
