// What the suite does, in a process of its own:
//   own.ts csv FILE WAY        reads a CSV in one way, and says how much memory that took
//   own.ts pdf FOLDER WAY      reads events.pdf in one way, beside events.csv
//   own.ts exports FOLDER N    writes these files of the reference service, with so many events
//   own.ts service             serves it; the first message has the settings
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { readCsv, readCsvText } from '../engine/files/csv.ts'
import { countEntries } from '../engine/files/entries.ts'
import { learnIdentity } from '../engine/files/identity.ts'
import { readPdf } from '../engine/files/pdf.ts'
import { environmentFor } from '../program/stand-in/settings-for.ts'
import { listen } from '../reference/listen.ts'
import { createMailbox, listenMailbox } from '../reference/mail/mailbox.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world/world.ts'

const [what = '', first = '', second = ''] = process.argv.slice(2)

function parsed(): Promise<number> {
  let rows = 0
  const step = () => {
    rows += 1
  }
  const source = createReadStream(first).setEncoding('utf8')
  return new Promise((resolve, reject) => {
    const form = { delimiter: ',', newline: '\r\n' as const }
    Papa.parse(source, { ...form, step, complete: () => resolve(rows), error: reject })
  })
}

const waysOfCsv: Record<string, () => Promise<number>> = {
  nothing: async () => 0,
  'papaparse by row': parsed,
  'read and checked': async () => (await readCsv(createReadStream(first), { keep: 20_000 })).count,
}

async function csv() {
  const before = process.memoryUsage.rss()
  const result = await waysOfCsv[second]?.()
  return { result, above: process.resourceUsage().maxRSS * 1024 - before }
}

async function pdf() {
  const bytes = readFileSync(join(first, 'events.pdf'))
  const { records } = await readCsvText(readFileSync(join(first, 'events.csv')), { keep: 10_000 })
  const events = records.slice(1)
  if (second === 'nothing') return { result: events.length }
  const { text = [] } = await readPdf(bytes, { timeoutMs: 60_000, text: true })
  // Learned once a run, and from far fewer events.
  const identity = learnIdentity(text.slice(0, 5), events.slice(0, 300))
  return { result: countEntries(text, events, identity).count }
}

async function exports() {
  const world = makeWorld(1, { events: Number(second) })
  const service = createService({ world })
  for (const form of ['pdf', 'csv']) {
    const path = `http://reference/v5/audit-sentinel/events/export?file_type=${form}`
    const answer = await service.fetch(new Request(path, { headers: { apikey: world.apiKey } }))
    writeFileSync(join(first, `events.${form}`), Buffer.from(await answer.arrayBuffer()))
  }
}

async function serve() {
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(1), mailer: mailbox.deliver })
  const [{ baseUrl }, mails] = await Promise.all([listen(service), listenMailbox(mailbox)])
  const settings = { SEED: '1', BASE_URL: baseUrl, MAILBOX_URL: mails.url }
  process.send?.({ ...environmentFor(service), ...settings })
  process.on('disconnect', () => process.exit())
}

const acts: Record<string, () => Promise<unknown>> = { csv, pdf, exports }
if (what === 'service') await serve()
else {
  console.log(JSON.stringify(await acts[what]?.()))
  process.exit(0)
}
