import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { cut, fragment, html, type Markup } from './markup.ts'

const shown = 8

/** Where the time of a run goes: to the service's answers, or to waiting for what has to settle. */
export function timesOf({ clauses }: Report): Markup {
  const timed = clauses.flatMap((clause) => {
    const { tookMs } = clause
    return tookMs === undefined ? [] : [{ clause, waited: Math.max(0, tookMs - clause.durationMs) }]
  })
  const slowest = timed.toSorted((a, b) => b.clause.durationMs - a.clause.durationMs)
  const waiting = timed.toSorted((a, b) => b.waited - a.waited)
  return html`<section id="part=times" aria-labelledby="times-title">
<h2 id="times-title">Time by clause</h2>
${
  timed.length === 0
    ? html`<p>This report does not say how long clauses took.</p>`
    : html`<p>Answers: how long the service took. Waiting: for its turn, for a task, for what has to settle.</p>
<div class="beside">${tableOf('Longest answers', slowest)}${tableOf('Longest waiting', waiting)}</div>`
}
</section>
`
}

type Timed = { clause: ClauseReport; waited: number }

const tableOf = (caption: string, timed: readonly Timed[]): Markup =>
  html`<table class="times"><caption>${caption}</caption>
<thead><tr><th scope="col">Clause</th><th scope="col">Answers</th><th scope="col">Waiting</th></tr></thead>
<tbody>${timed.slice(0, shown).map(
    ({ clause: { id, durationMs }, waited }) =>
      html`<tr><th scope="row"><a href="${fragment({ clause: id })}">${breakable(cut(id, 100))}</a></th><td>${seconds(durationMs)}</td><td>${seconds(waited)}</td></tr>
`,
  )}</tbody></table>
`

/** An id that may break behind its dots, for its column is narrow. */
const breakable = (id: string): Markup[] =>
  id.split(/(?<=\.)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
