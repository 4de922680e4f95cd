import type { Assignee } from '../service/update-request.ts'

/**
 * Spreadsheets take a cell for a formula that begins with one of = + - @, and who guards against that
 * by deleting it deletes some of a comment: each begins one of them.
 */
export const comments: Record<string, (unique: string) => string> = {
  'non-latin': (unique) => `-Contract, Тест договора, ελληνικά, 契約テスト ${unique}`,
  // Who writes a quote behind a backslash as it is ends the cell there.
  quotes: (unique) => `+"Contract\\", 'test'; / <b>&amp;</b>, =1+1 ${unique}`,
  long: (unique) =>
    `${unique} ${'Contract test, please ignore. '.repeat(20)}`.slice(0, 499).concat('.'),
  newlines: (unique) => `@Contract test\nplease ignore\n\n${unique}`,
  emoji: (unique) => `=1+1 Contract test 👩‍🚀🇪🇺✅ ${unique}`,
  'right-to-left': (unique) => `اختبار العقد עברית ${unique}`,
}

/** One reassignment for each kind of comment, one with null after them, and an unassignment with null. */
export const commentLegs = (unique: string): { name: string; comment: string | null }[] => [
  ...Object.entries(comments).map(([name, text]) => ({ name, comment: text(unique) })),
  { name: 'null', comment: null },
  { name: unassigningWithNull, comment: null },
]

export const unassigningWithNull = 'unassign-null'

/** What may be sent as a comment: a text of some kind, null, or nothing at all. */
export type CommentKind = keyof typeof comments | 'plain' | 'null' | 'omitted'

/** In the order in which a walk of updates takes them: what the contract states before what is read into it. */
const commentKinds: CommentKind[] = [
  ...['non-latin', 'quotes', 'omitted', 'null', 'long', 'newlines', 'emoji', 'right-to-left'],
  // Users and teams had it before.
  'plain',
]

/** Few updates unassign: what a store of its own is likeliest to spoil comes first. */
const hardestFirst = (kinds: readonly CommentKind[]): CommentKind[] => [
  ...['emoji', 'long'].filter((kind) => kinds.includes(kind)),
  ...kinds.filter((kind) => kind !== 'emoji' && kind !== 'long'),
]

/** The kinds that a walk may send, where comments are taken at all: it takes away what is refused. */
export const kindsToTry = (commented: boolean): Set<CommentKind> =>
  new Set(commented ? commentKinds : ['omitted', 'null'])

/** A comment as it is sent. */
export type Comment = { kind: CommentKind; text: string | null | undefined }

/**
 * Chooses the kind of comment of each update: every kind meets users and teams, and then every change of
 * assignee, as often as any other does, so that what is lost on one way alone shows too. Those listed first
 * come first.
 */
export function chooseComments(kinds: ReadonlySet<CommentKind>, version: string) {
  const used = new Map<string, number>()
  const unique = version.replaceAll(/\D/g, '').slice(-10)
  let sent = 0
  return (from: Assignee | null, to: Assignee | null): Comment => {
    const keysOf = (kind: CommentKind) => [
      `to ${to?.type} ${kind}`,
      `${from?.type} ${to?.type} ${kind}`,
    ]
    const timesOf = (kind: CommentKind) => keysOf(kind).map((key) => used.get(key) ?? 0)
    const [kind = 'omitted'] = (to ? [...kinds] : hardestFirst([...kinds])).toSorted(
      (one, other) => {
        const [times = 0, here = 0] = timesOf(one)
        const [timesToo = 0, hereToo = 0] = timesOf(other)
        return times - timesToo || here - hereToo
      },
    )
    for (const key of keysOf(kind)) used.set(key, (used.get(key) ?? 0) + 1)
    sent += 1
    if (kind === 'omitted') return { kind, text: undefined }
    if (kind === 'null') return { kind, text: null }
    const plain = `Contract test, please ignore ${unique} ${sent}`
    return { kind, text: comments[kind]?.(`${unique} ${sent}`) ?? plain }
  }
}
