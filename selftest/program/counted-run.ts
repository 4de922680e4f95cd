import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld, type World } from '../../reference/world/world.ts'
import { runProgram } from '../proofs/prove.ts'
import { untilTestEnd } from '../test-end.ts'

/** The requests to a service and its effects, counted at the service and not at the client. */
export type Wire = {
  requests: number
  /** by method */
  methods: Record<string, number>
  acceptedPuts: number
  mails: number
}

/** Few events: exporting a whole world takes longer than everything else. */
const events = 1_200
const pdfLimit = 1_000

/** Runs the program against a reference service, and counts at the service. */
export async function runOnTheWire(
  argv: string[] = [],
  env: Record<string, string | undefined> = {},
  world: World = makeWorld(1, { events }),
) {
  const wire: Wire = { requests: 0, methods: {}, acceptedPuts: 0, mails: 0 }
  const service = createService({
    world,
    pdfLimit,
    mailer: () => {
      wire.mails += 1
    },
  })
  const { baseUrl } = untilTestEnd(
    await listen({
      ...service,
      fetch: async (request, address) => {
        const { method } = request
        wire.requests += 1
        wire.methods[method] = (wire.methods[method] ?? 0) + 1
        const response = await service.fetch(request, address)
        if (method === 'PUT' && response.ok) wire.acceptedPuts += 1
        return response
      },
    }),
  )
  const settings = { BASE_URL: baseUrl, SEED: '1', SETTLE_MS: '60', ...environmentFor(service) }
  return { wire, ...(await runProgram({ ...settings, ...env }, argv, { pdfLimit })) }
}
