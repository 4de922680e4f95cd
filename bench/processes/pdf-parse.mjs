// The text of a PDF by pdf-parse alone, without the loader that the suite's TypeScript needs.
// Argument: the folder of events.pdf; left out, pdf-parse is loaded and nothing read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFParse } from 'pdf-parse'

const folder = process.argv[2]
if (folder) {
  const parser = new PDFParse({ data: new Uint8Array(readFileSync(join(folder, 'events.pdf'))) })
  const { pages } = await parser.getText({ pageJoiner: '' })
  await parser.destroy()
  console.log(JSON.stringify({ result: pages.length }))
}
process.exit(0)
