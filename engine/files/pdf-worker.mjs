// Runs in a thread of its own, see pdf-thread.ts. Plain JavaScript: a bare thread of Node 20 loads no
// TypeScript, and pdf-parse takes longer to load than most clauses take to be judged.
import { parentPort } from 'node:worker_threads'
import { PDFParse } from 'pdf-parse'

const tell = (said) => parentPort?.postMessage(said)

parentPort?.on('message', async ({ bytes, text, mostPages }) => {
  const parser = new PDFParse({ data: bytes, verbosity: 0 })
  try {
    // Opening the first page as well: a count is no page.
    const { total } = await parser.getInfo({ parsePageInfo: true, first: 1 })
    tell({ pages: total })
    // Page by page, so that it is known how far reading came.
    for (let page = 1; text && page <= Math.min(total, mostPages); page += 1) {
      const { pages } = await parser.getText({ partial: [page], pageJoiner: '' })
      tell({ page, text: pages[0]?.text ?? '' })
    }
    await parser.destroy()
    tell({ done: true })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
    tell({ failed: { name, message } })
  }
})
