import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../../program/check.ts'
import type { Checked } from '../../program/report/finish.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { createService, type Service } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { idle, nothingChecked } from '../figures.ts'

/** What a service was asked, or that it had answered, in the order in which that happened. */
type Step =
  | { n: number; method: string; path: string; headers: Record<string, string>; body?: string }
  | { n: number; status: number; bytes: number; cut: boolean; version?: string }

const wanted = ['apikey', 'if-match', 'content-type', 'accept']

/** A service that writes down what it is asked, so that the same can be asked again. */
function recording(service: Service): { service: Service; steps: Step[] } {
  const steps: Step[] = []
  let asked = 0
  return {
    steps,
    service: {
      ...service,
      fetch: async (request, address) => {
        const n = asked++
        const { pathname, search } = new URL(request.url)
        const headers = Object.fromEntries(
          wanted.flatMap((name) => {
            const value = request.headers.get(name)
            return value === null ? [] : [[name, value]]
          }),
        )
        const step: Step = { n, method: request.method, path: pathname + search, headers }
        steps.push(step)
        if (request.body) step.body = await request.clone().text()
        const response = await service.fetch(request, address)
        const { status } = response
        const version = await versionIn(response)
        const answered = (bytes: number, cut: boolean) =>
          steps.push({ n, status, bytes, cut, ...(version && { version }) })
        if (!response.body) answered(0, false)
        return new Response(response.body && watched(response.body, answered), response)
      },
    },
  }
}

/** A task's version is another one in each run; an If-Match that is sent again has to be the new one. */
async function versionIn(response: Response): Promise<string | undefined> {
  if (!response.headers.get('content-type')?.includes('json')) return undefined
  const { updated_at } = (await response.clone().json()) as { updated_at?: string }
  return updated_at
}

/** Hears of the end of a body, or of a reader who hangs up. */
function watched(body: ReadableStream<Uint8Array>, end: (bytes: number, cut: boolean) => void) {
  const reader = body.getReader()
  let bytes = 0
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (value) {
        bytes += value.byteLength
        return controller.enqueue(value)
      }
      if (done) end(bytes, false)
      controller.close()
    },
    async cancel(reason) {
      end(bytes, true)
      await reader.cancel(reason)
    },
  })
}

// Runs the default job on an embedded service that writes down what it is asked, once with all
// clauses and once without those that fetch a PDF. Argument: the folder for the recordings.

const folder = process.argv[2] as string

async function recorded(argv: string[], end = 0): Promise<Checked & { steps: Step[] }> {
  const mailbox = createMailbox()
  const { service, steps } = recording(
    createService({ world: makeWorld(1), mailer: mailbox.deliver }),
  )
  const checked = await check({
    argv,
    env: { SEED: '1' },
    cwd: mkdtempSync(join(folder, 'run-')),
    out: { write: () => {} },
    interruption: createInterruption(),
    service: { ...service, mailbox },
  })
  if (checked.exitCode !== end) throw new Error(`the recorded run ended with ${checked.exitCode}`)
  return { ...checked, steps }
}

/** Requests of a run without clauses do not belong to the clauses. */
const first = (await recorded(idle, nothingChecked)).steps.filter((step) => 'method' in step).length
const withoutFirst = (steps: Step[]) => steps.filter(({ n }) => n >= first)
const keep = (name: string, steps: Step[]) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(withoutFirst(steps)))

const whole = await recorded([])
keep('whole', whole.steps)
const { clauses: all = [], exchanges = [] } = whole.report ?? {}
const pdfs = exchanges.flatMap(({ number, path }) =>
  path.includes('file_type=pdf') ? [number] : [],
)
const clauses = all
  .filter(({ evidence }) => !evidence.some(({ exchange }) => pdfs.includes(exchange)))
  .map(({ id }) => id)
writeFileSync(join(folder, 'clauses.txt'), clauses.join())
keep('apart', (await recorded(['--clauses', clauses.join()])).steps)
process.exit(0)
