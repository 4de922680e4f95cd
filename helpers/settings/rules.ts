import { either, shown } from '../../engine/settings/parsers.ts'
import type { Environment } from '../../engine/settings/table.ts'
import { isSameId } from '../service/ids.ts'
import { mainSettings, type Name, removedSettings, type Texts, type Values } from './table.ts'

export function contradictions(texts: Texts, values: Values) {
  return [
    ...emptyMistakes(texts, values),
    ...targetMistakes(texts),
    ...certificateMistakes(texts),
    ...mistakesOfTwo(texts, values),
  ]
}

export const removedIn = (env: Environment): string[] =>
  Object.entries(removedSettings).flatMap(([name, instead]) =>
    env[name] ? [`${name} is not a setting; ${instead}.`] : [],
  )

/** Empty, the run would check less than the user thinks. */
const neverEmpty = {
  BASE_URL:
    'give the base of the service, for example https://api.example.com/v5, ' +
    'or unset it to test the embedded reference service.',
  API_KEY: 'give the key of the service.',
  TASK_IDS: 'give ids of tasks, or unset it.',
  READ_TASK_IDS: 'give ids of tasks, or unset it.',
  ASSESSMENT_IDS: 'give ids of assessments, or unset it.',
  ACTOR_ID: 'give the id of a user, or unset it.',
  USER_IDS: 'give ids of users, or unset it.',
  TEAM_IDS: 'give ids of teams, or unset it.',
  MAILBOX_URL: 'give the address of the mailbox, or unset it.',
  NOT_PERMITTED: 'give operations or ids of clauses, or unset it.',
} satisfies Partial<Record<Name, string>>

/** A list of commas alone remains when its variables are lost. */
function* emptyMistakes(texts: Texts, values: Values) {
  for (const name of Object.keys(neverEmpty) as (keyof typeof neverEmpty)[]) {
    const value = values[name]
    const isEmpty = texts[name] === '' || (Array.isArray(value) && value.length === 0)
    if (isEmpty) yield `${name} is set but empty; ${neverEmpty[name]}`
  }
}

/** A lost CI secret must not end as a green run against the embedded service. */
function* targetMistakes(texts: Texts) {
  const of = mainSettings.filter((name) => name !== 'BASE_URL' && texts[name])
  if (texts.BASE_URL === undefined && of.length)
    yield `BASE_URL is not set although ${either(of, 'and')} ${of.length > 1 ? 'are' : 'is'}; ` +
      'give the base of the service, for example https://api.example.com/v5, ' +
      `or unset ${of.length > 1 ? 'them' : 'it'} to test the embedded reference service.`
  if (texts.BASE_URL && texts.API_KEY === undefined)
    yield 'API_KEY is not set although BASE_URL is; give the key of the service.'
}

function* certificateMistakes({ CLIENT_CERT_FILE: cert, CLIENT_KEY_FILE: key }: Texts) {
  if (cert && !key) yield 'CLIENT_KEY_FILE is not set although CLIENT_CERT_FILE is; give both.'
  if (key && !cert) yield 'CLIENT_CERT_FILE is not set although CLIENT_KEY_FILE is; give both.'
}

function* mistakesOfTwo({ API_KEY: key = '' }: Texts, values: Values) {
  const { USER_IDS = [], TEAM_IDS = [], EXPORT_FROM: from, EXPORT_TO: to } = values
  const both = USER_IDS.find((user) => TEAM_IDS.some((team) => isSameId(user, team)))
  if (both)
    yield `USER_IDS contains ${shown(both, { key })}, which is also in TEAM_IDS; ` +
      'give each id as a user or as a team.'
  if (from && to && Date.parse(from) >= Date.parse(to))
    yield `EXPORT_FROM is '${from}', which is not before EXPORT_TO ('${to}'); ` +
      'give the start of the window first.'
  if (values.BASE_URL && values.BASE_URL === values.WRONG_REGION_URL)
    yield "WRONG_REGION_URL is the same address as BASE_URL; give another region's base."
  const { SETTLE_MS: settleMs, RUN_TIMEOUT_S: seconds } = values
  // A wait beyond the run's time limit would leave every clause undecided.
  if (settleMs !== undefined && seconds !== undefined && settleMs >= seconds * 1000)
    yield `SETTLE_MS is '${settleMs}', and RUN_TIMEOUT_S lets the whole run take ${seconds} s; ` +
      'give a SETTLE_MS of a few seconds, or a longer RUN_TIMEOUT_S.'
}

export function* oddities(texts: Texts, { BASE_URL, TASK_IDS = [], READ_TASK_IDS = [] }: Values) {
  if (BASE_URL && !BASE_URL.endsWith('/v5'))
    yield 'BASE_URL does not end in /v5, as the base of the service normally does.'
  for (const both of READ_TASK_IDS.filter((read) => TASK_IDS.some((task) => isSameId(read, task))))
    yield `READ_TASK_IDS contains ${shown(both, { key: texts.API_KEY ?? '' })}, ` +
      'which is also in TASK_IDS; the run may change it.'
}
