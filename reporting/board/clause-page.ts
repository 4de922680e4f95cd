import { toldVerdict } from '../../engine/run/report.ts'
import type { Facts } from '../comparison/compare.ts'
import { cut, html, type Markup } from '../html/markup.ts'
import { badge } from '../html/verdicts.ts'
import type { Board, Target } from './board.ts'
import { boardPage, foundTold, minuteOf, targetPage } from './pages.ts'

/** The page of a clause: what each target does, and since when. */
export function clausePageOf(facts: Facts, { targets }: Board): string {
  const { id, level, statement, section, operation } = facts
  return boardPage(
    id,
    html`<header>
<p class="what"><a href="../index.html">Contract board</a></p>
<h1><code>${cut(id, 200)}</code></h1>
<p><span class="level">${level}</span> ${cut(statement, 1000)}</p>
<p>${cut(operation, 200)}. Section: ${cut(section, 200)}</p>
</header>
<main id="main">
<table class="board"><thead><tr><th scope="col">Target</th><th scope="col">Newest run</th><th scope="col">What was found</th><th scope="col">Changes</th></tr></thead>
<tbody>${targets.map((target) => rowOf(id, target))}</tbody></table>
</main>
`,
  )
}

function rowOf(id: string, target: Target): Markup {
  const clause = target.newest.report.clauses.find((each) => each.id === id)
  const changes = changesOf(id, target)
  return html`<tr id="${target.slug}"><th scope="row"><a href="../${targetPage(target)}">${cut(target.name, 200)}</a></th><td>${clause ? badge(toldVerdict(clause)) : 'no report of it'}</td><td class="said">${clause && cut(foundTold(clause), 2000)}</td><td>${changes.map((each) => html`<p>${each}</p>`)}</td></tr>
`
}

/** Each run in which the verdict, or what was observed, was another than before. */
function changesOf(id: string, { runs }: Target): string[] {
  const changes: string[] = []
  let before: string | undefined
  for (const { report } of runs) {
    const clause = report.clauses.find((each) => each.id === id)
    if (!clause) continue
    const verdict = toldVerdict(clause)
    const state = verdict === 'observed' ? JSON.stringify(clause.observed) : verdict
    if (state !== before)
      changes.push(
        cut(
          `${minuteOf(report.startedAt)}: ${verdict === 'observed' ? foundTold(clause) : verdict}`,
          300,
        ),
      )
    before = state
  }
  return changes
}
