import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Settings } from '../../helpers/settings/table.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox } from '../../reference/mail/mailbox-listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld, type World } from '../../reference/world/world.ts'

/** What a run costs a service and the people around it. */
export type Cost = {
  /** all that were sent to the service */
  requests: number
  taskReads: number
  assessmentReads: number
  exports: number
  /** assignment updates, those that are meant to be refused with them */
  updates: number
  acceptedUpdates: number
  auditEvents: number
  mails: number
  /** sent elsewhere: to another region, or through a proxy off the allow list */
  elsewhere: number
}

/** A service to rehearse a run on, and the settings under which that is done. */
export type StandIn = {
  settings: Settings
  /** so far */
  cost: Cost
  close(): Promise<void>
}

/**
 * Puts the reference service on a port, and beside it whatever the settings tell of around the
 * service, so that nothing of a rehearsal leaves this machine. `closed` has ids that the key may not use.
 */
export async function openStandIn(
  settings: Settings,
  world: World,
  { closed, pdfLimit }: { closed: ReadonlySet<string>; pdfLimit?: number },
): Promise<StandIn> {
  const cost = createCost()
  const mailbox = createMailbox()
  const service = createService({
    world,
    pdfLimit,
    open: { ...open, permits: ({ id }) => !closed.has(id) },
    stated: {
      ...stated,
      recorded: (change) => {
        const events = stated.recorded(change)
        cost.auditEvents += events.length
        return events
      },
    },
    mailer: (mail) => {
      cost.mails += 1
      mailbox.deliver(mail)
    },
  })
  const abroad = createService({ world: makeWorld((settings.seed + 1) % 2 ** 32) })

  const front = await listen(countRequests(service, cost))
  const elsewhere = await listen({
    ...abroad,
    fetch: (request, address) => {
      cost.elsewhere += 1
      return abroad.fetch(request, address)
    },
  })
  const mails = settings.mailboxUrl ? await listenMailbox(mailbox) : undefined
  const proxy = settings.outsideProxyUrl ? await openProxy(elsewhere.baseUrl) : undefined
  return {
    settings: {
      ...settings,
      baseUrl: front.baseUrl,
      apiKey: world.apiKey,
      mailboxUrl: mails?.url,
      wrongRegionUrl: settings.wrongRegionUrl && elsewhere.baseUrl,
      outsideProxyUrl: proxy?.url,
      proxyUrl: undefined,
      caFile: undefined,
      clientCertFile: undefined,
      clientKeyFile: undefined,
      requestsPerSecond: undefined,
    },
    cost,
    close: async () => {
      await Promise.all([front, elsewhere, mails, proxy].map((each) => each?.close()))
    },
  }
}

const createCost = (): Cost => ({
  requests: 0,
  taskReads: 0,
  assessmentReads: 0,
  exports: 0,
  updates: 0,
  acceptedUpdates: 0,
  auditEvents: 0,
  mails: 0,
  elsewhere: 0,
})

const countRequests = (service: Service, cost: Cost): Service => ({
  ...service,
  fetch: async (request, address) => {
    const { pathname } = new URL(request.url)
    cost.requests += 1
    if (request.method === 'PUT') cost.updates += 1
    else if (pathname.endsWith('/export')) cost.exports += 1
    else if (pathname.startsWith('/v5/assessments/')) cost.assessmentReads += 1
    else if (pathname.startsWith('/v5/tasks/')) cost.taskReads += 1
    const response = await service.fetch(request, address)
    if (request.method === 'PUT' && response.ok) cost.acceptedUpdates += 1
    return response
  },
})

/** A proxy that leads to one place wherever it is asked to: one where nobody's key is valid. */
async function openProxy(address: string): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname: host, port } = new URL(address)
  const sockets = new Set<Socket>()
  const proxy = createServer()
  proxy.on('connect', (_, incoming: Socket) => {
    const outgoing = connect(Number(port), host, () => {
      incoming.write('HTTP/1.1 200 Connected\r\n\r\n')
      incoming.pipe(outgoing).pipe(incoming)
    })
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
