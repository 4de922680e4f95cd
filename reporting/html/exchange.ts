import { type Exchange, traceIdOf } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import { type ClauseReport, type Report, toldWaiver } from '../../engine/run/report.ts'
import { curlOf } from '../parts/curl.ts'
import { cameOf, evidenceOf, toldEvidence } from '../parts/evidence.ts'
import { escaped, present, printable } from '../parts/texts.ts'
import { cut, html, Markup, number } from './markup.ts'

type ExchangeTexts = {
  what: string
  /** status and time, or what went wrong */
  came: string
  facts: string
  request: Side
  answer?: Side
}

type Side = { head: string; body: string }

const mostHeaders = 60
/** Leave a longer command out: half of one would send something else. */
const mostCurl = 4096
/** Headers of a connection or a client decide nothing; the trace stands among the facts. */
const incidental =
  /^(accept|accept-encoding|user-agent|connection|host|content-length|date|keep-alive|transfer-encoding|vary|strict-transport-security|traceparent)$/i

export function tellExchange(exchange: Exchange, most: number): ExchangeTexts {
  const { method, path, start, base, bodySha256, trouble, heldMs } = exchange
  const { status, requestHeaders, requestBody = '', headers = {}, body, bodyBytes } = exchange
  const trace = traceIdOf(exchange)
  const absent = bodyBytes ? `(${number(bodyBytes)} bytes, not kept)` : ''
  return {
    what: `${cut(method, 20)} ${cut(path, 4096)}`,
    came: cameOf(exchange),
    facts: present([
      start,
      base !== undefined && `sent to ${cut(base, 500)}`,
      trace && `trace ${trace}`,
      heldMs !== undefined && `delayed by the pace for ${number(heldMs)} ms`,
      bodySha256 && `SHA-256 of the body ${cut(bodySha256, 64)}`,
      trouble && `Trouble: ${cut(trouble, 2000)}`,
    ]).join(' · '),
    request: sideOf(requestHeaders, requestBody, most),
    ...(status === undefined ? {} : { answer: sideOf(headers, body ?? absent, most) }),
  }
}

function sideOf(headers: Record<string, string>, body: string, most: number): Side {
  const all = Object.entries(headers).filter(([name]) => !incidental.test(name))
  const shown = all.map(([name, value]) => `${cut(name, 200)}: ${cut(value, 1000)}`)
  const left = shown.splice(mostHeaders).length
  const head = present([shown, left > 0 && `… and ${number(left)} more`]).join('\n')
  const value = /^\s*[{[]/.test(body) ? parsed(body) : undefined
  return { head, body: cut(value === undefined ? body : JSON.stringify(value, null, 2), most) }
}

/** An exchange as markup, as the script also makes it. */
export function exchangeOf(at: number, role: string, told: ExchangeTexts, curl: string): Markup {
  const { what, came, facts, request, answer } = told
  return html`<details class="exchange"><summary><span class="role">${role}</span> #${at} <code>${what}</code> → ${came}</summary><div class="inside">
<p class="facts">${facts}</p>
${sideTold('Request', what, request)}${answer && sideTold('Response', came, answer)}${curl.length < mostCurl && html`<p class="part">Send it again</p><pre class="curl">${curl}</pre>`}
</div></details>
`
}

const sideTold = (title: string, line: string, { head, body }: Side): Markup =>
  html`<p class="part">${title}</p><pre>${line}${head && `\n${head}`}${body && `\n\n${body}`}</pre>
`

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
      ...[request.head, request.body, answer?.head, answer?.body].map(place),
      curl.length < mostCurl ? curl : '',
    ]
  })
  const clauses = report.clauses.map((clause) => {
    const evidence = evidenceOf(clause, report)
    const marked = evidence.map(({ exchange: { number }, role }) =>
      role === 'set-up' ? number : `${number}.${role}`,
    )
    return [rowsOf(clause), marked.join(' ')]
  })
  return dataMarkup({ texts, exchanges, clauses })
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
    ['Observed', JSON.stringify(clause.observed, null, 2)],
    ['Note', note],
    ['Evidence', toldEvidence(clause) || undefined],
    ['Reading', reading],
    ['Operation', operation],
    ['Took', `${seconds(durationMs)} of requests (some shared with other clauses)${waited}`],
  ]
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, cut(text, 4000)]]))
}

function causeOf({ cause, owners = [], dangling }: ClauseReport): string | undefined {
  if (cause === undefined) return undefined
  const named = owners.length > 0 ? `${cause}; owned by ${owners.join(', ')}` : cause
  return dangling === undefined ? named : `${named}; not judged there: ${dangling}`
}
