// Reads one PDF in one way. Arguments: the folder of events.pdf and events.csv, the way.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCsvText } from '../../engine/files/csv.ts'
import { countEntries } from '../../engine/files/entries.ts'
import { learnIdentity } from '../../engine/files/identity.ts'
import { readPdf } from '../../engine/files/pdf.ts'

const [folder = '', way = ''] = process.argv.slice(2)
const bytes = readFileSync(join(folder, 'events.pdf'))
const limits = { timeoutMs: 60_000 }

async function rows(): Promise<string[][]> {
  const { records } = await readCsvText(readFileSync(join(folder, 'events.csv')), { keep: 10_000 })
  return records.slice(1)
}

const ways: Record<string, () => Promise<number>> = {
  nothing: async () => (await rows()).length,
  'the number of pages': async () => (await readPdf(bytes, { ...limits, text: false })).pages,
  'text and events told apart': async () => {
    const events = await rows()
    const { text = [] } = await readPdf(bytes, { ...limits, text: true })
    // Learned once a run, and from far fewer events.
    const identity = learnIdentity(text.slice(0, 5), events.slice(0, 300))
    return countEntries(text, events, identity).count
  },
}

const result = await ways[way]?.()
console.log(JSON.stringify({ result }))
process.exit(0)
