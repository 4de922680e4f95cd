import { randomBytes } from 'node:crypto'
import { Archive } from './archive.ts'
import { type BugName, bugs } from './bugs/table.ts'
import { Desk } from './desk.ts'
import { Exporter } from './files/exporter.ts'
import { Hooks } from './hooks.ts'
import { Journal } from './journal.ts'
import { type Assessment, Fault, type Operation } from './model.ts'
import { Postroom } from './postroom.ts'
import { json, Router } from './router.ts'
import { type SwitchName, switches } from './switches.ts'
import { buildWorld, type World } from './world.ts'

export { type Bug, type BugName, bugs } from './bugs/table.ts'
export { type SwitchName, switches } from './switches.ts'

export interface Options {
  bug?: BugName
  switches?: SwitchName[]
  /** How many audit events there are at the start. */
  events?: number
}

export interface ThirdService {
  env: Record<string, string>
  close(): Promise<void>
}

const SEED = 20_261_120
const EVENTS = 903

export async function startThirdService(options: Options = {}): Promise<ThirdService> {
  const hooks = new Hooks(pluginsOf(options))
  const world = buildWorld(SEED, options.events ?? EVENTS)
  const archive = new Archive(hooks)
  const journal = new Journal(hooks)
  const postroom = new Postroom()
  for (const change of world.changes) journal.append(change)
  for (const event of world.events) archive.record(event)

  const desk = new Desk({ journal, archive, postroom, directory: world.directory }, hooks)
  const exporter = new Exporter(archive, hooks)
  const assessment = (id: string): Assessment => {
    const all = world.assessments
    const held = all.find((one) => one.id === id)
    const found = hooks.run('assessment', held, { id, all })
    if (!found) throw new Fault(404, 'ASSESSMENT_NOT_FOUND', 'no assessment has this id')
    return { ...found, created_at: journal.clock(Date.parse(found.created_at)) }
  }

  const apiKey = `third-${randomBytes(18).toString('hex')}`
  const route = (op: Operation, method: 'GET' | 'PUT', path: RegExp) => ({ op, method, path })
  const router = new Router(
    [
      {
        ...route('update', 'PUT', /^\/tasks\/([^/]+)\/update-assignment$/),
        run: async (call) => json(200, await desk.carryOut(call)),
      },
      {
        ...route('task', 'GET', /^\/tasks\/([^/]+)$/),
        run: (call) => json(200, desk.read(call)),
      },
      {
        ...route('assessment', 'GET', /^\/assessments\/([^/]+)$/),
        run: (call) => json(200, assessment(call.id)),
      },
      {
        ...route('export', 'GET', /^\/audit-sentinel\/events\/export$/),
        run: (call) => exporter.file(call),
      },
    ],
    apiKey,
    hooks,
    (id) => journal.task(id),
  )

  const [base, mailbox] = await Promise.all([router.open(), postroom.open()])
  return {
    env: { BASE_URL: base, API_KEY: apiKey, ...idsOf(world), MAILBOX_URL: mailbox },
    close: async () => {
      await Promise.all([router.close(), postroom.close()])
    },
  }
}

function pluginsOf(options: Options) {
  const wanted = options.switches ?? []
  const bug = bugs.filter((one) => one.name === options.bug)
  const chosen = switches.filter((one) => wanted.includes(one.name))
  if (options.bug && bug.length === 0) throw new Error(`no bug is called ${options.bug}`)
  if (chosen.length < new Set(wanted).size) throw new Error(`unknown switch in ${wanted}`)
  return [...bug, ...chosen].map((one) => one.hooks())
}

function idsOf({ directory, ...world }: World): Record<string, string> {
  const { users, teams, actor } = directory
  const ids = (list: readonly { id: string }[]) => list.map((one) => one.id).join(',')
  const team = (id: string) => `${id}=${directory.mailsOf({ id, type: 'TEAM' }).join(';')}`
  return {
    TASK_IDS: world.taskIds.join(','),
    READ_TASK_IDS: world.readTaskIds.join(','),
    ASSESSMENT_IDS: ids(world.assessments),
    ACTOR_ID: actor.id,
    USER_IDS: ids(users),
    TEAM_IDS: ids(teams),
    USER_MAILS: users.map((user) => `${user.id}=${user.mail}`).join(','),
    TEAM_MAILS: teams.map((one) => team(one.id)).join(','),
  }
}
