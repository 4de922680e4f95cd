// 5,000 events as a PDF, beside the same lines written bare by the library in the same font.
// node --import tsx bench/pdf-export.ts
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { open } from '../reference/open.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world.ts'

const require = createRequire(import.meta.url)
const font = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
const world = makeWorld(1, { events: 5_000 })

const exported = async (query: string, columns = open.columns) => {
  const service = createService({ world, open: { ...open, columns } })
  const headers = { apikey: world.apiKey }
  const path = `http://reference/v5/audit-sentinel/events/export?${query}`
  const answer = await service.fetch(new Request(path, { headers }))
  return Buffer.from(await answer.arrayBuffer())
}

const bare = async (lines: string[]) => {
  const document = new PDFDocument({ size: [842, 595], margin: 0, autoFirstPage: false })
  document.font(font).fontSize(6)
  for (const [n, line] of lines.entries()) {
    if (n % 70 === 0) document.addPage()
    document.text(line, 24, 24 + (n % 70) * 7.8, { lineBreak: false })
  }
  document.end()
  for await (const _ of document) void _
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

// the CSV of the PDF's columns gives the lines, a cell and its text for each
const csv = await exported('', () => open.columns({ fileType: 'pdf' } as never))
const lines = csv
  .toString()
  .split(/\r\n(?=\d{4}-|$)/)
  .map((line) => line.replaceAll(/\s+/g, ' ').slice(0, 219))
await exported('file_type=pdf')
const times: [number, number][] = []
for (let n = 0; n < 7; n++) {
  times.push([await timed(() => exported('file_type=pdf')), await timed(() => bare(lines))])
}
const median = (at: 0 | 1) => times.map((pair) => pair[at]).toSorted((a, b) => a - b)[3] as number
console.log(
  `${lines.length - 2} events: export ${median(0).toFixed(0)} ms (with making the events), bare text ${median(1).toFixed(0)} ms, ratio ${(median(0) / median(1)).toFixed(2)}`,
)
