// What a breach shows. Broken clauses whose breaches have a symptom in common have one cause.

import type { Exchange } from '../../engine/http/exchange.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { cut } from './cut.ts'
import { differenceOf } from './difference.ts'
import { exchangesBy } from './evidence.ts'

export type Symptom = {
  key: string
  /** what several clauses have in common; default: what the first says */
  title?: string
  /** the service lets a caller read or change what the caller may not */
  isGrave?: boolean
}

const isStatus = (value: string) => /^[1-5]\d\d$/.test(value)
const isAccepted = ({ status = 0 }: Partial<Exchange>) => status >= 200 && status < 300
const one = (key: string, title?: string, isGrave = false): Symptom[] => [
  { key, ...(title && { title }), ...(isGrave && { isGrave }) },
]

/** UTF-8 that was read as Latin-1. */
const mojibake = /[ÂÃÐÑØÙâ][\u0080-\u00bf]/

/** The symptoms of a breach, the most telling first. */
export function symptomsOf(breach: Breach, report: Report): Symptom[] {
  const { expected, got, sentence, decides = {}, differs = [] } = breach
  const [judged = {} as Partial<Exchange>] = exchangesBy(breach.judged, report)
  const { status = 0 } = judged
  const kind = kindOf(breach, report)
  const came = isStatus(got) ? got : String(status)
  if (/^the 401 |body of the 401/.test(sentence)) return one('a 401 reveals', undefined, true)
  const gets = (what: string, due: string) => `${what} gets ${came}, not ${due}`
  if (/\b401\b/.test(expected)) {
    const isGrave = isAccepted(judged)
    return one(`401 as ${came}`, gets('A request without a valid key', '401'), isGrave)
  }
  const sent = decides['If-Match that was sent']
  if (/\b409\b/.test(expected) || (sent !== undefined && sent !== 'none' && isAccepted(judged)))
    return one(`409 as ${came}`, gets('A wrong or stale If-Match', '409'))
  const isDone = `An update rejected with ${status} takes effect`
  if (judged.method === 'PUT' && status >= 400 && !isStatus(got)) return one(isDone, isDone)
  if (expected === '404')
    return one(`404 as ${came} ${kind}`, gets('An id that does not exist', '404'))
  if (isStatus(got)) {
    const places = /^[34]/.test(expected) ? differs.map((each) => each.split(' ', 2).join(' ')) : []
    return one(`${kind} ${places.join()}: ${expected} as ${got}`)
  }
  if (/\bno email\b/.test(sentence))
    return one('no email', 'No email is sent for an accepted update')
  if (/appeared and disappeared|(asked|requested)( for)? again|at the same time as/.test(sentence))
    return one(`unsteady ${kind}`, 'The same request does not always return the same rows')
  const isMojibake = mojibake.test(`${sentence}${got}`)
  return [
    ...(isMojibake ? one('mojibake', 'Text is returned in a wrong encoding') : []),
    ...(textsOf(breach, kind) ?? (isMojibake ? [] : otherOf(breach, kind))),
  ]
}

/** Of a text that was sent and is lost or changed, in answers, files and mails. */
function textsOf({ expected, got, sentence }: Breach, kind: string): Symptom[] | undefined {
  const text = expected.replace(/^"/, '')
  if (text.length < 12 || !sentence.includes(`"${text.slice(0, 12)}`)) return undefined
  const title = got === 'null' ? 'A text that was sent is lost' : 'A text is returned changed'
  return [...one(`text ${text}`), ...one(`${kind}: ${title}`, title)]
}

function otherOf(breach: Breach, kind: string): Symptom[] {
  const { sentence, differs = [] } = breach
  const [, member] = /(?:^|[:,] )"?([a-z_]+(?:\.[a-z_]+)*)"? is /.exec(sentence) ?? []
  return one(`${member ?? kind} ${differs.join()} ${changeOf(breach)}`)
}

/** What differs between the expected value and the actual one, ids and numbers aside. */
function changeOf({ expected, got, sentence }: Breach): string {
  const bare = (value: string) =>
    value
      .replace(/^"|"$/g, '')
      .replace(/[\da-f]{8}-[\da-f-]{20,}/g, '…')
      .replace(/\d[\d.:TZ-]*/g, 'N')
  const [wanted, came] = differenceOf(bare(expected), bare(got))
  const only = (pieces: typeof wanted) => pieces.flatMap((each) => (each.differs ? each.text : []))
  const change = [wanted, came].map((pieces) => only(pieces).join(''))
  return change.every((each) => each === '') ? bare(sentence) : change.join(' → ')
}

/** Method and route of what a breach judged. */
export const kindOf = ({ judged }: Breach, report: Report): string => {
  const [first] = exchangesBy(judged, report)
  return first ? `${first.method} ${routeOf(first.path)}` : ''
}

export const routeOf = (path: string): string =>
  path.replace(/\?.*$/s, '').replace(/(?<=\/)[^/]*\d[^/]*/g, '…')

const longest = 120

/** Statements, and what does not hold where an answer has another status. */
const refused: [RegExp, (of: string, got: string, due: string) => string][] = [
  [/^respond \d+(?:, not \d+,)? to (.+)$/, (to, got, due) => `${to} gets ${got}, not ${due}`],
  [/^accept (.+)$/, (what, got) => `${what} gets ${got}`],
  [/^respond \d+ ((?:when|without) .+)$/, (when, got, due) => `${got}, not ${due}, ${when}`],
]

/** What a clause does not find, in the contract's words where its statement gives them. */
export function titleOf({ level, statement, breaches: [breach] = [] }: ClauseReport): string {
  if (!breach) return told(`${level} ${statement}`)
  const { expected, got, sentence } = breach
  const [words, say] = (isStatus(got) && refused.find(([words]) => words.test(statement))) || []
  if (words && say) return told(statement.replace(words, (_, of) => say(of, got, expected)))
  const unlike = statement.replace(/^leave (.+) unchanged (after .+)$/, '$1 changed $2')
  return told(unlike === statement ? withoutIds(sentence.split('\n')[0] ?? '') : unlike)
}

const requests: [RegExp, string][] = [
  [/PUT \S+\/update-assignment/g, 'an update'],
  [/GET \/tasks\/\S+/g, 'a read of a task'],
  [/GET \/assessments\/\S+/g, 'a read of an assessment'],
  [/GET \/audit-sentinel\S+/g, 'an export'],
]

const withoutIds = (sentence: string) =>
  requests
    .reduce((text, [request, name]) => text.replace(request, name), sentence)
    .replace(/^an? [a-z ]+? responded (\d+) to (an? [^,:]+)/, '$2 gets $1')
    .replace(/(?<=an? [a-z ]+) responded (?=\d)/g, ' gets ')
    .replace(/(?<=USER|TEAM) [\da-f]{8}-[\da-f-]{20,}/g, '')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{20,}/g, '…')
    .replace(/"((?:[^"\\]|\\.){24})(?:[^"\\]|\\.)+"/g, '"$1…"')

const told = (text: string) =>
  cut(
    text.replace(/^./, (first) => first.toUpperCase()),
    longest,
  )
