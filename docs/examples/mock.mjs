import { createServer } from 'node:http'

const [id, by, one, other, team] = [1, 2, 3, 4, 5].map(
  (n) => `0000000${n}-0000-4000-8000-000000000000`,
)
const settings = { SETTLE_MS: '50', AUDIT_WAIT_S: '0' }
const lent = {
  apiKey: 'mock-key',
  taskIds: [id],
  actorId: by,
  userIds: [one, other],
  teamIds: [team],
  settings,
}
const now = () => new Date().toISOString()
const ids = [
  'assessment',
  'assessment_template',
  'entity',
  'institution',
  'microfrontend',
  'workflow_instance',
]

export async function startMock() {
  const names = {
    c_name: 'review',
    name: null,
    status: 'INCOMPLETE',
    step_name: 'review',
    custom_metadata: null,
  }
  const times = { created_at: now(), updated_at: now(), locked_at: now() }
  const others = Object.fromEntries(ids.map((name) => [`${name}_id`, by]))
  let task = { id, ...others, ...names, ...times, data_version: 1, assignment: null }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const answer = (status, value) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (request.headers.apikey !== lent.apiKey) return answer(401, { error: 'Unauthorized' })
    if (request.url.split('/')[3] !== id) return answer(404, { error: 'Task not found' })
    if (request.method === 'GET') return answer(200, task)
    if (request.headers['if-match'] !== task.updated_at)
      return answer(409, { error: 'Version mismatch' })
    const { update, unassign } = JSON.parse(body)
    const isTo = update?.assigned_to_id && ['USER', 'TEAM'].includes(update.assigned_to_type)
    if (!(update ?? unassign)?.assigned_by_id || (update && !isTo))
      return answer(400, { error: 'Bad Request' })
    const assignment = update ? { assignment_comment: null, ...update } : null
    const updated_at = new Date(Math.max(Date.now(), Date.parse(task.updated_at) + 1)).toISOString()
    task = { ...task, assignment, updated_at }
    return answer(200, task)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    ...lent,
    baseUrl: `http://127.0.0.1:${server.address().port}/v5`,
    stop: () => server.close(),
  }
}
