import type { Exchange } from '../../engine/http/exchange.ts'
import type { Report } from '../../engine/run/report.ts'
import { groupedBy } from '../parts/grouped-by.ts'
import { fold, html, Markup, number } from './markup.ts'

const names: [begins: RegExp, name: string][] = [
  [/^\/tasks\b/, 'a task'],
  [/^\/assessments\b/, 'an assessment'],
  [/^\/audit-sentinel\b/, 'an export'],
]

export const operationOf = ({ method, path }: Exchange): string => {
  const [where = ''] = path.split('?')
  if (where.endsWith('/update-assignment')) return `${method} …/update-assignment`
  const [, name] = names.find(([begins]) => begins.test(where)) ?? []
  return name === undefined ? 'others' : `${method === 'GET' ? 'GET' : 'other'} ${name}`
}

/** Response times by operation: a mark for each answer, on a logarithmic scale. */
export function latencyOf({ exchanges }: Report): Markup {
  const rows = rowsOf(exchanges)
  const all = rows.flatMap(({ times }) => times).sort((a, b) => a - b)
  if (all.length === 0)
    return section(html`<p>No request got a response, so there is nothing to show.</p>`)
  const [least = 1, most = 1] = [all[0], all.at(-1)]
  const from = Math.floor(Math.log10(Math.max(1, least)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1, most))))
  const decades = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  return section(html`<p>Time from sending a request to the end of its response. Each stroke is one of ${number(all.length)} responses to requests of clauses, and the tall strokes are the median and the 95th percentile; the first contact and putting back are excluded.</p>
<div class="wide" role="region" aria-label="Latency (scrolls)" tabindex="0"><table class="latency">
<thead><tr><th scope="col">Request</th><th scope="col">Responses</th><th scope="col">Median</th><th scope="col">95th percentile</th><th scope="col">Longest</th><td class="plot"><div class="axis" aria-hidden="true">${decades.map((power) => html`<span>${span(10 ** power)}</span>`)}</div></td></tr></thead>
<tbody>${rows.map(
    ({ operation, times }) =>
      html`<tr><th scope="row">${operation}</th>${[
        number(times.length),
        span(quantile(times, 0.5)),
        span(quantile(times, 0.95)),
        span(times.at(-1) ?? 0),
      ].map(
        (figure) => html`<td>${figure}</td>`,
      )}<td class="plot">${plot(times, from, to)}</td></tr>
`,
  )}</tbody></table></div>`)
}

const section = (content: Markup) => fold('latency', 'Latency', content)

function rowsOf(exchanges: readonly Exchange[]) {
  const own = exchanges.filter(({ status, base }) => status !== undefined && base === undefined)
  const rows = [...groupedBy(own, operationOf)].map(([operation, of]) => {
    const times = of.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
    return { operation, times }
  })
  return rows.sort((a, b) => a.operation.localeCompare(b.operation))
}

const width = 1000
const height = 24

/** Colours and sizes are attributes, because some viewers allow no style. */
function plot(times: readonly number[], from: number, to: number): Markup {
  const x = (ms: number) =>
    Math.round(((Math.log10(Math.max(1, ms)) - from) / (to - from)) * (width - 4)) + 2
  const strokes = times.map((ms) => `M${x(ms)} 6v12`).join('')
  const lines = Array.from({ length: to - from + 1 }, (_, at) => `M${x(10 ** (from + at))} 0v24`)
  // The only markup outside a template: it consists of numbers.
  return new Markup(
    `<svg aria-hidden="true" viewBox="0 0 ${width} ${height}" width="300" height="${height}" preserveAspectRatio="none" fill="none" stroke="currentColor"><path d="${lines.join('')}" stroke-opacity=".25"/><path d="${strokes}" stroke-width="3" stroke-opacity=".35"/><path d="${[0.5, 0.95].map((part) => `M${x(quantile(times, part))} 0v24`).join('')}" stroke-width="6"/></svg>`,
  )
}

/** Nearest rank, of times in ascending order. */
const quantile = (times: readonly number[], part: number) =>
  times[Math.max(0, Math.ceil(times.length * part) - 1)] ?? 0

export const span = (ms: number) =>
  ms < 1000 ? `${number(Math.round(ms * 10) / 10)} ms` : `${number(Math.round(ms / 10) / 100)} s`
