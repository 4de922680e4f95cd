import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { environmentFor, settingsFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { createMailbox } from '../../reference/mail/mailbox.ts'
import { listenMailbox } from '../../reference/mail/mailbox-listen.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { compare } from '../../reporting/comparison/compare.ts'
import { differenceLine } from '../../reporting/comparison/words.ts'
import { runProgram } from '../proofs/prove.ts'
import { untilTestEnd } from '../test-end.ts'

describe('two runs on one service that stays as it is', { timeout: 600_000 }, () => {
  test('compare as identical, though seeds and tasks differ', async () => {
    const pdfLimit = 1_000
    const mailbox = createMailbox()
    const world = makeWorld(1, { events: 1_200 })
    const service = createService({ world, pdfLimit, mailer: mailbox.deliver })
    const { baseUrl } = untilTestEnd(await listen(service))
    const mails = untilTestEnd(await listenMailbox(mailbox))
    const lent = settingsFor(service)
    const run = async (seed: number, tasks: string[], reads: string[]) => {
      const { report } = await runProgram(
        {
          BASE_URL: baseUrl,
          ...environmentFor(service),
          TASK_IDS: tasks.join(),
          READ_TASK_IDS: reads.join(),
          MAILBOX_URL: mails.url,
          SEED: String(seed),
          SETTLE_MS: '100',
          AUDIT_WAIT_S: '5',
          MAIL_WAIT_S: '5',
          TIMEOUT_MS: '60000',
        },
        [],
        { pdfLimit },
      )
      return report as Report
    }
    const { taskIds, readTaskIds } = lent
    const one = await run(1, taskIds.slice(0, 6), readTaskIds.slice(0, 2))
    const other = await run(4711, taskIds.slice(6), readTaskIds.slice(2))

    const names = ['first', 'second'] as const
    const compared = compare(one, other, { manifest: [], names })
    const differing = compared.filter(({ grade }) => grade)
    expect(differing.map((each) => differenceLine(each, names))).toEqual([])
    // Nor is it so because nothing was compared.
    const seen = compared.filter(({ facts }) => facts.level === 'observe')
    const open = seen.filter(({ outcome }) => outcome === 'not compared')
    expect(
      open.length,
      open.map(({ facts, why }) => `${facts.id}: ${why}`).join('\n'),
    ).toBeLessThan(5)
  })
})
