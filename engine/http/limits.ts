import type { Ask } from './ask.ts'
import type { ClientSettings, WaySettings } from './client-settings.ts'

export type Limits = {
  connectMs: number
  /** from sending to the head of the answer, or to a file's first byte */
  answerMs: number
  /** the setting behind this limit, for files: such a timeout is not retried */
  answerLimit?: string
  /** between two pieces of the body */
  idleMs: number
  /** from sending to the end of the answer; ends an endless trickle */
  totalMs: number
  /** the least that a body brings per time after its first byte; default: nothing */
  least?: { bytes: number; ms: number }
  /** of the body as sent, and again of the decoded one */
  maxBytes: number
}

export const megabyte = 1048576
/** For a task or an assessment; its number of values is limited where it is parsed. */
const mostForOne = 2
/** For an export that should hold a few rows. */
const mostForFew = 8
/** A file that arrives is never this slow. */
const leastOfFile = { bytes: 1024, ms: 10_000 }

export const connectLimit = ({ timeoutMs }: WaySettings): number => Math.min(timeoutMs, 5000)

export const largestAnswer = ({ maxExportMb }: WaySettings): number =>
  Math.max(maxExportMb, mostForFew) * megabyte

export function limitsFor(ask: Ask, settings: ClientSettings, isDownload: boolean): Limits {
  const { timeoutMs, downloadTimeoutS, maxExportMb } = settings
  const isFile = isDownload || ask.exported === true
  const answerMs = isFile ? downloadTimeoutS * 1000 : timeoutMs
  const most = isDownload ? maxExportMb : ask.exported ? mostForFew : mostForOne
  return {
    connectMs: connectLimit(settings),
    answerMs,
    // A retry would take as long again, and the next request waits.
    ...(isFile && { answerLimit: 'DOWNLOAD_TIMEOUT_S', least: leastOfFile }),
    idleMs: timeoutMs,
    totalMs: Math.round(answerMs + timeoutMs * (isDownload ? 30 : isFile ? 1 : 0.25)),
    maxBytes: most * megabyte,
  }
}
