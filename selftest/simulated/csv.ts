// Replaces engine/files/csv.ts if proofs run in one process: the same bytes are read once.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type CsvReading, type KnownFiles, readCsv as read } from '../../engine/files/csv.ts'
import { createCache } from './cache.ts'

export * from '../../engine/files/csv.ts'

/** A reading, and what is known of the run's files after it. */
type KeptReading = { reading: CsvReading; after: KnownFiles['dialect'] }

// A kept reading would hide a mutant of the code that reads.
const known = createCache<KeptReading>('__stryker__' in globalThis ? 0 : undefined)

/** Reads a CSV, or returns an earlier reading of the same bytes with rows of its own. */
export const readCsv: typeof read = async (body, limits) => {
  if (limits.read !== undefined) return read(body, limits)
  const pieces: Buffer[] = []
  const hash = createHash('sha1')
  for await (const piece of body) {
    pieces.push(piece)
    hash.update(piece)
  }
  const { keep, charset, each, known: files } = limits
  const key = [hash.digest('hex'), keep, charset, JSON.stringify(files?.dialect)].join(' ')
  const kept = known.get(key)
  if (!kept || (each && kept.reading.records.length < kept.reading.count)) {
    const reading = await read(Readable.from(pieces), limits)
    if (!reading.cut) known.set(key, { reading, after: files?.dialect })
    return reading
  }
  const { reading, after } = kept
  const keepRow = files?.keepRow ?? ((cells: readonly string[]) => [...cells])
  const records: string[][] = []
  for (const cells of reading.records) {
    const row = keepRow(cells)
    if (!row) break
    records.push(row)
    each?.(cells)
  }
  if (files && after) files.dialect = after
  return { ...reading, widths: new Map(reading.widths), flaws: [...reading.flaws], records }
}
