import type { Export } from '../../reference/calls/export-call.ts'
import type { ExportFile } from '../../reference/rules/stated-export.ts'
import type { Bend } from './fault.ts'

const within =
  (from: string, to: string, env: Record<string, string> = {}) =>
  async () => ({
    env: { EXPORT_FROM: from, EXPORT_TO: to, ...env },
    close: async () => {},
  })
/** The window of `inWindow`, with more settings. */
export const aroundAChangeAnd = (env: Record<string, string>) =>
  within('2025-10-10T00:00:00Z', '2025-11-10T00:00:00Z', env)
/** The window of `smallLimit`, with more settings. */
export const autumnAnd = (env: Record<string, string>) =>
  within('2025-09-01T00:00:00Z', '2025-12-01T00:00:00Z', env)

/**
 * The same with fewer events and a window that is told: it does not go by the day on which this
 * runs, and a change of daylight saving lies in it.
 */
export const inWindow = <B extends Bend>(bend: B): B => ({
  events: 2_500,
  pdfLimit: 1_000,
  surroundings: aroundAChangeAnd({}),
  ...bend,
})

/** Likewise, and with a limit for PDFs that is a little over the window and under the whole. */
export const smallLimit = <B extends Bend>(bend: B): B => ({
  events: 1_200,
  pdfLimit: 300,
  surroundings: autumnAnd({}),
  ...bend,
})

/** A time of the service, some minutes later. */
export const moved = (time: string, minutes: number) =>
  `${new Date(Date.parse(`${time.slice(0, 23)}Z`) + minutes * 60_000).toISOString().slice(0, 23)}${time.slice(23)}`

export const inPdf = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'pdf'
export const inCsv = ({ fileType }: Pick<Export, 'fileType'>) => fileType === 'csv'

export const bytesOf = async ({ content }: ExportFile) =>
  Buffer.from(await new Response(content).arrayBuffer())

type Size = { count: number; limit: number }

/** What the contract says of a PDF with too many events; bent, with other figures. */
export const refusedOver = ({ fileType, count, limit }: Pick<Export, 'fileType'> & Size) =>
  fileType === 'pdf' && count > limit ? 400 : undefined
