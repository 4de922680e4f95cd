import type { Export } from '../../../reference/calls/export-call.ts'
import type { DateShown } from '../../../reference/rules/open-export.ts'
import type { ExportFile } from '../../../reference/rules/stated-export.ts'
import type { Bent } from '../fault.ts'

/** The window of `inWindow`. */
export const aroundAChange = {
  EXPORT_FROM: '2025-10-10T00:00:00Z',
  EXPORT_TO: '2025-11-10T00:00:00Z',
}
/** The window of `smallLimit`. */
export const autumn = { EXPORT_FROM: '2025-09-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' }

/**
 * The same with fewer events and a configured window: independent of today, and across a change of daylight
 * saving.
 */
export const inWindow = <B extends Bent>(bent: B): B => ({
  events: 2_500,
  pdfLimit: 1_000,
  env: aroundAChange,
  ...bent,
})

/** The same, with a limit for PDFs slightly above the window and below the whole. */
export const smallLimit = <B extends Bent>(bent: B): B => ({
  events: 1_200,
  pdfLimit: 300,
  env: autumn,
  ...bent,
})

export const moved = (time: string, minutes: number) =>
  `${new Date(Date.parse(`${time.slice(0, 23)}Z`) + minutes * 60_000).toISOString().slice(0, 23)}${time.slice(23)}`

/** A time of the service, cut to milliseconds or to seconds. */
export const toMilliseconds = (time: string) => `${time.slice(0, 23)}000000Z`
export const toSeconds = (time: string) => `${time.slice(0, 19)}.000000000Z`

/** A time on the clock of its zone in spreadsheet days: from 30 December 1899 on. */
export const asDays = ({ local }: Pick<DateShown, 'local'>): string =>
  String(Date.parse(`${local.slice(0, 23)}Z`) / 86_400_000 + 25_569)

export const inPdf = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'pdf'
export const inCsv = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'csv'

export const bytesOf = async ({ content }: ExportFile) =>
  Buffer.from(await new Response(content).arrayBuffer())

type Size = { count: number; limit: number }

/** What the contract says of a PDF with too many events; bent with other numbers. */
export const refusedOver = ({ fileType, count, limit }: Pick<Export, 'fileType'> & Size) =>
  fileType === 'pdf' && count > limit ? 400 : undefined
