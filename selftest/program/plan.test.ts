import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { clausesIn, type ProfileName, profileNames } from '../../helpers/settings/profiles.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { suite } from '../../program/clauses.ts'
import { costs } from '../../program/costs.ts'
import { readOrder } from '../../program/input/order.ts'
import { readFlags } from '../../program/input/read-flags.ts'
import { printPlan } from '../../program/plan.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { listening } from '../engine/http/servers.ts'
import { folderWith } from '../helpers/settings/folder-with.ts'
import { root } from '../kept.ts'
import { isLong } from '../long.ts'
import { runProgram } from '../proofs/prove.ts'
import { openTestFolder } from '../test-end.ts'

const world = makeWorld(1)
const lent = { BASE_URL: 'https://api.example.com/v5', ...environmentFor({ world }) }
const [fields, identity, update] = ['task.read.fields', 'task.read.identity', 'assign.user-to-user']

function planned(argv: string[], env: Record<string, string | undefined> = {}) {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text) }
  const flags = readFlags('check', { argv: ['--plan', ...argv], env: {} })
  const cwd = openTestFolder()
  const settings = readSettings({ ...lent, ...env }, { cwd, flags })
  printPlan({ settings, order: readOrder(flags, cwd, settings), out })
  return output.join('')
}

const only = (...ids: string[]) => ['--clauses', ids.join()]

describe('--plan', () => {
  test('names what would be skipped for want of a setting, and why', () => {
    const output = planned(only(fields, identity, update), { TASK_IDS: undefined })
    expect(output).toContain('would run   2 of 3 clauses: 2 musts\n')
    expect(output).toMatch(
      /would be skipped: 1\n.*set TASK_IDS: tasks that the run may change .*\n.*assign\.user/,
    )
    expect(output).toContain('this selection costs at most what its profile costs')
    expect(output).toContain('TASK_IDS is not set: no task is changed')
    const forbidden = planned(only(fields, identity), { NOT_PERMITTED: identity })
    expect(forbidden).toContain(`NOT_PERMITTED declares ${identity}`)
    const readOnly = planned(only(update), { READ_ONLY: '1' })
    expect(readOnly).toContain('READ_ONLY is set: no update is sent')
    const noTeam = planned([], { TEAM_IDS: undefined, TEAM_MAILS: undefined })
    expect(noTeam).toContain('TEAM_IDS is not set: what assigns a task to a team is skipped too')
  })

  test('shows what each profile costs, and marks its own', () => {
    const output = planned(['--profile', 'updates'], { MAX_WRITES: '3' })
    expect(output.match(/^>.*/m)?.[0]).toMatch(/^> updates +660 +47 +95 +13 /)
    expect(output).toContain('MAX_WRITES=3 is set, and leaves out some of the updates')
    expect(output).not.toContain('at most what its profile costs')
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

test('each profile has clauses; updates asks for no export but the trail', () => {
  for (const profile of profileNames) {
    const globs = clausesIn(profile) ?? ['*']
    const ids = suite.map(({ id }) => id).filter((id) => matchesAny(id, globs))
    expect(ids.length).toBeGreaterThan(30)
    if (profile === 'updates') expect(ids.filter((id) => /export/.test(id))).toEqual([])
  }
})

// In simulated time, in a process of its own.
test('the table of costs is true to 20 %', { timeout: 1_200_000 }, async () => {
  const names = isLong ? profileNames : (['smoke', 'reads', 'updates'] as const)
  const files = ['selftest/simulated/start.mjs', 'selftest/simulated/profile-costs.ts']
  const { stdout } = await promisify(execFile)(process.execPath, [...files, ...names], {
    cwd: root,
  })
  const measured = stdout.trim().split('\n')
  expect(measured).toHaveLength(names.length)
  for (const line of measured) {
    const [, name = '', json = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    for (const [what, figure] of Object.entries(costs[name as ProfileName])) {
      const real = JSON.parse(json)[what]
      expect(Math.abs(real - figure), `${name} ${what} ${real}`).toBeLessThanOrEqual(real / 5)
    }
  }
})
