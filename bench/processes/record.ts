// Runs the default job on an embedded service that writes down what it is asked, once with all
// clauses and once without those that fetch a PDF. Argument: the folder for the recordings.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../../program/check.ts'
import type { Checked } from '../../program/report/finish.ts'
import { createInterruption } from '../../program/run/interruption.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { idle, nothingChecked } from '../idle.ts'
import { recording, type Step } from '../recording.ts'

const folder = process.argv[2] as string

async function recorded(argv: string[], end = 0): Promise<Checked & { steps: Step[] }> {
  const mailbox = createMailbox()
  const { service, steps } = recording(
    createService({ world: makeWorld(1), mailer: mailbox.deliver }),
  )
  const checked = await check({
    argv,
    env: { SEED: '1' },
    cwd: mkdtempSync(join(folder, 'run-')),
    out: { write: () => {} },
    interruption: createInterruption(),
    service: { ...service, mailbox },
  })
  if (checked.exitCode !== end) throw new Error(`the recorded run ended with ${checked.exitCode}`)
  return { ...checked, steps }
}

/** Requests of a run without clauses do not belong to the clauses. */
const first = (await recorded(idle, nothingChecked)).steps.filter((step) => 'method' in step).length
const withoutFirst = (steps: Step[]) => steps.filter(({ n }) => n >= first)
const keep = (name: string, steps: Step[]) =>
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(withoutFirst(steps)))

const whole = await recorded([])
keep('whole', whole.steps)
const { clauses: all = [], exchanges = [] } = whole.report ?? {}
const pdfs = exchanges.flatMap(({ number, path }) =>
  path.includes('file_type=pdf') ? [number] : [],
)
const clauses = all
  .filter(({ evidence }) => !evidence.some(({ exchange }) => pdfs.includes(exchange)))
  .map(({ id }) => id)
writeFileSync(join(folder, 'clauses.txt'), clauses.join())
keep('apart', (await recorded(['--clauses', clauses.join()])).steps)
process.exit(0)
