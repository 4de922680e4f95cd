import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { readSettings } from '../../helpers/settings/read.ts'
import { suite } from '../../program/clauses.ts'
import { whySkipped } from '../../program/plan.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox, listenMailbox } from '../../reference/mail/mailbox.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { isLong } from '../long.ts'
import { runProgram } from '../proofs/prove.ts'
import { ofLong, openTestFolder, untilTestEnd } from '../test-end.ts'

type Env = Record<string, string | undefined>

/** Exports need no setting, except for what changes a task. */
const ids = suite.map(({ id }) => id).filter((id) => !/^export\.(?!.*text-intact)/.test(id))

/** Every setting of a run against a reference service, except for these; no place is outside an allow list. */
async function settingsWithout(names: readonly string[], more: Env): Promise<Env> {
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(1, { events: 60 }), mailer: mailbox.deliver })
  const abroad = createService({ world: makeWorld(2, { events: 20 }) })
  const { baseUrl } = untilTestEnd(await listen(service))
  const env = {
    ...{ SEED: '1', BASE_URL: baseUrl, ...environmentFor(service), KEY_IN_QUERY: '1' },
    MAILBOX_URL: untilTestEnd(await listenMailbox(mailbox)).url,
    WRONG_REGION_URL: untilTestEnd(await listen(abroad)).baseUrl,
    ...{ SETTLE_MS: '100', AUDIT_WAIT_S: '1', MAIL_WAIT_S: '1', ...more },
  }
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
}

/** The clauses that a run skips for a setting, and those that --plan says are skipped. */
async function skippedWithout(without: string, more: Env = {}) {
  const env = await settingsWithout(without.split(' '), more)
  const { report, output } = await runProgram(env, ['--clauses', ids.join()], { makers: {} })
  if (!report) throw new Error(`no report: ${output}`)
  const ran = report.clauses
  const settings = readSettings(env, { cwd: openTestFolder() })
  const planned = suite.filter((clause) => whySkipped(clause, settings)).map(({ id }) => id)
  return {
    skipped: ran.flatMap(({ id, verdict, cause }) =>
      verdict === 'skip' && cause === 'setting' ? [id] : [],
    ),
    planned: ran.map(({ id }) => id).filter((id) => planned.includes(id)),
  }
}

const people = 'TASK_IDS READ_TASK_IDS ASSESSMENT_IDS ACTOR_ID USER_IDS TEAM_IDS'

/** What these need is not said by the givens that they name. */
const others = [
  'auth.refused-reveals-nothing',
  'auth.key-permissions',
  'auth.*.assign.*',
  'assign.not-found.update',
  'task.read.assessment-resolves',
  'task.read.version',
]

type Case = [name: string, without: string, more?: Env]

const quick: Case[] = [
  ['with BASE_URL and API_KEY alone', `${people} MAILBOX_URL WRONG_REGION_URL KEY_IN_QUERY`],
  ['with READ_ONLY', '', { READ_ONLY: '1' }],
  ['with a key that may not read tasks', '', { NOT_PERMITTED: 'task.read' }],
  ['with a key that may not read assessments', 'TASK_IDS', { NOT_PERMITTED: 'assessment.read' }],
  ['with a key that may not export', 'TASK_IDS', { NOT_PERMITTED: 'export' }],
  ['with a key that may not assign', '', { NOT_PERMITTED: 'assign.update' }],
]
const slow: Case[] = [
  ['without tasks to change', 'TASK_IDS'],
  ['without ACTOR_ID', 'ACTOR_ID'],
  ['without MAILBOX_URL and ASSESSMENT_IDS', 'MAILBOX_URL ASSESSMENT_IDS'],
]

describe('what --plan says is skipped is what a run skips', () => {
  test.each(isLong ? [...quick, ...slow] : quick)('%s', async (_, without, more) => {
    const { skipped, planned } = await skippedWithout(without, more)
    const known = (id: string) => !matchesAny(id, others)
    expect(planned.filter(known)).toEqual(skipped.filter(known))
  })

  const more: Case[] = [
    ['without users', 'USER_IDS'],
    ['without teams', 'TEAM_IDS'],
    ['without tasks that are only read', 'READ_TASK_IDS'],
    ['with a key that may not unassign', '', { NOT_PERMITTED: 'assign.unassign' }],
  ]
  for (const [name, without, env] of more)
    ofLong(`or a run skips more: ${name}`, async () => {
      const { skipped, planned } = await skippedWithout(without, env)
      expect(skipped).toEqual(expect.arrayContaining(planned))
    })
})
