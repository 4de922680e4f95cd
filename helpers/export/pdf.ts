import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { NotDecidable, Trouble } from '../outcome.ts'

/** What was read of a PDF. */
export type PdfReading = {
  /** none, where it does not open */
  pages: number
  /** the text of each page, where it was asked for */
  text?: string[]
  /** what is wrong with the file, each with the place where it was found */
  flaws: string[]
}

export type PdfLimits = {
  /** whether the text is wanted: it takes fifty times as long as the number of pages */
  text: boolean
  timeoutMs: number
  /** how much more memory the process may take while it is read */
  memoryMb?: number
}

/** More are never printed for 5,000 events, and a count costs nothing to write. */
const mostPages = 20_000
/** What readers of PDFs search for its beginning and its end. */
const edge = 1024

/**
 * Reads a PDF in a thread of its own, so that a hostile one ends as a sentence. What our limits of
 * time and memory cut short is trouble, and a password is nobody's breach: only `flaws` condemn.
 */
export async function readPdf(bytes: Buffer, limits: PdfLimits): Promise<PdfReading> {
  if (!bytes.subarray(0, edge).includes('%PDF-'))
    return { pages: 0, flaws: [`it does not begin with %PDF- but with ${beginningOf(bytes)}`] }
  const lost = bytes.subarray(-edge).includes('%%EOF')
    ? []
    : [`byte ${bytes.length}: the file ends without %%EOF, as one that was cut off`]
  const reading = await oneByOne(() => readInThread(bytes, limits))
  return { ...reading, flaws: [...lost, ...reading.flaws] }
}

type Said =
  | { pages: number }
  | { page: number; text: string }
  | { done: true }
  | { failed: { name: string; message: string } }

function readInThread(bytes: Buffer, limits: PdfLimits): Promise<PdfReading> {
  const { text, timeoutMs, memoryMb = 1024 } = limits
  const reading: PdfReading = { pages: 0, flaws: [], ...(text && { text: [] }) }
  const place = () =>
    reading.pages === 0
      ? 'opening the PDF'
      : `page ${Math.min((reading.text?.length ?? 0) + 1, reading.pages)} of ${reading.pages} of the PDF`

  return new Promise((resolve, reject) => {
    // pdf-parse takes the memory of what it is given away: it gets a copy.
    const copy = new Uint8Array(bytes)
    const worker = new Worker(join(import.meta.dirname, 'pdf-worker.mjs'), {
      workerData: { bytes: copy, text, mostPages },
      transferList: [copy.buffer],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb / 2 },
      // None of the loaders and of the secrets of this process.
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
    })
    const before = process.memoryUsage.rss()
    // What a stream inflates to lies outside of the heap that resourceLimits speak of.
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > memoryMb * 1024 * 1024)
        end(new Trouble(`${place()}: reading it takes more than ${memoryMb} MB of memory`))
    }, 50)
    const patience = setTimeout(
      () => end(new Trouble(`${place()}: reading it takes longer than ${timeoutMs / 1000} s`)),
      timeoutMs,
    )

    let over = false
    function end(trouble?: Error) {
      if (over) return
      over = true
      clearInterval(watch)
      clearTimeout(patience)
      void worker.terminate().then(() => (trouble ? reject(trouble) : resolve(reading)))
    }

    worker.on('message', (said: Said) => {
      if ('pages' in said) reading.pages = said.pages
      if ('page' in said) reading.text?.push(said.text)
      if ('done' in said) {
        if (reading.pages === 0) reading.flaws.push('the PDF has no page')
        end()
      }
      if ('failed' in said) {
        const { name, message } = said.failed
        if (name === 'PasswordException')
          return end(new NotDecidable('the PDF opens with a password only'))
        reading.flaws.push(`${place()}: ${message}`)
        end()
      }
    })
    worker.on('error', (error: Error & { code?: string }) => {
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const what = outOfMemory ? `takes more than ${memoryMb / 2} MB of memory` : error.message
      end(new Trouble(`${place()}: reading it ${what}`))
    })
    worker.on('exit', () => end(new Trouble(`${place()}: its reader ended`)))
  })
}

let last: Promise<unknown> = Promise.resolve()

/** One PDF at a time: memory is watched for the whole process, and there are few cores. */
function oneByOne<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work)
  last = done.catch(() => {})
  return done
}

const beginningOf = (bytes: Buffer): string =>
  bytes.length === 0 ? 'nothing' : JSON.stringify(bytes.toString('latin1', 0, 40))

/** How much text the fullest page has, whatever it says. */
export const mostLetters = ({ text = [] }: PdfReading): number =>
  Math.max(0, ...text.map((page) => page.replaceAll(/\s+/g, '').length))
