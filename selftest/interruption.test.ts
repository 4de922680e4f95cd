import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { handedOver } from '../program/embedded.ts'
import { listen } from '../reference/listen.ts'
import { open } from '../reference/open.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world.ts'

const root = join(import.meta.dirname, '..')

/** Starts a run against a slow service, and kills it when the service has been asked so often. */
async function interrupted(
  command: string,
  args: readonly string[],
  signal: NodeJS.Signals,
  at: number,
) {
  const service = createService({ world: makeWorld(1), open: { ...open, delay: () => 30 } })
  let asked = 0
  const counting: typeof service = {
    world: service.world,
    fetch: (request, address) => {
      asked += 1
      if (asked === at) child.kill(signal)
      return service.fetch(request, address)
    },
  }
  const { baseUrl, close } = await listen(counting)
  const given = handedOver(service)
  const reports = mkdtempSync(join(tmpdir(), 'contract-'))
  const { PATH, HOME } = process.env
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH,
      HOME,
      BASE_URL: baseUrl,
      API_KEY: given.apiKey,
      TASK_IDS: given.taskIds.join(),
      ASSESSMENT_IDS: given.assessmentIds.join(),
      ACTOR_ID: given.actorId,
      USER_IDS: given.userIds.join(),
      REPORTS_DIR: join(reports, 'reports'),
    },
  })
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      told += data
    })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  await close()
  const report = JSON.parse(readFileSync(join(reports, 'reports', 'report.json'), 'utf8'))
  return { code, told, report }
}

const direct = [process.execPath, ['--import', 'tsx', 'contract.ts', 'check']] as const
const throughNpm = ['npm', ['run', '-s', 'contract']] as const

describe.concurrent('an interrupted run ends cleanly, with a valid report', () => {
  test.each([
    ['SIGINT', 130, 'directly', direct],
    ['SIGTERM', 143, 'directly', direct],
    ['SIGINT', 130, 'through npm', throughNpm],
    ['SIGTERM', 143, 'through npm', throughNpm],
  ] as const)('%s: %i, %s', async (signal, expected, _, [command, args]) => {
    const { code, told, report } = await interrupted(command, args, signal, 60)
    expect(code, told).toBe(expected)
    expect(report.interrupted).toBe(true)
    const lost = report.clauses.filter((c: { verdict: string }) => c.verdict === 'inconclusive')
    expect(lost.length, told).toBeGreaterThan(0)
    expect(lost.at(-1).reason).toContain('interrupted')
    expect(report.residue).toEqual([])
  })
})
