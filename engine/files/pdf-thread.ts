import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the thread says while it reads. */
export type ThreadMessage =
  | { pages: number }
  | { page: number; text: string }
  | { done: true }
  | { failed: { name: string; message: string } }

type Job = { bytes: Buffer; text: boolean; maxPages: number; heapMb: number }

/** A thread at work on one PDF; `end` has to be called, with whether it is fit for the next. */
export type PdfThread = { end(fit: boolean): Promise<void> }

/** A thread that has read well is warm for the next PDF. */
let spare: { worker: Worker; heapMb: number } | undefined

/** Lets a thread of its own read a PDF. */
export function readInThread(
  { bytes, text, maxPages, heapMb }: Job,
  onMessage: (said: ThreadMessage) => void,
  onFailure: (error: Error & { code?: string }) => void,
): PdfThread {
  const worker = takeSpare(heapMb) ?? startThread(heapMb)
  worker.ref()
  const gone = () => onFailure(new Error('it ended'))
  worker.on('message', onMessage)
  worker.on('error', onFailure)
  worker.on('exit', gone)
  // pdf-parse takes the memory of what it is given away: it gets a copy.
  const copy = new Uint8Array(bytes)
  worker.postMessage({ bytes: copy, text, maxPages }, [copy.buffer])
  return {
    end: async (fit) => {
      // One by one: to remove all would take away what a thread listens by.
      worker.off('message', onMessage)
      worker.off('error', onFailure)
      worker.off('exit', gone)
      if (!fit) return void (await worker.terminate())
      // It keeps nobody waiting at the end of a run.
      worker.unref()
      spare = { worker, heapMb }
    },
  }
}

function takeSpare(heapMb: number): Worker | undefined {
  const kept = spare
  spare = undefined
  if (kept?.heapMb === heapMb) return kept.worker
  void kept?.worker.terminate()
  return undefined
}

function startThread(heapMb: number): Worker {
  const worker = new Worker(join(import.meta.dirname, 'pdf-worker.mjs'), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // None of the loaders and of the secrets of this process.
    execArgv: [],
    env: {},
    // Reading what it prints would keep the process waiting for more; it prints nothing.
    stdout: true,
    stderr: true,
  })
  worker.on('error', () => {})
  worker.on('exit', () => {
    if (spare?.worker === worker) spare = undefined
  })
  return worker
}
