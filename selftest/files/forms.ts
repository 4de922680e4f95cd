// Events in the form in which a file of the corpus writes them.

import { instantAt, isoOf, offsetAt } from '../../engine/files/dates.ts'
import { readPdf } from '../../engine/files/pdf.ts'
import { rawPdf } from '../engine/files/raw-pdf.ts'
import { bytesOf, few, type ListedEvent, listed } from './corpus.ts'

/** The form of events in a file: what precedes them, and the text of each. */
export type Form = { path: string; head: string; events: readonly ListedEvent[]; textOf: TextOf }
type TextOf = (event: ListedEvent, zone: string | undefined) => string

const countOf = (events: 'all' | undefined) => (events === 'all' ? listed : listed.slice(0, few))

export function csvForm({ path, events }: { path: string; events?: 'all' }): Form {
  const text = bytesOf(path).toString()
  const all = countOf(events)
  const starts = all.map(({ id }) => text.lastIndexOf('\n', text.indexOf(id)) + 1)
  const ending = text.includes('\r\n') ? '\r\n' : '\n'
  const texts = starts.map((start, n) => {
    const record = text.slice(start, starts[n + 1] ?? text.length)
    return record.endsWith('\n') ? record : record + ending
  })
  return { path, head: text.slice(0, starts[0]), events: all, textOf: textsBy(all, texts) }
}

export async function pdfForm({ path, events }: { path: string; events?: 'all' }): Promise<Form> {
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

export function timeIn(time: string, zone: string): string {
  const instant = instantAt(time)
  const offset = offsetAt(zone, instant)
  if (offset === 0n) return time
  const minutes = Number((offset < 0n ? -offset : offset) / 60_000_000_000n)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const sign = offset < 0n ? '-' : '+'
  return isoOf(instant + offset).replace(/Z$/, `${sign}${two(minutes / 60)}:${two(minutes % 60)}`)
}

const linesPerPage = 50

export function linesOfPdf(lines: readonly string[]): Buffer {
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
