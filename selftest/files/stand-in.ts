import { instantAt, isoOf, offsetAt } from '../../engine/files/dates.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { rawPdf } from '../engine/files/raw-pdf.ts'
import { bytesOf, type CsvFile, few, type ListedEvent, listed, type PdfFile } from './corpus.ts'

// Events in the form in which a file of the corpus writes them.

/** The form of events in a file: what precedes them, and the text of each. */
export type Form = { path: string; head: string; events: readonly ListedEvent[]; textOf: TextOf }
type TextOf = (event: ListedEvent, zone: string | undefined) => string

const countOf = (events: 'all' | undefined) => (events === 'all' ? listed : listed.slice(0, few))

export function csvForm({ path, bytes, events }: CsvFile): Form {
  const text = bytes.toString()
  const all = countOf(events)
  const starts = all.map(({ id }) => text.lastIndexOf('\n', text.indexOf(id)) + 1)
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  const texts = starts.map((start, n) => {
    const record = text.slice(start, starts[n + 1] ?? text.length)
    return record.endsWith('\n') ? record : record + ending
  })
  return { path, head: text.slice(0, starts[0]), events: all, textOf: textsBy(all, texts) }
}

export async function pdfForm({ path, events }: PdfFile): Promise<Form> {
  const { text = [] } = await readPdf(bytesOf(path), { text: true, timeoutMs: 60_000 })
  const whole = text.join('\n')
  const all = countOf(events)
  const starts = all.map(({ time }) => whole.indexOf(time))
  if (starts.includes(-1)) throw new Error(`${path} breaks its times over lines`)
  const texts = starts.map((start, n) => {
    const lines = whole.slice(start, starts[n + 1] ?? whole.length).split('\n')
    // The rest of the last line of a page are its titles.
    return lines.slice(0, 3).join('\n')
  })
  return { path, head: 'Audit events', events: all, textOf: textsBy(all, texts) }
}

function textsBy(events: readonly ListedEvent[], texts: readonly string[]): TextOf {
  const by = new Map(events.map((event, n) => [event.id, texts[n] ?? '']))
  return (event, zone) => {
    const text = by.get(event.id) ?? ''
    return zone === undefined ? text : text.replace(event.time, timeIn(event.time, zone))
  }
}

function timeIn(time: string, zone: string): string {
  const instant = instantAt(time)
  const offset = offsetAt(zone, instant)
  if (offset === 0n) return time
  const minutes = Number((offset < 0n ? -offset : offset) / 60_000_000_000n)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const sign = offset < 0n ? '-' : '+'
  return isoOf(instant + offset).replace(/Z$/, `${sign}${two(minutes / 60)}:${two(minutes % 60)}`)
}

const linesPerPage = 50

function linesOfPdf(lines: readonly string[]): Buffer {
  const pages = Math.max(1, Math.ceil(lines.length / linesPerPage))
  const numbers = Array.from({ length: pages }, (_, n) => n)
  const contentOf = (n: number) =>
    lines
      .slice(n * linesPerPage, (n + 1) * linesPerPage)
      .map((line, at) => `BT /F1 6 Tf 20 ${780 - at * 14} Td (${printable(line)}) Tj ET`)
      .join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${numbers.map((n) => `${4 + 2 * n} 0 R`).join(' ')}] /Count ${pages} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    ...numbers.flatMap((n) => {
      const content = contentOf(n)
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 800] /Contents ${5 + 2 * n} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return rawPdf(objects)
}

const printable = (line: string) =>
  line.replaceAll(/[^ -~]/g, '?').replaceAll(/[\\()]/g, (sign) => `\\${sign}`)

/** The reference service with the events of a pair of files, whose exports have the form of these files. */
export function createFilesService({ csv, pdf }: { csv: Form; pdf: Form }): Service & {
  limit: number
} {
  const limit = Math.min(csv.events.length, pdf.events.length)
  const shown = csv.events.slice(0, limit)
  const by = new Map(shown.map((event) => [event.id, event]))
  const events = shown.map(({ task_id, tag, ...event }) => {
    const metadata = { ...(task_id && { task_id }), ...(tag && { tag }) }
    return { ...event, description: 'an event', metadata }
  })
  const service = createService({ world: makeWorld(1, { events: 10 }), events, pdfLimit: limit })
  const fetch: Service['fetch'] = async (request, address) => {
    const answer = await service.fetch(request, address)
    const url = new URL(request.url)
    if (!url.pathname.endsWith('/export') || answer.status !== 200) return answer
    const isPdf = url.searchParams.get('file_type') === 'pdf'
    url.searchParams.set('file_type', 'csv')
    const same = await service.fetch(new Request(url, { headers: request.headers }), address)
    const ids = [...(await same.text()).matchAll(/^[\da-f-]{36}(?=,)/gm)].map(([id]) => id)
    const chosen = ids.flatMap((id) => by.get(id) ?? [])
    const { head, textOf } = isPdf ? pdf : csv
    const zone = url.searchParams.get('timezone') ?? undefined
    const texts = [head, ...chosen.map((event) => textOf(event, zone))]
    const [bytes, type] = isPdf
      ? [linesOfPdf(texts.flatMap((text) => text.split('\n'))), 'application/pdf']
      : [Buffer.from(texts.join('')), 'text/csv; charset=utf-8']
    return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
  }
  return { ...service, limit, fetch }
}
