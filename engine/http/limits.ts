import type { Ask } from './ask.ts'
import type { ClientSettings, WaySettings } from './client-settings.ts'

/** How long the answer to a request may take, and how large it may be. */
export type Limits = {
  connectMs: number
  /** from the request on its connection to the head of the answer, or to a file's first byte */
  answerMs: number
  /** the setting that gives this limit, of files: a request that runs into it is not repeated */
  answerLimit?: string
  /** between two pieces of the body */
  idleMs: number
  /** from the request on its connection to the end of the answer; an endless trickle ends here */
  totalMs: number
  /** the least that a body brings in a time after its first byte; left out: nothing */
  least?: { bytes: number; ms: number }
  /** of the body as it is sent, and again of the decoded one */
  maxBytes: number
}

export const megabyte = 1048576
/** For a task or an assessment; how many values it may have is bounded where it is read. */
const mostForOne = 2
/** For an export of which no more than a few rows are expected. */
const mostForFew = 8
/** A file that comes is never as slow as this. */
const leastOfFile = { bytes: 1024, ms: 10_000 }

/** How long a connection may take. */
export const connectLimit = ({ timeoutMs }: WaySettings): number => Math.min(timeoutMs, 5000)

/** The most that any answer may bring. */
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
    // What took so long to make would take as long again, and the next one waits.
    ...(isFile && { answerLimit: 'DOWNLOAD_TIMEOUT_S', least: leastOfFile }),
    idleMs: timeoutMs,
    totalMs: Math.round(answerMs + timeoutMs * (isDownload ? 30 : isFile ? 1 : 0.25)),
    maxBytes: most * megabyte,
  }
}
