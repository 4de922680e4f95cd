// Loaded into the program under test: crashes it amid its requests, in the requested way.
import { isMainThread } from 'node:worker_threads'

const { CRASH } = process.env
const after = 15

const throwing = () => {
  throw new Error('bent')
}

/** In the clauses' thread, on its own, so that no clause can catch it. */
const ways = {
  'throws where nobody catches': throwing,
  'calls process.exit': () => process.exit(1),
  'computes without end': () => {
    for (;;);
  },
  'runs out of memory': () => {
    for (const held = []; ; ) held.push(Array(1e6).fill({}))
  },
}

if (!isMainThread) {
  const { postMessage } = BroadcastChannel.prototype
  let requests = 0
  let crashed = false
  BroadcastChannel.prototype.postMessage = function (message) {
    postMessage.call(this, message)
    // engine/run/channel.ts: how many requests were sent.
    if (message.says === 'requests') requests += message.count
    if (crashed || requests < after || !ways[CRASH]) return
    crashed = true
    setTimeout(ways[CRASH])
  }
}

if (isMainThread && CRASH === 'throws in the main thread')
  process.once('worker', () => setTimeout(throwing, 1000))
