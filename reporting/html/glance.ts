import { matchesAny } from '../../engine/glob.ts'
import { type ClauseReport, type Report, toldVerdict } from '../../engine/run/report.ts'
import { levels, type ShownVerdict } from '../parts/count.ts'
import { curlLine } from '../parts/evidence.ts'
import type { Group } from '../parts/groups.ts'
import { readFirst, type Summary, summaryOf } from '../parts/summary.ts'
import { firstLine } from '../parts/texts.ts'
import { maxCards } from './breaches.ts'
import {
  badge,
  type Content,
  classOf,
  cut,
  fragment,
  html,
  type Markup,
  number,
  signs,
} from './markup.ts'

export function glanceOf(report: Report): Markup {
  const summary = summaryOf(report)
  return html`<section class="glance" aria-label="At a glance">
${report.clauses.length > 0 && pictureOf(report)}${chipsOf(summary)}${tableOf(summary, report)}</section>
`
}

type Row = { title: string; ids: string[] }

/** Of updates are the clauses of no other row. */
function rowsOf(clauses: readonly ClauseReport[]): Row[] {
  const authentication = { title: 'Authentication', ids: ['auth.*'] }
  const others = [...readsOf(clauses), { title: 'Export events', ids: ['export.*', 'audit.*'] }]
  const idsOfOthers = [authentication, ...others].flatMap(({ ids }) => ids)
  const rest = clauses.filter(({ id }) => !matchesAny(id, idsOfOthers))
  const updates = { title: 'Update an assignment', ids: [...new Set(rest.map(partOf))] }
  return [authentication, updates, ...others]
}

/** A read of a resource has clauses that are named after it. */
function readsOf(clauses: readonly ClauseReport[]): Row[] {
  const ofReads = clauses.filter(({ id }) => /^\w+\.read\./.test(id))
  const rows = ofReads.map((clause): [string, Row] => {
    const part = partOf(clause)
    return [part, { title: clause.operation, ids: [part] }]
  })
  return [...new Map(rows).values()]
}

/** All clauses with the first word of this id. */
const partOf = ({ id }: ClauseReport): string => id.replace(/\..*/s, '.*')

const gravest = Object.keys(signs)
const rankOf = (clause: ClauseReport) => gravest.indexOf(toldVerdict(clause))

/** Filters the page; without the script it only names or counts. */
const chip = (name: string, values: readonly string[], what: Content) =>
  html`<button type="button" aria-pressed="false" data-name="${name}" data-value="${values.join(',')}">${what}</button>
`

function pictureOf({ clauses }: Report): Markup {
  const cell = (ids: readonly string[], level: string) => {
    const own = clauses.filter((each) => each.level === level && matchesAny(each.id, ids))
    const bad = own.filter((each) => ['fail', 'warn'].includes(toldVerdict(each))).length
    const squares = own.toSorted((a, b) => rankOf(a) - rankOf(b)).map(squareOf)
    return html`<td class="${level}"><div>${squares}<small>${bad > 0 && html`<b>${bad}</b> of `}${own.length}</small></div></td>`
  }
  return html`<table class="picture" id="picture"><caption class="unseen">Every clause, by operation and level</caption>
<thead><tr><th scope="col"><span class="unseen">Operation</span></th>${levels.map((level) => html`<th scope="col">${chip('level', [level], level)}</th>`)}</tr></thead>
<tbody>${rowsOf(clauses).map(
    ({ title, ids }) =>
      html`<tr><th scope="row">${chip('ids', ids, title)}</th>${levels.map((level) => cell(ids, level))}</tr>
`,
  )}</tbody></table>
`
}

const squareOf = (clause: ClauseReport) =>
  html`<a class="${classOf(toldVerdict(clause))}" href="${fragment({ clause: clause.id })}" aria-label="${cut(clause.id, 200)}: ${toldVerdict(clause)}"></a>`

export const kindsOfChange = ['new', 'still', 'fixed', 'flipped'] as const

function chipsOf({ clauses, since }: Summary): Markup {
  const open = [...clauses.skip, ...clauses.inconclusive]
  const count = ({ length }: readonly string[], what: string) =>
    html`<b>${number(length)}</b> ${what}`
  const of = (verdict: ShownVerdict, what: string) =>
    chip('verdict', [verdict], count(clauses[verdict], what))
  return html`<div class="chips" role="group" aria-label="Show only">
${of('fail', 'broken')}${of('warn', 'warned of')}${chip('verdict', ['skip', 'inconclusive'], count(open, 'not checked'))}${clauses.waived.length > 0 && of('waived', 'waived')}${since && kindsOfChange.map((kind) => since[kind].length > 0 && chip('since', [kind], count(since[kind], kind)))}</div>
`
}

const tableOf = ({ groups }: Summary, report: Report) =>
  groups.length > 0 &&
  html`<table class="groups"><thead><tr><th scope="col">What is broken</th><th scope="col">Clauses</th>${report.baseline && html`<th scope="col">Since</th>`}<th scope="col">One request that shows it</th></tr></thead>
<tbody>${groups.map((group, at) => rowOf(group, at, report))}</tbody></table>
`

function rowOf(group: Group, at: number, report: Report): Markup {
  const { title, where, owner, clauses, musts, verdict, since } = group
  const first = readFirst(group, report)
  const curl = curlLine(first, report)
  // The title of a wrong status says it already.
  const isInTitle = first.breaches?.[0]?.finding?.kind === 'status'
  const fact = isInTitle ? '' : firstLine(first.reason ?? '')
  return html`<tr data-ids="${clauses.join(' ')}"><th scope="row" class="${verdict}">${badge(verdict)} <a href="${at < maxCards ? fragment({ part: `breach.${at + 1}` }) : fragment({ clause: clauses[0] })}">${cut(title, 300)}</a>${fact && html`<small>${cut(fact, 160)}</small>`}<small>${cut(where, 200)} · <i>${owner}</i></small></th>
<td><b>${clauses.length}</b> <small>${musts === 1 ? '1 must' : `${musts} musts`}</small></td>${since && html`<td><small>${since.slice(0, 10)}</small></td>`}<td>${curl && html`<code class="curl" tabindex="0">${curl}</code>`}</td></tr>
`
}
