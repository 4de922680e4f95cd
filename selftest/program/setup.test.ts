import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { setup, writeEnvFile } from '../../program/setup.ts'
import { builtProgram } from '../built.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { atTestEnd, openTestFolder } from '../test-end.ts'
import { skipWithout } from '../worker-folders.ts'

const terminalProgram = '/usr/bin/script'
const enter = '\r'
const up = '\u001b[A'
const down = '\u001b[B'
const stranger = '123e4567-e89b-12d3-a456-426614174000'

async function served() {
  const methods = new Set<string>()
  const lent = await lendService({
    between: async (request, next) => {
      methods.add(request.method)
      if (new URL(request.url).searchParams.get('auditee_id') === stranger)
        return new Response('no such user', { status: 400 })
      const answer = await next(request)
      if (!answer.ok || !request.url.includes('/tasks/')) return answer
      const task = (await answer.json()) as { assignment: Record<string, string> | null }
      const by = lent.world.users.find(({ id }) => id === task.assignment?.assigned_by_id)
      if (task.assignment && by) task.assignment.assigned_by_name = by.name
      return Response.json(task)
    },
  })
  return { ...lent, methods, names: lent.world.users.map(({ name }) => name) }
}

async function answered(cwd: string, answers: [question: string, ...keys: string[]][]) {
  // A terminal without a size breaks every line after a letter.
  const command = `stty cols 150 rows 50 && '${process.execPath}' '${builtProgram()}' setup`
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cwd, TERM: 'xterm', SEED: '1' }
  const child = spawn(terminalProgram, ['-qec', command, '/dev/null'], { cwd, env })
  atTestEnd(() => child.kill('SIGKILL'))
  let output = ''
  let from = 0
  const left = [...answers]
  const answer = (): void => {
    const [next] = left
    const at = next ? output.indexOf(next[0], from) : -1
    if (!next || at < 0) return
    from = at + next[0].length
    left.shift()
    const [, ...keys] = next
    // One by one, as typed: otherwise an arrow is not read as one key.
    keys.forEach((each, n) => void setTimeout(() => child.stdin.write(each), 150 * (n + 1)))
    // Input that needs no answer may come together with the next question.
    if (keys.length === 0) answer()
  }
  child.stdout.on('data', (data) => {
    output += data
    answer()
  })
  const late = setTimeout(() => child.kill('SIGKILL'), 200_000)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  clearTimeout(late)
  return { code, output, unasked: left.map(([question]) => question) }
}

const silent = { out: { write: () => {} } }

const hasNone = skipWithout(existsSync(terminalProgram), 'setup at a terminal, for want of script')
describe.skipIf(hasNone)('setup at a terminal', () => {
  test('setup asks, tries the key, proposes what the service shows, and writes .env', async () => {
    const { baseUrl, apiKey, methods, names, assessmentIds, teamIds, userIds } = await served()
    const cwd = openTestFolder()
    const { code, output, unasked } = await answered(cwd, [
      ['Base of the service', baseUrl.replace('/v5', ''), enter],
      [`responds 404, and ${baseUrl} responds 401`],
      ['Base of the service', enter],
      ['Key', 'wrong-key', enter],
      ['API_KEY is rejected'],
      ['Key', apiKey, enter],
      ['Tasks that runs may change', ' ', down, ' ', enter],
      ['Others, separated by commas', `${stranger} ${assessmentIds[0]}`, enter],
      [`The service does not know ${stranger} as a task (404).`],
      [`${assessmentIds[0]} is the id of an assessment.`],
      ['Others, separated by commas', '\u0015', enter],
      ['Further tasks, only read', ' ', enter],
      ['Others, separated by commas', enter],
      ['Assessments to read', ' ', enter],
      ['Others, separated by commas', enter],
      ['Users to assign to', ' ', down, ' ', enter],
      ['Others, separated by commas', stranger, enter],
      [`The service rejects ${stranger} as a user`],
      ['Others, separated by commas', '\u0015', enter],
      ['Teams to assign to', ' ', enter],
      ['Others, separated by commas', enter],
      // The last choice is one that is typed.
      ['The user who assigns', up, up, up, enter],
      ['Id of the user who assigns', String(teamIds[0]), enter],
      [`${teamIds[0]} is the id of a team.`],
      ['Id of the user who assigns', '\u0015', String(userIds[0]), enter],
      ['readable by you alone?', 'y'],
    ])
    expect({ code, unasked }, output).toEqual({ code: 0, unasked: [] })
    expect(output).not.toContain(apiKey)
    expect(names.some((name) => output.includes(name))).toBe(true)
    const file = join(cwd, '.env')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const written = parse(readFileSync(file))
    expect(written).toMatchObject({ BASE_URL: baseUrl, API_KEY: apiKey })
    expect(written.TASK_IDS?.split(',').length).toBe(2)
    expect(written.USER_IDS?.split(',').length).toBe(2)
    expect(methods).toEqual(new Set(['GET']))
  })

  test('that is cancelled writes nothing', async () => {
    const cwd = openTestFolder()
    const { code, output } = await answered(cwd, [['Base of the service', '\u0003']])
    expect(output).toContain('Cancelled: nothing was written')
    expect([code, existsSync(join(cwd, '.env'))]).toEqual([130, false])
  })
})

describe('setup by flags', () => {
  test('writes what they say, keeps other lines of .env, and changes none unasked', async () => {
    const { baseUrl, apiKey, taskIds, actorId, userIds, teamIds } = await served()
    const cwd = openTestFolder()
    const file = join(cwd, '.env')
    const argv = ['--yes', '--base-url', baseUrl, '--api-key', apiKey]
    argv.push('--task-ids', taskIds.join(), '--actor-id', String(actorId))
    argv.push('--user-ids', userIds.join(), '--team-ids', teamIds.join())
    let said = ''
    const out = { write: (text: string) => (said += text) }
    expect(await setup({ argv, env: {}, cwd, out })).toBe(0)
    expect(said).toContain(`${file} was written`)
    const first = readFileSync(file, 'utf8')
    expect(parse(first)).toMatchObject({ TASK_IDS: taskIds.join(), ACTOR_ID: actorId })

    writeFileSync(file, `# ours\nDATABASE_URL=x\nAPI_KEY=old\n`)
    await expect(setup({ argv, env: {}, cwd, out })).rejects.toThrow('give --overwrite')
    expect(readFileSync(file, 'utf8')).toContain('API_KEY=old')
    expect(await setup({ argv: [...argv, '--overwrite'], env: {}, cwd, out })).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`# ours\nDATABASE_URL=x\n\n${first}`)
  })

  test('a key that is rejected, or an unknown id, ends it, and nothing is written', async () => {
    const { baseUrl, apiKey, taskIds } = await served()
    const cwd = openTestFolder()
    const [task = ''] = taskIds
    for (const [key, flags, why] of [
      ['wrong', [], 'API_KEY is rejected'],
      [apiKey, ['--read-task-ids', stranger], `does not know ${stranger} as a task (404).`],
      [apiKey, ['--assessment-ids', task], `${task} is the id of a task.`],
    ] as const) {
      const argv = ['--yes', '--base-url', baseUrl, '--api-key', key, ...flags]
      await expect(setup({ argv, env: {}, cwd, ...silent })).rejects.toThrow(why)
    }
    expect(existsSync(join(cwd, '.env'))).toBe(false)
  })
})

test.each(['plain', 'a#b', 'a"b', "it's", 'a`b', '$HOME', 'a\\nb'])('.env holds %s', (key) => {
  const file = join(openTestFolder(), '.env')
  writeEnvFile(file, new Map([['API_KEY', key]]))
  expect(parse(readFileSync(file))).toEqual({ API_KEY: key })
})
