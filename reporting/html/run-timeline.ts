import type { Exchange } from '../../engine/http/exchange.ts'
import type { Report } from '../../engine/run/report.ts'
import { byOperation, span } from './latency.ts'
import { fold, html, Markup, number } from './markup.ts'

/** From and to, in milliseconds since the run began. */
type Stretch = readonly [from: number, to: number]

/** When requests were under way, and when none was: where the time of a run went. */
export function timelineOf({ exchanges, startedAt, durationMs, cpuMs }: Report): Markup {
  const began = Date.parse(startedAt)
  const stretchOf = ({ start, milliseconds }: Exchange): Stretch => {
    const from = Date.parse(start) - began
    return [from, from + Math.max(1, milliseconds)]
  }
  const own = exchanges.filter(
    (each) => stretchOf(each)[0] >= 0 && stretchOf(each)[0] <= durationMs,
  )
  const all = joined(own.map(stretchOf))
  const gaps = [...all, [durationMs, durationMs] as const].flatMap(([from], at): Stretch[] => {
    const before = all[at - 1]?.[1] ?? 0
    return from > before ? [[before, from]] : []
  })
  const rows = byOperation(own).map(([name, of]) => ({
    name,
    count: number(of.length),
    stretches: joined(of.map(stretchOf)),
  }))
  const longest = Math.max(0, ...gaps.map(([from, to]) => to - from))
  return fold(
    'timeline',
    'Timeline',
    html`<p>The whole width is the run, ${span(durationMs)}. A row is filled while at least one of its requests was under way. While none was, the suite waited for effects, emails or events, kept its pace, or computed: ${span(lengthOf(gaps))} in all, ${span(longest)} at most in one go.${cpuMs !== undefined && ` The process used ${span(cpuMs)} of CPU.`}</p>
<div class="wide" role="region" aria-label="Timeline (scrolls)" tabindex="0"><table class="latency">
<thead><tr><th scope="col">Request</th><th scope="col">Requests</th><th scope="col">Under way</th><td class="plot"><div class="axis" aria-hidden="true"><span>0 s</span><span>${span(durationMs)}</span></div></td></tr></thead>
<tbody>${[...rows, { name: 'no request', count: '', stretches: gaps }].map(
      ({ name, count, stretches }) =>
        html`<tr><th scope="row">${name}</th><td>${count}</td><td>${span(lengthOf(stretches))}</td><td class="plot">${plot(stretches, durationMs)}</td></tr>
`,
    )}</tbody></table></div>`,
  )
}

const lengthOf = (stretches: readonly Stretch[]) =>
  stretches.reduce((sum, [from, to]) => sum + to - from, 0)

/** In order, and those that overlap as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: [number, number][] = []
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else all.push([from, to])
  }
  return all
}

const width = 1000

/** Markup of numbers alone. */
function plot(stretches: readonly Stretch[], whole: number): Markup {
  const x = (ms: number) => Math.round((ms / Math.max(1, whole)) * width)
  const bars = joined(
    stretches.map(([from, to]): Stretch => [x(from), Math.max(x(from) + 1, x(to))]),
  )
  const path = bars.map(([from, to]) => `M${from} 4h${to - from}v16H${from}z`).join('')
  return new Markup(
    `<svg aria-hidden="true" viewBox="0 0 ${width} 24" width="300" height="24" preserveAspectRatio="none" fill="currentColor"><path d="${path}"></path></svg>`,
  )
}
