import { type Contract, kindsBySection } from '../../engine/run/contract.ts'
import { type ClauseReport, type Report, toldVerdict, toldWaiver } from '../../engine/run/report.ts'
import type { Evidence } from './evidence.ts'
import { numberOf, referenceTo } from './exchanges.ts'
import { filters } from './filters.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { badge, tally } from './verdicts.ts'

/** Every clause, by section of the contract and in its order. */
export function clausesOf({ clauses }: Report, evidence: Evidence, contract: Contract): Markup {
  const known = Object.keys(contract.sentences)
  const kindOf = kindsBySection(contract)
  const others = clauses.map(({ section }) => section).filter((section) => !known.includes(section))
  const sections = [...known, ...new Set(others)]
    .map((section) => ({ section, within: clauses.filter((c) => c.section === section) }))
    .filter(({ within }) => within.length > 0)
  return html`<section id="part=clauses" aria-labelledby="clauses-title">
<h2 id="clauses-title">Clauses, by section of the contract</h2>
${filters(clauses)}
${sections.map(
  ({ section, within }) => html`<div class="section">
<h3>${cut(section, 200) || 'No section'} <span class="tally">${tally(within)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(', ')}</span></h3>
${within.map((clause) => clauseOf(clause, evidence, kindOf(clause)))}</div>
`,
)}</section>
`
}

function clauseOf(clause: ClauseReport, evidence: Evidence, kind: string): Markup {
  const { id, level, statement, operation, durationMs } = clause
  const verdict = toldVerdict(clause)
  const isBreach = verdict === 'fail' || verdict === 'warn'
  return html`<details class="clause"${isBreach && html` open`} data-id="${id}" data-verdict="${verdict}" data-level="${level}" data-operation="${operation}" data-kind="${kind}"><summary>${badge(verdict)} <span><code>${cut(id, 200)}</code> <span class="level">${level}</span> ${cut(statement, 1000)}</span></summary><div id="${`clause=${id}`}" class="inside">
<dl>
${told('Reason', clause.reason)}${told('Cause', causeOf(clause))}${told('Waiver', clause.waiver && toldWaiver(clause.waiver))}${told('Observed', observedOf(clause))}${told('Note', clause.note)}${told('Reading', clause.reading)}<div><dt>Operation</dt><dd>${cut(operation, 200)}</dd></div>
<div><dt>Took</dt><dd>${number(durationMs)} ms in its exchanges, also those that it shares · <a href="${fragment({ clause: id })}">link to this clause</a></dd></div>
</dl>
${evidenceOf(clause, evidence)}</div></details>
`
}

const told = (name: string, text: string | undefined) =>
  text !== undefined &&
  html`<div><dt>${name}</dt><dd class="said">${cut(text, 4000)}</dd></div>
`

/** Why it was not checked, and the clauses that own the missing fact. */
function causeOf({ cause, owners = [], dangling }: ClauseReport): string | undefined {
  if (cause === undefined) return undefined
  const named = owners.length > 0 ? `${cause}; owned by ${owners.join(', ')}` : cause
  return dangling === undefined ? named : `${named}; not judged there: ${dangling}`
}

/** JSON, laid out where it is more than a line of it. */
function observedOf({ observed }: ClauseReport): string | undefined {
  const line = JSON.stringify(observed)
  return line === undefined || line.length < 80 ? line : JSON.stringify(observed, null, 2)
}

/** Of a long list the beginning is folded, but for what was judged and beside what. */
const shown = 8
/** Of a clause that is green nobody looks at all: report.json has them. */
const shownOfGreen = 3

const isDone = ({ verdict }: ClauseReport) =>
  verdict === 'pass' || verdict === 'observed' || verdict === 'skip'

function evidenceOf(clause: ClauseReport, evidence: Evidence): Markup {
  const rests = evidence.of(clause)
  if (rests.length === 0)
    return html`<p>No exchange was recorded for it.</p>
`
  const isGreen = !rests.some(({ grave }) => grave) || isDone(clause)
  const kept = isGreen ? shownOfGreen : shown
  const first = rests.length > kept + 4 ? rests.slice(0, -kept) : []
  const open = rests.filter(
    ({ role }, at) => at >= first.length || role === 'judged' || role === 'control',
  )
  return html`<h4>${rests.length === 1 ? 'Evidence: 1 exchange' : `Evidence: ${number(rests.length)} exchanges`}</h4>
${
  first.length > 0 &&
  (isGreen
    ? html`<p>${number(first.length)} more before these; report.json has them.</p>
`
    : html`<details class="earlier"><summary>the first ${number(first.length)}</summary><ul>${first.map(numberOf)}</ul></details>
`)
}<ul>${open.map(referenceTo)}</ul>
`
}
