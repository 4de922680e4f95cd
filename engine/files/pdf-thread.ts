import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

export type ThreadMessage =
  | { pages: number }
  | { page: number; text: string }
  | { done: true }
  | { failed: { name: string; message: string } }

type Job = { bytes: Buffer; text: boolean; maxPages: number; heapMb: number }

/** A thread that reads one PDF. Call `end` with whether it can be reused. */
export type PdfThread = { end(fit: boolean): Promise<void> }

/** A thread that has read well is warm for the next PDF. */
let spare: { worker: Worker; heapMb: number } | undefined

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
  // pdf-parse detaches the buffer: give it a copy.
  const copy = new Uint8Array(bytes)
  worker.postMessage({ bytes: copy, text, maxPages }, [copy.buffer])
  return {
    end: async (fit) => {
      // Removing all listeners would also remove those that the thread itself needs.
      worker.off('message', onMessage)
      worker.off('error', onFailure)
      worker.off('exit', gone)
      if (!fit) return void (await worker.terminate())
      // An idle thread must not keep the process alive.
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
    // The thread gets no loader and no secret of this process.
    execArgv: [],
    env: {},
    // Otherwise reading its output would keep the process alive; it prints nothing.
    stdout: true,
    stderr: true,
  })
  worker.on('error', () => {})
  worker.on('exit', () => {
    if (spare?.worker === worker) spare = undefined
  })
  return worker
}
