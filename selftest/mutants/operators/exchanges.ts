// Requests with their answers: what a service does differently from what it says, and mails.
import { rowsOf } from './files.ts'
import {
  type Answer,
  anHourLater,
  type Change,
  exchange,
  isGood,
  isMembers,
  type Members,
  mail,
  membersIn,
  type Operator,
  operations,
  type ProxyRequest,
  type Road,
  textOf,
  withText,
} from './operator.ts'

type By = Extract<Change, { to: 'exchange' }>['by']

const withKey = (asked: ProxyRequest, { apikey }: Road): ProxyRequest => ({
  ...asked,
  headers: { ...asked.headers, apikey },
})
const pathOf = ({ url }: ProxyRequest) => new URL(url).pathname.replace(/\/update-assignment$/, '')
const at = (asked: ProxyRequest, path: string): ProxyRequest => ({
  ...asked,
  url: Object.assign(new URL(asked.url), { pathname: path }).href,
})
const withVersion = (asked: ProxyRequest, version: string): ProxyRequest => ({
  ...asked,
  headers: { ...asked.headers, 'if-match': version },
})
const versionOf = (task: Members | undefined) =>
  typeof task?.updated_at === 'string' ? task.updated_at : undefined
/** The `update` or `unassign` object of a body. */
const wantedIn = ({ body }: ProxyRequest): Members | undefined => {
  const whole = membersIn(body)
  const found = whole?.update ?? whole?.unassign
  return isMembers(found) ? found : undefined
}

async function taskOf(asked: ProxyRequest, road: Road): Promise<Members | undefined> {
  const read = { ...withKey(at(asked, pathOf(asked)), road), method: 'GET', body: '' }
  const answer = await road.send(read)
  return isGood(answer) ? membersIn(textOf(answer)) : undefined
}
const currentOf = async (asked: ProxyRequest, road: Road) => versionOf(await taskOf(asked, road))

const sentWith = (asked: ProxyRequest, road: Road, version: string | undefined) =>
  version ? road.send(withVersion(asked, version)) : undefined

/** No key, or a wrong one, opens every operation. */
const keys = operations.flatMap((operation) => [
  exchange(`${operation}/exchange/key-missing`, (asked, road) =>
    asked.headers.apikey === undefined ? road.send(withKey(asked, road)) : undefined,
  ),
  exchange(`${operation}/exchange/key-wrong`, (asked, road) =>
    [undefined, road.apikey].includes(asked.headers.apikey)
      ? undefined
      : road.send(withKey(asked, road)),
  ),
])

/** Keeps the answer where it is good. */
async function sentAndKept(asked: ProxyRequest, road: Road, key: string): Promise<Answer> {
  const answer = await road.send(asked)
  if (isGood(answer)) road.kept.set(key, answer)
  return answer
}
const keptOf = ({ kept }: Road, key: string) => {
  const found = kept.get(key)
  return typeof found === 'object' ? found : undefined
}

const ofReads: Readonly<Record<string, By>> = {
  // It answers with the result of the request before.
  'swap-ids': (asked, road) => {
    const before = road.kept.get('path')
    road.kept.set('path', pathOf(asked))
    return typeof before === 'string' && before !== pathOf(asked)
      ? road.send(at(asked, before))
      : undefined
  },
  replay: async (asked, road) => {
    const kept = keptOf(road, asked.url)
    if (kept && asked.headers.apikey === road.apikey) return kept
    await sentAndKept(asked, road, asked.url)
    return undefined
  },
  'unknown-known': async (asked, road) => {
    const { status } = await sentAndKept(asked, road, 'last')
    return status === 404 ? keptOf(road, 'last') : undefined
  },
  once: async (asked, road) => {
    if (road.kept.has(asked.url)) return road.send(at(asked, `${pathOf(asked)}-gone`))
    await sentAndKept(asked, road, asked.url)
    return undefined
  },
  'keyless-replay': async (asked, road) => {
    const kept = keptOf(road, asked.url)
    if (kept) return asked.headers.apikey === road.apikey ? undefined : kept
    await sentAndKept(asked, road, asked.url)
    return undefined
  },
}

const ofUpdates: Readonly<Record<string, By>> = {
  'not-at-all': async (asked, road) => {
    const [task, wanted] = [await taskOf(asked, road), wantedIn(asked)]
    const version = versionOf(task)
    const isRight = asked.headers['if-match'] === version && asked.headers.apikey === road.apikey
    if (!task || !version || !wanted || !isRight) return undefined
    const isUnassigned = membersIn(asked.body)?.update === undefined
    const assignment = isUnassigned ? null : { assignment_comment: null, ...wanted }
    const headers = { 'content-type': 'application/json' }
    const text = JSON.stringify({ ...task, assignment, updated_at: anHourLater(version) })
    return withText({ status: 200, headers, body: new Uint8Array() }, text)
  },
  twice: async (asked, road) => {
    const answer = await road.send(asked)
    return isGood(answer) ? sentWith(asked, road, versionOf(membersIn(textOf(answer)))) : undefined
  },
  'old-task': async (asked, road) => {
    const task = await taskOf(asked, road)
    const answer = await road.send(asked)
    return task && isGood(answer) ? withText(answer, JSON.stringify(task)) : undefined
  },
  'old-version': async (asked, road) => {
    const version = await currentOf(asked, road)
    const answer = await road.send(asked)
    const task = membersIn(textOf(answer))
    return version && task && isGood(answer)
      ? withText(answer, JSON.stringify({ ...task, updated_at: version }))
      : undefined
  },
  'done-409': async (asked, road) => {
    const answer = await road.send(asked)
    return isGood(answer) ? { ...answer, status: 409 } : undefined
  },
  '409-done': async (asked, road) => {
    const answer = await road.send(asked)
    const version = answer.status === 409 ? await currentOf(asked, road) : undefined
    if (!version) return undefined
    await sentWith(asked, road, version)
    return answer
  },
  'any-version': async (asked, road) => {
    const answer = await road.send(asked)
    return answer.status === 409 ? sentWith(asked, road, await currentOf(asked, road)) : undefined
  },
  'no-version': async (asked, road) =>
    asked.headers['if-match'] === undefined
      ? sentWith(asked, road, await currentOf(asked, road))
      : undefined,
  // A version of the same minute is current.
  'same-second': async (asked, road) => {
    const version = await currentOf(asked, road)
    const sent = asked.headers['if-match']
    return sent && sent !== version && sent.slice(0, 16) === version?.slice(0, 16)
      ? sentWith(asked, road, version)
      : undefined
  },
  // Every success gets the first one's answer.
  replay: async (asked, road) => {
    const answer = await road.send(asked)
    const kept = keptOf(road, 'first')
    if (isGood(answer) && !kept) road.kept.set('first', answer)
    return isGood(answer) ? kept : undefined
  },
  // It changes the task of the update before.
  'wrong-task': async (asked, road) => {
    const before = road.kept.get('path')
    road.kept.set('path', pathOf(asked))
    if (typeof before !== 'string' || before === pathOf(asked)) return undefined
    const there = at(asked, `${before}/update-assignment`)
    return sentWith(there, road, await currentOf(there, road))
  },
}

/** The traces of a comment in the export. */
const inEvents: Readonly<Record<string, (row: string, comment: string) => string>> = {
  'comment-no-event': () => '',
  'comment-lost': (row, text) => row.replace(text, ''),
  'comment-half': (row, text) =>
    row.replace(text, text.slice(0, Math.floor(text.length / 2)).replaceAll('"', '')),
}
const recorded = (id: string, by: (row: string, comment: string) => string): Operator =>
  exchange(
    id,
    async (asked, road) => {
      const comment = wantedIn(asked)?.assignment_comment
      if (typeof comment === 'string' && comment !== '') road.kept.set(comment, comment)
      const answer = asked.method === 'GET' ? await road.send(asked) : undefined
      if (!answer || !isGood(answer)) return undefined
      const written = [...road.kept.keys()].map((text) => text.replaceAll('"', '""'))
      const rows = rowsOf(textOf(answer)).map((row) => {
        const found = written.find((text) => row.includes(text))
        return found === undefined ? row : by(row, found)
      })
      return withText(answer, rows.join(''))
    },
    'export.csv',
  )

const each = (operations: readonly string[], table: Readonly<Record<string, By>>) =>
  operations.flatMap((operation) =>
    Object.entries(table).map(([part, by]) => exchange(`${operation}/exchange/${part}`, by)),
  )
const updates = ['assign.update', 'assign.unassign']

export const exchangeOperators: readonly Operator[] = [
  ...keys,
  ...each(['task.read', 'assessment.read'], ofReads),
  // A change shows from the second read on.
  exchange('task.read/exchange/late', async (asked, road) => {
    const kept = keptOf(road, asked.url)
    const answer = await sentAndKept(asked, road, asked.url)
    return kept && isGood(answer) && textOf(kept) !== textOf(answer) ? kept : undefined
  }),
  ...updates.flatMap((operation) =>
    Object.entries(inEvents).map(([part, by]) => recorded(`${operation}/exchange/${part}`, by)),
  ),
  ...each(updates, ofUpdates),
  exchange('assign.update/exchange/assigned-refused', async (asked, road) =>
    (await taskOf(asked, road))?.assignment
      ? sentWith(asked, road, '1970-01-01T00:00:00.000Z')
      : undefined,
  ),
  // The old comment stays if none is sent.
  exchange('assign.update/exchange/comment-stays', async (asked, road) => {
    const old = (await taskOf(asked, road))?.assignment
    const [body, sent] = [membersIn(asked.body), wantedIn(asked)]
    if (!isMembers(old) || !old.assignment_comment || !sent || sent.assignment_comment)
      return undefined
    const update = { ...sent, assignment_comment: old.assignment_comment }
    return road.send({ ...asked, body: JSON.stringify({ ...body, update }) })
  }),
]

const elsewhere = { name: 'Another Person', mail: 'another.person@example.org' }
/** Mails of one update differ in the recipient's name alone, if at all. */
const nameless = ({ text, to }: { text: string; to: { name: string }[] }) =>
  to.reduce((rest, { name }) => rest.replaceAll(name, ''), text)
const half = (text: string) => text.slice(0, Math.floor(text.length / 2))

export const mailOperators: readonly Operator[] = [
  mail('assign.update/mail/none', () => []),
  mail('assign.update/mail/twice', (letter) => [letter, letter]),
  mail('assign.update/mail/elsewhere', (letter) => [{ ...letter, to: [elsewhere] }]),
  mail('assign.update/mail/one-of-many', (letter, before) =>
    before.some((one) => nameless(one) === nameless(letter)) ? [] : [letter],
  ),
  mail('assign.update/mail/every-second', (letter, { length }) => (length % 2 ? [] : [letter])),
  mail('assign.update/mail/and-another', (letter) => [
    { ...letter, to: [...letter.to, elsewhere] },
  ]),
  mail('assign.update/mail/empty', (letter) => [{ ...letter, text: '', html: '' }]),
  mail('assign.update/mail/half', (letter) => [
    { ...letter, text: half(letter.text), html: half(letter.html) },
  ]),
]
