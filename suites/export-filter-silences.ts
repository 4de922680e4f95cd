import { distinct } from '../engine/distinct.ts'
import { isEqual, type Multiset, sizeOf } from '../engine/files/multiset.ts'
import type { Observation } from '../engine/observation.ts'
import { notKnown } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import { clausesOf } from '../helpers/clause.ts'
import { type CsvExport, needCsv } from '../helpers/export/ask/exports.ts'
import { filterBy, isMetadataKey, mergeQueries, parameters } from '../helpers/export/ask/query.ts'
import { needParameterWithTwo, understoodEncodings } from '../helpers/export/laws/several.ts'
import { valuesShown } from '../helpers/export/learn/columns.ts'
import { formsOfOne } from '../helpers/export/learn/encoding.ts'
import { eventsAmong, eventsSeen } from '../helpers/export/learn/relations.ts'
import { spanOf, type Window } from '../helpers/export/learn/window.ts'
import { metadataKeys } from '../helpers/service/operations.ts'

const clause = clausesOf({ section: 'Export audit events', operation: 'export' })

function describeEffect(found: CsvExport, plain: Multiset, window: Window): string | number {
  const { status } = found.answer
  if (status >= 400 && status < 500) return status
  const all = eventsAmong(window, window.rows)
  needCsv(found)
  const events = eventsSeen(window, found)
  if (sizeOf(events) === 0) return 'no event'
  if (isEqual(events, plain)) return 'the same events'
  return isEqual(events, all) ? 'all events' : 'other events'
}

function inOtherCase(text: string): string | undefined {
  const upper = text.toUpperCase()
  return upper === text ? [text.toLowerCase()].find((lower) => lower !== text) : upper
}

const lists = {
  'export.event-types': 'event_type',
  'export.sub-types': 'sub_type',
  'export.system-sources': 'system_source',
} as const

clause('export.array-encoding', {
  observe: 'how one value and several values of an array parameter can be written',
})(async ({ filters, window }): Promise<Observation> => {
  const parameter = await needParameterWithTwo(filters)
  const [{ value, events }] = await filters.needKnown(parameter)
  const query = { ...spanOf(window), ...filterBy(parameter, value) }
  const one: string[] = []
  for (const encoding of formsOfOne) {
    const found = await filters.exports.csv(query, { encoding })
    if (describeEffect(found, events, window) === 'the same events') one.push(encoding)
  }
  return { one, several: await understoodEncodings(parameter, filters, window) }
})

clause('export.metadata-bracket-encoding', {
  observe: 'what metadata[key] gives with its brackets percent-encoded, and with a dot instead',
})(async ({ filters, window }): Promise<Observation> => {
  for (const key of metadataKeys) {
    const [known] = await filters.known(key)
    if (!known) continue
    const effect = async (name: string) => {
      const more = `${name}=${encodeURIComponent(known.value)}`
      const found = await filters.exports.csv({ ...spanOf(window), more })
      return describeEffect(found, known.events, window)
    }
    return { encoded: await effect(`metadata%5B${key}%5D`), dot: await effect(`metadata.${key}`) }
  }
  throw new NotDecidable(...(await filters.why('tag')))
})

for (const [id, parameter] of Object.entries(lists))
  clause(id, {
    observe: `the values of ${parameter} in a window of the past`,
    section: 'Events',
    varies: 'the events of the window',
  })(async ({ filters, window }): Promise<Observation> => {
    const source = await filters.column(parameter)
    if (!source)
      throw new NotDecidable(
        'freedom',
        `no column is known to show ${parameter}: for none do the events of a value and the rows that show it agree`,
      )
    return distinct(valuesShown(source, window.rows)).slice(0, 50)
  })

clause('export.filter-case', {
  observe: 'what values in another letter case give',
})(async ({ filters, window }): Promise<Observation> => {
  const effects: Record<string, string | number> = {}
  for (const field of ['auditee_id', 'event_type', 'entity_id', 'tag'] as const) {
    const [known] = await filters.known(field)
    const value = known && inOtherCase(known.value)
    effects[field] = notKnown
    if (!known || value === undefined) continue
    const query = mergeQueries(spanOf(window), filterBy(field, value))
    effects[field] = describeEffect(await filters.exports.csv(query), known.events, window)
  }
  if (Object.values(effects).every((effect) => effect === notKnown))
    throw new NotDecidable(...(await filters.why('event_type')))
  return effects
})

clause('export.filter-columns', {
  observe: 'which columns show what can be filtered by',
  section: 'Audit event',
})(async ({ filters, window }): Promise<Observation> => {
  const shown: Record<string, Observation> = {}
  for (const field of [...parameters, ...metadataKeys]) {
    const source = await filters.column(field)
    shown[isMetadataKey(field) ? `metadata.${field}` : field] = source
      ? { column: window.header?.[source.column] ?? source.column + 1, form: source.form }
      : notKnown
  }
  return shown
})
