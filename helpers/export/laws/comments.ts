import { caseOrWhy, type Some } from '../../../engine/clause/law.ts'
import { counted } from '../../../engine/counted.ts'
import { nearestText, squeezedCell } from '../../../engine/files/entry-text.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { parsed } from '../../../engine/parsed.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { type PollLimits, poll } from '../../../engine/time/polling.ts'
import { clock } from '../../../engine/time/timers.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { type TextsEvidence, withExplanationOfTexts } from '../../findings/explanations.ts'
import { changeOf, type TextFinding, textFinding } from '../../findings/text.ts'
import { premise, taskIn } from '../../service/answers.ts'
import { markOf } from '../../updates/comment-kinds.ts'
import type { SequenceView } from '../../updates/sequence.ts'
import type { Step } from '../../updates/step.ts'
import type { Exports } from '../ask/exports.ts'
import { filterBy, type Query } from '../ask/query.ts'

/** The events of one task within minutes; more than this are another writer's. */
const maxRecords = 5_000
const earlierMs = 300_000
/** A language that most services have beside English; if it is refused, nothing is shown. */
const locale = 'de'
/** Exported cells are personal data: keep no more than shows the difference. */
const maxCell = 200

type WaitTimes = { eventWaitMs: number; waitMs: number } & Pick<PollLimits, 'stop' | 'waiting'>

type Comments = ReadonlyMap<string, string>
type Sent = { comments: Comments; steps: Step[]; query: Query }

type Commented = { sent: Sent; language?: string } & ({ cells: string[] } | { pages: string[] })

type Look = { isShown: boolean; changed: { comment: string; got: string }[]; missing: string[] }

const lookIn = (one: Commented): Look =>
  'cells' in one
    ? lookInCells(one.cells, one.sent.comments)
    : lookInText(one.pages, one.sent.comments)

export const describeComments = ([{ sent }]: Some<Commented>): string =>
  `${counted(sent.comments.size, 'comment')} of this run, unchanged`

/** The CSV, and one in another language: it must not translate what people wrote. */
export async function* askComments(exports: Exports, sequence: SequenceView, times: WaitTimes) {
  const sent = await commentsSent(sequence)
  const ask = async (language?: string): Promise<Commented> => {
    const query = { ...sent.query, ...(language && { locale: language }) }
    const { records } = await exports.fresh.csvFile(query, { read: maxRecords })
    return from({ sent, cells: records.flat(), ...(language && { language }) }, records)
  }
  yield await looked(ask, sent, times, 'CSV')
  yield caseOrWhy(ask(locale))
}

const ofQuotes = ['assign.comment.quotes', 'assign.comment.placeholders'] as const

export async function askPdfComments(exports: Exports, sequence: SequenceView, times: WaitTimes) {
  const sent = await commentsSent(sequence)
  if (!sent.comments.has('quotes'))
    throw new NotDecidable('clause', 'no comment with quotes came back', ...ofQuotes)
  const ask = async (): Promise<Commented> => {
    const file = await exports.fresh.pdfFile(sent.query)
    return from({ sent, pages: [...(file.text ?? [])] }, file)
  }
  return looked(ask, sent, times, 'PDF')
}

export function problemsOfComments(one: Commented): Problem[] {
  const { sent } = one
  const { changed, missing } = lookIn(one)
  const findings =
    'cells' in one
      ? changed.map(({ comment, got }) => findingInCsv(comment, got, one.language))
      : missing.map((comment) => findingInPdf(comment, one.pages, { missing, sent: sent.comments }))
  const beside = sortedTexts(one)
  return findings.map((finding) => {
    const stepsOf = sent.steps.filter(
      ({ sent: { comment } }) => comment === finding.text || comment === finding.neighbour,
    )
    const grounds = { judged: one, control: stepsOf.map(({ answer }) => answer) }
    return problem(withExplanationOfTexts(finding, beside), grounds)
  })
}

/** The comments that were sent, without a long one in a PDF, which may cut it. */
function sortedTexts(one: Commented): TextsEvidence {
  const { changed, missing } = lookIn(one)
  const wrong = [...changed.map(({ comment }) => comment), ...missing]
  const judged = [...one.sent.comments].filter(([kind]) => 'cells' in one || kind !== 'long')
  const right = judged.flatMap(([, comment]) => (wrong.includes(comment) ? [] : comment))
  return { wrong, right }
}

const findingInCsv = (comment: string, got: string, language?: string): TextFinding =>
  textFinding({ in: 'csv', ...(language && { language }) }, comment, {
    got: got.slice(0, maxCell),
    change: changeOf(comment, got),
    ...(got.length > maxCell && { length: got.length }),
  })

function findingInPdf(
  comment: string,
  pages: readonly string[],
  { missing, sent }: { missing: readonly string[]; sent: Comments },
): TextFinding {
  const isLatin = comment === sent.get('non-latin') && pages.join().search(nonLatinWords) === -1
  const got = nearestText(pages, comment)
  const neighbour = [...sent.values()].find((other) => !missing.includes(other))
  return textFinding({ in: 'pdf', ...(isLatin && { isLatin }) }, comment, {
    ...(got ? { got } : {}),
    ...(neighbour ? { neighbour } : {}),
  })
}

/** A file need not show comments: if none comes within the time that events take, it is undecided. */
async function looked(
  ask: () => Promise<Commented>,
  { steps }: Sent,
  { eventWaitMs, waitMs, stop, waiting }: WaitTimes,
  what: string,
): Promise<Commented> {
  const givenUpAt = clock.now() + leftMs(steps, eventWaitMs)
  // A slow file is as old as its request.
  const often = { firstMs: 100, maxMs: 2000, askLate: true }
  const limits = { limitMs: leftMs(steps, waitMs), stop, waiting, ...often }
  const look = async () => {
    const askedAt = clock.now()
    const one = await ask()
    return { askedAt, one, ...lookIn(one) }
  }
  const { last } = await poll(
    look,
    ({ isShown, missing, askedAt }) => (isShown ? missing.length === 0 : askedAt >= givenUpAt),
    limits,
  )
  const open = `the ${what} of the task contained no complete comment of this run within the time its events take; the contract does not say which fields a file contains`
  premise(last.isShown, 'freedom', open)
  return last.one
}

/** The rest of the time in which events have to come, and enough for two looks. */
function leftMs(updates: readonly Step[], waitMs: number): number {
  const sent = updates.flatMap(({ evidence }) => evidence.map(({ start }) => Date.parse(start)))
  return Math.min(waitMs, Math.max(2000, Math.max(...sent) + waitMs - clock.date()))
}

async function commentsSent(sequence: SequenceView): Promise<Sent> {
  const owners = ['assign.comment.non-latin', 'assign.comment.emoji', ...ofQuotes] as const
  let why: unknown = new NotDecidable('clause', 'no comment with such text came back', ...owners)
  const all = await sequence.accepted('comments').catch((error) => {
    why = error
    return []
  })
  const isStored = ({ answer, sent }: Step) =>
    isAccepted(answer) && taskIn(answer).assignment?.assignment_comment === sent.comment
  const steps = all.filter((step) => step.texts?.length && isStored(step))
  const [first] = steps
  if (!first) throw why
  const comments = new Map<string, string>()
  for (const { texts, sent } of steps) {
    const kind = texts?.[0]?.kind ?? ''
    // The texts of one kind may have been sent in halves.
    comments.set(comments.has(kind) ? `${kind} ${comments.size}` : kind, sent.comment ?? '')
  }
  // In the time of the service's own clock.
  const changed = Date.parse(taskIn(first.answer).updated_at)
  const start = Number.isNaN(changed) ? undefined : new Date(changed - earlierMs).toISOString()
  return { steps, comments, query: { ...filterBy(keyOf.task, first.before.id), start } }
}

function lookInCells(cells: readonly string[], sent: Comments): Look {
  const comments = [...sent.values()]
  const lost = comments.filter((comment) => !cells.some((cell) => holds(cell, comment)))
  const strange = cells.filter((cell) => !comments.some((comment) => holds(cell, comment)))
  const changed = lost.flatMap((comment) => {
    // Cut after its first line, it lacks its unique part.
    const [mark, [firstLine]] = [markOf(comment), comment.split('\n')]
    const got = strange.find((cell) => (mark && cell.includes(mark)) || cell.trim() === firstLine)
    return got === undefined ? [] : [{ comment, got }]
  })
  const missing = lost.filter((comment) => !changed.some((each) => each.comment === comment))
  return { isShown: missing.length < comments.length, changed, missing }
}

function holds(cell: string, comment: string): boolean {
  // A file may unify line ends, in cells as well.
  if (cell.replaceAll(/\r\n?/g, '\n').includes(comment)) return true
  const value = /^\s*[[{"]/.test(cell) ? parsed(cell) : undefined
  return value !== undefined && JSON.stringify(value).includes(JSON.stringify(comment).slice(1, -1))
}

const nonLatinWords = /[^\0-\u024f]{4,}/g

/** A PDF may show an event as JSON: decode letters, keep other escapes. */
const withoutCodes = (text: string): string =>
  text
    .replaceAll(/\\u(?!0022|005c)[0-9a-f]{4}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(2), 16)),
    )
    .replaceAll('\\/', '/')

function lookInText(pages: readonly string[], sent: Comments): Look {
  const text = withoutCodes(squeezedCell(pages.join('\n')))
  const others = [...sent.values()].map(squeezedCell)
  const missing = [...sent].flatMap(([kind, comment]) => {
    // A long comment may be cut.
    if (kind === 'long') return []
    const plain = squeezedCell(comment)
    // A font draws boxes for scripts that it lacks: what is sure precedes the first such letter.
    const forms = [/^[!-~]*/.exec(plain)?.[0] ?? '', squeezedCell(JSON.stringify(comment))]
    const isThere = forms.some((form) => standsBroken(text, form, others))
    const words = kind === 'non-latin' ? (comment.match(nonLatinWords) ?? []) : []
    // A file without any other script than Latin shows nothing of the comment.
    const isWorded = words.length === 0 || words.some((word) => text.includes(word))
    const isMarked = words.length > 0 && !text.includes(plain) && withMarks(plain).test(text)
    return isThere && isWorded && !isMarked ? [] : [comment]
  })
  return { isShown: showsQuotes(text, sent), changed: [], missing }
}

/** A comment with question marks instead of words is another text. */
const withMarks = (comment: string): RegExp =>
  new RegExp(
    comment
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll(nonLatinWords, (word) => `(?:${word}|[?\u00bf]{${word.length},})`),
  )

/**
 * A narrow cell may break the end, most likely behind the comma. Other comments have its signs, or the
 * common first word, before its last letters.
 */
function showsQuotes(text: string, sent: Comments): boolean {
  const quotes = sent.get('quotes') ?? ''
  const end = squeezedCell(quotes.slice(quotes.lastIndexOf(',')))
  if (text.includes(end)) return true
  const apart = text.replaceAll(`${markOf(quotes) ?? ''}Contract`, 'Contract')
  return standsBroken(apart, end.slice(1), [...sent.values(), 'Contract'].map(squeezedCell))
}

/** The least number of letters in a line of a narrow cell: fewer occur anywhere by chance. */
const leastPiece = 4
/** No row of a few events is longer, in letters. */
const maxRow = 800

/**
 * Whether a text occurs in another one, whole or in pieces between the lines of other cells: in order and
 * within one row, before another text with its own row begins.
 */
function standsBroken(text: string, part: string, others: readonly string[]): boolean {
  if (text.includes(part)) return true
  const begins = others
    .map((other) => other.slice(0, leastPiece))
    .filter((begin) => !part.includes(begin))
  const first = part.slice(0, leastPiece)
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    const ends = begins.map((begin) => text.indexOf(begin, at)).filter((end) => end !== -1)
    if (standsInPieces(text.slice(at, Math.min(at + maxRow, ...ends)), part)) return true
  }
  return false
}

function standsInPieces(row: string, part: string): boolean {
  /** The earliest end of each prefix of the text. */
  const ends = [0]
  for (let size = 1; size <= part.length; size += 1) {
    const isLast = size === part.length
    let end = Number.POSITIVE_INFINITY
    for (let before = size - (isLast ? 1 : leastPiece); before >= 0; before -= 1) {
      const from = ends[before] ?? 0
      const at = Number.isFinite(from) ? row.indexOf(part.slice(before, size), from) : -1
      if (at !== -1) end = Math.min(end, at + size - before)
    }
    ends.push(end)
  }
  return Number.isFinite(ends[part.length])
}
