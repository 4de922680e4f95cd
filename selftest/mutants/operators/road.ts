import { isMembers, type Members, membersIn } from './json.ts'
import {
  type Answer,
  type Asked,
  type Operation,
  type Operator,
  operator,
  type Road,
  textOf,
} from './operator.ts'

export type By = (asked: Asked, road: Road) => Promise<Answer | undefined>
export const exchange = (operation: Operation, part: string, what: string, by: By): Operator =>
  operator(operation, 'exchange', part, what, { to: 'exchange', by })

export const good = (answer: Answer) => answer.status >= 200 && answer.status < 300
export const withKey = (asked: Asked, road: Road): Asked => ({
  ...asked,
  headers: { ...asked.headers, apikey: road.apikey },
})
export const idOf = (asked: Asked) =>
  new URL(asked.url).pathname.replace(/\/update-assignment$/, '')
export const asId = (asked: Asked, path: string): Asked => {
  const url = new URL(asked.url)
  url.pathname = path
  return { ...asked, url: url.href }
}

/** The task of an assignment request, as a read gives it. */
export async function taskOf(asked: Asked, road: Road): Promise<Members | undefined> {
  const read = { ...withKey(asId(asked, idOf(asked)), road), method: 'GET', body: '' }
  const answer = await road.send(read)
  return good(answer) ? membersIn(textOf(answer)) : undefined
}
export const versionOf = (task: Members | undefined) =>
  typeof task?.updated_at === 'string' ? task.updated_at : undefined
export const withVersion = (asked: Asked, version: string): Asked => ({
  ...asked,
  headers: { ...asked.headers, 'if-match': version },
})
export const inner = (asked: Asked): Members | undefined => {
  const body = membersIn(asked.body)
  const found = body?.update ?? body?.unassign
  return isMembers(found) ? found : undefined
}
