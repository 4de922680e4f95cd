import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'dotenv'
import { misspelt } from '../../engine/settings/misspelt.ts'
import type { Reading } from '../../engine/settings/parsers.ts'
import { isSameId } from '../service/ids.ts'
import { contradictions, oddities, type Texts } from './rules.ts'
import type { Settings } from './settings.ts'
import { names, table, type Values } from './table.ts'

export type Environment = Record<string, string | undefined>

/** What the command line may add to the settings; a switch can only be turned on there. */
export type Overrides = { seed?: number; strict?: boolean; readOnly?: boolean }

/** Settings that do not stand: one sentence for each mistake. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  mistakes: string[]

  constructor(mistakes: string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Merges .env with the environment, which wins even where it sets a name to nothing. */
export function readEnvironment(cwd: string, processEnv: Environment): Environment {
  const set = Object.entries(processEnv).filter(([, value]) => value !== undefined)
  return { ...readDotenv(cwd), ...Object.fromEntries(set) }
}

/** Reads the settings, or throws all that is wrong with them. */
export function readSettings(
  env: Environment,
  { cwd, flags = {} }: { cwd: string; flags?: Overrides },
): Settings {
  const texts = textsOf(env)
  const { values, mistakes } = parseAll(texts, cwd)
  const all = [
    ...misspelt(env, Object.keys(readDotenv(cwd))),
    ...contradictions(texts, values),
    ...mistakes,
  ]
  if (all.length) throw new SettingsError(all)

  const taskIds = values.TASK_IDS ?? []
  const reportsDir = values.REPORTS_DIR ?? resolve(cwd, 'reports')
  return {
    baseUrl: values.BASE_URL ?? '',
    embedded: values.BASE_URL === undefined,
    apiKey: values.API_KEY ?? '',
    taskIds,
    readTaskIds: (values.READ_TASK_IDS ?? []).filter((id) => !taskIds.some((t) => isSameId(t, id))),
    assessmentIds: values.ASSESSMENT_IDS ?? [],
    actorId: values.ACTOR_ID,
    userIds: values.USER_IDS ?? [],
    teamIds: values.TEAM_IDS ?? [],
    reportsDir,
    journalDir: values.JOURNAL_DIR ?? join(dirname(reportsDir), 'journal'),
    mailboxUrl: values.MAILBOX_URL,
    wrongRegionUrl: values.WRONG_REGION_URL,
    outsideProxyUrl: values.OUTSIDE_PROXY_URL,
    arrayEncoding: values.ARRAY_ENCODING ?? 'auto',
    proxyUrl: values.PROXY_URL,
    caFile: values.CA_FILE,
    clientCertFile: values.CLIENT_CERT_FILE,
    clientKeyFile: values.CLIENT_KEY_FILE,
    requestsPerSecond: values.REQUESTS_PER_SECOND,
    concurrency: values.CONCURRENCY ?? 8,
    timeoutMs: values.TIMEOUT_MS ?? 10_000,
    maxExportMb: values.MAX_EXPORT_MB ?? 512,
    seed: flags.seed ?? values.SEED ?? randomInt(2 ** 32),
    settleMs: values.SETTLE_MS ?? 2000,
    mailWaitS: values.MAIL_WAIT_S ?? 30,
    auditWaitS: values.AUDIT_WAIT_S ?? 30,
    runTimeoutS: values.RUN_TIMEOUT_S ?? 1800,
    userMails: values.USER_MAILS ?? {},
    teamMails: values.TEAM_MAILS ?? {},
    exportFrom: values.EXPORT_FROM,
    exportTo: values.EXPORT_TO,
    metadataValues: values.METADATA_VALUES ?? {},
    maxWrites: values.MAX_WRITES,
    readOnly: flags.readOnly || (values.READ_ONLY ?? false),
    strict: flags.strict || (values.STRICT ?? false),
    bodies: values.BODIES ?? 'failed',
    notices: [...oddities(texts, values)],
  }
}

function readDotenv(cwd: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(join(cwd, '.env'), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Python keeps its virtual environments in folders of this name.
    if (code === 'ENOENT' || code === 'EISDIR') return {}
    throw new SettingsError([`.env cannot be read (${code}); make it readable or remove it.`])
  }
  // What PowerShell redirects is UTF-16, of which dotenv would read nothing, in silence.
  if (text.includes('\0')) throw new SettingsError(['.env is no UTF-8 text; save it as UTF-8.'])
  return parse(text)
}

function textsOf(env: Environment): Texts {
  const texts: Texts = {}
  for (const name of names) if (env[name] !== undefined) texts[name] = tidy(env[name])
  return texts
}

/** CI variables and `docker --env-file` keep the spaces, line breaks and quotes dotenv removes. */
const tidy = (text: string) =>
  text
    .trim()
    .replace(/^(['"])(.*)\1$/s, '$2')
    .trim()

function parseAll(texts: Texts, cwd: string) {
  const values: Record<string, unknown> = {}
  const mistakes: string[] = []
  const now = Date.now()
  for (const name of names) {
    const mistake = (rest: string): undefined => void mistakes.push(`${name} ${rest}`)
    const reading: Reading = { cwd, now, key: texts.API_KEY ?? '', mistake }
    const text = texts[name]
    if (text) values[name] = table[name].parse(text, reading)
  }
  return { values: values as Values, mistakes }
}
