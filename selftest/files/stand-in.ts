// A service whose exports are files in the form of the corpus.
import { isZone } from '../../reference/export/zones.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import type { ListedEvent } from './corpus.ts'
import { type Form, linesOfPdf } from './forms.ts'

const parameters = ['auditee_id', 'event_type', 'sub_type', 'system_source'] as const
const keys =
  /^metadata\[(entity_id|assessment_id|task_id|workflow_instance_id|screening_application_id|screening_config_id|match_id|inquiry_id|tag|cache_id|workflow_step)\]$/
const known = ['range_start', 'range_end', 'file_type', 'locale', 'timezone']

export type Pair = { csv: Form; pdf: Form }

export function createFilesService({ csv, pdf }: Pair): Service & { limit: number } {
  const service = createService({ world: makeWorld(1, { events: 10 }) })
  const limit = Math.min(csv.events.length, pdf.events.length)
  const events = csv.events.length < pdf.events.length ? csv.events : pdf.events

  const answer = (query: URLSearchParams): Response => {
    if (isInvalid(query)) return new Response('{"error":"invalid query"}', { status: 400 })
    const isPdf = query.get('file_type') === 'pdf'
    const { head, textOf } = isPdf ? pdf : csv
    const chosen = events.filter((event) => isChosen(event, query))
    if (isPdf && chosen.length > limit)
      return new Response('{"error":"too many events"}', { status: 400 })
    const texts = [
      head,
      ...chosen.map((event) => textOf(event, query.get('timezone') ?? undefined)),
    ]
    return isPdf
      ? fileOf(linesOfPdf(texts.flatMap((text) => text.split('\n'))), 'application/pdf')
      : fileOf(Buffer.from(texts.join('')), 'text/csv; charset=utf-8')
  }

  return {
    ...service,
    limit,
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
