import type { Exchange } from '../../engine/http/exchange.ts'
import { traceIdOf } from '../../engine/http/exchange.ts'
import type { Report } from '../../engine/run/report.ts'
import { curlOf } from '../parts/curl.ts'
import type { Evidence, Numbered, Referred } from './evidence.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'

/** What a body may take of the page: more where somebody will look for a mistake. */
const most = { green: 1000, grave: 4096 }
/** Where so many went wrong, the first few explain the rest, and the page is to open at once. */
const manyGrave = 150
const mostHeaders = 60

/** Every exchange once, in the order of time: what clauses rest on refers to it. */
export function exchangesOf(report: Report, { exchanges }: Evidence): Markup {
  const graveCount = exchanges.filter(({ grave }) => grave).length
  const room = graveCount > manyGrave ? most.green : most.grave
  const list = exchanges.map((exchange) =>
    exchangeOf(exchange, report, exchange.grave ? room : most.green),
  )
  return html`<section id="part=exchanges" aria-labelledby="exchanges-title">
<h2 id="exchanges-title">Exchanges</h2>
<p>${exchanges.length === 0 ? 'None was recorded.' : html`All ${number(exchanges.length)} that clauses rest on, in the order of time. The key is shown as <code>(configured)</code> and stands as <code>$API_KEY</code> in commands.`}${report.target.embedded && ' The embedded service is gone by now: npm run serve starts it on a port.'}</p>
${list}
</section>
`
}

function exchangeOf({ number: at, exchange, grave }: Numbered, report: Report, room: number) {
  const { start, base, bodySha256, trouble } = exchange
  if (!grave) return greenOf(at, exchange)
  const trace = traceIdOf(exchange)
  const command = commandOf(exchange, room, report)
  return html`<details class="exchange${grave && ' grave'}"><summary><span class="of">#${at}</span> ${lineOf(exchange)}</summary><div id="${`exchange=${at}`}" class="inside">
<p class="facts">${start}${base !== undefined && html` · sent to ${cut(base, 500)}`}${bodySha256 && html` · SHA-256 of the body ${cut(bodySha256, 64)}`}${trace !== undefined && html` · trace <code>${trace}</code>`}</p>
${
  trouble !== undefined &&
  html`<p class="trouble">Trouble: ${cut(trouble, 2000)}</p>
`
}${contentsOf(exchange, room)}<p class="part">Ask again</p><pre class="curl">${command}</pre>
</div></details>
`
}

/** What nobody asks questions of is there in a few lines: report.json has the rest. */
const greenOf = (at: number, exchange: Exchange): Markup =>
  html`<details class="exchange"><summary><span class="of">#${at}</span> ${lineOf(exchange)}</summary><div id="${`exchange=${at}`}" class="inside">
<p class="facts">${exchange.start}</p>${
    exchange.requestBody !== undefined &&
    html`<pre>${cut(exchange.requestBody, most.green)}</pre>
`
  }${
    exchange.body !== undefined &&
    html`<pre>${cut(exchange.body, most.green)}</pre>
`
  }</div></details>
`

/** What was asked and what was answered. */
export const contentsOf = (exchange: Exchange, room: number): Markup =>
  html`<p class="part">Asked</p><pre>${requestOf(exchange, room)}</pre>
${
  exchange.status !== undefined &&
  html`<p class="part">Answered</p><pre>${answerOf(exchange, room)}</pre>
`
}`

/** A long body is left out of the command whole: half of one would ask something else. */
function commandOf(exchange: Exchange, room: number, report: Report): string {
  const { requestBody = '' } = exchange
  const told = `(${number(Buffer.byteLength(requestBody))} bytes, left out)`
  const short = requestBody.length > room ? { ...exchange, requestBody: told } : exchange
  const command = curlOf(short, report)
  return command.length > 16_000 ? '(too long for this page)' : command
}

/** Method, path, status and time in a line. */
export function lineOf(exchange: Exchange): Markup {
  const { method, path, status, milliseconds, attempt } = exchange
  const answered = status === undefined ? 'no answer' : status
  return html`<span class="asked">${cut(method, 20)} ${cut(path, 300)}</span> <b>${answered}</b> <span class="took">${milliseconds} ms${attempt > 1 && `, attempt ${attempt}`}</span>`
}

/** A line that refers to an exchange written elsewhere. */
export const referenceTo = ({ number: at, exchange, role }: Referred): Markup =>
  html`<li>${role !== 'set-up' && html`<span class="role">${role}</span> `}<a href="${fragment({ exchange: String(at) })}"><span class="of">#${at}</span> ${lineOf(exchange)}</a></li>
`

/** As short as can be; the script makes the line of it when somebody looks. */
export const numberOf = ({ number: at }: Numbered): Markup =>
  html`<li><a href="${fragment({ exchange: String(at) })}">#${at}</a>
`

function requestOf({ method, path, requestHeaders, requestBody }: Exchange, room: number): string {
  const head = [`${cut(method, 20)} ${cut(path, 4096)}`, ...headersOf(requestHeaders)]
  return [...head, ...(requestBody ? ['', cut(requestBody, room)] : [])].join('\n')
}

function answerOf({ status, headers, body, bodyBytes }: Exchange, room: number): string {
  const absent = bodyBytes ? [`(${number(bodyBytes)} bytes, not kept)`] : []
  const shown = body ? [cut(body, room)] : absent
  return [
    String(status),
    ...headersOf(headers ?? {}),
    ...(shown.length > 0 ? ['', ...shown] : []),
  ].join('\n')
}

function headersOf(headers: Record<string, string>): string[] {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${cut(name, 200)}: ${cut(value, 1000)}`,
  )
  if (lines.length <= mostHeaders) return lines
  return [...lines.slice(0, mostHeaders), `… and ${number(lines.length - mostHeaders)} more`]
}
