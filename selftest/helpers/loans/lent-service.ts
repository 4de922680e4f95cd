import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { isSameButAssigner } from '../../../helpers/service/assignments.ts'
import { environmentFor, settingsFor } from '../../../program/stand-in/settings-for.ts'
import { listen } from '../../../reference/listen.ts'
import type { Open } from '../../../reference/rules/open.ts'
import type { Stated } from '../../../reference/rules/stated.ts'
import { bentService } from '../../bent-service.ts'
import { builtProgram } from '../../built.ts'
import { atTestEnd, openTestFolder } from '../../test-end.ts'

const root = join(import.meta.dirname, '../../..')

type Fetch = ReturnType<typeof bentService>['fetch']

/** Stands between the port and the service. */
export type Between = (request: Request, next: Fetch) => Promise<Response>
export const passOn: Between = (request, next) => next(request)

/**
 * A staging environment: a reference service on a port whose tasks can be compared with their initial
 * state.
 */
export async function lendService({
  bent = {} as Partial<Open>,
  wrong = {} as Partial<Stated>,
  between = passOn,
} = {}) {
  const service = bentService({ stated: wrong, open: bent })
  const { world } = service
  const front = { ...service, fetch: (request: Request) => between(request, service.fetch) }
  const { baseUrl, close } = await listen(front)
  const given = settingsFor(service)
  const place = openTestFolder()
  atTestEnd(close)
  const env = {
    BASE_URL: baseUrl,
    ...environmentFor(service),
    SETTLE_MS: '300',
    TIMEOUT_MS: '5000',
    REPORTS_DIR: join(place, 'reports'),
    JOURNAL_DIR: join(place, 'journal'),
  }
  const read = async (id: string): Promise<Assignment | null> => {
    const headers = { apikey: given.apiKey }
    const answer = await service.fetch(new Request(`${baseUrl}/tasks/${id}`, { headers }))
    return ((await answer.json()) as { assignment: Assignment | null }).assignment
  }
  /** Updates a task as another caller does; whether it was accepted. */
  const update = async (id: string, bodyOf: (assignment: unknown) => object) => {
    const headers = { apikey: given.apiKey, 'content-type': 'application/json' }
    const url = `${baseUrl}/tasks/${id}`
    const task = await (await service.fetch(new Request(url, { headers }))).json()
    const { updated_at, assignment } = task as { updated_at: string; assignment: unknown }
    const body = JSON.stringify(bodyOf(assignment))
    const sent = { method: 'PUT', headers: { ...headers, 'if-match': updated_at }, body }
    return (await service.fetch(new Request(`${url}/update-assignment`, sent))).ok
  }
  const changed = async () => {
    const now = await Promise.all(world.tasks.map(({ id }) => read(id)))
    return world.tasks
      .filter((task, n) => !isSameButAssigner(task.assignment as Assignment | null, now[n] ?? null))
      .map(({ id }) => id)
  }
  const report = () => JSON.parse(readFileSync(join(place, 'reports', 'report.json'), 'utf8'))
  const journal = () =>
    existsSync(env.JOURNAL_DIR)
      ? readdirSync(env.JOURNAL_DIR).flatMap((dir) => readdirSync(join(env.JOURNAL_DIR, dir)))
      : []
  return {
    ...given,
    world,
    baseUrl,
    place,
    env,
    read,
    update,
    changed,
    report,
    journal,
    down: close,
  }
}

export type Lent = Awaited<ReturnType<typeof lendService>>

/** How users start the program: installed, or through npm in a clone. */
const ways = {
  directly: (command: string) => [process.execPath, builtProgram(), command],
  'through npm': (command: string) =>
    ['npm', 'run', '-s'].concat(command === 'check' ? 'contract' : command),
  // As npx: a signal ends the shell alone.
  'in a shell': (command: string) => [
    ...['env', 'npm_command=exec', 'sh', '-c', '"$@"; exit $?', 'sh'],
    ...[process.execPath, builtProgram(), command],
  ],
}

export type Way = keyof typeof ways

/** Starts the program in its own process group. */
export function start(
  way: Way,
  command: 'check' | 'restore',
  env: Record<string, string>,
  argv: readonly string[] = [],
) {
  const [file = '', ...args] = [...ways[way](command), ...argv]
  const given = { PATH: process.env.PATH, HOME: process.env.HOME, SEED: '1', ...env }
  const child = spawn(file, args, { cwd: root, env: given, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data
    })
  const ended = new Promise<{ code: number; output: string }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code: code ?? codeOf(signal), output })),
  )
  atTestEnd(() => {
    if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL')
  })
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => output.includes(text) && resolve()
      look()
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
    })
  return { child, ended, printed }
}

/** The exit code that a shell gives for a process ended by a signal, as npm is. */
const codeOf = (signal: NodeJS.Signals | null) => 128 + (signal ? constants.signals[signal] : 0)

export const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals) =>
  process.kill(-(pid as number), signal)
