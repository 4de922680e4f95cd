import { createService } from '../../../reference/service.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { runProgram } from '../../proofs/prove.ts'

type Answer = (
  query: URLSearchParams,
  good: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>

/** A service with other answers to exports; undefined keeps the answer. */
export async function judged(answer: Answer, clauses: string[], env: Record<string, string> = {}) {
  const service = createService({ world: makeWorld(1, { events: 1_200 }) })
  const fetch: typeof service.fetch = async (request, address) => {
    const { pathname, searchParams } = new URL(request.url)
    const good = async () => service.fetch(request, address)
    const bent = pathname.endsWith('/export') ? await answer(searchParams, good) : undefined
    return bent ?? good()
  }
  const argv = clauses.flatMap((glob) => ['--clauses', glob])
  const window = { EXPORT_FROM: '2025-09-01T00:00:00Z', EXPORT_TO: '2025-12-01T00:00:00Z' }
  const settings = { ...window, SEED: '1', AUDIT_WAIT_S: '0', ...env }
  const { report, output, exitCode } = await runProgram(settings, argv, {
    service: { ...service, fetch },
  })
  const verdicts = Object.fromEntries(
    (report?.clauses ?? []).map(({ id, verdict, reason }) => [id, { verdict, reason }]),
  )
  return { verdicts, output, exitCode }
}

export const answerOf = (content: string | Buffer | ReadableStream): Response =>
  new Response(content as never, { headers: { 'content-type': 'application/octet-stream' } })
