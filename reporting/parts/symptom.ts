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
  /** somebody gets or changes what they may not */
  isGrave?: true
}

const isStatus = (value: string) => /^[1-5]\d\d$/.test(value)
const isAccepted = ({ status = 0 }: Partial<Exchange>) => status >= 200 && status < 300
const shows = (given: string, pattern: RegExp) => pattern.test(given)

/** UTF-8 that was read as Latin-1. */
const mojibake = /[ÂÃÐÑØÙâ][\u0080-\u00bf]/

/** The symptoms of a breach, the most telling first. */
export function symptomsOf(breach: Breach, report: Report): Symptom[] {
  const { expected, got, sentence, decides = {}, differs = [] } = breach
  const [judged = {} as Partial<Exchange>] = exchangesBy(breach.judged, report)
  const { status = 0 } = judged
  const kind = kindOf(breach, report)
  const came = isStatus(got) ? got : String(status)
  const reveals = /^the 401 |body of the 401/.test(sentence)
  if (reveals) return [{ key: 'a 401 reveals', isGrave: true }]
  if (shows(expected, /\b401\b/)) {
    const isGrave = isAccepted(judged) ? { isGrave: true as const } : {}
    const title = `A request without a valid key is responded ${came}, not 401`
    return [{ key: `401 as ${came}`, title, ...isGrave }]
  }
  const sent = decides['If-Match that was sent']
  if (shows(expected, /\b409\b/) || (sent !== undefined && sent !== 'none' && isAccepted(judged)))
    return [
      {
        key: `409 as ${came}`,
        title: `A wrong or stale If-Match is responded ${came}, not 409`,
      },
    ]
  if (judged.method === 'PUT' && status >= 400 && !isStatus(expected))
    return [
      {
        key: `rejected with ${status}, and carried out`,
        title: `An update that is responded ${status} is carried out all the same`,
      },
    ]
  if (shows(expected, /^404$/)) {
    const title = `An id that does not exist is responded ${came}, not 404`
    return [{ key: `404 as ${came} ${kind}`, title }]
  }
  if (isStatus(got)) {
    const places = /^[34]/.test(expected) ? differs.map((each) => each.split(' ', 2).join(' ')) : []
    return [{ key: `${kind} ${places.join()}: ${expected} as ${got}` }]
  }
  if (/\bno mail\b/.test(sentence))
    return [{ key: 'no email', title: 'An accepted update is not told of by email' }]
  if (/came and went|asked for again|at the same time as/.test(sentence))
    return [
      { key: `unsteady ${kind}`, title: 'One request is not always answered with the same rows' },
    ]
  const isMojibake = mojibake.test(`${sentence}${got}`)
  return [
    ...(isMojibake ? [{ key: 'mojibake', title: 'Text is returned in a wrong encoding' }] : []),
    ...(textsOf(breach, kind) ?? (isMojibake ? [] : [otherOf(breach, kind)])),
  ]
}

/** Of a text that was sent and is not found as it was: neither in answers nor in files and mails. */
function textsOf({ expected, got, sentence }: Breach, kind: string): Symptom[] | undefined {
  const text = expected.replace(/^"/, '')
  if (text.length < 12 || !sentence.includes(`"${text.slice(0, 12)}`)) return undefined
  const title =
    got === 'null' ? 'A text that was sent is lost' : 'A text is not returned as it was sent'
  return [{ key: `text ${text}` }, { key: `${kind}: ${title}`, title }]
}

function otherOf(breach: Breach, kind: string): Symptom {
  const { sentence, differs = [] } = breach
  const [, member] = /(?:^|[:,] )"?([a-z_]+(?:\.[a-z_]+)*)"? is /.exec(sentence) ?? []
  return { key: `${member ?? kind} ${differs.join()} ${changeOf(breach)}` }
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

/** What a clause does not find, in the contract's words where its statement gives them. */
export function titleOf({ statement, breaches: [breach] = [] }: ClauseReport): string {
  if (!breach) return broken(statement)
  const { expected, got, sentence } = breach
  if (isStatus(got) || got === '2xx') {
    const [, to] = /^respond \d+(?:, not \d+,)? to (.+)$/.exec(statement) ?? []
    if (to) return told(`${to} is responded ${got}, not ${expected}`)
    const [, accepted] = /^accept (.+)$/.exec(statement) ?? []
    if (accepted) return told(`${accepted} is responded ${got}`)
    const [, when] = /^respond \d+(?:, not \d+,)? ((?:when|without|if) .+)$/.exec(statement) ?? []
    if (when) return told(`answered ${got}, not ${expected}, ${when}`)
  }
  const [, what, after] = /^leave (.+) unchanged (after .+)$/.exec(statement) ?? []
  if (what) return told(`${what} changed ${after}`)
  return told(withoutIds(sentence.split('\n')[0] ?? ''))
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
    .replace(/^an? [a-z ]+? answered (\d+) to (an? [^,:]+)/, '$2 is responded $1')
    .replace(/(?<=an? [a-z ]+) answered (?=\d)/g, ' is responded ')
    .replace(/(?<=USER|TEAM) [\da-f]{8}-[\da-f-]{20,}/g, '')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{20,}/g, '…')
    .replace(/"((?:[^"\\]|\\.){24})(?:[^"\\]|\\.)+"/g, '"$1…"')

const told = (text: string) =>
  cut(
    text.replace(/^./, (first) => first.toUpperCase()),
    longest,
  )

/** A statement as what does not hold: `not give the whole file`. A leading `not` is dropped. */
const broken = (statement: string) =>
  /^not /.test(statement) ? `Does ${statement.slice(4)}` : `Not: ${statement}`
