import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { builtProgram } from '../built.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { root, sampleOf } from '../kept.ts'
import { isLong, testSeed } from '../long.ts'
import { taskFaults as faults } from '../proofs/faults/reads.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const run = promisify(execFile)
type Env = Record<string, string>
type Run = { code: number; output: string }

const page = readFileSync(join(root, 'docs/ci.md'), 'utf8')
function snippets(heading: string): string[] {
  const chapter = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...chapter.matchAll(/```\w+\n(.*?)```/gs)].map(([, text = '']) => text)
}

const yaml = (heading: string, at = 0) => parse(snippets(heading)[at] ?? '')
type Step = { run?: string; script?: string; env?: Env; name?: string; id?: string }
const runsOf = (steps: (Step | string)[]) =>
  steps.flatMap((step) => (typeof step === 'string' ? [] : (step.run ?? step.script ?? [])))

/** Each recipe: its commands and settings. */
const recipes = {
  'GitHub Actions': () => {
    const { env, steps } = yaml('GitHub Actions').jobs.contract
    return { commands: runsOf(steps), env: { ...env, GITHUB_ACTIONS: 'true' } }
  },
  GitLab: () => {
    const { script, variables } = yaml('GitLab').contract
    return { commands: script as string[], env: variables }
  },
  Jenkins: () => {
    const [text = ''] = snippets('Jenkins')
    const env = [...text.matchAll(/^ +([A-Z_]+) = '(.*?)'/gm)].map(([, name, value]) => [
      name,
      value,
    ])
    const commands = [...text.matchAll(/sh '(.*?)'/g)].map(([, command = '']) => command)
    return { commands, env: Object.fromEntries(env) }
  },
  'Azure Pipelines': () => {
    const { steps, variables } = yaml('Azure Pipelines')
    return { commands: runsOf(steps), env: { ...variables, TF_BUILD: 'True' } }
  },
  CircleCI: () => {
    const { steps, environment } = yaml('CircleCI').jobs.contract
    return { commands: runsOf(steps), env: environment }
  },
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
let program = ''
beforeAll(() => {
  program = builtProgram()
})

/** As much of a clone as the commands of a recipe need. */
function clone(): string {
  const folder = openTestFolder()
  const scripts = { contract: `exec node ${program} check` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }))
  return folder
}

async function served(isBroken: boolean): Promise<Env> {
  const bent = faults.find(({ name }) => name === 'the task after the one that was asked for')
  const { env } = await lendService({ wrong: (isBroken && bent?.stated) || {} })
  const { REPORTS_DIR: _, ...others } = env
  return { ...others, SETTLE_MS: '100' }
}

/** Runs the commands of a recipe like a CI runner: in order, until one fails. */
async function follow(commands: string[], cwd: string, env: Env): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env
  let ran: Run = { code: 0, output: '' }
  for (const command of commands.filter((each) => each !== 'npm ci')) {
    const narrow = command.replace(
      'npm run contract -- ',
      "npm run contract -- --clauses 'task.read.*' ",
    )
    const given = { cwd, env: { PATH, HOME, SEED: '1', ...env } }
    const {
      code = 0,
      stdout,
      stderr,
    } = await run('sh', ['-e', '-c', narrow], given).catch((error) => error)
    ran = { code, output: `${ran.output}${stdout}${stderr}` }
    if (code !== 0) break
  }
  return ran
}

const quoted = (text = '') => `'${text.replaceAll("'", `'\\''`)}'`

const names = Object.keys(recipes) as (keyof typeof recipes)[]

describe.concurrent('a recipe of docs/ci.md', () => {
  test.for(isLong ? names : sampleOf(names, 2, testSeed))('%s', async (name) => {
    for (const isBroken of [false, true]) {
      const { commands, env } = recipes[name]()
      const cwd = clone()
      const files = {
        GITHUB_STEP_SUMMARY: join(cwd, 'summary'),
        GITHUB_OUTPUT: join(cwd, 'output'),
      }
      const settings = { ...env, ...(await served(isBroken)), ...files }
      const { code, output } = await follow(commands, cwd, settings)
      expect(code, output).toBe(isBroken ? 1 : 0)
      // Every file that the recipe keeps exists, for any verdict.
      const text = snippets(name).join('\n')
      for (const [path] of text.matchAll(/\breports(\/[\w-]+\.\w+)?(?=[\s,'}\]])/g))
        expect(existsSync(join(cwd, path)), path).toBe(true)
      if (isBroken && name === 'GitHub Actions') {
        expect(output).toMatch(/^::error title=Contract::task\.read\.identity: /m)
        expect(readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')).toContain('NONCONFORMANT')
        expect(readFileSync(files.GITHUB_OUTPUT, 'utf8')).toContain('verdict=nonconformant\n')
      }
      if (name === 'Azure Pipelines') {
        expect(output).toContain('##vso[task.uploadsummary]')
        expect(output.includes('##vso[task.logissue type=error]')).toBe(isBroken)
      }
    }
  })

  test('a known breach', async () => {
    const [waivers = ''] = snippets('A known breach')
    const commands = runsOf(yaml('A known breach', 1).steps)
    const cwd = clone()
    writeFileSync(join(cwd, 'waivers.json'), waivers)
    const waived = await follow(commands, cwd, await served(true))
    expect(waived.code, waived.output).toBe(0)
    expect(waived.output).toMatch(/task\.read\.identity .*waived until 2126-12-31 \(AB-12\)/)
    expect(readFileSync(join(cwd, 'reports/junit.xml'), 'utf8')).toContain('<skipped')
  })

  test('a nightly look for drift', async () => {
    const cwd = clone()
    mkdirSync(join(cwd, 'baseline'))
    const sound = reportWith([clause('task.read.identity')], { suiteVersion: manifest.version })
    writeFileSync(join(cwd, 'baseline/report.json'), JSON.stringify(sound))
    const { steps } = yaml('A nightly look for drift')
    const same = await follow(runsOf(steps), cwd, await served(false))
    expect(same.code, same.output).toBe(0)
    const drifted = await follow(runsOf(steps), cwd, await served(true))
    expect([drifted.code, drifted.output]).toEqual([1, expect.stringContaining('drift')])
  })

  test('the action: its steps, with the variables of a runner', async () => {
    const { runs, inputs, outputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
    const steps = runs.steps as (Step & Record<string, string>)[]
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
    expect(Object.keys(inputs)).toEqual(['flags', 'package'])
    const cwd = clone()
    const output = join(cwd, 'output')
    const check = steps.find(({ id }) => id === 'check')
    const install = steps.find(({ name }) => name === 'Install')
    // A fake registry that records npm's requests.
    writeFileSync(join(cwd, 'npm'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    for (const [CONTRACT_PACKAGE, wanted] of [
      ['', `${manifest.name}@${manifest.version}`],
      ['./contract.tgz', './contract.tgz'],
    ] as const) {
      const RUNNER_TEMP = cwd
      const files = { GITHUB_ACTION_PATH: root, GITHUB_ENV: join(cwd, 'env'), RUNNER_TEMP }
      const PATH = `${cwd}:${process.env.PATH}`
      const asked = await follow([`bash -e -c ${quoted(install?.run)}`], cwd, {
        ...files,
        CONTRACT_PACKAGE,
        PATH,
      })
      expect(asked.output.trim()).toBe(
        `install --prefix ${cwd}/contract --ignore-scripts --no-audit --no-fund ${wanted}`,
      )
      const bin = `${cwd}/contract/node_modules/${manifest.name}/bin/task-assignment-contract.cjs`
      expect(readFileSync(files.GITHUB_ENV, 'utf8')).toContain(`CONTRACT_BIN=${bin}\n`)
    }
    const env = {
      GITHUB_ACTIONS: 'true',
      CONTRACT_BIN: program,
      GITHUB_OUTPUT: output,
      CONTRACT_FLAGS: "--clauses task.read.* --seed 3; echo 'no shell'",
      ...(await served(false)),
    }
    const script = `bash -e -c ${quoted(check?.run)}`
    const hostile = await follow([script], cwd, env)
    expect(hostile.code).toBe(2)
    expect(hostile.output).toMatch(/^::error title=Contract::unexpected argument 'echo'/m)
    const ran = await follow([script], cwd, { ...env, CONTRACT_FLAGS: '--clauses task.read.*' })
    expect(ran.code, ran.output).toBe(0)
    const told = readFileSync(output, 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(told.filter(Boolean).sort()).toEqual(Object.keys(outputs).sort())
  })
})
