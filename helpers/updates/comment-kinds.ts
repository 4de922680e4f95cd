import type { Assignee } from '../service/update-request.ts'

/** A text of a comment, and the kind whose clause judges it. */
export type Text = { kind: string; text: string }

/** What a comment consists of, and what it holds that no other does. */
export type Parts = { texts: readonly Text[]; mark: string }

const textsOf = (kind: string, ...texts: string[]): Text[] => texts.map((text) => ({ kind, text }))

/**
 * Spreadsheets read a cell that begins with = + - @ as a formula. An exporter that guards against that by
 * deleting the sign changes the comment, so each begins with one of them.
 */
const texts: Record<string, Text[]> = {
  'non-latin': textsOf('non-latin', '-Contract, Тест договора', 'ελληνικά, façade', '契約テスト'),
  // An exporter that does not escape a quote after a backslash ends the cell there.
  quotes: [
    ...textsOf('quotes', `+"Contract\\", 'test'; /`, `"" '' C:\\new`, '$1 $& <b>&amp;</b>'),
    ...textsOf('placeholders', '%20%s 5%', `{0} \${x} {{x}}`),
    ...textsOf('quotes', '; , =1+1'),
  ],
  // An exporter may double quotes and forget those of a multi-line cell.
  newlines: textsOf('newlines', '@Contract test, "please",\n"ignore"; it\n', 'a\ttab\n'),
  emoji: [
    ...textsOf('emoji', '=Contract test 👩‍🚀🇪🇺✅'),
    ...textsOf('right-to-left', 'اختبار العقد עברית'),
    ...textsOf('combining', 'e\u0301u\u0308'),
  ],
}

/** A comment of 500 characters of one byte each. */
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
export function commentWith({ texts, mark }: Parts): string {
  const text = texts.map((each) => each.text).join(' ')
  return text.includes(mark) || texts.some(({ kind }) => kind === 'values')
    ? text
    : `${text} ${mark}`
}

/** What a comment of these holds that no other does, in plain letters and digits. */
export const markOf = (comment: string): string | undefined =>
  /\bct[\da-z]{6,}/i.exec(comment)?.[0] ?? /^(?:007)?(1\d{6,})(?:e3)?$/.exec(comment)?.[1]

/** A possible comment: texts, null, or none. */
export type CommentKind = string

/** In the order of a walk: what the contract states comes before what we read into it. */
const commentKinds: CommentKind[] = [
  ...['non-latin', 'quotes', 'omitted', 'null', 'long', 'newlines', 'emoji', 'values'],
  // Users and teams had it before.
  'plain',
]

/** Few updates unassign or go to teams: the kinds that a separate store most likely spoils come first. */
const hardestFirst = (kinds: readonly CommentKind[]): CommentKind[] => [
  ...['emoji', 'long'].filter((kind) => kinds.includes(kind)),
  ...kinds.filter((kind) => kind !== 'emoji' && kind !== 'long'),
]

/** The kinds that a walk tries, if comments are accepted at all. */
export const kindsToTry = (commented: boolean): CommentKind[] =>
  commented ? commentKinds : ['omitted', 'null']

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
    const [kind = 'omitted'] = (to?.type === 'USER' ? kinds : hardestFirst(kinds)).toSorted(
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
    const text = kind === 'plain' ? plain : commentWith(partsOf(kind, `${unique}${sent}`, sent))
    return { kind, text }
  }
  /** Stops using a kind that was not accepted, if the same update without a comment was. */
  const leaveOut = (to: Assignee | null, kind: CommentKind) =>
    void leftOut[to ? 'assign' : 'unassign'].add(kind)
  return { next, leaveOut }
}
