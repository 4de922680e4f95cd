// Where the time of a run went: when requests were under way, and how long each took.

import type { Exchange } from '../../engine/http/exchange.ts'
import type { Report } from '../../engine/run/report.ts'
import { ifMatchOf } from '../parts/evidence.ts'
import { routeOf } from '../parts/symptom.ts'
import { groupedBy } from '../parts/texts.ts'
import { type Content, fold, html, Markup, number } from './markup.ts'

const fewest = 5

function byOperation(exchanges: readonly Exchange[]): [name: string, of: Exchange[]][] {
  const nameOf = ({ method, path }: Exchange) => `${method} ${routeOf(path)}`
  const known = groupedBy(exchanges, nameOf)
  const isRare = (each: Exchange) => (known.get(nameOf(each))?.length ?? 0) < fewest
  const named = groupedBy(exchanges, (each) => (isRare(each) ? 'others' : nameOf(each)))
  return [...named].sort(([a], [b]) => a.localeCompare(b))
}

type Row = { name: string; figures: readonly Content[]; paths: string[] }

/** A row for each kind of request, with figures and strokes along an axis. */
const chart = (what: string, figures: string[], axis: string[], rows: readonly Row[]) =>
  html`<div class="wide" role="region" aria-label="${what} (scrolls)" tabindex="0"><table class="latency">
<thead><tr><th scope="col">Request</th>${figures.map((title) => html`<th scope="col">${title}</th>`)}<td class="plot"><div class="axis" aria-hidden="true">${axis.map((label) => html`<span>${label}</span>`)}</div></td></tr></thead>
<tbody>${rows.map(
    ({ name, figures, paths }) =>
      html`<tr><th scope="row">${name}</th>${figures.map((figure) => html`<td>${figure}</td>`)}<td class="plot">${plot(paths)}</td></tr>
`,
  )}</tbody></table></div>`

const width = 1000

/** Markup of numbers alone. Colours and sizes are attributes, because some viewers allow no style. */
const plot = (paths: readonly string[]) =>
  new Markup(
    `<svg aria-hidden="true" viewBox="0 0 ${width} 24" width="300" height="24" preserveAspectRatio="none" fill="currentColor">${paths.join('')}</svg>`,
  )

/** Response times by operation: a mark for each answer, on a logarithmic scale. */
export function latencyOf({ exchanges }: Report): Markup {
  const own = exchanges.filter(({ status, base }) => status !== undefined && base === undefined)
  const rows = byOperation(own).map(([name, of]) => ({
    name,
    times: of.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b),
  }))
  if (own.length === 0) return html``
  const powerOf = (ms: number) => Math.log10(Math.max(1, ms))
  const powers = own.map(({ milliseconds }) => powerOf(milliseconds))
  const from = Math.floor(Math.min(...powers))
  const to = Math.max(from + 1, Math.ceil(Math.max(...powers)))
  const decades = Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at))
  const x = (ms: number) => Math.round(((powerOf(ms) - from) / (to - from)) * (width - 4)) + 2
  const strokes = (times: readonly number[], height: string, look: string) =>
    `<path stroke="currentColor" ${look} d="${times.map((ms) => `M${x(ms)} ${height}`).join('')}"></path>`
  const about = html`<p>Time from sending a request to the end of its response. Each stroke is one of ${number(own.length)} responses to requests of clauses, and the tall strokes are the median and the 95th percentile; the first contact and putting back are excluded.</p>
`
  const columns = ['Responses', 'Median', '95th percentile', 'Longest']
  const charted = rows.map(({ name, times }): Row => {
    const marks = [quantile(times, 0.5), quantile(times, 0.95)]
    return {
      name,
      figures: [number(times.length), ...[...marks, times.at(-1) ?? 0].map(span)],
      paths: [
        strokes(decades, '0v24', 'stroke-opacity=".25"'),
        strokes(times, '6v12', 'stroke-width="3" stroke-opacity=".35"'),
        strokes(marks, '0v24', 'stroke-width="6"'),
      ],
    }
  })
  return fold(
    'latency',
    'Latency',
    html`${about}${chart('Latency', columns, decades.map(span), charted)}`,
  )
}

/** Nearest rank, of times in ascending order. */
const quantile = (times: readonly number[], part: number) =>
  times[Math.max(0, Math.ceil(times.length * part) - 1)] ?? 0

const span = (ms: number) =>
  ms < 1000 ? `${number(Math.round(ms * 10) / 10)} ms` : `${number(Math.round(ms / 10) / 100)} s`

/** From and to, in milliseconds. */
type Stretch = readonly [from: number, to: number]

const underWay = ({ start, milliseconds }: Exchange, since: number): Stretch => {
  const from = Date.parse(start) - since
  return [from, from + Math.max(1, milliseconds)]
}

/** The bars of a row whose width is so many milliseconds. */
function barsOf(stretches: readonly Stretch[], whole: number): string {
  const x = (ms: number) => Math.round((ms / Math.max(1, whole)) * width)
  const bars = joined(stretches.map(([a, b]): Stretch => [x(a), Math.max(x(a) + 1, x(b))]))
  return `<path d="${bars.map(([a, b]) => `M${a} 4h${b - a}v16H${a}z`).join('')}"></path>`
}

/** The updates of one task that a breach judged, if some were under way at once. */
export function raceOf(exchanges: readonly Exchange[]): Markup | undefined {
  const all = exchanges.filter(({ method }) => method === 'PUT')
  const updates = all.filter(({ path }) => path === all[0]?.path)
  const begun = Math.min(...updates.map(({ start }) => Date.parse(start)))
  const stretches = updates.map((each) => underWay(each, begun))
  if (joined(stretches).length === updates.length) return undefined
  const whole = Math.max(...stretches.map(([, to]) => to))
  const rows = updates.map(
    (each): Row => ({
      name: `#${each.number}`,
      figures: [ifMatchOf(each) ?? 'none', each.status ?? 'no response'],
      paths: [barsOf([underWay(each, begun)], whole)],
    }),
  )
  return chart('Updates at once', ['If-Match', 'Status'], ['0 s', span(whole)], rows)
}

/** Stretches in which requests were under way, in which the pace held some back, and neither. */
export function timelineOf({ exchanges, startedAt, durationMs, cpuMs }: Report): Markup {
  const stretchOf = (each: Exchange) => underWay(each, Date.parse(startedAt))
  const own = exchanges.filter((each) => {
    const [from] = stretchOf(each)
    return from >= 0 && from <= durationMs
  })
  const held = own.map((each): Stretch => {
    const [from] = stretchOf(each)
    return [from - (each.heldMs ?? 0), from]
  })
  const idle = gapsIn(own.map(stretchOf), [0, durationMs])
  const waited = idle.flatMap((gap) => gapsIn(held, gap))
  const paced = idle.flatMap((gap) => gapsIn(waited, gap))
  const rowOf = (name: string, count: string, stretches: readonly Stretch[]): Row => ({
    name,
    figures: [count, span(lengthOf(joined(stretches)))],
    paths: [barsOf(stretches, durationMs)],
  })
  const rows = [
    ...byOperation(own).map(([name, of]) => rowOf(name, number(of.length), of.map(stretchOf))),
    rowOf('delayed by the pace', '', paced),
    rowOf('waiting or computing', '', waited),
  ]
  const longest = Math.max(0, ...waited.map(([a, b]) => b - a))
  const about = html`<p>The whole width is the run, ${span(durationMs)}. A row is filled while at least one of its requests was under way. While none was, REQUESTS_PER_SECOND and other limits delayed requests (${span(lengthOf(paced))}), or the suite waited for effects, emails or events, or computed: ${span(lengthOf(waited))} in all, ${span(longest)} at most in one go.${cpuMs !== undefined && ` The process used ${span(cpuMs)} of CPU.`}</p>
`
  const axis = ['0 s', span(durationMs)]
  return fold(
    'timeline',
    'Timeline',
    html`${about}${chart('Timeline', ['Requests', 'For'], axis, rows)}`,
  )
}

const lengthOf = (stretches: readonly Stretch[]) =>
  stretches.reduce((sum, [from, to]) => sum + to - from, 0)

function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: [number, number][] = []
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

/** What of a stretch none of the others covers. */
function gapsIn(stretches: readonly Stretch[], [from, to]: Stretch): Stretch[] {
  const ends: Stretch[] = [...joined(stretches), [to, to]]
  let covered = from
  return ends.flatMap(([start, end]): Stretch[] => {
    const gap: Stretch = [covered, Math.min(start, to)]
    covered = Math.max(covered, end)
    return gap[1] > gap[0] ? [gap] : []
  })
}
