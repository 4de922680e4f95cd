import { anHourLater, isMembers, membersIn } from './json.ts'
import { type Operator, textOf, withText } from './operator.ts'
import { asId, exchange, good, idOf, inner, taskOf, versionOf, withVersion } from './road.ts'

const writes = (['assign.update', 'assign.unassign'] as const).flatMap((operation) => [
  exchange(operation, 'not-at-all', 'answers as if done and changes nothing', async (a, road) => {
    const task = await taskOf(a, road)
    const version = versionOf(task)
    const wanted = inner(a)
    const told = withVersion(a, `${a.headers['if-match'] ?? ''}`)
    if (!task || !version || !wanted || told.headers['if-match'] !== version) return undefined
    const assignment =
      operation === 'assign.update' ? { assignment_comment: null, ...wanted } : null
    const text = JSON.stringify({ ...task, assignment, updated_at: anHourLater(version) })
    const headers = { 'content-type': 'application/json' }
    return a.headers.apikey === road.apikey
      ? withText({ status: 200, headers, body: new Uint8Array() }, text)
      : undefined
  }),
  exchange(operation, 'twice', 'does it twice in a row', async (a, road) => {
    const answer = await road.send(a)
    const version = good(answer) ? versionOf(membersIn(textOf(answer))) : undefined
    return version ? road.send(withVersion(a, version)) : undefined
  }),
  exchange(operation, 'old-task', 'does it and answers the task of before', async (a, road) => {
    const task = await taskOf(a, road)
    const answer = await road.send(a)
    return task && good(answer) ? withText(answer, JSON.stringify(task)) : undefined
  }),
  exchange(
    operation,
    'old-version',
    'does it and answers the version of before',
    async (a, road) => {
      const version = versionOf(await taskOf(a, road))
      const answer = await road.send(a)
      const task = membersIn(textOf(answer))
      return version && task && good(answer)
        ? withText(answer, JSON.stringify({ ...task, updated_at: version }))
        : undefined
    },
  ),
  exchange(operation, 'done-409', 'does it and answers 409', async (a, road) => {
    const answer = await road.send(a)
    return good(answer) ? { ...answer, status: 409 } : undefined
  }),
  exchange(
    operation,
    '409-done',
    'answers 409 to a stale version and does it all the same',
    async (a, road) => {
      const answer = await road.send(a)
      const version = answer.status === 409 ? versionOf(await taskOf(a, road)) : undefined
      if (!version) return undefined
      await road.send(withVersion(a, version))
      return answer
    },
  ),
  exchange(operation, 'any-version', 'takes any version', async (a, road) => {
    const answer = await road.send(a)
    const version = answer.status === 409 ? versionOf(await taskOf(a, road)) : undefined
    return version ? road.send(withVersion(a, version)) : undefined
  }),
  exchange(operation, 'no-version', 'takes a request without If-Match', async (a, road) => {
    const version =
      a.headers['if-match'] === undefined ? versionOf(await taskOf(a, road)) : undefined
    return version ? road.send(withVersion(a, version)) : undefined
  }),
  exchange(operation, 'same-second', 'takes a version of the same minute', async (a, road) => {
    const version = versionOf(await taskOf(a, road))
    const told = a.headers['if-match']
    return version && told && told !== version && told.slice(0, 16) === version.slice(0, 16)
      ? road.send(withVersion(a, version))
      : undefined
  }),
  exchange(operation, 'replay', 'answers every success like the first one', async (a, road) => {
    const answer = await road.send(a)
    const kept = road.kept.get('first')
    if (good(answer) && kept === undefined) road.kept.set('first', answer)
    return good(answer) && typeof kept === 'object' ? kept : undefined
  }),
  exchange(operation, 'wrong-task', 'does it to the task written before', async (a, road) => {
    const before = road.kept.get('path')
    road.kept.set('path', idOf(a))
    if (typeof before !== 'string' || before === idOf(a)) return undefined
    const there = asId(a, `${before}/update-assignment`)
    const version = versionOf(await taskOf(there, road))
    return version ? road.send(withVersion(there, version)) : undefined
  }),
])

const reassign: readonly Operator[] = [
  exchange(
    'assign.update',
    'assigned-refused',
    'refuses a task that is assigned',
    async (a, road) => {
      const task = await taskOf(a, road)
      return task?.assignment ? road.send(withVersion(a, '1970-01-01T00:00:00.000Z')) : undefined
    },
  ),
  exchange(
    'assign.update',
    'comment-stays',
    'keeps the old comment when none is sent',
    async (a, road) => {
      const old = (await taskOf(a, road))?.assignment
      const body = membersIn(a.body)
      const sent = inner(a)
      if (!isMembers(old) || !old.assignment_comment || !sent || sent.assignment_comment)
        return undefined
      const update = { ...sent, assignment_comment: old.assignment_comment }
      return road.send({ ...a, body: JSON.stringify({ ...body, update }) })
    },
  ),
]

export const writeOperators: readonly Operator[] = [...writes, ...reassign]
