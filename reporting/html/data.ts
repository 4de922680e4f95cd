import { type ClauseReport, type Report, toldNote, toldWaiver } from '../../engine/run/report.ts'
import { curlOf } from '../parts/curl.ts'
import { evidenceOf, toldEvidence } from '../parts/evidence.ts'
import { escaped, printable } from '../parts/printable.ts'
import { mostCurl, tellExchange } from './exchange.ts'
import { cut, Markup } from './markup.ts'

/** The size limit of a body in the page, larger where readers look for a mistake. */
const most = { green: 200, grave: 4096 }
/** With this many broken clauses, the first explain the rest, and the page must open quickly. */
const manyGrave = 150

const isGrave = ({ verdict }: ClauseReport) =>
  verdict === 'fail' || verdict === 'warn' || verdict === 'inconclusive'

/**
 * The data that the page shows on demand: every exchange, and the details of each clause. Repeated texts,
 * such as headers, are stored once in `texts`.
 */
export function dataOf(report: Report): Markup {
  const texts: string[] = []
  const places = new Map<string, number>()
  const place = (text = ''): number => {
    const known = places.get(text)
    if (known !== undefined) return known
    places.set(text, texts.length)
    return texts.push(text) - 1
  }
  const seen = report.clauses.filter(isGrave).flatMap(({ evidence }) => evidence)
  const grave = new Set(seen.map(({ exchange }) => exchange))
  const room = grave.size > manyGrave ? most.green : most.grave
  const exchanges = report.exchanges.map((exchange) => {
    const isOpen = grave.has(exchange.number)
    const told = tellExchange(exchange, isOpen ? room : most.green)
    const { request, answer } = told
    const curl = isOpen ? curlOf(exchange, report) : ''
    return [
      exchange.number,
      told.what,
      told.came,
      told.facts,
      ...[request.head, request.folded, request.body].map(place),
      ...(answer ? [answer.head, answer.folded, answer.body] : ['', '', '']).map(place),
      curl.length < mostCurl ? curl : '',
    ]
  })
  const clauses = report.clauses.map((clause) => {
    const evidence = evidenceOf(clause, report)
    const marked = evidence.map(({ exchange, role }) => `${exchange.number}${letters[role] ?? ''}`)
    return [rowsOf(clause), marked.join(' ')]
  })
  return dataMarkup({ texts, exchanges, clauses })
}

const letters: Record<string, string> = {
  judged: 'j',
  beside: 'c',
  before: 'b',
  'put-back': 'p',
}

/** JSON that cannot end its element, without characters that browsers or readers misinterpret. */
const dataMarkup = (value: unknown): Markup =>
  new Markup(
    `<script type="application/json" id="data">${JSON.stringify(value, (_, one) =>
      typeof one === 'string' ? printable(one).replace(/\p{Cs}/gu, '\ufffd') : one,
    ).replace(/[<>&\u2028\u2029]/g, escaped)}</script>\n`,
  )

type Row = [name: string, text: string | undefined]

function rowsOf(clause: ClauseReport) {
  const { operation, durationMs, tookMs, waiver, reading, note, reason, newerThan } = clause
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const waited = tookMs === undefined ? '' : `, ${seconds(tookMs)} in all`
  const rows: Row[] = [
    ['Reason', reason],
    ['Cause', causeOf(clause)],
    ['Not counted', newerThan && `newer than ${newerThan}; it ended with ${clause.verdict}`],
    ['Waiver', waiver && toldWaiver(waiver)],
    ...(clause.notes ?? []).map((each): Row => ['A person’s note', toldNote(each)]),
    ['Observed', JSON.stringify(clause.observed, null, 2)],
    ['Note', note],
    ['Evidence', toldEvidence(clause) || undefined],
    ['Reading', reading],
    ['Operation', operation],
    ['Took', `${seconds(durationMs)} of requests (some shared with other clauses)${waited}`],
  ]
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, cut(text, 4000)]]))
}

/** Why it was not checked, and the owners of the missing fact. */
function causeOf({ cause, owners = [], dangling }: ClauseReport): string | undefined {
  if (cause === undefined) return undefined
  const named = owners.length > 0 ? `${cause}; owned by ${owners.join(', ')}` : cause
  return dangling === undefined ? named : `${named}; not judged there: ${dangling}`
}
