import { Readable } from 'node:stream'
import { type CsvLimits, type CsvReading, readCsv } from '../../engine/files/csv.ts'

export const readCsvText = (text: string | Buffer, limits: CsvLimits): Promise<CsvReading> =>
  readCsv(Readable.from([Buffer.from(text)]), limits)
