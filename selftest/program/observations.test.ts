import { describe, expect, test } from 'vitest'
import {
  codesIn,
  headersShown,
  shapeOf,
  timestampForms,
  typeAmong,
} from '../../engine/http/shapes.ts'
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

const answer = (body: unknown, headers: Record<string, string> = {}) =>
  ({ text: JSON.stringify(body), headers, validUtf8: true, status: 400 }) as never

describe('observed values', () => {
  test('of timestamps do not tell how many zeros were left out', () => {
    const seen = timestampForms(['2026-01-02T03:04:05.123Z', '2026-01-02T03:04:05.1Z'])
    expect(seen).toEqual(timestampForms(['2021-11-12T13:14:15.678Z', '2021-11-12T13:14:15Z']))
    expect(seen).toEqual({ 'YYYY-00-00T00:00:00Z': 'fractions of up to 3 digits' })
    expect(timestampForms(['2026-01-02 03:04:05+00:00'])).toEqual({
      'YYYY-00-00 00:00:00+00:00': 'no fraction',
    })
  })

  test('of headers are those that every answer has, whatever the way adds', () => {
    const often = { etag: 'a', 'content-type': 'b', date: 'c', 'x-cache-hits': 'd', age: '5' }
    expect(
      headersShown([answer({}, often), answer({}, { 'content-type': 'b', 'x-b': '' })]),
    ).toEqual(['content-type'])
    expect(headersShown([answer({}, often)])).toEqual(['content-type', 'etag'])
  })

  test('of codes hold words and small numbers, nothing of the one request', () => {
    const refusal = {
      error: { code: 'TASK_NOT_FOUND', status: 404, message: 'No task 1d88d0e0-b9a5-448e' },
      traceId: 'abc',
      type: 'https://example.com/problems/not-found',
      requestCode: '8f3a91b7c2d4',
      errors: [{ code: 'E1042' }],
    }
    expect(codesIn(answer(refusal))).toEqual({
      'error.code': 'TASK_NOT_FOUND',
      'error.status': 404,
      type: 'https://example.com/problems/not-found',
      'errors[].code': 'E1042',
    })
  })

  test('of types leave out what is null', () => {
    expect(typeAmong([null, 'a', undefined])).toBe('string')
    expect(typeAmong([{}, 'a'])).toBe('object or string')
    expect(typeAmong([null])).toBe('not known')
  })

  test('of shapes name no ids', () => {
    const id = '1d88d0e0-b9a5-448e-a9a7-fb5a8e4136d4'
    expect(shapeOf({ [id]: 1, a: [null] })).toEqual({ ID: 'number', a: ['null'] })
  })
})
