import { dirname, join, resolve } from 'node:path'
import { Impossible } from '../../engine/impossible.ts'
import { misspelt, readFiles } from '../../engine/settings/environment.ts'
import { type Environment, parseTable, settingsOf } from '../../engine/settings/table.ts'
import { chance } from '../../engine/time/timers.ts'
import { describeFormerIds, presentId } from '../contract/former-ids.ts'
import { isSameId } from '../service/ids.ts'
import { contradictions, oddities, removedIn } from './rules.ts'
import { type Name, names, type Settings, type Texts, table } from './table.ts'

/** Flags can only turn a switch on. */
export type Overrides = { envFile?: string[] } & Partial<
  Pick<Settings, 'seed' | 'strict' | 'readOnly' | 'profile' | 'asOf'>
>

export function readSettings(
  env: Environment,
  { cwd, flags = {} }: { cwd: string; flags?: Overrides },
): Settings {
  const { texts, values, mistakes } = parseTable(table, env, { cwd, secret: 'API_KEY' })
  const written = Object.keys(readFiles(cwd, flags.envFile))
  const unknown = [...removedIn(env), ...misspelt(names, env, written)]
  const all = [...unknown, ...contradictions(texts, values), ...mistakes]
  if (all.length) throw new Impossible(all.join('\n'))

  const settings = settingsOf(table, values)
  const { taskIds } = settings
  const reportsDir = settings.reportsDir ?? resolve(cwd, 'reports')
  return {
    ...settings,
    baseUrl: settings.baseUrl ?? '',
    embedded: settings.baseUrl === undefined,
    apiKey: settings.apiKey ?? '',
    readTaskIds: settings.readTaskIds.filter((id) => !taskIds.some((task) => isSameId(task, id))),
    notPermitted: settings.notPermitted.map(presentId),
    reportsDir,
    journalDir: settings.journalDir ?? join(dirname(reportsDir), 'journal'),
    seed: flags.seed ?? settings.seed ?? chance.below(2 ** 32),
    readOnly: flags.readOnly || settings.readOnly,
    strict: flags.strict ?? false,
    profile: flags.profile ?? 'full',
    asOf: flags.asOf,
    given: givenIn(texts),
    files: filesOf(env, cwd, flags.envFile ?? []),
    notices: [
      ...oddities(texts, values),
      ...describeFormerIds(settings.notPermitted).map((each) => `NOT_PERMITTED: ${each}`),
      ...sources(env, { cwd, written, files: flags.envFile ?? [] }),
    ],
  }
}

/** These decide nothing, or are in a report already. */
const notNeeded = 'BASE_URL SEED BODIES REPORTS_DIR JOURNAL_DIR'.split(' ')

/** secrets, addresses that may contain a password, and addresses of people */
const kept: Name[] = [
  'API_KEY',
  'EXTRA_HEADERS',
  'PROXY_URL',
  'OUTSIDE_PROXY_URL',
  'MAILBOX_URL',
  'USER_MAILS',
  'TEAM_MAILS',
]

/** null: the value must come from the shell */
const givenIn = (texts: Texts): Record<string, string | null> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = texts[name]
      if (text === undefined || notNeeded.includes(name)) return []
      return [[name, kept.includes(name) ? null : text]]
    }),
  )

function filesOf(env: Environment, cwd: string, files: string[]): Record<string, string[]> {
  const sets = (written: Record<string, string>) =>
    names.filter((name) => written[name] !== undefined && written[name] === env[name])
  if (files.length === 0) return { '.env': sets(readFiles(cwd)) }
  return Object.fromEntries(files.map((file) => [file, sets(readFiles(cwd, [file]))]))
}

function* sources(
  env: Environment,
  { cwd, written, files }: { cwd: string; written: string[]; files: string[] },
) {
  const read = files.length > 0 ? files : ['.env']
  const from = read.map((file) => resolve(cwd, file)).join(' and ')

  const ours = written.filter((name) => names.some((one) => one === name))
  if (written.length > 0)
    yield `${from} ${read.length > 1 ? 'were' : 'was'} read: ${read.length > 1 ? 'they set' : 'it sets'} ${ours.join(', ') || 'nothing that this suite knows'}`
  const proxies = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']
  const ignored = proxies.find((name) => env[name])
  if (ignored && env.BASE_URL && !env.PROXY_URL)
    yield `${ignored} is set and is not used; set PROXY_URL to reach the service through a proxy`
}
