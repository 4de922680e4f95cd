// A PDF of 5,000 events: its pages, its text, and its events told apart, beside pdf-parse alone.
// node --import tsx bench/pdf.ts [events]
import { PDFParse } from 'pdf-parse'
import { readCsvText } from '../helpers/export/csv.ts'
import { entryCount, identityIn } from '../helpers/export/entries.ts'
import { readPdf } from '../helpers/export/pdf.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world.ts'

const rounds = 7
const events = Number(process.argv[2] ?? 5_000)
const world = makeWorld(1, { events })
const service = createService({ world, pdfLimit: events })

async function exported(fileType: string): Promise<Buffer> {
  const headers = { apikey: world.apiKey }
  const path = `http://reference/v5/audit-sentinel/events/export?file_type=${fileType}`
  const answer = await service.fetch(new Request(path, { headers }))
  return Buffer.from(await answer.arrayBuffer())
}

const bytes = await exported('pdf')
const rows = (await readCsvText(await exported('csv'), { keep: events + 1 })).records.slice(1)
const limits = { timeoutMs: 60_000 }
const { text = [] } = await readPdf(bytes, { ...limits, text: true })
// Learned once a run, and from far fewer events.
const identity = identityIn(text.slice(0, 5), rows.slice(0, 300))

const bare = async () => {
  const parser = new PDFParse({ data: new Uint8Array(bytes) })
  const { pages } = await parser.getText({ pageJoiner: '' })
  await parser.destroy()
  return pages.length
}
const work = {
  'pdf-parse alone, its text': bare,
  'the number of pages': async () => (await readPdf(bytes, { ...limits, text: false })).pages,
  'the text, in a thread of its own': async () =>
    (await readPdf(bytes, { ...limits, text: true })).text?.length,
  'the text, and its events told apart': async () => {
    const reading = await readPdf(bytes, { ...limits, text: true })
    return entryCount(reading.text ?? [], rows, identity).count
  },
}

const times = new Map<string, number[]>()
const results = new Map<string, unknown>()
for (let round = 0; round < rounds; round += 1)
  for (const [name, run] of Object.entries(work)) {
    const start = performance.now()
    results.set(name, await run())
    times.set(name, [...(times.get(name) ?? []), performance.now() - start])
  }
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
const base = median(times.get('pdf-parse alone, its text') ?? [])
console.log(`${events} events, ${text.length} pages, ${Math.round(bytes.length / 1024)} kB`)
console.table(
  Object.fromEntries(
    [...times].map(([name, all]) => [
      name,
      {
        'ms (median)': Math.round(median(all)),
        ratio: Number((median(all) / base).toFixed(2)),
        result: results.get(name),
      },
    ]),
  ),
)
