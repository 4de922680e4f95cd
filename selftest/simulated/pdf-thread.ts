// Replaces engine/files/pdf-thread.ts if proofs run in one process: the same bytes are read once.
import { createHash } from 'node:crypto'
import {
  type PdfThread,
  readInThread as read,
  type ThreadMessage,
} from '../../engine/files/pdf-thread.ts'
import { createCache } from './cache.ts'
import { holdTime } from './time.ts'

const known = createCache<ThreadMessage[]>()

type Reading = typeof read

/** Lets a thread read a PDF while the clock waits; an earlier reading is replayed. */
export const readInThread: Reading = (job, onMessage, onFailure) => {
  const digest = createHash('sha256').update(job.bytes).digest('hex')
  const key = `${digest} ${job.text} ${job.maxPages}`
  const said = known.get(key)
  if (said) {
    let isOver = false
    queueMicrotask(() => {
      for (const each of said) if (!isOver) onMessage(each)
    })
    return {
      end: async () => {
        isOver = true
      },
    }
  }
  const release = holdTime()
  const heard: ThreadMessage[] = []
  const thread: PdfThread = read(
    job,
    (message) => {
      heard.push(message)
      onMessage(message)
    },
    onFailure,
  )
  return {
    end: async (fit) => {
      if (fit) known.set(key, heard)
      await thread.end(fit)
      release()
    },
  }
}
