import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { confirm, isCancel, multiselect, note, password, select, text } from '@clack/prompts'
import { withArticle } from '../engine/article.ts'
import { commandLine } from '../engine/called.ts'
import { isAccepted } from '../engine/http/answers.ts'
import type { Client } from '../engine/http/client.ts'
import { Impossible } from '../engine/impossible.ts'
import { writeFlushed } from '../engine/journal/disk.ts'
import { nameInCode } from '../engine/settings/table.ts'
import { chance } from '../engine/time/timers.ts'
import { pathOf, resources } from '../helpers/contract/operations.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { taskPath } from '../helpers/service/request-paths.ts'
import { readSettings } from '../helpers/settings/read.ts'
import { mainSettings, type Settings, table } from '../helpers/settings/table.ts'
import { byKind, discover, type Kind, kinds, type Proposal, type Proposals } from './discover.ts'
import { parseWith } from './input/commands.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { firstContact, smallExport, statusOf, withClient } from './run/first-contact.ts'
import { lineFor } from './stand-in/settings-for.ts'

type Terminal = Record<'input', Readable & Tty> & Record<'output', Writable & Tty>
type Tty = { isTTY?: boolean }

/** The user pressed Escape or Ctrl-C. */
class Cancelled extends Error {}

function askerOn({ input, output }: Terminal) {
  const on = { input, output }
  const answered = async <T>(asked: Promise<T>): Promise<Exclude<T, symbol>> => {
    const answer = await asked
    if (isCancel(answer)) throw new Cancelled()
    return answer as Exclude<T, symbol>
  }
  return {
    say: (message: string, title: string) => note(message, title, on),
    text: async (message: string, initialValue = '', placeholder = '') =>
      (await answered(text({ message, initialValue, placeholder, ...on }))) ?? '',
    secret: async (message: string) => (await answered(password({ message, ...on }))) ?? '',
    confirm: (message: string, initialValue: boolean) =>
      answered(confirm({ message, initialValue, ...on })),
    one: (message: string, options: Proposal[], initialValue?: string) =>
      answered(select({ message, options, initialValue, ...on })),
    some: (question: string, options: Proposal[]) => {
      const message = `${question} (space selects, enter continues)`
      return answered(multiselect({ message, options, required: false, ...on }))
    },
  }
}

type Name = (typeof mainSettings)[number]

/** An empty answer is left out. */
type Answers = Record<Name, string>

type Wrong = { why: string; instead?: string; mayStay?: boolean }

/** The lists of ids to ask for: the question, and what is proposed. */
const lists = {
  TASK_IDS: ['Tasks that runs may change and put back', 'task'],
  READ_TASK_IDS: ['Further tasks, only read', 'task'],
  ASSESSMENT_IDS: ['Assessments to read', 'assessment'],
  USER_IDS: ['Users to assign to, two or more', 'user'],
  TEAM_IDS: ['Teams to assign to', 'team'],
  ACTOR_ID: ['The user who assigns', 'user'],
} as const satisfies Partial<Record<Name, [string, Kind]>>

type List = keyof typeof lists

const split = (ids = '') => ids.split(/[\s,;]+/).filter(Boolean)

export async function setup(call: Call & Partial<Terminal>): Promise<number> {
  const flags = readFlags('setup', call)
  const { input = process.stdin, output = process.stdout, cwd, out } = call
  const isAnswered = flags.yes && flags.baseUrl !== undefined && Boolean(flags.apiKey)
  if (!(input.isTTY && output.isTTY) && !isAnswered)
    throw new Impossible(
      'setup needs a terminal; give --base-url, --api-key and --yes, or copy .env.example to .env.',
    )
  const ask = flags.yes ? undefined : askerOn({ input, output })
  const file = join(cwd, '.env')
  const say = (sentence: string) => out.write(`${sentence}\n`)
  ask?.say('Escape or Ctrl-C ends this, and nothing is written.', 'Setup')
  try {
    const given = (name: Name) => flags[nameInCode(name) as 'taskIds'] || undefined
    const answers = await answersOf(given, ask, say, cwd)
    // Check the answers together before anything is written.
    settingsOf(answers, cwd)
    const isThere = existsSync(file)
    if (isThere && !flags.overwrite && !ask)
      throw new Impossible(`${file} exists; give --overwrite to change these settings in it.`)
    const question = isThere
      ? `${file} exists: change these settings in it?`
      : `Write ${file}, readable by you alone?`
    const mayWrite = !ask || (isThere && flags.overwrite) || (await ask.confirm(question, !isThere))
    if (mayWrite) writeEnvFile(file, new Map(Object.entries(answers)))
    const written = `was written; ${commandLine('check', '--plan')} shows what a run costs`
    say(`${file} ${mayWrite ? written : 'was left as it is'}`)
    return 0
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    say('Cancelled: nothing was written')
    return 130
  }
}

/** Each answer is checked at once. Without `ask`, what no flag answers stays empty. */
async function answersOf(
  given: (name: Name) => string | undefined,
  ask: ReturnType<typeof askerOn> | undefined,
  say: (sentence: string) => void,
  cwd: string,
): Promise<Answers> {
  const answers = Object.fromEntries(mainSettings.map((name) => [name, ''])) as Answers
  let seen: Proposals = byKind(() => [])
  const wrongWith = async (name: Name, answer: string): Promise<Wrong | undefined> => {
    if (name === 'BASE_URL') return wrongBase(answer, cwd)
    const { BASE_URL } = answers
    if (name !== 'API_KEY')
      return wrongIds(name, answer, seen, settingsOf({ BASE_URL, API_KEY: answers.API_KEY }, cwd))
    const known = [...split(given('TASK_IDS')), ...split(given('READ_TASK_IDS'))]
    const settings = { ...settingsOf({ BASE_URL, API_KEY: answer }, cwd), maxExportMb: 32 }
    const { baseUrl } = await firstContact(settings, new AbortController().signal)
    answers.BASE_URL = baseUrl
    seen = await withClient({ ...settings, baseUrl }, {}, (client) => discover(client, known))
    return undefined
  }
  const tried = (name: Name, answer: string) =>
    wrongWith(name, answer).catch((error): Wrong => {
      if (!(error instanceof Impossible)) throw error
      return { why: error.message }
    })
  /** Asks until an answer is right, or is repeated although it may be wrong. */
  const settle = async (name: Name, asked: (said: string) => Promise<string>) => {
    let [before, said]: [string | undefined, string] = [undefined, '']
    for (;;) {
      const answer = await asked(said)
      const wrong = await tried(name, answer)
      if (!wrong || (wrong.mayStay && answer === before)) return answer
      ask?.say(wrong.why, wrong.mayStay ? 'Correct it, or press enter' : 'That does not work')
      before = answer
      said = wrong.instead ?? answer
    }
  }
  const answer = async (name: Name, asked: (by: NonNullable<typeof ask>) => Promise<string>) => {
    const flag = given(name)
    if (ask && flag === undefined) return asked(ask)
    const wrong = await tried(name, flag ?? '')
    // Without a user nobody sees that an id is unknown.
    if (wrong && !(wrong.mayStay && (ask || name === 'BASE_URL'))) throw new Impossible(wrong.why)
    if (wrong) say(wrong.why)
    return flag ?? ''
  }

  answers.BASE_URL = await answer('BASE_URL', (by) =>
    settle('BASE_URL', (said) => by.text('Base of the service', said)),
  )
  answers.API_KEY = await answer('API_KEY', (by) => settle('API_KEY', () => by.secret('Key')))
  ask?.say(
    'A run assigns the tasks of TASK_IDS to the users and teams that you name, and unassigns them.\nEach is put back. Every update adds an audit event, and may send an email to the\nassignee or to all members of the team. Name tasks and people of a test account alone.',
    'What runs change',
  )
  for (const name of Object.keys(lists) as List[]) {
    const [question, kind] = lists[name]
    // Actor, users and teams matter only to runs that change tasks.
    const isIdle = ['USER_IDS', 'TEAM_IDS', 'ACTOR_ID'].includes(name) && answers.TASK_IDS === ''
    if (isIdle) continue
    answers[name] = await answer(name, async (by) => {
      const isActor = name === 'ACTOR_ID'
      const others = name === 'READ_TASK_IDS' ? split(answers.TASK_IDS) : []
      const options = seen[kind].filter(({ value }) => !others.includes(value))
      const users = split(answers.USER_IDS)
      const actor = options.find(({ value }) => !users.includes(value))?.value
      const another = { value: '', label: 'another' }
      let chosen: string[] = []
      if (options.length > 0)
        chosen = isActor
          ? split(await by.one(question, [...options, another], actor))
          : await by.some(question, options)
      if (isActor && chosen.length > 0) return chosen.join()
      const further = isActor ? 'Id of the user who assigns' : 'Others, separated by commas'
      const asked = options.length > 0 ? further : question
      const more = await settle(name, (said) => by.text(asked, said, 'none'))
      return [...chosen, ...split(more)].join()
    })
  }
  return answers
}

const settingsOf = (answers: Partial<Answers>, cwd: string): Settings => {
  const given = Object.entries(answers).filter(([, value]) => value !== '')
  return readSettings(Object.fromEntries(given), { cwd })
}

/** Checks an address before there is a key: a service rejects requests without one. */
async function wrongBase(answer: string, cwd: string): Promise<Wrong | undefined> {
  const settings = settingsOf({ BASE_URL: answer, API_KEY: 'none' }, cwd)
  const { baseUrl } = settings
  const other = /\/v5$/.test(baseUrl) ? baseUrl.slice(0, -'/v5'.length) : `${baseUrl}/v5`
  return withClient(settings, {}, async (client) => {
    const ask = { path: taskPath(chance.uuid()), key: null }
    const here = await client
      .ask({ method: 'GET', retries: false, ...ask })
      .catch(({ message }: Error) => {
        throw new Impossible(`${baseUrl} cannot be reached: ${message}.`)
      })
    if (here.status !== statuses.unknownId) return undefined
    const there = await statusOf(client, { ...ask, base: other })
    const found = `Without a key ${baseUrl} responds ${statuses.unknownId}, and ${other} responds ${there ?? 'nothing'}`
    return there === statuses.badKey
      ? { why: `${found}: the service is at ${other}.`, instead: other, mayStay: true }
      : {
          why: `${found}: a service responds ${statuses.badKey} to a request without a key.`,
          mayStay: true,
        }
  })
}

async function wrongIds(name: List, answer: string, seen: Proposals, settings: Settings) {
  if (answer === '') return undefined
  const ids = [parseWith<string | string[]>(table[name].kind, answer, name) ?? []].flat()
  const wrong = await withClient(settings, {}, (client) =>
    Promise.all(ids.map((id) => wrongIn(client, lists[name][1], id, seen))),
  )
  const why = wrong.filter((each) => each !== undefined).join('\n')
  return why === '' ? undefined : { why, mayStay: true }
}

/** What an id is instead, or that the service does not know it. */
async function wrongIn(client: Client, kind: Kind, id: string, seen: Proposals) {
  const isShown = (of: Kind) => seen[of].some(({ value }) => isSameId(value, id))
  if (isShown(kind)) return undefined
  const reads: Partial<Record<Kind, number | undefined>> = {}
  for (const resource of resources)
    reads[resource] = await statusOf(client, { path: pathOf(`${resource}.read`, id) })
  const isThere = (of: Kind) => isShown(of) || isAccepted({ status: reads[of] ?? 0 })
  if (isThere(kind)) return undefined
  const other = kinds.find(isThere)
  if (other) return `${id} is the id of ${withArticle(other)}.`
  if (reads[kind] === statuses.unknownId)
    return `The service does not know ${id} as ${withArticle(kind)} (${statuses.unknownId}).`
  if (kind !== 'user') return undefined
  // The only read that names users: it is refused with an unknown id and accepted without.
  const path = `${smallExport()}&auditee_id=${id}`
  const status = await statusOf(client, { path, exported: true })
  const isRefused =
    [statuses.invalidExport, statuses.unknownId, 422].includes(status ?? 0) &&
    (await statusOf(client, { path: smallExport(), exported: true })) !== status
  return isRefused
    ? `The service rejects ${id} as a user: it responds ${status} to an export with this auditee_id.`
    : undefined
}

/** Writes settings into .env, readable by its owner alone. Other lines stay. */
export function writeEnvFile(file: string, settings: ReadonlyMap<string, string>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const kept = before.split('\n').filter((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1]
    return name === undefined || !settings.has(name)
  })
  const lines = [...settings].flatMap(([name, value]) => (value && lineFor(name, value)) || [])
  const others = kept.join('\n').trimEnd()
  writeFlushed(file, `${[...(others ? [others, ''] : []), ...lines].join('\n')}\n`)
}
