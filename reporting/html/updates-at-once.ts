// Which of the updates of a breach were under way at once.

import type { Exchange } from '../../engine/http/exchange.ts'
import { ifMatchOf } from '../parts/evidence.ts'
import { html, Markup, number } from './markup.ts'

/** From and to, in milliseconds since the first update. */
type Stretch = { from: number; to: number }

/** The updates of one task that a breach judged, if some were under way at once. */
export function raceOf(exchanges: readonly Exchange[]): Markup | undefined {
  const all = exchanges.filter(({ method }) => method === 'PUT')
  const updates = all.filter(({ path }) => path === all[0]?.path)
  const begun = Math.min(...updates.map(({ start }) => Date.parse(start)))
  const stretchOf = ({ start, milliseconds }: Exchange): Stretch => {
    const from = Date.parse(start) - begun
    return { from, to: from + Math.max(1, milliseconds) }
  }
  const stretches = updates.map(stretchOf)
  if (!someMeet(stretches)) return undefined
  const whole = Math.max(...stretches.map(({ to }) => to))
  return html`<div class="wide" role="region" aria-label="Updates at once (scrolls)" tabindex="0"><table class="race">
<thead><tr><th scope="col">Request</th><th scope="col">If-Match</th><th scope="col">Status</th><td class="plot"><div class="axis" aria-hidden="true"><span>0 s</span><span>${timeOf(whole)}</span></div></td></tr></thead>
<tbody>${updates.map(
    (update) =>
      html`<tr><th scope="row">#${update.number}</th><td>${ifMatchOf(update) ?? 'none'}</td><td>${update.status ?? 'no response'}</td><td class="plot">${barOf(stretchOf(update), whole)}</td></tr>
`,
  )}</tbody></table></div>`
}

const someMeet = (stretches: readonly Stretch[]) => {
  const inOrder = stretches.toSorted((one, other) => one.from - other.from)
  return inOrder.some(({ to }, at) => (inOrder[at + 1]?.from ?? Infinity) <= to)
}

const width = 1000

/** Markup of numbers alone. Colours and sizes are attributes, because some viewers allow no style. */
function barOf({ from, to }: Stretch, whole: number): Markup {
  const x = (ms: number) => Math.round((ms / whole) * width)
  const length = Math.max(1, x(to) - x(from))
  return new Markup(
    `<svg aria-hidden="true" viewBox="0 0 ${width} 24" width="300" height="24" preserveAspectRatio="none" fill="currentColor"><path d="M${x(from)} 4h${length}v16h${-length}z"></path></svg>`,
  )
}

const timeOf = (ms: number) =>
  ms < 1000 ? `${number(Math.round(ms * 10) / 10)} ms` : `${number(Math.round(ms / 10) / 100)} s`
