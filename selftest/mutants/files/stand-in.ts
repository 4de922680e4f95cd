// A service whose exports are files in the form of the corpus, with one change to some of them.

import { isZone } from '../../../reference/export/zones.ts'
import { createService, type Service } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import type { ListedEvent } from '../../files/corpus.ts'
import { type Form, linesOfPdf } from './forms.ts'
import type { FileOperator, Target } from './operators.ts'

const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
const keys =
  /^metadata\[(entity_id|assessment_id|task_id|workflow_instance_id|screening_application_id|screening_config_id|match_id|inquiry_id|tag|cache_id|workflow_step)\]$/
const known = ['range_start', 'range_end', 'file_type', 'locale', 'timezone']

/** The change, and the files that it affects. */
export type FileMutant = { operator: FileOperator; target: Target }

/** Makes the service; `applied` counts the changed files. */
export function createFilesService(
  { csv, pdf, limit }: { csv: Form; pdf: Form; limit: number },
  mutant?: FileMutant,
): Service & { applied(): number } {
  const service = createService({ world: makeWorld(1, { events: 10 }) })
  const times = new Map<string, number>()
  const events = csv.events.length < pdf.events.length ? csv.events : pdf.events
  let applied = 0

  const answer = (query: URLSearchParams): Response => {
    if (isInvalid(query)) return new Response('{"error":"invalid query"}', { status: 400 })
    const isPdf = query.get('file_type') === 'pdf'
    const form = isPdf ? pdf : csv
    const chosen = events.filter((event) => isChosen(event, query))
    if (isPdf && chosen.length > limit)
      return new Response('{"error":"too many events"}', { status: 400 })
    const zone = query.get('timezone') ?? undefined
    const entryOf = (event: ListedEvent) => ({ event, text: form.textOf(event, zone) })
    const time = (times.get(String(query)) ?? 0) + 1
    times.set(String(query), time)
    let written = { head: form.head, entries: chosen.map(entryOf) }
    const asked = { query, isPdf, time, isWhole: chosen.length === events.length }
    if (mutant?.target.holds(asked) && chosen.length > 5) {
      const others = events.filter((event) => !chosen.includes(event)).map(entryOf)
      const changed = mutant.operator.by(written, others)
      if (changed && JSON.stringify(changed) !== JSON.stringify(written)) {
        applied += 1
        written = { head: changed.head, entries: [...changed.entries] }
      }
    }
    const texts = [written.head, ...written.entries.map(({ text }) => text)]
    return isPdf
      ? fileOf(linesOfPdf(texts.flatMap((text) => text.split('\n'))), 'application/pdf')
      : fileOf(Buffer.from(texts.join('')), 'text/csv; charset=utf-8')
  }

  return {
    ...service,
    applied: () => applied,
    fetch: async (request, address) => {
      const { pathname, searchParams } = new URL(request.url)
      const isExport = pathname.endsWith('/export') && request.method === 'GET'
      if (!isExport || request.headers.get('apikey') !== service.world.apiKey)
        return service.fetch(request, address)
      return answer(searchParams)
    },
  }
}

const fileOf = (bytes: Buffer, type: string) =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })

function isInvalid(query: URLSearchParams): boolean {
  const { start, end } = rangeOf(query)
  const zone = query.get('timezone')
  return (
    !['csv', 'pdf', null].includes(query.get('file_type')) ||
    ![...query.keys()].every(
      (name) => known.includes(name) || keys.test(name) || parameters.some((each) => each === name),
    ) ||
    !['en', 'de', null].includes(query.get('locale')) ||
    (zone !== null && !isZone(zone)) ||
    Number.isNaN(start) ||
    Number.isNaN(end) ||
    start > end
  )
}

const rangeOf = (query: URLSearchParams) => ({
  start: query.has('range_start') ? Date.parse(query.get('range_start') ?? '') : -Infinity,
  end: query.has('range_end') ? Date.parse(query.get('range_end') ?? '') : Infinity,
})

function isChosen(event: ListedEvent, query: URLSearchParams): boolean {
  const { start, end } = rangeOf(query)
  const time = Date.parse(event.time)
  if (time < start || time > end) return false
  if (!parameters.every((name) => !query.has(name) || query.getAll(name).includes(event[name])))
    return false
  return [...query].every(([name, value]) => {
    const key = keys.exec(name)?.[1]
    if (key === undefined) return true
    return (key === 'task_id' || key === 'tag') && event[key] === value
  })
}
