// npm run ways: installs the packed tarball in every way that people have, runs a part of the clauses in
// each, compares the report with that of this clone, and writes the table of docs/platforms.md. It asks
// the registry, through npm.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const place = mkdtempSync(join(tmpdir(), 'ways-'))
chmodSync(place, 0o755)
const name = 'task-assignment-contract'
const nobody = 65_534
const flags = ['--seed', '1', '--clauses', 'auth.*,task.*,assessment.*,export.csv.*,export.pdf.*']
const npm = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']

type Given = { cwd: string; env?: Record<string, string>; uid?: number }

/** A command that fails ends everything. */
function run(command: string, args: string[], { cwd, env, uid }: Given): void {
  const { PATH, HOME } = process.env
  const who = uid === undefined ? {} : { uid, gid: uid }
  const given = { cwd, env: { PATH, HOME, ...env }, ...who, maxBuffer: 2 ** 28 }
  const ran = spawnSync(command, args, given)
  if (ran.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${ran.status} ${ran.stdout}${ran.stderr}`)
}

const folder = (of: string) => {
  const dir = join(place, of)
  mkdirSync(dir, { recursive: true })
  return dir
}

/** What a report says of each clause, times and ids left out. */
function toldIn(reports: string): string {
  const { clauses } = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))
  const told = ['id', 'verdict', 'cause', 'observed']
  return JSON.stringify(clauses.map((each: Record<string, unknown>) => told.map((of) => each[of])))
}

/** Installs the suite, runs it, and says in which folder the reports are. */
type Way = () => string

const tarball = () => {
  const [file = ''] = readdirSync(place).filter((each) => each.endsWith('.tgz'))
  return join(place, file)
}

function installIn(cwd: string): void {
  writeFileSync(join(cwd, 'package.json'), '{}')
  run('npm', ['install', ...npm, tarball()], { cwd })
}

/** A folder that only its owner may write to, who is not the user that installed. */
function homeOf(of: string): string {
  const cwd = folder(of)
  if (process.getuid?.() === 0) chownSync(cwd, nobody, nobody)
  return cwd
}

const uid = process.getuid?.() === 0 ? nobody : undefined

const ways: Record<string, Way> = {
  'npx from the tarball': () => {
    const cwd = folder('npx')
    const args = ['--yes', '--prefer-offline', '--package', tarball(), name, 'check', ...flags]
    const env = { npm_config_cache: folder('npx/cache') }
    run('npx', args, { cwd, env })
    return join(cwd, 'reports')
  },
  'npm install --global': () => {
    const prefix = folder('global')
    const cwd = folder('global-cwd')
    const args = ['install', '--global', '--prefix', prefix, ...npm, tarball()]
    run('npm', args, { cwd })
    run(join(prefix, 'bin', name), flags, { cwd })
    return join(cwd, 'reports')
  },
  pnpm: () => {
    const cwd = folder('pnpm')
    writeFileSync(join(cwd, 'package.json'), '{}')
    const pnpm = ['--yes', '--prefer-offline', 'pnpm@10']
    const env = { npm_config_store_dir: folder('pnpm-store') }
    run('npx', [...pnpm, 'add', '--ignore-scripts', tarball()], { cwd, env })
    run('npx', [...pnpm, 'exec', name, 'check', ...flags], { cwd, env })
    return join(cwd, 'reports')
  },
  'a read-only folder, as another user': () => {
    const suite = folder('read-only')
    installIn(suite)
    run('chmod', ['-R', 'a-w', suite], { cwd: place })
    const cwd = homeOf('another')
    const bin = join(suite, 'node_modules/.bin', name)
    run(bin, flags, { cwd, uid, env: { HOME: '/nonexistent' } })
    run('chmod', ['-R', 'u+w', suite], { cwd: place })
    return join(cwd, 'reports')
  },
  'the steps of the Dockerfile, without a container': () => {
    const suite = folder('image/suite')
    installIn(suite)
    const reports = homeOf('image/reports')
    const [, , entry = ''] = /^ENTRYPOINT \["node", "(\/suite(.*))"\]$/m.exec(
      readFileSync(join(root, 'Dockerfile'), 'utf8'),
    ) ?? ['', '', '']
    const dirs = { REPORTS_DIR: reports, JOURNAL_DIR: join(reports, 'journal') }
    const env = { NODE_ENV: 'production', ...dirs }
    const args = [join(suite, entry), 'check', ...flags]
    run(process.execPath, args, { cwd: reports, uid, env })
    return reports
  },
  'the action': () => {
    const clone = folder('action')
    run('sh', ['-c', `git -C '${root}' archive HEAD | tar -x -C '${clone}'`], { cwd: place })
    const cwd = folder('workspace')
    const { steps } = parse(readFileSync(join(clone, 'action.yml'), 'utf8')).runs
    const [installing, check] = (steps as { run?: string }[]).filter(({ run }) => run)
    const env = {
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: clone,
      GITHUB_ENV: join(cwd, 'env'),
      RUNNER_TEMP: folder('action-temp'),
      CONTRACT_PACKAGE: tarball(),
      npm_config_prefer_offline: 'true',
      GITHUB_OUTPUT: join(cwd, 'output'),
      GITHUB_STEP_SUMMARY: join(cwd, 'summary'),
      CONTRACT_FLAGS: flags.join(' '),
    }
    run('bash', ['-e', '-c', installing?.run ?? ''], { cwd, env })
    const [, CONTRACT_BIN = ''] = readFileSync(env.GITHUB_ENV, 'utf8').trim().split('=')
    const given = { cwd, env: { ...env, CONTRACT_BIN } }
    run('bash', ['-e', '-c', check?.run ?? ''], given)
    return join(cwd, 'reports')
  },
}

try {
  run('npm', ['pack', '--pack-destination', place], { cwd: root })
  const own = folder('own')
  const args = ['--import', 'tsx', 'contract.ts', 'check', ...flags]
  run(process.execPath, args, { cwd: root, env: { REPORTS_DIR: own } })
  const wanted = toldIn(own)
  const rows = Object.entries(ways).map(([way, go]) => {
    const isSame = toldIn(go()) === wanted
    process.stderr.write(`${way}: ${isSame ? 'the same report' : 'ANOTHER REPORT'}\n`)
    if (!isSame) process.exitCode = 1
    return `| ${way} | ${isSame ? 'yes' : 'no'} |`
  })
  const table = ['| way | report as a clone’s |', '| --- | --- |', ...rows].join('\n')
  const page = join(root, 'docs/platforms.md')
  const text = readFileSync(page, 'utf8')
  const marked = /(<!-- npm run ways -->\n)[\s\S]*?(\n<!-- end -->)/
  const filled = text.replace(marked, (_, begin, end) => `${begin}${table}${end}`)
  writeFileSync(page, filled)
} finally {
  rmSync(place, { recursive: true, force: true })
}
