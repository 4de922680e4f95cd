// Reads one CSV in one way, and tells how much memory that took beyond what the process had before.
// Arguments: the file, the way.
import { createReadStream } from 'node:fs'
import Papa from 'papaparse'
import { readCsv } from '../../engine/files/csv.ts'

const [file = '', way = ''] = process.argv.slice(2)
const stream = () => createReadStream(file)

const parsed = (count: { step?: () => void; chunk?: (found: { data: string[][] }) => void }) =>
  new Promise<void>((resolve, reject) => {
    const source = stream()
    source.setEncoding('utf8')
    const form = { delimiter: ',', newline: '\r\n' as const }
    Papa.parse<string[]>(source, { ...form, ...count, complete: () => resolve(), error: reject })
  })

const ways: Record<string, () => Promise<number>> = {
  nothing: async () => 0,
  'the stream alone': async () => {
    let bytes = 0
    for await (const piece of stream()) bytes += piece.length
    return bytes
  },
  'papaparse by row': async () => {
    let rows = 0
    await parsed({
      step: () => {
        rows += 1
      },
    })
    return rows
  },
  'papaparse by piece': async () => {
    let rows = 0
    await parsed({
      chunk: ({ data }) => {
        rows += data.length
      },
    })
    return rows
  },
  'read and checked': async () => (await readCsv(stream(), { keep: 20_000 })).count,
}

const before = process.memoryUsage.rss()
const result = await ways[way]?.()
const most = process.resourceUsage().maxRSS * 1024
console.log(JSON.stringify({ result, above: most - before, most }))
process.exit(0)
