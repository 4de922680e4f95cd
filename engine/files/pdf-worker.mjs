// Runs in a thread of its own, see pdf-thread.ts. Plain JavaScript: a bare thread of Node 20 loads
// no TypeScript, and pdf-parse loads longer than most clauses run.
import { parentPort } from 'node:worker_threads'
import { PDFParse } from 'pdf-parse'

const say = (said) => parentPort?.postMessage(said)

parentPort?.on('message', async ({ bytes, text, maxPages }) => {
  const parser = new PDFParse({ data: bytes, verbosity: 0 })
  try {
    // Open the first page too: a page count alone proves no page.
    const { total } = await parser.getInfo({ parsePageInfo: true, first: 1 })
    say({ pages: total })
    // Page by page, so that it is known how far reading came.
    for (let page = 1; text && page <= Math.min(total, maxPages); page += 1) {
      const { pages } = await parser.getText({ partial: [page], pageJoiner: '' })
      say({ page, text: pages[0]?.text ?? '' })
    }
    await parser.destroy()
    say({ done: true })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
    say({ failed: { name, message } })
  }
})
