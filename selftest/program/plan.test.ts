import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { clausesIn, profileNames } from '../../helpers/settings/profiles.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { suite } from '../../program/clauses.ts'
import costs from '../../program/costs.json' with { type: 'json' }
import { type Costs, costFor } from '../../program/costs.ts'
import { readOrder } from '../../program/input/order.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { printPlan } from '../../program/plan.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { listening } from '../engine/http/servers.ts'
import { folderWith } from '../helpers/settings/folder-with.ts'
import { runProgram } from '../proofs/prove.ts'
import { openTestFolder } from '../test-end.ts'

const world = makeWorld(1)
const lent = { BASE_URL: 'https://api.example.com/v5', ...environmentFor({ world }) }
const [fields, identity, update] = ['task.read.fields', 'task.read.identity', 'assign.user-to-user']

/** Two clauses share one read; the third sends updates, and needs people. */
const table: Costs = {
  clauses: [fields, identity, update],
  // Requests, exports, updates, and those accepted: to users, to teams, to nobody.
  groups: [
    [[0, 1], 10],
    [[1], 4],
    [[2], 20, 2, 9, 3, 2, 1],
  ],
  contact: [7],
  unattributed: [5, 0, 2, 1],
  profiles: { full: [60], smoke: [30, 9, 4], reads: [], updates: [], export: [] },
  each: {
    tasks: { recorded: 12, cost: [3, 0, 1, 1] },
    readTasks: { recorded: 4, cost: [] },
    assessments: { recorded: 8, cost: [] },
  },
  needs: [{ setting: 'USER_IDS', reason: 'set USER_IDS: users to assign to', clauses: [2] }],
}

function planned(ids: string[], env: Record<string, string | undefined> = {}) {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const flags = readFlags('check', { argv: ['--plan', '--clauses', ids.join()], env: {} })
  const cwd = openTestFolder()
  const settings = readSettings({ ...lent, ...env }, { cwd })
  const order = readOrder(flags, cwd, settings)
  printPlan({ settings, order, out, table })
  return output.join('')
}

const figureIn = (text: string, row: string) =>
  new RegExp(`^ {4}${row} +(.*?)(  |$)`, 'm').exec(text)?.[1]

describe('--plan', () => {
  test('counts shared requests once; putting back counts as accepted updates', () => {
    const counts = { tasks: 12, readTasks: 4, assessments: 8 }
    const requests = (...ids: string[]) => costFor(table, ids, counts).requests
    expect(requests(fields)).toBe(17)
    expect(requests(identity)).toBe(21)
    expect(requests(fields, identity)).toBe(21)
    const output = planned([fields, identity, update])
    expect(figureIn(output, 'requests')).toBe('46')
    expect(figureIn(output, 'assignment updates')).toBe('7')
    expect(output).toContain('2 of them exports\n')
    expect(output).toContain('accepted of 11 sent')
    const env = { TASK_IDS: world.tasks[0]?.id ?? '' }
    const fewer = planned([fields, identity, update], env)
    expect(figureIn(fewer, 'requests')).toBe(String(46 - 11 * 3))
  })

  test('names what would be skipped for want of a setting, and counts nothing of it', () => {
    const env = { USER_IDS: undefined, USER_MAILS: undefined }
    const output = planned([fields, identity, update], env)
    expect(output).toContain('would run   2 of 3 clauses: 2 musts\n')
    expect(output).toMatch(
      /would be skipped: 1\n.*set USER_IDS: users to assign to\n.*assign\.user/,
    )
    expect(figureIn(output, 'requests')).toBe('21')
    const forbidden = planned([fields, identity], { NOT_PERMITTED: identity })
    expect(forbidden).toContain(`NOT_PERMITTED declares ${identity}`)
    expect(figureIn(forbidden, 'requests')).toBe('17')
  })

  test('knows the cost of every clause: npm run costs records them', () => {
    const ids = suite.map(({ id }) => id)
    const { clauses } = costs
    expect(ids.filter((id) => !clauses.includes(id))).toEqual([])
    expect(clauses.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('gives a range for mails: it is unknown who is mailed when a task is put back', () => {
    const [user, ...teams] = [world.users[1], ...world.teams]
    const [one, other] = teams.map(({ id }) => id)
    const env = {
      TEAM_IDS: `${one},${other}`,
      TEAM_MAILS: `${one}=a@x.example;b@x.example,${other}=a@x.example;b@x.example;c@x.example`,
      USER_IDS: user?.id ?? '',
      USER_MAILS: undefined,
    }
    // 4 to users, 2 to teams of 2 or 3, and 12 tasks that may be put back to a team of 3.
    expect(figureIn(planned([update], env), 'mails')).toBe('8 to 46')
    expect(figureIn(planned([fields], env), 'mails')).toBe('0')
  })

  test('names a bound on updates that would be enough', () => {
    // 7 accepted, 12 tasks that may be put back, and one more.
    expect(planned([update])).toContain('MAX_WRITES=20 would be enough')
    const bound = planned([update], { MAX_WRITES: '3' })
    expect(bound).toContain('MAX_WRITES=3 is set; 20 would be enough')
  })

  test.each([
    ['REPORTS_DIR', 'file', [], /^REPORTS_DIR .* cannot be used .*; give a writable folder\.$/],
    ['JOURNAL_DIR', 'file/journal', [], /^JOURNAL_DIR .*\(a part of it is a file\)/],
    ['REPORTS_DIR', 'reports', ['--require', 'task.raed.*'], /^task\.raed\.\* matches no clause/],
  ])('ends as the run would: %s is %s %j', (name, path, flags, why) => {
    const cwd = openTestFolder()
    writeFileSync(join(cwd, 'file'), '')
    const env = { ...lent, [name]: join(cwd, path) }
    return expect(runProgram(env, ['--plan', ...flags])).rejects.toThrow(why)
  })

  test('ends as the run would: --record names a folder with another file', () => {
    const cwd = folderWith({ file: '' })
    const plan = runProgram(lent, ['--plan', '--record', cwd])
    return expect(plan).rejects.toThrow(
      /^--record .*it contains file, which is not part of a record/,
    )
  })

  test('sends nothing and writes nothing down', async () => {
    let asked = 0
    const server = createServer((_, response) => response.end()).on('connection', () => {
      asked += 1
    })
    const url = `http://127.0.0.1:${await listening(server)}`
    const folder = openTestFolder()
    const env = {
      ...lent,
      BASE_URL: `${url}/v5`,
      MAILBOX_URL: url,
      WRONG_REGION_URL: url,
      OUTSIDE_PROXY_URL: url,
      REPORTS_DIR: `${folder}/reports`,
      JOURNAL_DIR: `${folder}/journal`,
    }
    const { exitCode, output, report } = await runProgram(env, ['--plan'])
    expect([exitCode, report, asked], output).toEqual([0, undefined, 0])
    expect(readdirSync(folder)).toEqual([])
    expect(output).toContain(`PLAN  would test: ${url}/v5\n`)
    expect(output).not.toContain(world.apiKey)
    expect(output).not.toContain('NaN')
  })
})

test('each profile has its cost, and clauses; reads sends no update, and updates asks for no export but the trail', () => {
  for (const profile of profileNames) {
    const globs = clausesIn(profile) ?? ['*']
    const ids = suite.map(({ id }) => id).filter((id) => matchesAny(id, globs))
    expect(ids.length).toBeGreaterThan(30)
    expect(costs.profiles[profile][0]).toBeGreaterThan(50)
    if (profile === 'updates') expect(ids.filter((id) => /export/.test(id))).toEqual([])
  }
  expect(costs.profiles.reads.slice(1)).toEqual([0, 0, 0, 0, 0])
  // The last are accepted updates.
  expect(costs.profiles.smoke[0]).toBeLessThanOrEqual(60)
  expect(costs.profiles.smoke.slice(3)).toEqual([0, 0, 0])
})
