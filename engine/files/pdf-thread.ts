import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the thread says while it reads. */
export type Said =
  | { pages: number }
  | { page: number; text: string }
  | { done: true }
  | { failed: { name: string; message: string } }

export type Job = { bytes: Buffer; text: boolean; mostPages: number; heapMb: number }

/** A thread at work on one PDF; `end` has to be called, with whether it is fit for the next. */
export type Reading = { end(fit: boolean): Promise<void> }

/** A thread that has read well is warm for the next PDF. */
let spare: { worker: Worker; heapMb: number } | undefined

/** Lets a thread of its own read a PDF. */
export function readInThread(
  { bytes, text, mostPages, heapMb }: Job,
  hear: (said: Said) => void,
  fail: (error: Error & { code?: string }) => void,
): Reading {
  const worker = takeSpare(heapMb) ?? start(heapMb)
  worker.ref()
  const gone = () => fail(new Error('it ended'))
  worker.on('message', hear)
  worker.on('error', fail)
  worker.on('exit', gone)
  // pdf-parse takes the memory of what it is given away: it gets a copy.
  const copy = new Uint8Array(bytes)
  worker.postMessage({ bytes: copy, text, mostPages }, [copy.buffer])
  return {
    end: async (fit) => {
      // One by one: to remove all would take away what a thread listens by.
      worker.off('message', hear)
      worker.off('error', fail)
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

function start(heapMb: number): Worker {
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
