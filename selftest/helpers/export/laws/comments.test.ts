import { describe, expect, test } from 'vitest'
import { readCsvText } from '../../../../engine/files/csv.ts'
import { type Exports, filesOf } from '../../../../helpers/export/ask/exports.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { problemsOfComments } from '../../../../helpers/export/laws/comments.ts'
import { comments } from '../../../../helpers/updates/comment-kinds.ts'
import type { JourneyView } from '../../../../helpers/updates/journey.ts'

const textOf = (kind: string) => comments[kind]?.('20260301') ?? ''

/** The problems with accepted comments where the CSV of their task shows each of them so. */
async function toldWhere(shownAs: (comment: string, locale?: string) => string) {
  const step = async (_: string, kind: string) => {
    const comment = textOf(kind)
    const updated_at = '2026-03-01T00:00:00.000Z'
    const body = { id: '1', updated_at, assignment: { assignment_comment: comment } }
    return {
      before: { id: '1' },
      sent: { to: null, comment },
      answer: { method: 'PUT', path: '/update', status: 200, text: JSON.stringify(body) },
      evidence: [{ start: new Date().toISOString() }],
    }
  }
  const csv = async ({ locale }: Query) => {
    const cells = Object.keys(comments).map((kind) => shownAs(textOf(kind), locale))
    const rows = cells.map((cell) => `id,"${cell.replaceAll('"', '""')}"`)
    return {
      answer: { status: 200 },
      csv: await readCsvText(`${rows.join('\n')}\n`, { keep: 100 }),
    }
  }
  const problems = await problemsOfComments(
    { fresh: filesOf(() => ({ csv }) as unknown as Exports) } as Exports,
    { step } as unknown as JourneyView,
    { eventWaitMs: 0, waitMs: 0, stop: new AbortController().signal },
  )
  return problems.map(({ sentence, expected, got }) => ({ sentence, expected, got }))
}

describe('comments in the CSV of their task', () => {
  test('are as they were sent', async () => {
    expect(await toldWhere((comment) => comment)).toEqual([])
  })

  test('may have lines that end as those of the file do, and stand in JSON', async () => {
    expect(await toldWhere((comment) => comment.replaceAll('\n', '\r\n'))).toEqual([])
    expect(await toldWhere((comment) => JSON.stringify({ now: { comment } }))).toEqual([])
  })

  test('are as they were sent in every language', async () => {
    const comment = textOf('quotes')
    const inGerman = comment.replaceAll(',', ';')
    const found = await toldWhere((text, locale) =>
      text === comment && locale === 'de' ? inGerman : text,
    )
    expect(found).toEqual([
      {
        sentence: `${JSON.stringify(comment)} was sent, but ${JSON.stringify(inGerman)} is shown in de`,
        expected: comment,
        got: inGerman,
      },
    ])
  })

  test('are not cut in any language', async () => {
    const long = textOf('long')
    const told = await toldWhere((text, locale) =>
      text === long && locale === 'de' ? long.slice(0, 100) : text,
    )
    expect(told.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/\(500 characters\) was sent, but .* is shown in de$/),
    ])
  })

  test('are condemned where letters are lost, each by the cell that is most like it', async () => {
    const [quotes, emoji] = [textOf('quotes'), textOf('emoji')]
    const spoilt = new Map([
      [quotes, quotes.replaceAll('"', '')],
      [emoji, emoji.replaceAll(/\p{Emoji_Presentation}/gu, '?')],
    ])
    expect(await toldWhere((comment) => spoilt.get(comment) ?? comment)).toEqual(
      [...spoilt].map(([expected, got]) => ({
        sentence: `${JSON.stringify(expected)} was sent, but ${JSON.stringify(got)} is shown`,
        expected,
        got,
      })),
    )
  })

  test('need not be shown at all', async () => {
    await expect(toldWhere(() => 'an update')).rejects.toThrow(
      'the CSV of the task showed no whole comment of this run in the time that its events take',
    )
  })
})
