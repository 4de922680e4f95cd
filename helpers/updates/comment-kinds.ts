import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Assignee } from '../service/update-request.ts'

/** A text of a comment, and the kind whose clause judges it. */
export type Text = { kind: string; text: string }

/** What a comment consists of, and what it holds that no other does. */
export type Parts = { texts: readonly Text[]; mark: string }

const textsOf = (kind: string, ...texts: string[]): Text[] => texts.map((text) => ({ kind, text }))

/**
 * Spreadsheets take a cell for a formula that begins with one of = + - @, and who guards against that
 * by deleting it deletes some of a comment: each begins one of them.
 */
const texts: Record<string, Text[]> = {
  'non-latin': textsOf('non-latin', '-Contract, Тест договора', 'ελληνικά, façade', '契約テスト'),
  // Who writes a quote behind a backslash as it is ends the cell there.
  quotes: [
    ...textsOf('quotes', `+"Contract\\", 'test'; /`, `"" '' C:\\new`, '$1 $& <b>&amp;</b>'),
    ...textsOf('placeholders', '%20%s 5%', `{0} \${x} {{x}}`),
    ...textsOf('quotes', '; , =1+1'),
  ],
  // Who doubles the quotes of a CSV cell may forget those of a cell with lines.
  newlines: textsOf('newlines', '@Contract test, "please",\n"ignore"; it\n', 'a\ttab\n'),
  emoji: [
    ...textsOf('emoji', 'Contract test 👩‍🚀🇪🇺✅'),
    ...textsOf('right-to-left', 'اختبار العقد עברית'),
    ...textsOf('combining', 'e\u0301u\u0308'),
  ],
}

/** A comment of 500 characters, of which one byte each is enough. */
const longWith = (mark: string) =>
  `=1+1 ${mark} Café. ${'Contract test, please ignore. '.repeat(20)}`.slice(0, 499).concat('.')

/** What programs take for a number, a date or a word of theirs: it is the whole comment. */
const valuesWith = (digits: string) => [`007${digits}`, `${digits}e3`, '1-2', 'TRUE', 'null']

/** The comments that are more than plain words: each holds several texts, so that one update tries them all. */
export const comments = [...Object.keys(texts), 'long', 'values']

/** What is known of a comment of this name; of the values one after another. */
export function partsOf(name: string, unique: string, turn = 0): Parts {
  const mark = `ct${unique}${comments.indexOf(name)}`
  const own = texts[name]
  if (own) return { texts: own, mark }
  if (name === 'long') return { texts: textsOf(name, longWith(mark)), mark }
  const digits = [...unique].map((letter) => (letter.codePointAt(0) ?? 0) % 10).join('')
  const values = valuesWith(`1${digits}`)
  return { texts: textsOf(name, values[turn % values.length] ?? ''), mark: `1${digits}` }
}

/** The comment of some of these texts, or of all. */
export function commentOf({ texts, mark }: Parts): string {
  const text = texts.map((each) => each.text).join(' ')
  return text.includes(mark) || texts.some(({ kind }) => kind === 'values')
    ? text
    : `${text} ${mark}`
}

/** What a comment of these holds that no other does, in plain letters and digits. */
export const markOf = (comment: string): string | undefined =>
  /\bct[\da-z]{6,}/i.exec(comment)?.[0] ?? /^(?:007)?(1\d{6,})(?:e3)?$/.exec(comment)?.[1]

/** One reassignment for each kind of comment, one with null after them, and an unassignment with null. */
export const commentLegs = (unique: string): { name: string; parts?: Parts }[] => [
  ...comments.map((name) => ({ name, parts: partsOf(name, unique) })),
  { name: 'null' },
  { name: unassigningWithNull },
]

export const unassigningWithNull = 'unassign-null'

/** What may be sent as a comment: texts, null, or nothing at all. */
export type CommentKind = string

/** In the order in which a walk of updates takes them: what the contract states before what is read into it. */
const commentKinds: CommentKind[] = [
  ...['non-latin', 'quotes', 'omitted', 'null', 'long', 'newlines', 'emoji', 'values'],
  // Users and teams had it before.
  'plain',
]

/** Few updates unassign: what a store of its own is likeliest to spoil comes first. */
const hardestFirst = (kinds: readonly CommentKind[]): CommentKind[] => [
  ...['emoji', 'long'].filter((kind) => kinds.includes(kind)),
  ...kinds.filter((kind) => kind !== 'emoji' && kind !== 'long'),
]

/** The kinds that a walk tries, where comments are taken at all. */
export const kindsToTry = (commented: boolean): CommentKind[] =>
  commented ? commentKinds : ['omitted', 'null']

/** What a walk has come by beside its verdict. */
export type Walked = {
  /** the kinds of comments that were accepted */
  taken: Set<CommentKind>
  /** updates that the service failed at: a breach where it takes such a comment otherwise */
  failed: { kind: CommentKind; problem: Problem }[]
}

export const createWalked = (): Walked => ({ taken: new Set(), failed: [] })

type Comments = { step(journey: 'comments', name: string): Promise<{ answer: Answer }> }

/** What is wrong with the updates that a service failed at: those of kinds that it was seen to take. */
export async function problemsOfFailed({ failed }: Walked, journey: Comments): Promise<Problem[]> {
  const isTaken = async (kind: CommentKind) =>
    kind === 'plain' || isAccepted((await journey.step('comments', kind)).answer)
  const problems: Problem[] = []
  for (const { kind, problem } of failed)
    if (await isTaken(kind).catch(unlessUndecided)) problems.push(problem)
  return problems
}

function unlessUndecided(error: unknown): false {
  if (error instanceof NotDecidable) return false
  throw error
}

/** A comment as it is sent. */
export type Comment = { kind: CommentKind; text: string | null | undefined }

/**
 * Chooses the kind of comment of each update: every kind meets users and teams, and then every change of
 * assignee, as often as any other does, so that what is lost on one way alone shows too. Those listed first
 * come first.
 */
export function chooseComments(all: readonly CommentKind[], version: string) {
  const used = new Map<string, number>()
  const leftOut = { assign: new Set<CommentKind>(), unassign: new Set<CommentKind>() }
  const unique = version.replaceAll(/\D/g, '').slice(-10)
  let sent = 0
  const next = (from: Assignee | null, to: Assignee | null): Comment => {
    const kinds = all.filter((kind) => !leftOut[to ? 'assign' : 'unassign'].has(kind))
    const keysOf = (kind: CommentKind) => [
      `to ${to?.type} ${kind}`,
      `${from?.type} ${to?.type} ${kind}`,
    ]
    const timesOf = (kind: CommentKind) => keysOf(kind).map((key) => used.get(key) ?? 0)
    const [kind = 'omitted'] = (to ? kinds : hardestFirst(kinds)).toSorted((one, other) => {
      const [times = 0, here = 0] = timesOf(one)
      const [timesToo = 0, hereToo = 0] = timesOf(other)
      return times - timesToo || here - hereToo
    })
    for (const key of keysOf(kind)) used.set(key, (used.get(key) ?? 0) + 1)
    sent += 1
    if (kind === 'omitted') return { kind, text: undefined }
    if (kind === 'null') return { kind, text: null }
    const plain = `Contract test, please ignore ${unique} ${sent}`
    const text = kind === 'plain' ? plain : commentOf(partsOf(kind, `${unique}${sent}`, sent))
    return { kind, text }
  }
  /** From now on none of a kind that was not accepted, where the same without a comment was. */
  const leaveOut = (to: Assignee | null, { kind }: Comment) =>
    void leftOut[to ? 'assign' : 'unassign'].add(kind)
  return { next, leaveOut }
}
