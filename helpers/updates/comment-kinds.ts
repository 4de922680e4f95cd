import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Assignee } from '../service/update-request.ts'

/**
 * Spreadsheets read a cell that begins with = + - @ as a formula. An exporter that guards against that by
 * deleting the sign changes the comment, so each begins with one of them.
 */
export const comments: Record<string, (unique: string) => string> = {
  'non-latin': (unique) => `-Contract, Тест договора, ελληνικά, 契約テスト ${unique}`,
  // An exporter that does not escape a quote after a backslash ends the cell there. A template
  // replaces what begins with $.
  quotes: (unique) => `+"Contract\\", 'test'; / $1 $& %20 <b>&amp;</b>, =1+1 ${unique}`,
  long: (unique) =>
    `${unique} ${'Contract test, please ignore. '.repeat(20)}`.slice(0, 499).concat('.'),
  // An exporter may double quotes and forget those of a multi-line cell.
  newlines: (unique) => `@Contract test, "please",\n"ignore"; it\n\n"${unique}"`,
  emoji: (unique) => `=1+1 Contract test 👩‍🚀🇪🇺✅ ${unique}`,
  'right-to-left': (unique) => `اختبار العقد עברית ${unique}`,
}

/** One reassignment for each kind of comment, then one with null, and an unassignment with null. */
export const commentSteps = (unique: string): { name: string; comment: string | null }[] => [
  ...Object.entries(comments).map(([name, text]) => ({ name, comment: text(unique) })),
  { name: 'null', comment: null },
  { name: unassigningWithNull, comment: null },
]

export const unassigningWithNull = 'unassign-null'

/** A possible comment: a text of some kind, null, or none. */
export type CommentKind = keyof typeof comments | 'plain' | 'null' | 'omitted'

/** In the order of a walk: what the contract states comes before what we read into it. */
const commentKinds: CommentKind[] = [
  ...['non-latin', 'quotes', 'omitted', 'null', 'long', 'newlines', 'emoji', 'right-to-left'],
  // Users and teams had it before.
  'plain',
]

/** Few updates unassign: the kinds that a separate store most likely spoils come first. */
const hardestFirst = (kinds: readonly CommentKind[]): CommentKind[] => [
  ...['emoji', 'long'].filter((kind) => kinds.includes(kind)),
  ...kinds.filter((kind) => kind !== 'emoji' && kind !== 'long'),
]

/** The kinds that a walk tries, if comments are accepted at all. */
export const kindsToTry = (commented: boolean): CommentKind[] =>
  commented ? commentKinds : ['omitted', 'null']

/** What a walk found besides its verdict. */
export type WalkedKinds = {
  taken: Set<CommentKind>
  /** updates that failed with 5xx: a breach if such a comment is accepted otherwise */
  failed: { kind: CommentKind; problem: Problem }[]
}

export const createWalked = (): WalkedKinds => ({ taken: new Set(), failed: [] })

type Comments = { step(sequence: 'comments', name: string): Promise<{ answer: Answer }> }

/** Problems of failed updates whose comment kind was accepted elsewhere. */
export async function problemsOfFailed(
  { failed }: WalkedKinds,
  sequence: Comments,
): Promise<Problem[]> {
  const isTaken = async (kind: CommentKind) =>
    kind === 'plain' || isAccepted((await sequence.step('comments', kind)).answer)
  const problems: Problem[] = []
  for (const { kind, problem } of failed)
    if (await isTaken(kind).catch(unlessUndecided)) problems.push(problem)
  return problems
}

function unlessUndecided(error: unknown): false {
  if (error instanceof NotDecidable) return false
  throw error
}

export type Comment = { kind: CommentKind; text: string | null | undefined }

/**
 * Chooses the comment kind of each update: every kind meets users and teams, then every change of assignee
 * equally often, so that a loss in one kind of change shows. Kinds that come first in the list are chosen
 * first.
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
    return { kind, text: comments[kind]?.(`${unique} ${sent}`) ?? plain }
  }
  /** Stops using a kind that was not accepted, if the same update without a comment was. */
  const leaveOut = (to: Assignee | null, { kind }: Comment) =>
    void leftOut[to ? 'assign' : 'unassign'].add(kind)
  return { next, leaveOut }
}
