// The reference service on a port of its own, beside the process that is timed, and as late as it is told.
// Its first message has the settings to reach it by; asked, it tells what it saw. Arguments: how many
// events, how many tasks may be changed, the milliseconds until it answers, those until it exports, and how
// long ago its latest event was.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { environmentFor, settingsFor } from '../../program/stand-in/settings-for.ts'
import { type AuditEvent, makeEvents } from '../../reference/calls/events.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox } from '../../reference/mail/mailbox-listen.ts'
import { createService } from '../../reference/service.ts'
import { timestampAt } from '../../reference/world/versions.ts'
import { makeWorld } from '../../reference/world/world.ts'

const [events = '6600', tasks = '12', delay = '0', ofExports = delay, latest] =
  process.argv.slice(2)
const mailbox = createMailbox()
const world = makeWorld(1, { events: Number(events) })
const made = makeEvents(world)
const laterMs = latest ? Date.now() - Number(latest) - timeOf(made.at(-1)) : 0
const service = createService({
  world,
  events: made.map((event) => ({ ...event, time: timestampAt(timeOf(event) + laterMs) })),
  mailer: mailbox.deliver,
})
const answer = getRequestListener(
  (request, { incoming }) => service.fetch(request, incoming.socket?.remoteAddress),
  { overrideGlobalObjects: false },
)

const starts: number[] = []
let inFlight = 0
let mostInFlight = 0
let latencyMs = 0

const server = createServer((incoming, outgoing) => {
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
  const lateMs = Number(incoming.url?.includes('/export') ? ofExports : delay)
  if (lateMs === 0) answer(incoming, outgoing)
  // One that hung up meanwhile is not answered any more.
  else setTimeout(() => outgoing.closed || answer(incoming, outgoing), lateMs)
})

function timeOf(event: AuditEvent | undefined): number {
  return Date.parse(event?.time ?? '')
}

/** The most requests that began within any one second. */
function mostInASecond(): number {
  let most = 0
  for (let first = 0, last = 0; last < starts.length; last += 1) {
    while ((starts[last] ?? 0) - (starts[first] ?? 0) >= 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

server.keepAliveTimeout = 65_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const { url } = await listenMailbox(mailbox)
const given = settingsFor(service)
const all = [...given.taskIds, ...given.readTaskIds]

process.send?.({
  SEED: '1',
  BASE_URL: `http://127.0.0.1:${port}/v5`,
  ...environmentFor(service),
  TASK_IDS: all.slice(0, Number(tasks)).join(),
  // Not sent where there are none: an empty list is a mistake.
  READ_TASK_IDS: all.slice(Number(tasks)).join() || undefined,
  MAILBOX_URL: url,
})
process.on('message', () =>
  process.send?.({
    requests: starts.length,
    latencyMs,
    mostInFlight,
    mostInASecond: mostInASecond(),
  }),
)
process.on('disconnect', () => process.exit())
