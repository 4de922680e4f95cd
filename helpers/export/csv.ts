import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { type Dialect, dialectOf } from './dialect.ts'

/** What was read of a CSV. */
export type CsvReading = {
  dialect: Dialect
  /** records with at least one cell that is not empty, whatever they hold */
  count: number
  /** the first records, as many as were to be kept */
  records: string[][]
  /** how many cells records have: one number where the file is even */
  widths: Map<number, number>
  /** what is wrong with the form, each with the place where it was found */
  flaws: string[]
  /** reading ended before the file did, because enough was read */
  cut: boolean
  bytes: number
  sha256: string
}

export type CsvLimits = {
  /** records to keep */
  keep: number
  /** records to read at all; the rest is not asked for */
  read?: number
  /** called with every record, kept or not */
  each?: (cells: string[]) => void
}

const longestLine = 8 * 1024 * 1024
const mostCells = 10_000
const mostFlaws = 20

/** Reads a CSV as a stream: the body is never held whole. */
export async function readCsv(body: Readable, limits: CsvLimits): Promise<CsvReading> {
  const reading: CsvReading = {
    dialect: { delimiter: ',', byteOrderMark: false, lineEnding: 'none', separatorLine: false },
    count: 0,
    records: [],
    widths: new Map(),
    flaws: [],
    cut: false,
    bytes: 0,
    sha256: '',
  }
  const flaw = (sentence: string) => {
    if (reading.flaws.length < mostFlaws) reading.flaws.push(sentence)
  }
  const hash = createHash('sha256')
  const chunks = guarded(body, reading, hash, flaw)
  const first = await chunks.next()
  const beginning = first.done ? Buffer.alloc(0) : first.value
  reading.dialect = dialectOf(beginning.toString('utf8').slice(0, 65_536))
  const source = Readable.from(whole(beginning, chunks))
  const head = reading.dialect.separatorLine
  let line = 0

  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error) => (error ? reject(error) : resolve())
    // Without this characters break at the borders of chunks.
    source.setEncoding('utf8')
    source.once('error', done)
    Papa.parse<string[]>(source, {
      delimiter: reading.dialect.delimiter,
      newline: reading.dialect.lineEnding === 'none' ? undefined : reading.dialect.lineEnding,
      header: false,
      skipEmptyLines: false,
      step: ({ data: cells, errors }, parser) => {
        line += 1
        for (const { message } of errors) flaw(`record ${line}: ${message.toLowerCase()}`)
        if (line === 1 && cells[0]) cells[0] = cells[0].replace(/^\ufeff/, '')
        if (line === 1 && head) return
        if (cells.every((cell) => cell === '')) return
        reading.count += 1
        reading.widths.set(cells.length, (reading.widths.get(cells.length) ?? 0) + 1)
        if (cells.length > mostCells) return stop(`record ${line} has ${cells.length} cells`)
        if (reading.records.length < limits.keep) reading.records.push(cells)
        limits.each?.(cells)
        if (limits.read !== undefined && reading.count >= limits.read) {
          reading.cut = true
          stop()
        }
        function stop(sentence?: string) {
          if (sentence) flaw(sentence)
          parser.abort()
          body.destroy()
          done()
        }
      },
      complete: () => done(),
      error: (error: Error) => done(error),
    })
  })
  reading.sha256 = hash.digest('hex')
  return reading
}

async function* whole(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

/** Counts bytes, and ends what would grow without end: one line that never breaks. */
async function* guarded(
  body: Readable,
  reading: CsvReading,
  hash: ReturnType<typeof createHash>,
  flaw: (sentence: string) => void,
): AsyncGenerator<Buffer> {
  let line = 0
  let told = false
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    const nul = told ? -1 : chunk.indexOf(0)
    if (nul >= 0) {
      told = true
      flaw(`byte ${reading.bytes + nul} is NUL`)
    }
    reading.bytes += chunk.length
    const lastBreak = Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13))
    line = lastBreak < 0 ? line + chunk.length : chunk.length - lastBreak
    if (line > longestLine)
      throw new LongLine(`a line is longer than ${longestLine / 1024 / 1024} MB`)
    yield chunk
  }
}

/** A file whose form makes it unreadable within the limits. */
export class LongLine extends Error {
  override name = 'LongLine'
}

/** A CSV that is held as a text already. */
export const readCsvText = (text: string | Buffer, limits: CsvLimits): Promise<CsvReading> =>
  readCsv(Readable.from([Buffer.from(text)]), limits)
