// Hands everything on to another origin, some milliseconds later. Its first message has its own
// origin; asked for it, it tells what it saw. Arguments: the origin, the milliseconds, those of exports.
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const [target = '', delay = '0', ofExports = delay] = process.argv.slice(2)
const { hostname, port } = new URL(target)
const agent = new Agent({ keepAlive: true })
const starts: number[] = []
let inFlight = 0
let mostInFlight = 0
let latencyMs = 0

const proxy = createServer((incoming, outgoing) => {
  const start = performance.now()
  starts.push(start)
  inFlight += 1
  // A client that hung up and asked the next is heard of asking first.
  setTimeout(() => {
    mostInFlight = Math.max(mostInFlight, inFlight)
  }, 5)
  outgoing.once('close', () => {
    inFlight -= 1
    latencyMs += performance.now() - start
  })
  const { method, url, rawHeaders } = incoming
  setTimeout(
    () => {
      const onward = request({ hostname, port, method, path: url, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(outgoing)
      })
      for (let at = 0; at < rawHeaders.length; at += 2)
        onward.setHeader(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
      // A reader that hangs up early is served no longer.
      outgoing.once('close', () => onward.destroy())
      onward.once('error', () => outgoing.destroy())
      incoming.pipe(onward)
    },
    Number(url?.includes('/export') ? ofExports : delay),
  )
})

/** The most requests that began within any one second. */
function mostInASecond(): number {
  let most = 0
  for (let first = 0, last = 0; last < starts.length; last += 1) {
    while ((starts[last] ?? 0) - (starts[first] ?? 0) >= 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

proxy.keepAliveTimeout = 65_000
proxy.listen(0, '127.0.0.1', () =>
  process.send?.({ origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }),
)
process.on('message', () =>
  process.send?.({
    requests: starts.length,
    latencyMs,
    mostInFlight,
    mostInASecond: mostInASecond(),
  }),
)
process.on('disconnect', () => process.exit())
