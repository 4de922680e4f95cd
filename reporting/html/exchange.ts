import { type Exchange, traceIdOf } from '../../engine/http/exchange.ts'
import { parsed } from '../../engine/parsed.ts'
import { cameOf } from '../parts/evidence.ts'
import { present } from '../parts/present.ts'
import { type Content, cut, html, type Markup, number } from './markup.ts'

type ExchangeTexts = {
  what: string
  /** status and time, or what went wrong */
  came: string
  facts: string
  request: Side
  answer?: Side
}

/** The headers that readers look for, the others, and the body. */
type Side = { head: string; folded: string; body: string }

const mostHeaders = 60
/** Leave a longer command out: half of one would send something else. */
export const mostCurl = 4096
/** Headers of a connection, a client or a gateway, which decide nothing. */
const incidental =
  /^(accept|accept-encoding|user-agent|connection|host|content-length|date|keep-alive|transfer-encoding|server|via|vary|x-powered-by|strict-transport-security)$/i

/** The texts of an exchange, with at most this many characters of a body. */
export function tellExchange(exchange: Exchange, most: number): ExchangeTexts {
  const { method, path, start, base, bodySha256, trouble } = exchange
  const { status, requestHeaders, requestBody = '', headers = {}, body, bodyBytes } = exchange
  const trace = traceIdOf(exchange)
  const absent = bodyBytes ? `(${number(bodyBytes)} bytes, not kept)` : ''
  return {
    what: `${cut(method, 20)} ${cut(path, 4096)}`,
    came: cameOf(exchange),
    facts: [
      start,
      ...(base === undefined ? [] : [`sent to ${cut(base, 500)}`]),
      ...(trace === undefined ? [] : [`trace ${trace}`]),
      ...(bodySha256 ? [`SHA-256 of the body ${cut(bodySha256, 64)}`] : []),
      ...(trouble ? [`Trouble: ${cut(trouble, 2000)}`] : []),
    ].join(' · '),
    request: sideOf(requestHeaders, requestBody, most),
    ...(status === undefined ? {} : { answer: sideOf(headers, body ?? absent, most) }),
  }
}

function sideOf(headers: Record<string, string>, body: string, most: number): Side {
  // The trace stands among the facts.
  const all = Object.entries(headers).filter(([name]) => !/^traceparent$/i.test(name))
  const lines = (these: typeof all) => {
    const shown = these.map(([name, value]) => `${cut(name, 200)}: ${cut(value, 1000)}`)
    const left = shown.splice(mostHeaders).length
    return present([shown, left > 0 && `… and ${number(left)} more`]).join('\n')
  }
  const isFolded = ([name]: [string, string]) => incidental.test(name)
  return {
    head: lines(all.filter((each) => !isFolded(each))),
    folded: lines(all.filter(isFolded)),
    body: cut(laidOut(body), most),
  }
}

/** JSON with a member on each line; any other text unchanged. */
export function laidOut(text: string): string {
  const value = /^\s*[{[]/.test(text) ? parsed(text) : undefined
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

/** An exchange as markup, as the script also makes it; `differs`: the places to mark. */
export function exchangeOf(
  at: number,
  role: string,
  told: ExchangeTexts,
  { curl, differs = [] }: { curl: string; differs?: readonly string[] | undefined },
): Markup {
  const { what, came, facts, request, answer } = told
  return html`<details class="exchange"><summary><span class="role">${role}</span> #${at} <code>${what}</code> → ${came}</summary><div class="inside">
<p class="facts">${facts}</p>
${sideTold('Request', what, request, differs)}${answer && sideTold('Response', came, answer)}${curl.length < mostCurl && html`<p class="part">Send it again</p><pre class="curl">${curl}</pre>`}
</div></details>
`
}

const sideTold = (
  title: string,
  line: string,
  { head, folded, body }: Side,
  differs: readonly string[] = [],
): Markup =>
  html`<p class="part">${title}</p><pre>${markedIn(line, head, body, differs)}</pre>
${folded && html`<details class="folded"><summary>other headers</summary><pre>${folded}</pre></details>`}`

/** A request with the differing parameter, header or body member marked. */
function markedIn(line: string, head: string, body: string, differs: readonly string[]): Content[] {
  const names = (kind: string) =>
    differs.flatMap((place) => {
      const [first, ...rest] = place.split(' ')
      return first === kind ? [rest.at(-1) ?? ''] : []
    })
  const [queries, headers, members] = [names('query'), names('header'), names('body')]
  const isPath = differs.includes('path')
  const marked = (pieces: string[], isMarked: (piece: string) => boolean) =>
    pieces.map((piece) => (isMarked(piece) ? html`<mark>${piece}</mark>` : piece))
  return [
    ...marked(line.split(/(?<=[ ?&])|(?=[ ?&])/), (piece) =>
      piece.startsWith('/')
        ? isPath
        : queries.some((name) => new RegExp(`^${literal(name)}(=|%5B|\\[)`, 'i').test(piece)),
    ),
    ...marked(head === '' ? [] : `\n${head}`.split(/(?<=\n)/), (each) =>
      headers.some((name) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`)),
    ),
    ...marked(body === '' ? [] : `\n\n${body}`.split(/(?<=\n)/), (each) =>
      members.some((name) => name === '' || each.includes(`"${name}"`)),
    ),
  ]
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
