import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { builtProgram } from '../built.ts'
import { ofLong } from '../test-end.ts'

const folder = openFolder()
const writable = join(folder, 'writable')
// Characters that a shell, an address or a glob would interpret, and that vitest ignores by
// default.
const place = join(folder, "it's a “prüfung” & [more] #7, 100%?/node_modules/deeper")
// vite does not accept a folder with a # in its name: the package is installed here first.
const project = join(folder, 'mock')
const bin = 'bin/task-assignment-contract.cjs'
const home = join(place, 'node_modules/task-assignment-contract')
let held: string[] = []

beforeAll(() => {
  const tarball = pack(folder)
  held = String(execFileSync('tar', ['-tzf', tarball]))
    .trim()
    .split('\n')
  install(tarball, project)
  mkdirSync(writable)
})

/** Another user, where this one may do anything. */
const nobody: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const { PATH } = process.env
const given = { PATH, HOME: '/nonexistent', TMPDIR: writable, SEED: '1' }

/** Runs node in the folder that can be written to. */
function node(args: string[], env: Record<string, string> = {}, more = {}) {
  const cwd = writable
  const ran = spawnSync(process.execPath, args, { cwd, env: { ...given, ...env }, ...more })
  return { code: ran.status, output: `${ran.stdout}${ran.stderr}` }
}

ofLong(
  'the package registers its clauses in the vitest of a mock, as docs/mocks.md shows it',
  () => {
    const page = readFileSync(join(root, 'docs/mocks.md'), 'utf8')
    const [, chapter = ''] = page.split('## In the tests of the mock')
    const [, tests = ''] = /```js\n(.*?)```/s.exec(chapter) ?? []
    const mock = readFileSync(join(root, 'docs/examples/mock.mjs'), 'utf8')
    expect(mock.trimEnd().split('\n').length).toBeLessThanOrEqual(65)
    writeFileSync(join(project, 'contract.test.mjs'), tests)
    writeFileSync(join(project, 'mock.mjs'), mock)
    const config = { test: { include: ['*.test.mjs'], tags: [{ name: 'must' }] } }
    writeFileSync(join(project, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
    const vitest = join(project, 'node_modules/vitest/vitest.mjs')
    const argv = [vitest, 'run', '--reporter=json', '--outputFile=result.json']
    const run = (...more: string[]) => node([...argv, ...more], {}, { cwd: project })
    const { code, output } = run()
    const told = JSON.parse(readFileSync(join(project, 'result.json'), 'utf8'))
    const status = (title: string) =>
      told.testResults[0].assertionResults.find((each: { title: string }) => each.title === title)
        ?.status
    const titles = ['version.stale.assign', 'task.read.fields', 'auth.missing-key.assign.update']
    for (const title of [...titles, 'the run']) expect(status(title), output).toBe('passed')
    expect([code, told.numFailedTests], output).toEqual([0, 0])
    expect(readdirSync(join(project, 'reports/contract'))).toContain('report.json')

    writeFileSync(join(project, 'mock.mjs'), mock.replace('!== task.updated_at', "=== ''"))
    expect(run('-t', 'version.stale.assign').code).toBe(1)
  },
)

describe('the package', () => {
  beforeAll(() => {
    mkdirSync(dirname(dirname(home)), { recursive: true })
    renameSync(join(project, 'node_modules'), dirname(home))
  })

  test('holds what runs and what is read, and no source', () => {
    const files = held.map((file) => file.replace(/^package\//, ''))
    const strange = files.filter(
      (file) =>
        !/^(bin|dist|docs)\/|^(package\.json|README\.md|CHANGELOG\.md|\.env\.example)$/.test(file),
    )
    expect(strange).toEqual([])
    expect(files).toContain(bin)
    expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([])
    const text = readFileSync(join(home, 'dist/package.json'), 'utf8')
    expect(JSON.parse(text).commit).toBe(
      String(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root })).trim(),
    )
  })

  test('holds every schema that its pages name', () => {
    const files = readdirSync(join(home, 'docs')).filter((file) => file.endsWith('.md'))
    const pages = files.map((file) => readFileSync(join(home, 'docs', file)))
    const named = pages.flatMap((text) => `${text}`.match(/\bschemas\/[\w.-]+\.(json|yaml)/g) ?? [])
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((file) => !existsSync(join(home, 'dist', file)))).toEqual([])
  })

  test('declares the types of what it exports', () => {
    const file = join(writable, 'uses.mts')
    writeFileSync(
      file,
      `import { check, type Report } from 'task-assignment-contract'
const ended: { exitCode: number; report?: Report } = await check({ flags: ['--strict'] })
console.log(ended.exitCode, ended.report?.clauses[0]?.verdict === 'pass')
const { line, notChecked } = await check({ profile: 'reads', clauses: ['task.*'] })
console.log(line?.length, notChecked?.[0]?.cause === 'setting')
// @ts-expect-error not a profile
await check({ profile: 'raeds' })
// @ts-expect-error nothing else is public
import 'task-assignment-contract/dist/program/check.js'
`,
    )
    const paths = { 'task-assignment-contract': [join(home, 'dist/index.d.ts')] }
    const [types, typeRoots] = [['node'], [join(root, 'node_modules/@types')]]
    const options = { strict: true, module: 'nodenext', noEmit: true, paths, types, typeRoots }
    const config = join(writable, 'tsconfig.json')
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [file] }))
    expect(node([join(root, 'node_modules/typescript/bin/tsc'), '-p', config]).output).toBe('')
  })

  test('checks as a clone does, from a folder that it cannot write to, as another user', () => {
    if (nobody.uid) chownSync(writable, nobody.uid, nobody.uid)
    execFileSync('find', [place, '-type', 'd', '-exec', 'chmod', 'a-w', '{}', '+'])
    const argv = [
      '--clauses',
      'auth.missing-key.*,task.read.*,export.csv.readable,export.pdf.readable',
    ]
    const { code, output } = node([join(home, bin), 'check', ...argv], {}, nobody)
    expect(output).toContain('CONFORMANT')
    expect(code, output).toBe(0)
    expect(readdirSync(writable)).toContain('reports')
    const made = JSON.parse(readFileSync(join(writable, 'reports/report.json'), 'utf8')) as Report
    expect(made.clauses.filter(({ verdict }) => /skip|inconclusive/.test(verdict))).toEqual([])
  })

  test('is called by programs too', () => {
    const settings = JSON.stringify({ REPORTS_DIR: join(writable, 'called') })
    const clauses = JSON.stringify(['auth.missing-key.task.read'])
    const program = `import { check } from 'task-assignment-contract'
const { exitCode, report, line } = await check({ clauses: ${clauses}, settings: ${settings} })
console.log(exitCode, report.verdict, line.startsWith('CONFORMANT: 1 of 1 must'))
const error = await check({ flags: ['--sed'] }).catch((error) => error)
console.log(error.message)`
    const { output } = node(['--input-type=module', '-e', program], {}, { cwd: place })
    expect(output).toBe('0 conformant true\nunknown flag --sed; did you mean --seed?\n')
  })

  const said = (...words: string[]) => node([join(home, bin), ...words])
  const refused = (sentence: string) => ({ code: 2, output: `${sentence}\n` })

  test('names the command as it was called', () => {
    expect(said('check', '--dry-run').output).toMatch(
      /unknown flag --dry-run; node "\/.*\.cjs" check --help lists the flags\.\n/s,
    )
    expect(said('chek')).toEqual(refused("unknown command 'chek'; did you mean check?"))
  })

  test('says so in a sentence where it cannot write reports', () => {
    const locked = join(folder, 'locked')
    mkdirSync(locked, { mode: 0o555 })
    const reports = `REPORTS_DIR ${join(locked, 'reports')}`
    expect(node([join(home, bin)], {}, { ...nobody, cwd: locked })).toEqual(
      refused(`${reports} cannot be written to (permission denied); give a writable directory.`),
    )
  })

  test('tells an old Node that it is old, in JavaScript that it can read', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' })`
    expect(node(['-e', `${old}; require(${JSON.stringify(join(home, bin))})`])).toEqual(
      refused('Node 18.20.0 is too old for this program; use Node 20.19 or newer.'),
    )
    expect(readFileSync(join(home, bin), 'utf8')).not.toMatch(/=>|`|\b(const|let|class)\b|import\(/)
  })

  test('an incomplete installation names what is missing', () => {
    execFileSync('chmod', ['-R', 'u+w', place])
    for (const [missing, command] of [
      ['hono', 'serve'],
      ['undici', 'check'],
    ] as const) {
      rmSync(join(place, 'node_modules', missing), { recursive: true })
      expect(said(command)).toEqual(
        refused(`'${missing}' is missing: the installation is not complete; install again.`),
      )
    }
  })
})

const root = join(import.meta.dirname, '../..')

/** A folder that is removed when the tests of the file have ended, with any permissions. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  chmodSync(folder, 0o755)
  afterAll(() => {
    execFileSync('chmod', ['-R', 'u+w', folder])
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** Packs this commit as npm would publish it, and returns the path of the tarball. */
function pack(folder: string): string {
  builtProgram()
  const argv = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(String(execFileSync('npm', argv, { cwd: root, stdio: quiet })))
  return join(folder, filename)
}

const quiet: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']

type Locked = { dev?: boolean }

/** Optional peers of vite that nobody has to install. */
const optionalPeers = ['node_modules/tsx', 'node_modules/esbuild', 'node_modules/yaml']

/** Unpacks a tarball with its dependencies alone, as npm lays them out, without a registry. */
function install(tarball: string, place: string): void {
  const modules = join(place, 'node_modules')
  const home = join(modules, 'task-assignment-contract')
  mkdirSync(home, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components=1'])
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = Object.entries<Locked>(packages).flatMap(([path, { dev }]) => {
    const isWithin = path.slice(1).includes('node_modules/')
    // Packages for other platforms are absent.
    const isAbsent = path === '' || !existsSync(join(root, path))
    return dev || isWithin || isAbsent || optionalPeers.includes(path) ? [] : path
  })
  // Links instead of 160 MB.
  execFileSync('cp', ['-al', '--parents', ...wanted, place], { cwd: root })
}
