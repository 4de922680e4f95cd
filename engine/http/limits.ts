import { connectLimit } from './agent.ts'
import type { Ask } from './ask.ts'
import type { ClientSettings } from './client-settings.ts'
import type { Limits } from './wire.ts'

const megabyte = 1048576
/** For a task or an assessment; how many values it may have is bounded where it is read. */
const mostForOne = 2
/** For an export of which no more than a few rows are expected. */
const mostForFew = 8
/** A file that comes is never as slow as this. */
const leastOfFile = { bytes: 1024, ms: 10_000 }

/** How long the answer to a request may take, and how large it may be. */
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
