import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { after, afterEach, before, test } from 'node:test'

const program = 'node_modules/.bin/task-assignment-contract'
const kept = ['--like', 'contract/report.json', '--world', 'contract/world.json']
const mock = spawn(program, ['serve', '--port', '0', ...kept], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const settings = {}

before(async () => {
  for await (const line of createInterface({ input: mock.stdout })) {
    if (line.startsWith('#')) return
    const [name, value] = line.split(/=(.*)/s)
    settings[name] = value
  }
})
afterEach(() => fetch(new URL('/__world', settings.BASE_URL), { method: 'DELETE' }))
after(() => mock.kill())

// What is tested: a front end that reads a task again when another user was faster.
async function assign(task, user, { known } = {}) {
  const address = `${settings.BASE_URL}/tasks/${task}`
  const headers = { apikey: settings.API_KEY, 'content-type': 'application/json' }
  const read = async () => (await fetch(address, { headers })).json()
  const put = (version) =>
    fetch(`${address}/update-assignment`, {
      method: 'PUT',
      headers: { ...headers, 'if-match': version },
      body: JSON.stringify({
        update: { assigned_by_id: user, assigned_to_id: user, assigned_to_type: 'USER' },
      }),
    })
  const first = await put(known ?? (await read()).updated_at)
  const answer = first.status === 409 ? await put((await read()).updated_at) : first
  return { answer, task: await answer.json() }
}

test('a task that another user changed meanwhile is assigned', async () => {
  const [task] = settings.TASK_IDS.split(',')
  const [one, other] = settings.USER_IDS.split(',')
  const { updated_at } = (await assign(task, one)).task
  await assign(task, other)
  const { answer, task: changed } = await assign(task, one, { known: updated_at })
  assert.ok(answer.ok, `responded ${answer.status}`)
  assert.equal(changed.assignment.assigned_to_id, one)
})
