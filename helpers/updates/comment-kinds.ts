import { plainComment } from '../service/comments.ts'
import type { Assignee } from '../service/update-request.ts'

export type Text = { kind: string; text: string }

export type Parts = { texts: readonly Text[]; mark: string }

const textsOf = (kind: string, ...texts: string[]): Text[] => texts.map((text) => ({ kind, text }))

/**
 * An exporter that guards against formulas by deleting = + - @ changes the comment, so each begins with one
 * of them.
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

const longWith = (mark: string) =>
  `=1+1 ${mark} Café. ${'Contract test, please ignore. '.repeat(20)}`.slice(0, 499).concat('.')

/** Programs take such a comment for a number, a date or a word of theirs. */
const valuesWith = (digits: string) => [`007${digits}`, `${digits}e3`, '1-2', 'TRUE', 'null']

/** one comment holds all texts of a kind, so that one update tries them */
export const comments = [...Object.keys(texts), 'long', 'values']

export function partsOf(name: string, unique: string, turn = 0): Parts {
  const mark = `ct${unique}${comments.indexOf(name)}`
  const own = texts[name]
  if (own) return { texts: own, mark }
  if (name === 'long') return { texts: textsOf(name, longWith(mark)), mark }
  const digits = [...unique].map((letter) => (letter.codePointAt(0) ?? 0) % 10).join('')
  const values = valuesWith(`1${digits}`)
  return { texts: textsOf(name, values[turn % values.length] ?? ''), mark: `1${digits}` }
}

export function commentWith({ texts, mark }: Parts): string {
  const text = texts.map((each) => each.text).join(' ')
  return text.includes(mark) || texts.some(({ kind }) => kind === 'values')
    ? text
    : `${text} ${mark}`
}

export const markOf = (comment: string): string | undefined =>
  /\bct[\da-z]{6,}/i.exec(comment)?.[0] ?? /^(?:007)?(1\d{6,})(?:e3)?$/.exec(comment)?.[1]

/** In the order of a walk: what the contract states comes before what we read into it. */
const kinds = [
  ...['non-latin', 'quotes', 'omitted', 'null', 'long', 'newlines', 'emoji', 'values'],
  // Users and teams had it before.
  'plain',
]

/** Few updates unassign or go to teams: the kinds that a separate store most likely spoils come first. */
const hardestFirst = ['emoji', 'long', ...kinds.filter((kind) => !['emoji', 'long'].includes(kind))]

/** Chooses the comment of each update in turn, so that every kind meets users, teams and nobody. */
export function chooseComments(commented: boolean, unique: string) {
  const isTried = (kind: string) => commented || kind === 'omitted' || kind === 'null'
  const [usual, hard] = [kinds, hardestFirst].map((all) => all.filter(isTried)) as [
    string[],
    string[],
  ]
  const left = { USER: usual, TEAM: hard, nobody: [...hard] }
  let sent = 0
  const next = (to: Assignee | null): { kind: string; text: string | null | undefined } => {
    const own = left[to?.type ?? 'nobody']
    const kind = own.shift() ?? 'omitted'
    own.push(kind)
    sent += 1
    if (kind === 'omitted') return { kind, text: undefined }
    if (kind === 'null') return { kind, text: null }
    const plain = `${plainComment(unique)} ${sent}`
    const text = kind === 'plain' ? plain : commentWith(partsOf(kind, `${unique}${sent}`, sent))
    return { kind, text }
  }
  const leaveOut = (to: Assignee | null, kind: string) => {
    for (const own of to ? [left.USER, left.TEAM] : [left.nobody])
      own.splice(own.indexOf(kind), own.includes(kind) ? 1 : 0)
  }
  return { next, leaveOut }
}
