import { isAccepted } from '../../engine/http/answers.ts'
import type { Client } from '../../engine/http/client.ts'
import { Impossible } from '../../engine/impossible.ts'
import { chance } from '../../engine/time/timers.ts'
import { isSameId } from '../../helpers/service/ids.ts'
import { assessmentPath, taskPath } from '../../helpers/service/operations.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { type mainSettings, type Settings, table } from '../../helpers/settings/table.ts'
import { parseWith } from '../input/commands.ts'
import { firstContact, smallExport, statusOf, withClient } from '../run/first-contact.ts'
import { discover, type Proposals } from './discover.ts'

/** The settings to ask for; an empty answer is left out. */
export type Answers = Record<(typeof mainSettings)[number], string>

/** What is wrong with an answer, a suggestion, and whether it may be kept anyway. */
export type Wrong = { why: string; instead?: string; mayStay?: boolean }

export const settingsOf = (answers: Partial<Answers>, cwd: string): Settings => {
  const given = Object.entries(answers).filter(([, value]) => value !== '')
  return readSettings(Object.fromEntries(given), { cwd })
}

/** Checks an address before there is a key: a service answers 401 without one. */
export const checkBase = (answer: string, cwd: string): Promise<Wrong | undefined> =>
  asWrong(async () => {
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
      if (here.status !== 404) return undefined
      const there = await statusOf(client, { ...ask, base: other })
      const found = `Without a key ${baseUrl} responds 404, and ${other} responds ${there ?? 'nothing'}`
      return there === 401
        ? { why: `${found}: the service is at ${other}.`, instead: other, mayStay: true }
        : { why: `${found}: a service responds 401 to a request without a key.`, mayStay: true }
    })
  })

/** Asks the service for what it shows. */
export const checkKey = (
  answers: Pick<Answers, 'BASE_URL' | 'API_KEY'>,
  known: readonly string[],
  cwd: string,
): Promise<{ baseUrl: string; seen: Proposals } | Wrong> =>
  asWrong(async () => {
    const settings = { ...settingsOf(answers, cwd), maxExportMb: 32 }
    const { baseUrl } = await firstContact(settings, new AbortController().signal)
    const seen = await withClient({ ...settings, baseUrl }, {}, (client) => discover(client, known))
    return { baseUrl, seen }
  })

type Trial = { answers: Answers; seen: Proposals; cwd: string }

/** Checks the ids of a setting one by one, by reads alone. */
export const checkIds = (
  name: keyof Answers,
  kind: keyof Proposals,
  answer: string,
  { answers: { BASE_URL, API_KEY }, seen, cwd }: Trial,
): Promise<Wrong | undefined> =>
  asWrong(async () => {
    if (answer === '') return undefined
    const ids = [parseWith<string | string[]>(table[name].kind, answer, name) ?? []].flat()
    const wrong = await withClient(settingsOf({ BASE_URL, API_KEY }, cwd), {}, (client) =>
      Promise.all(ids.map((id) => wrongIn(client, kind, id, seen))),
    )
    const why = wrong.filter((each) => each !== undefined).join('\n')
    return why === '' ? undefined : { why, mayStay: true }
  })

/** What an id is instead, or that the service does not know it. */
async function wrongIn(client: Client, kind: keyof Proposals, id: string, seen: Proposals) {
  const isShown = (of: keyof Proposals) => seen[of].some(({ value }) => isSameId(value, id))
  if (isShown(kind)) return undefined
  const reads: Partial<Record<keyof Proposals, number>> = {
    tasks: await statusOf(client, { path: taskPath(id) }),
    assessments: await statusOf(client, { path: assessmentPath(id) }),
  }
  const isThere = (of: keyof Proposals) => isShown(of) || isAccepted({ status: reads[of] ?? 0 })
  if (isThere(kind)) return undefined
  const other = (Object.keys(words) as (keyof Proposals)[]).find(isThere)
  if (other) return `${id} is the id of ${words[other]}.`
  if (reads[kind] === 404) return `The service does not know ${id} as ${words[kind]} (404).`
  if (kind !== 'users') return undefined
  // The only read that names users: it is refused with an unknown id and accepted without.
  const path = `${smallExport()}&auditee_id=${id}`
  const status = await statusOf(client, { path, exported: true })
  const isRefused =
    [400, 404, 422].includes(status ?? 0) &&
    (await statusOf(client, { path: smallExport(), exported: true })) !== status
  return isRefused
    ? `The service rejects ${id} as a user: it responds ${status} to an export with this auditee_id.`
    : undefined
}

const words: Record<keyof Proposals, string> = {
  tasks: 'a task',
  assessments: 'an assessment',
  users: 'a user',
  teams: 'a team',
}

/** Turns what makes a run impossible into a wrong answer. */
async function asWrong<Checked>(check: () => Promise<Checked>): Promise<Checked | Wrong> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof Impossible)) throw error
    return { why: error.message }
  }
}
