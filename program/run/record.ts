// The folder of a record: what a run was started with, what entered, and its exchanges.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeTape, openTape } from '../../engine/http/record/tape.ts'
import { readRecords } from '../../engine/http/record/warc.ts'
import { secretFinder, secretsOf } from '../../engine/http/redaction.ts'
import { Impossible } from '../../engine/impossible.ts'
import { reasonOf } from '../../engine/journal/disk.ts'
import type { MadeBy, Report } from '../../engine/run/report.ts'
import { clock } from '../../engine/time/timers.ts'
import { openJournal } from '../../helpers/loans/journal.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import type { Order } from '../input/order.ts'
import { madeBy } from './version.ts'

/** The part of the command line that decides what is sent. */
export type Asked = Pick<Order, 'clauses' | 'level' | 'section' | 'profile' | 'times' | 'only'>

export type RecordedRun = {
  recordVersion: 1
  madeBy: MadeBy
  startedAt: string
  settings: Settings
  asked: Asked
  pdfLimit?: number
  /** what earlier runs owed, as the journal's files */
  journal: Record<string, string>
}

const ours = /^(record\.json|README\.md|(main|clauses-\d+)\.(jsonl|warc\.(gz|br)))$/

/** An address without a user and a password. */
const bare = (address: string | undefined) => address?.replace(/\/\/[^/@]*@/, '//')

/**
 * A key in place of the configured one. It has as much in common with it as requests show: whether it has
 * letters, whether its last character is an x, and whether it is too short to be searched for.
 */
function standInFor(key: string): string {
  const made = /[a-z]/i.test(key) ? 'Zq7Xv9Kw3Jp5' : '586037249164'
  const last = key.endsWith('x') ? 'x' : '0'
  return key.length < 4 ? key.replace(/./gs, '0').replace(/.$/, last) : `${made}${last}`
}

function withoutSecrets(settings: Settings): Settings {
  const { apiKey, extraHeaders, proxyUrl, outsideProxyUrl, mailboxUrl, ...rest } = settings
  for (const name of [
    'transport',
    'keepFiles',
    'caFile',
    'clientCertFile',
    'clientKeyFile',
  ] as const)
    delete rest[name]
  return {
    ...rest,
    apiKey: standInFor(apiKey),
    extraHeaders: Object.fromEntries(Object.keys(extraHeaders).map((name) => [name, 'stand-in'])),
    proxyUrl: bare(proxyUrl),
    outsideProxyUrl: bare(outsideProxyUrl),
    mailboxUrl: bare(mailboxUrl),
  }
}

/** Everything that no file of a record may hold. */
const allSecrets = (settings: Settings): string[] => [
  ...secretsOf(settings),
  ...[settings.proxyUrl, settings.outsideProxyUrl, settings.mailboxUrl].flatMap((address) => {
    const password = address && new URL(address).password
    return password ? [password] : []
  }),
]

export type Recording = {
  /** ends the record and returns its digests by file, or removes it and says why */
  end(report: Report): { digests: Record<string, string> } | { removed: 'conformant' | 'leak' }
  close(): void
}

/** Begins the record of a run in a folder that is empty or holds an earlier record. */
export function beginRecord(
  dir: string,
  settings: Settings,
  { order, pdfLimit }: { order: Order; pdfLimit?: number },
): Recording {
  prepare(dir)
  const { clauses, level, section, profile, times, only } = order
  const { dir: journal } = openJournal(settings.journalDir, settings.baseUrl)
  const debts = existsSync(journal) ? readdirSync(journal) : []
  const run: RecordedRun = {
    recordVersion: 1,
    madeBy,
    startedAt: clock.iso(),
    settings: withoutSecrets(settings),
    asked: { clauses, level, section, profile, times, only },
    pdfLimit,
    journal: Object.fromEntries(
      debts
        .filter((name) => name.endsWith('.json'))
        .map((name) => [name, readFileSync(join(journal, name), 'utf8')]),
    ),
  }
  const secrets = allSecrets(settings)
  write(join(dir, 'record.json'), `${JSON.stringify(run, null, 1)}\n`)
  write(join(dir, 'README.md'), readmeOf(run))
  openTape({ mode: 'record', dir, name: 'main', secrets })
  return {
    close: closeTape,
    end: ({ verdict }) => {
      closeTape()
      const removed = holdsSecret(dir, secrets)
        ? 'leak'
        : settings.record === 'failed' && verdict === 'conformant'
          ? 'conformant'
          : undefined
      if (!removed) return { digests: digestsOf(dir) }
      remove(dir)
      return { removed }
    },
  }
}

const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o600 })

function prepare(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const other = readdirSync(dir).find((name) => !ours.test(name))
    if (other)
      throw new Impossible(
        `RECORD_DIR ${dir} holds ${other}, which is not part of a record; give an empty folder.`,
      )
    remove(dir)
    write(join(dir, 'record.json'), '')
  } catch (error) {
    if (error instanceof Impossible) throw error
    throw new Impossible(
      `RECORD_DIR ${dir} cannot be written to (${reasonOf(error)}); give a writable folder.`,
    )
  }
}

function remove(dir: string): void {
  for (const name of readdirSync(dir)) if (ours.test(name)) rmSync(join(dir, name))
}

/** The SHA-256 of each file of a record. */
export const digestsOf = (dir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dir)
      .filter((name) => ours.test(name))
      .sort()
      .map((name) => [name, sha256(readFileSync(join(dir, name)))]),
  )

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Bodies were searched as they came; here is what else the files hold. */
function holdsSecret(dir: string, secrets: readonly string[]): boolean {
  const finders = secrets.filter(Boolean).map(secretFinder)
  const holds = (bytes: Buffer) => finders.some((each) => each(bytes))
  return readdirSync(dir).some((name) => {
    const file = join(dir, name)
    if (!name.includes('.warc.')) return holds(readFileSync(file))
    return readRecords(file.replace(/\.(gz|br)$/, '')).some(
      ({ fields, block }) =>
        holds(Buffer.from(JSON.stringify(fields))) || holds(block.subarray(0, 16_384)),
    )
  })
}

export function readRecord(dir: string): RecordedRun {
  const file = join(dir, 'record.json')
  let run: RecordedRun
  try {
    run = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error)
    throw new Impossible(`${file} cannot be read (${why}); give the folder of a record.`)
  }
  if (run.recordVersion !== 1)
    throw new Impossible(
      `${file} is of another version of records; replay it with the suite that made it.`,
    )
  return run
}

const readmeOf = ({
  startedAt,
  settings,
  madeBy: { suiteVersion },
}: RecordedRun): string => `# Record of a run

A run of the contract tests against ${settings.embedded ? 'the embedded reference service' : settings.baseUrl},
begun ${startedAt}, by version ${suiteVersion} of the suite. It can be repeated without the service:

    npm run contract -- --replay DIR       (DIR is this folder; nothing is sent)
    npm run verify -- REPORT --record DIR

| file | what is in it |
| --- | --- |
| record.json | the settings without any secret, what was selected, the version of the suite |
| main.jsonl, clauses-1.jsonl | what came from outside, in order: answers, pieces of bodies, timers, messages |
| main.warc.br, clauses-1.warc.br | requests and answers as WARC (ISO 28500); brotli -d makes it readable for other tools; of a killed run: .warc.gz, readable at once |

**It holds personal data**: exported audit events, emails and ids as the service gave them. Hand it on as you
would hand on the exports. It does not hold the API key or the values of EXTRA_HEADERS: an answer that showed
one of them was left out.
`
