import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { levels } from '../parts/count.ts'
import { curlLine } from '../parts/evidence.ts'
import type { Group } from '../parts/groups.ts'
import { readFirst, type Summary, summaryOf } from '../parts/summary.ts'
import { maxCards } from './breaches.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { badge, classOf, signs } from './verdicts.ts'

/** The first screen below the verdict: a picture of all clauses, filters, and what is broken by cause. */
export function glanceOf(report: Report): Markup {
  const summary = summaryOf(report)
  return html`<section class="glance" aria-label="At a glance">
${report.clauses.length > 0 && pictureOf(report)}${chipsOf(summary)}${tableOf(summary, report)}</section>
`
}

const operations = {
  Authentication: /^auth\./,
  'Update an assignment': /^(?!(auth|task|assessment|export|audit)\.)/,
  'Read a task': /^task\./,
  'Read an assessment': /^assessment\./,
  'Export events': /^(export|audit)\./,
}

const gravest = Object.keys(signs)
const rankOf = (clause: ClauseReport) => gravest.indexOf(toldVerdict(clause))

/** Operations by levels, with a square for each clause, the gravest first. */
function pictureOf({ clauses }: Report): Markup {
  const cell = (ids: RegExp, level: string) => {
    const own = clauses.filter((each) => each.level === level && ids.test(each.id))
    const bad = own.filter((each) => ['fail', 'warn'].includes(toldVerdict(each))).length
    const squares = own.toSorted((a, b) => rankOf(a) - rankOf(b)).map(squareOf)
    return html`<td class="${level}"><div>${squares}<small>${bad > 0 && html`<b>${bad}</b> of `}${own.length}</small></div></td>`
  }
  return html`<table class="picture" id="picture"><caption class="unseen">Every clause, by operation and level</caption>
<thead><tr><th scope="col"><span class="unseen">Operation</span></th>${levels.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
<tbody>${Object.entries(operations).map(
    ([title, ids]) =>
      html`<tr><th scope="row">${title}</th>${levels.map((level) => cell(ids, level))}</tr>
`,
  )}</tbody></table>
`
}

const squareOf = (clause: ClauseReport) =>
  html`<a class="${classOf(toldVerdict(clause))}" href="${fragment({ clause: clause.id })}" aria-label="${cut(clause.id, 200)}: ${toldVerdict(clause)}"></a>`

export const kindsOfChange = ['new', 'still', 'fixed', 'flipped'] as const

/** Counts that filter the page; without the script they only count. */
function chipsOf({ clauses, since }: Summary): Markup {
  const open = [...clauses.skip, ...clauses.inconclusive]
  const chip = (name: string, value: string, what: string, { length }: readonly string[]) =>
    html`<button type="button" aria-pressed="false" data-name="${name}" data-value="${value}"><b>${number(length)}</b> ${what}</button>
`
  return html`<div class="chips" role="group" aria-label="Show only">
${chip('verdict', 'fail', 'broken', clauses.fail)}${chip('verdict', 'warn', 'warned of', clauses.warn)}${chip('verdict', 'skip,inconclusive', 'not checked', open)}${clauses.waived.length > 0 && chip('verdict', 'waived', 'waived', clauses.waived)}${since && kindsOfChange.map((kind) => since[kind].length > 0 && chip('since', kind, kind, since[kind]))}</div>
`
}

/** What is broken, by cause, with one request that shows it. */
const tableOf = ({ groups }: Summary, report: Report) =>
  groups.length > 0 &&
  html`<table class="groups"><thead><tr><th scope="col">What is broken</th><th scope="col">Clauses</th>${report.last && html`<th scope="col">Since</th>`}<th scope="col">One request that shows it</th></tr></thead>
<tbody>${groups.map((group, at) => rowOf(group, at, report))}</tbody></table>
`

function rowOf(group: Group, at: number, report: Report): Markup {
  const { title, where, owner, clauses, musts, verdict, since } = group
  const first = readFirst(group, report)
  const curl = curlLine(first, report)
  // What came, unless the title says it.
  const { got = '' } = first.breaches?.[0] ?? {}
  const fact = title.includes(got.slice(0, 8)) ? '' : first.reason?.split('\n')[0]
  return html`<tr data-ids="${clauses.join(' ')}"><th scope="row" class="${verdict}">${badge(verdict)} <a href="${at < maxCards ? fragment({ part: `breach.${at + 1}` }) : fragment({ clause: clauses[0] })}">${cut(title, 300)}</a>${fact && html`<small>${cut(fact, 160)}</small>`}<small>${cut(where, 200)} · <i>${owner}</i></small></th>
<td><b>${clauses.length}</b> <small>${musts === 1 ? '1 must' : `${musts} musts`}</small></td>${since && html`<td><small>${since.slice(0, 10)}</small></td>`}<td>${curl && html`<code class="curl" tabindex="0">${curl}</code>`}</td></tr>
`
}
