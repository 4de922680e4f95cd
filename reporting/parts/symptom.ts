import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { exchangesBy, ifMatchOf, versionIn } from './evidence.ts'
import { cut } from './texts.ts'

// What a breach shows. Broken clauses whose breaches have a symptom in common have one cause.

export type Symptom = {
  key: string
  /** what several clauses have in common; default: what the first does not find */
  title?: string
  /** the service lets a caller read or change what the caller may not */
  isGrave?: boolean
}

const isStatus = (value: string) => /^[1-5]\d\d$/.test(value)
const isAccepted = ({ status = 0 }: Partial<Exchange>) => status >= 200 && status < 300

/** The symptoms of a breach, the most telling first: its operation, what was expected and what came. */
export function symptomsOf(
  breach: Breach,
  { id, statement }: Pick<ClauseReport, 'id' | 'statement'>,
  report: Report,
): Symptom[] {
  const { expected, got, again, decides = {}, differs = [] } = breach
  const [judged = {} as Partial<Exchange>] = exchangesBy(breach.judged, report)
  const { status = 0, method } = judged
  const kind = kindOf(breach, report)
  const came = isStatus(got) ? got : String(status)
  const responds = (due: string, to: string) => ({
    key: `${due} as ${came} ${due === '404' ? kind : ''}`,
    title: `Responds ${came}, not ${due}, to ${to}`,
  })
  if (/reveals-nothing$/.test(id)) return [{ key: 'reveals', isGrave: true }]
  if (/\b401\b/.test(expected))
    return [{ ...responds('401', 'a request without a valid key'), isGrave: isAccepted(judged) }]
  const sent = decides['If-Match that was sent']
  if (/\b409\b/.test(expected) || (sent !== undefined && sent !== 'none' && isAccepted(judged)))
    return [responds('409', 'a wrong or stale If-Match')]
  if (expected === '404') return [responds('404', 'an id that does not exist')]
  if (method === 'PUT' && status >= 400 && !isStatus(got))
    return [{ key: `${status}, done`, title: `Responds ${status} to an update that takes effect` }]
  if (isStatus(got)) {
    const places = /^[34]/.test(expected) ? differs.map((each) => each.split(' ', 2).join(' ')) : []
    return [{ key: `${kind} ${places.join()}: ${expected} as ${got}` }]
  }
  if (/^an email\b/.test(expected) && got === 'none')
    return [{ key: 'no email', title: 'Sends no email for an accepted update' }]
  if (/\bonly (right )?after\b/.test(again?.why ?? ''))
    return [
      {
        key: `unsteady ${kind}`,
        title: 'Does not always return the same rows to the same request',
      },
    ]
  const version = method === 'PUT' && versionIn(judged as Exchange)
  if (version && version === ifMatchOf(judged as Exchange))
    return [{ key: 'old version', title: 'Responds to an update with the version before it' }]
  const misread = isMisread(breach)
    ? [{ key: 'misread', title: 'Returns text in a wrong encoding' }]
    : []
  const others = misread.length > 0 ? [] : otherOf(breach, kind, statement)
  return [...misread, ...(textsOf(breach, kind) ?? others)]
}

/** Of a comment that was sent and is lost or changed, in answers, files and mails. */
function textsOf({ expected, got }: Breach, kind: string): Symptom[] | undefined {
  const [text] = /Contract\b[^"]*/.exec(expected) ?? []
  if (text === undefined) return undefined
  const title = /^n(ull|one|o )/.test(got) ? 'Loses a text that was sent' : 'Returns a text changed'
  return [{ key: `text ${text}` }, { key: `${kind}: ${title}`, title }]
}

/** A member with its change, or else what the statement says of any parameter. */
function otherOf({ expected, got, again }: Breach, kind: string, statement: string): Symptom[] {
  const [{ member } = {}] = again?.signs ?? []
  const [wanted, came] = differenceOf(bare(expected), bare(got)).map((pieces) =>
    pieces.flatMap((each) => (each.differs ? each.text : [])).join(''),
  )
  const change = wanted || came ? `${wanted} → ${came}` : statement.replace(named, '…')
  return [{ key: `${member ?? kind} ${change}` }]
}

const bare = (value: string) =>
  value
    .replace(/^"|"$/g, '')
    .replace(/[\da-f]{8}-[\da-f-]{20,}/g, '…')
    .replace(/\d[\d.:TZ-]*/g, 'N')

const named = /\b[a-z]+(_[a-z]+)+\b|(?<=metadata\[)\w+/g

export const kindOf = ({ judged }: Breach, report: Report): string => {
  const [first] = exchangesBy(judged, report)
  return first ? `${first.method} ${routeOf(first.path)}` : ''
}

export const routeOf = (path: string): string =>
  path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, '…')

const longest = 140
const short = 40

/** Statements whose opposite needs no "not". */
const opposites: [RegExp, string][] = [
  [/^leave (.+) unchanged\b/, 'Changes $1'],
  [/^return no /, 'Returns '],
  [/^not /, 'Does '],
]

/** What a clause does not find, in the words of its statement: the law says what a service does. */
export function titleOf({ statement, breaches: [breach] = [] }: ClauseReport): string {
  const [expected, got] = [breach?.expected ?? '', breach?.got ?? ''].map(shortened) as [
    string,
    string,
  ]
  const [, rest] = /^respond \d+(?:, not \d+,)? (?!with\b)(.+)$/.exec(statement) ?? []
  if (rest && isStatus(got)) return cut(`Responds ${got}, not ${expected}, ${rest}`, longest)
  const [words, opposite] = opposites.find(([words]) => words.test(statement)) ?? []
  if (words) return cut(statement.replace(words, opposite as string), longest)
  const isTold = got !== '' && got.length <= short && expected.length <= short
  const value = isTold ? `: ${got}${isStatus(got) ? '' : `, not ${expected}`}` : ''
  return `${cut(`Does not ${statement}`, longest - value.length)}${value}`
}

const shortened = (value: string) => value.replace(/([\da-f]{8})-[\da-f]{4}-[\da-f-]{20,}/g, '$1…')

export type Piece = { text: string; differs: boolean }

/** Two texts with their differing middle marked, between a common prefix and suffix. */
export function differenceOf(one: string, other: string): [Piece[], Piece[]] {
  // A word or a number differs as a whole.
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? []
  const [a, b] = [words(one), words(other)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  // Texts with little in common differ as wholes.
  if ((start + end) * 3 < Math.max(a.length, b.length)) [start, end] = [0, 0]
  const pieces = (text: string[]): Piece[] =>
    [
      { text: text.slice(0, start).join(''), differs: false },
      { text: text.slice(start, text.length - end).join(''), differs: true },
      { text: text.slice(text.length - end).join(''), differs: false },
    ].filter(({ text: piece }) => piece !== '')
  return [pieces(a), pieces(b)]
}

type Texts = Pick<Breach, 'expected' | 'got'>

/** Whether what came is UTF-8 that was read as Latin-1. */
const isMisread = ({ expected, got }: Texts) =>
  [...expected].some((one) => one > '\x7f' && got.includes(Buffer.from(one).toString('latin1')))

/** Where an encoding went wrong, in a few characters and their bytes. */
export function bytesApart({ expected, got }: Texts): string | undefined {
  if (!isMisread({ expected, got })) return undefined
  const at = [...expected].findIndex((char, place) => char !== [...got][place])
  const told = (text: string) => {
    const shown = [...text].slice(at, at + 3).join('')
    return `${shown} (${Buffer.from(shown)
      .toString('hex')
      .replace(/..(?=.)/g, '$& ')})`
  }
  return `${told(got)}, not ${told(expected)}`
}
