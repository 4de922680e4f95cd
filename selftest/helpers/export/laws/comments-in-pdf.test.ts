import { describe, expect, test } from 'vitest'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Exports, filesOf } from '../../../../helpers/export/ask/exports.ts'
import { problemsOfPdfComments } from '../../../../helpers/export/laws/comments.ts'
import { comments } from '../../../../helpers/updates/comment-kinds.ts'
import type { JourneyView } from '../../../../helpers/updates/journey.ts'

const textOf = (kind: string) => comments[kind]?.('Unique1234') ?? ''

/** What is said where the looks at the PDF find these texts one after another, and the last from then on. */
async function toldOf(texts: string[], wait: { eventWaitMs: number; waitMs: number }) {
  let looks = 0
  const pdf = async () => {
    const text = texts[Math.min(looks, texts.length - 1)] ?? ''
    looks += 1
    const answer = { method: 'GET', path: '/export', status: 200, headers: {} }
    return { answer, isDescribed: true, read: async () => ({ flaws: [], text: [text] }) }
  }
  const step = async (_: string, kind: string) => {
    const comment = textOf(kind)
    const assignment = { assignment_comment: comment }
    const body = { id: '1', updated_at: '2026-03-01T00:00:00.000Z', assignment }
    return {
      before: { id: '1' },
      sent: { to: null, comment },
      answer: { method: 'PUT', path: '/update', status: 200, text: JSON.stringify(body) },
      evidence: [{ start: '2020-01-01T00:00:00.000Z' }],
    }
  }
  const found = await problemsOfPdfComments(
    { fresh: filesOf(() => ({ pdf }) as unknown as Exports) } as Exports,
    { step } as unknown as JourneyView,
    { ...wait, stop: new AbortController().signal },
  ).catch((error) => {
    if (error instanceof NotDecidable) return error.message
    throw error
  })
  return { found: Array.isArray(found) ? found.map(({ expected }) => expected) : found, looks }
}

const kinds = Object.keys(comments)
const whole = kinds.map(textOf).join('\n')
/** As cells of some letters show them, beside the lines of another cell. */
const broken = kinds
  .map((kind) => textOf(kind).replaceAll(/(.{6})/g, '$1 {"other": 7}\n'))
  .join('\n')
const soon = { eventWaitMs: 0, waitMs: 0 }

describe('comments in a PDF', () => {
  test('are as they were sent, whole or in narrow cells', async () => {
    expect(await toldOf([whole], soon)).toEqual({ found: [], looks: 1 })
    expect((await toldOf([broken], soon)).found).toEqual([])
  })

  test('may stand in JSON, with its own way to write signs', async () => {
    const json = (text: string) => `{"comment":${JSON.stringify(text)},"id":7}`
    const all = kinds.map((kind) => json(textOf(kind))).join('\n')
    expect((await toldOf([all], soon)).found).toEqual([])
    const safe = all
      .replaceAll('<', '\\u003c')
      .replaceAll('>', '\\u003e')
      .replaceAll('&', '\\u0026')
    expect((await toldOf([safe], soon)).found).toEqual([])
    const slashed = kinds.map((kind) => textOf(kind).replaceAll('"', '\\"')).join('\n')
    const found = await toldOf([slashed], { eventWaitMs: 0, waitMs: 100 })
    expect(found.found).toEqual([textOf('quotes'), textOf('newlines')])
  })

  test('are not waited for where they are there, with question marks in place of letters', async () => {
    const marks = (text: string) => text.replaceAll(/[^\0-\u00ff]/g, '?')
    const all = kinds
      .map((kind) => (kind === 'non-latin' ? marks : String)(textOf(kind)))
      .join('\n')
    const { found } = await toldOf([all], { eventWaitMs: 60_000, waitMs: 60_000 })
    expect(found).toEqual([textOf('non-latin')])
  })

  test('may have every letter but those of English as a code of JSON', async () => {
    const coded = (text: string) =>
      JSON.stringify(text).replaceAll(
        /[^ -~]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    const all = kinds.map((kind) => coded(textOf(kind))).join('\n')
    expect((await toldOf([all], soon)).found).toEqual([])
  })

  test.each([36, 40, 48])('are not judged where a cell shows %i letters of each', async (most) => {
    const cut = kinds.map((kind) => textOf(kind).slice(0, most)).join('\n{"other": 7}\n')
    expect((await toldOf([cut], soon)).found).toContain('showed no whole comment')
  })

  test('are named where they are otherwise, in narrow cells too', async () => {
    const without = (text: string) => text.replaceAll('\\', '').replaceAll('<b>', '')
    const quotes = [textOf('quotes')]
    expect((await toldOf([without(whole)], { eventWaitMs: 0, waitMs: 100 })).found).toEqual(quotes)
    expect((await toldOf([without(broken)], { eventWaitMs: 0, waitMs: 100 })).found).toEqual(quotes)
  })

  test('may be missing for a while', async () => {
    const first = whole.slice(0, whole.indexOf('@Contract'))
    expect(await toldOf(['', first, whole], { eventWaitMs: 30_000, waitMs: 30_000 })).toEqual({
      found: [],
      looks: 3,
    })
  })

  test('are not waited for where events came long ago, and show none', async () => {
    const { found } = await toldOf(['no comment'], { eventWaitMs: 500, waitMs: 3_600_000 })
    expect(found).toContain('showed no whole comment of this run')
  })
})
