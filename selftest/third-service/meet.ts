import { writeFileSync } from 'node:fs'
import { brokenIn, runProgram } from '../proofs/prove.ts'
import { type Bug, bugs } from './bugs/table.ts'
import { type Options, startThirdService } from './index.ts'
import { switches } from './switches.ts'

type Meeting = {
  name: string
  kind: 'lawful' | 'stated' | 'natural'
  warns?: string
  events?: number
}

/** Everything that this service can be: lawful in eleven ways, and wrong in more than ninety. */
export const meetings: Meeting[] = [
  { name: 'plain', kind: 'lawful' },
  ...switches.map(({ name }): Meeting => ({ name, kind: 'lawful' })),
  ...bugs.map(({ name, kind, warns, events }: Bug): Meeting => ({ name, kind, warns, events })),
]

/** Runs the whole suite against one of them, as somebody would who was lent it. */
export async function meet({ name, kind, events }: Meeting) {
  const isPlain = name === 'plain'
  const given = isPlain ? {} : kind === 'lawful' ? { switches: [name] } : { bug: name }
  const service = await startThirdService({ ...given, events } as Options)
  try {
    // It settles at once, but for the switch that lags; it records and mails at once.
    const waits = { SETTLE_MS: '500', AUDIT_WAIT_S: '3', MAIL_WAIT_S: '3', SEED: '1' }
    const checked = await runProgram({ ...service.env, ...waits })
    return { ...checked, broken: brokenIn(checked) }
  } finally {
    await service.close()
  }
}

/** As issue and contract have it: a lawful one ends with 0, a broken one does not end without a word. */
export function isRight(
  { kind, warns }: Meeting,
  { exitCode, broken }: Awaited<ReturnType<typeof meet>>,
) {
  if (kind === 'lawful') return exitCode === 0
  const isEnough = kind === 'natural' || warns !== undefined
  return isEnough ? broken.length > 0 : exitCode === 1 || exitCode === 3
}

if (process.argv[1]?.endsWith('meet.ts')) {
  const wanted = process.argv.slice(2)
  const lines = ['| what | kind | exit | blamed | as it should be |', '|---|---|---|---|---|']
  for (const meeting of meetings.filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  )) {
    const met = await meet(meeting)
    const some = met.broken.slice(0, 4).join(', ')
    const blamed = met.broken.length > 4 ? `${some} and ${met.broken.length - 4} more` : some
    const line = `| ${meeting.name} | ${meeting.kind} | ${met.exitCode} | ${blamed} | ${isRight(meeting, met) ? 'yes' : 'NO'} |`
    lines.push(line)
    process.stdout.write(`${line}\n`)
  }
  if (wanted.length === 0)
    writeFileSync(new URL('meetings.md', import.meta.url), `${lines.join('\n')}\n`)
  process.exit(0)
}
