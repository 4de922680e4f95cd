// What the suite does, in a process of its own:
//   own.ts csv FILE WAY        reads a CSV in one way, and says how much memory that took
//   own.ts service             serves it; the first message has the settings
import { createReadStream } from 'node:fs'
import Papa from 'papaparse'
import { readCsv } from '../engine/files/csv.ts'
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

async function serve() {
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(1), mailer: mailbox.deliver })
  const [{ baseUrl }, mails] = await Promise.all([listen(service), listenMailbox(mailbox)])
  const settings = { SEED: '1', BASE_URL: baseUrl, MAILBOX_URL: mails.url }
  process.send?.({ ...environmentFor(service), ...settings })
  process.on('disconnect', () => process.exit())
}

if (what === 'service') await serve()
else {
  console.log(JSON.stringify(await csv()))
  process.exit(0)
}
