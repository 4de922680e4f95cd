import { Readable } from 'node:stream'
import Papa from 'papaparse'
import type { Flaw } from '../findings/malformed.ts'
import { Trouble } from '../outcome.ts'
import { mayBeCsv } from './content.ts'
import { type Dialect, dialectAfter, hasBackslashes, type KnownDialect } from './dialect.ts'
import { plainly, unescapedCell } from './escapes.ts'
import { mostFrequent } from './multiset.ts'
import { createKeepRow, detached, type KeepRow } from './text-pool.ts'
import { asUtf8, createLetters } from './utf.ts'

export type CsvReading = ReturnType<typeof beginReading>

const beginReading = () => ({
  dialect: noDialect,
  /** as the file's mark says; otherwise UTF-8 */
  encoding: 'utf-8',
  /** the first letters of the file; they show whether it is a CSV at all */
  beginning: '',
  count: 0,
  records: [] as string[][],
  widths: new Map<number, number>(),
  flaws: [] as Flaw[],
  /** whether there are letters of one byte among those of UTF-8 */
  isMixed: false,
  cut: false,
  bytes: 0,
})

const noDialect: Dialect = {
  delimiter: ',',
  byteOrderMark: false,
  lineEnding: 'none',
  separatorLine: false,
  hasBackslashes: false,
}

/** Shared by the files of a run: rows already kept, the dialect of the longest file, and titles. */
export type KnownFiles = {
  keepRow: KeepRow
  dialect?: KnownDialect
  /** the titles of their columns by language and filters */
  titles: Map<string, string[]>
}

export const createKnownFiles = (): KnownFiles => ({ keepRow: createKeepRow(), titles: new Map() })

export type CsvLimits = {
  keep: number
  known?: KnownFiles
  read?: number
  each?: (cells: string[]) => void
  charset?: string
}

const byteOrderMark = Buffer.from('\ufeff')
const megabyte = 1024 * 1024
const maxRecordBytes = 8 * megabyte
const maxCells = 10_000
const maxFlaws = 20

/** Never held whole. Errors of form are flaws of the file; exceeding our own limits is trouble. */
export async function readCsv(body: Readable, limits: CsvLimits): Promise<CsvReading> {
  const reading = beginReading()
  const addFlaw = (flaw: Flaw) => {
    if (reading.flaws.length < maxFlaws) reading.flaws.push(flaw)
  }
  // How much the parser received since it last completed a record.
  const pending = { line: 0, record: 0 }
  const measured = watched(body, ({ length }) => {
    reading.bytes += length
  })
  const letters = createLetters()
  const decoded = watched(asUtf8(measured, reading), letters.see)
  const chunks = guarded(decoded, pending, reading, addFlaw)
  const beginning = await readBeginning(chunks)
  const text = beginning.toString('utf8')
  reading.beginning = detached(text.slice(0, 8192))
  if (!mayBeCsv(reading.beginning)) {
    // What follows would be nonsense, and the file may be long.
    reading.cut = true
    body.destroy()
    return reading
  }
  const dialect = dialectAfter(text.slice(0, beginningBytes), limits.known?.dialect)
  reading.dialect = dialect
  // The parser does not recognise an opening quote after a byte order mark.
  const unmarkedBeginning = beginning.subarray(dialect.byteOrderMark ? byteOrderMark.length : 0)
  let late: Buffer | undefined
  const all = watched(whole(unmarkedBeginning, chunks), (chunk) => {
    if (!dialect.hasBackslashes && chunk.includes('\\')) late = chunk
  })
  const source = Readable.from(plainly(all, dialect, addFlaw))
  let line = 0
  let room = limits.keep
  const { keepRow } = limits.known ?? createKnownFiles()

  await new Promise<void>((resolve, reject) => {
    const done = (error?: Error) => (error ? reject(error) : resolve())
    function stop(parser: Papa.Parser, trouble?: Trouble) {
      // Aborting also completes the parser; the first result counts.
      done(trouble)
      parser.abort()
      body.destroy()
    }
    // Without this, characters break at chunk borders.
    source.setEncoding('utf8')
    source.once('error', done)
    Papa.parse<string[]>(source, {
      delimiter: dialect.delimiter,
      newline: dialect.lineEnding === 'none' ? undefined : dialect.lineEnding,
      header: false,
      skipEmptyLines: false,
      step: ({ data, errors }, parser) => {
        const plainCell = (cell: string) => unescapedCell(cell, dialect.delimiter)
        const cells = dialect.hasBackslashes ? data.map(plainCell) : data
        line += 1
        pending.record = 0
        for (const { message } of errors)
          addFlaw({ is: 'invalid CSV', record: line, message: message.toLowerCase() })
        if (line === 1 && dialect.separatorLine) return
        if (cells.every((cell) => cell === '')) return
        reading.count += 1
        reading.widths.set(cells.length, (reading.widths.get(cells.length) ?? 0) + 1)
        if (cells.length > maxCells)
          return stop(
            parser,
            new Trouble(`record ${line} has ${cells.length} cells, but only ${maxCells} are read`),
          )
        if (reading.records.length < room) {
          const row = keepRow(cells)
          if (row) reading.records.push(row)
          // Later records are dropped too: what is kept is the beginning of the file.
          else room = 0
        }
        limits.each?.(cells)
        if (limits.read !== undefined && reading.count >= limits.read) {
          reading.cut = true
          stop(parser)
        }
      },
      complete: () => done(),
      error: (error: Error) => done(error),
    })
  })
  if (reading.flaws.length > 0 && hasBackslashes(String(late), dialect.delimiter))
    dialect.unread = 'backslashes that show only far into it'
  const { ofUtf8, others, zeros } = letters.seen
  // A server may declare another encoding; without a mark, only UTF-8 is read.
  const isOfOne = !ofUtf8 || zeros || !/^(utf-?8)?$/i.test(limits.charset ?? '')
  reading.isMixed = others && !isOfOne
  if (others && isOfOne) dialect.unread ??= 'letters that are not UTF-8'
  if (limits.known && reading.count > (limits.known.dialect?.rows ?? 0))
    limits.known.dialect = {
      dialect,
      rows: reading.count,
      width: mostFrequent(reading.widths) ?? 0,
    }
  return reading
}

/** Enough to detect the dialect: about as long as most windows. */
const beginningBytes = 262_144

async function readBeginning(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  const first: Buffer[] = []
  for (let size = 0; size < beginningBytes; ) {
    const { done, value } = await chunks.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  return Buffer.concat(first)
}

async function* whole(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function* watched(chunks: AsyncIterable<Buffer>, hear: (chunk: Buffer) => void) {
  for await (const chunk of chunks) {
    hear(chunk)
    yield chunk
  }
}

/** Joins chunks within a record, because the parser starts a record again with each chunk. */
async function* guarded(
  chunks: AsyncIterable<Buffer>,
  pending: { line: number; record: number },
  reading: CsvReading,
  addFlaw: (flaw: Flaw) => void,
): AsyncGenerator<Buffer> {
  let before = 0
  let hasNul = false
  let held: Buffer[] = []
  let heldBytes = 0
  const place = () => `record ${reading.count + 1}, at byte ${before}`
  for await (const chunk of chunks) {
    const nul = hasNul ? -1 : chunk.indexOf(0)
    if (nul >= 0) {
      hasNul = true
      addFlaw({ is: 'NUL', byte: before + nul })
    }
    before += chunk.length
    pending.record += chunk.length
    const lastBreak = Math.max(chunk.lastIndexOf(10), chunk.lastIndexOf(13))
    pending.line = lastBreak < 0 ? pending.line + chunk.length : chunk.length - lastBreak
    const limit = `${maxRecordBytes / megabyte} MB`
    if (pending.line > maxRecordBytes)
      throw new Trouble(`${place()}: a line is longer than ${limit}`)
    if (pending.record > maxRecordBytes)
      throw new Trouble(`${place()}: a record does not end within ${limit}: is a quote left open?`)
    held.push(chunk)
    heldBytes += chunk.length
    const isInLine = pending.line > megabyte
    if (isInLine || (pending.record > megabyte && heldBytes * 2 < pending.record)) continue
    yield held.length === 1 ? chunk : Buffer.concat(held)
    held = []
    heldBytes = 0
  }
  if (held.length > 0) yield Buffer.concat(held)
}
