import { describePageRead, type Flaw } from '../findings/malformed.ts'
import { NotDecidable, Trouble } from '../outcome.ts'
import { enter, entered, hold, numbered } from '../time/entering.ts'
import { clock } from '../time/timers.ts'
import { readInThread, type ThreadMessage } from './pdf-thread.ts'

export type PdfReading = {
  pages: number
  text?: string[]
  flaws: Flaw[]
}

type PdfLimits = {
  text: boolean
  timeoutMs: number
  /** how much memory the process may add while reading: a thousand events take 20 MB */
  memoryMb?: number
}

/** No page holds less than an event, and a count costs a hostile file nothing. */
const maxPages = 20_000
/** Readers search this many bytes for the beginning and the end of a PDF. */
const edgeBytes = 1024

/**
 * In its own thread, so that a hostile file ends as a sentence. Only `flaws` are breaches: exceeding our
 * limits is trouble, and a password is allowed.
 */
export async function readPdf(bytes: Buffer, limits: PdfLimits): Promise<PdfReading> {
  if (!bytes.subarray(0, edgeBytes).includes('%PDF-'))
    return {
      pages: 0,
      flaws: [{ is: 'no beginning of a PDF', got: bytes.toString('latin1', 0, 40) }],
    }
  const lost: Flaw[] = bytes.subarray(-edgeBytes).includes('%%EOF')
    ? []
    : [{ is: 'no end of a PDF', bytes: bytes.length }]
  const reading = await oneByOne(() => readWithin(bytes, limits))
  if (reading instanceof Error) throw reading
  return { ...reading, flaws: [...lost, ...reading.flaws] }
}

function readWithin(bytes: Buffer, limits: PdfLimits): Promise<PdfReading | Error> {
  const { text, timeoutMs, memoryMb = 320 } = limits
  // The young generation follows this limit too, and a small one costs time. The whole is watched below.
  const heapMb = Math.max(512, memoryMb / 2)
  const reading: PdfReading = { pages: 0, flaws: [], ...(text && { text: [] }) }
  const pageRead = () => {
    const { pages, text = [] } = reading
    return pages === 0 ? {} : { page: Math.min(text.length + 1, pages), pages }
  }
  const place = () => describePageRead(pageRead())
  const tooMuchMemory = (mb: number) =>
    new Trouble(`${place()}: reading it needs more than ${mb} MB of memory`)

  return new Promise((resolve) => {
    const before = process.memoryUsage.rss()
    // Inflated streams lie outside the heap limit of a thread.
    const isTooLarge = () => process.memoryUsage.rss() - before > memoryMb * 1024 * 1024
    const of = numbered('pdf')
    const endWatch = clock.watch(`${of} memory`, 10, isTooLarge, () => end(tooMuchMemory(memoryMb)))
    const timer = clock.setTimeout(
      () => end(new Trouble(`${place()}: reading it takes longer than ${timeoutMs / 1000} s`)),
      timeoutMs,
    )
    const release = hold()
    const thread = readInThread(
      { bytes, text, maxPages, heapMb },
      (said) => enter(numbered(of), () => onMessage(said)),
      (error) => enter(`${of} failed`, () => end(failed(error))),
    )
    const failed = ({ code, message }: Error & { code?: string }) =>
      code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooMuchMemory(heapMb)
        : new Trouble(`${place()}: its reader failed (${message})`)

    let over = false
    function end(trouble?: Error) {
      if (over) return
      over = true
      endWatch()
      clock.clear(timer)
      const fit = trouble === undefined && reading.flaws.length === 0
      release()
      void entered('pdf end', () => thread.end(fit)).then(() => resolve(trouble ?? reading))
    }

    function onMessage(said: ThreadMessage) {
      if (over) return
      if ('pages' in said) reading.pages = said.pages
      if ('page' in said) reading.text?.push(said.text)
      if ('done' in said) {
        if (reading.pages === 0) reading.flaws.push({ is: 'no page' })
        end()
      }
      if ('failed' in said) {
        const { name, message } = said.failed
        if (name === 'PasswordException')
          return end(
            new NotDecidable(
              'freedom',
              'the PDF opens only with a password; the contract does not mention passwords',
            ),
          )
        reading.flaws.push({ is: 'invalid PDF', ...pageRead(), message })
        end()
      }
    }
  })
}

let last: Promise<unknown> = Promise.resolve()

/** One PDF at a time: memory is watched for the whole process, and cores are few. */
function oneByOne<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work, work)
  last = done.catch(() => {})
  return done
}

export const lettersOnFullestPage = ({ text = [] }: PdfReading): number =>
  Math.max(0, ...text.map((page) => page.replaceAll(/\s/g, '').length))
