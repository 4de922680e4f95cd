// The folder of a record: what a run was started with, what entered, and its exchanges.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endTape, startTape } from '../../engine/http/record/tape.ts'
import { fold, recordsIn } from '../../engine/http/record/warc.ts'
import { secretFinder, secretsOf } from '../../engine/http/redaction.ts'
import { makeDirectory } from '../../engine/journal/disk.ts'
import type { MadeBy, Report } from '../../engine/run/report.ts'
import { clock } from '../../engine/time/timers.ts'
import { openJournal } from '../../helpers/loans/journal.ts'
import { type Settings, table } from '../../helpers/settings/table.ts'
import type { Order } from '../input/order.ts'
import { orImpossible, readJson } from '../input/read-json.ts'
import { madeBy } from './version.ts'

type RecordedRun = {
  recordVersion: 2
  madeBy: MadeBy
  startedAt: string
  settings: Settings
  /** the part of the command line that decides what is sent */
  asked: Pick<Order, 'clauses' | 'level' | 'section' | 'profile' | 'only'>
  pdfLimit?: number | undefined
  /** what earlier runs owed, as the files of the journal */
  journal: Record<string, string>
}

const ours = /^(record\.json|README\.md|(main|clauses-\d+)\.(jsonl|warc(\.br)?))$/
const filesIn = (dir: string) => readdirSync(dir).filter((name) => ours.test(name))

const askedOf = ({ clauses, level, section, profile, only }: RecordedRun['asked']) => ({
  ...{ clauses, level, section, profile, only },
})

/**
 * A key in place of the configured one. It has as much in common with it as requests show: whether it has
 * letters, whether it ends in x, and whether it is too short to be searched for.
 */
function standInFor(key: string): string {
  const last = key.endsWith('x') ? 'x' : '0'
  if (key.length < 4) return key && `${'0'.repeat(key.length - 1)}${last}`
  return `${/[a-z]/i.test(key) ? 'Zq7Xv9Kw3Jp5' : '586037249164'}${last}`
}

/** The settings as a record may hold them, and what none of its files may hold. */
function split(settings: Settings): { kept: Settings; secrets: string[] } {
  const { transport, keepFiles, caFile, clientCertFile, clientKeyFile, ...rest } = settings
  const named = Object.entries(settings.given ?? {}).filter(([name]) => Object.hasOwn(table, name))
  const kept: Settings = {
    ...{ ...rest, given: Object.fromEntries(named) },
    ...{ apiKey: standInFor(settings.apiKey), extraHeaders: {} },
  }
  for (const name of Object.keys(settings.extraHeaders)) kept.extraHeaders[name] = 'stand-in'
  const secrets = secretsOf(settings)
  for (const name of ['proxyUrl', 'outsideProxyUrl', 'mailboxUrl'] as const) {
    const { password } = new URL(settings[name] ?? 'http://none')
    if (password) secrets.push(password)
    kept[name] = settings[name]?.replace(/\/\/[^/@]*@/, '//')
  }
  return { kept, secrets: secrets.filter(Boolean) }
}

export function needNoOther(dir: string): void {
  const other = readdirSync(dir).find((name) => !ours.test(name))
  if (other) throw new Error(`it contains ${other}, which is not part of a record`)
}

export function prepareRecord(dir: string): void {
  const prepare = () => {
    makeDirectory(dir, 0o700)
    needNoOther(dir)
    remove(dir)
    writeFileSync(join(dir, 'record.json'), '')
  }
  orImpossible(prepare, (why) => `--record ${dir} cannot be used (${why}); give an empty folder.`)
}

/** `end` names the files in the report of the run, or removes them if one holds a secret */
export function beginRecord(
  dir: string,
  settings: Settings,
  { order, pdfLimit }: { order: Order; pdfLimit?: number },
) {
  const { kept, secrets } = split(settings)
  const journal = openJournal(settings.journalDir, settings.baseUrl).dir
  const found = existsSync(journal) ? readdirSync(journal) : []
  const debts = found.filter((name) => name.endsWith('.json'))
  const run: RecordedRun = {
    recordVersion: 2,
    madeBy,
    startedAt: clock.iso(),
    settings: kept,
    asked: askedOf(order),
    pdfLimit,
    journal: Object.fromEntries(
      debts.map((name) => [name, readFileSync(join(journal, name), 'utf8')]),
    ),
  }
  const files = { 'record.json': `${JSON.stringify(run, null, 1)}\n`, 'README.md': readmeOf(run) }
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(dir, name), text, { mode: 0o600 })
  startTape({ mode: 'record', dir, name: 'main', secrets })
  return {
    close: endTape,
    end: (report: Report): Report => {
      endTape()
      const files = filesIn(dir).map((name) => join(dir, name))
      const all = files.map((file) => ({ file, bytes: readFileSync(file) }))
      const isLeak = holdsSecret(all, secrets)
      if (isLeak) {
        remove(dir)
        return { ...report, record: {} }
      }
      for (const { file, bytes } of all) if (file.endsWith('.warc')) fold(file, bytes)
      return { ...report, record: digestsOf(dir) }
    },
  }
}

const remove = (dir: string) => filesIn(dir).forEach((name) => void rmSync(join(dir, name)))

export const digestsOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    filesIn(dir).map((name) => {
      const hash = createHash('sha256').update(readFileSync(join(dir, name)))
      return [name, hash.digest('hex')]
    }),
  )

/** Answers were searched as they came; here is what else the files hold. */
function holdsSecret(all: { file: string; bytes: Buffer }[], secrets: readonly string[]): boolean {
  const finders = secrets.map(secretFinder)
  const heads = (bytes: Buffer) =>
    recordsIn(bytes).flatMap(({ fields, block }) => [
      Buffer.from(JSON.stringify(fields)),
      ...(fields['WARC-Type'] === 'request' ? [block] : []),
    ])
  return all
    .flatMap(({ file, bytes }) => (file.endsWith('.warc') ? heads(bytes) : bytes))
    .some((bytes) => finders.some((holds) => holds(bytes)))
}

export function readRecord(dir: string): RecordedRun {
  const file = join(dir, 'record.json')
  const unread = (why: string) => `${file} cannot be read (${why}); give the folder of a record.`
  return orImpossible(() => {
    const run = readJson(file, { unread, notJson: () => unread('it is not JSON') }) as RecordedRun
    // The record decides only what is sent.
    if (run.recordVersion === 2)
      return { ...run, asked: askedOf(run.asked), settings: split(run.settings).kept }
    throw new Error('it is of another version of records')
  }, unread)
}

const readmeOf = ({ startedAt, settings, madeBy }: RecordedRun): string => `# Record of a run

A run of the contract tests against ${settings.embedded ? 'the embedded reference service' : settings.baseUrl}, begun ${startedAt}, by version
${madeBy.suiteVersion} of the suite. \`npm run contract -- --replay DIR\` repeats it and sends nothing. *.warc.br are requests and
responses as WARC (ISO 28500), which brotli -d makes readable.

**It contains personal data**: exported audit events, emails and ids. Hand it on as you would hand on the exports. It
does not contain the API key or the values of EXTRA_HEADERS: a response that showed one of them was left out.
Text in an embedded font of a PDF was not searched.
`
