import { commandLine } from '../../engine/called.ts'
import { counted } from '../../engine/counted.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { Breach, ClauseReport, Report } from '../../engine/run/report.ts'
import { headingOf } from '../parts/count.ts'
import { curlOf } from '../parts/curl.ts'
import { bytesApart, differenceOf, type Piece } from '../parts/differences.ts'
import { equalAnswersIn, exchangeBy, exchangesBy } from '../parts/evidence.ts'
import type { Group } from '../parts/groups.ts'
import { commandsOf, issueOf, quotesOf, repeatingOf } from '../parts/issue.ts'
import { clausesOf, readFirst, summaryOf } from '../parts/summary.ts'
import { exchangeOf, tellExchange } from './exchange.ts'
import { badge, cut, fragment, html, type Markup, number } from './markup.ts'
import { linksTo, linkTo } from './unchecked.ts'
import { raceOf } from './updates-at-once.ts'

/** Only this many groups get a card: the first explain the rest, which the table names. */
export const maxCards = 25

export function breachesOf(report: Report, contract: Contract): Markup {
  const { groups, clauses } = summaryOf(report)
  const all = clausesOf([...clauses.fail, ...clauses.warn], report)
  return html`<section id="part=breaches" aria-labelledby="breaches-title">
<h2 id="breaches-title">${headingOf('Broken', all)}${groups.length > 0 && `, in ${counted(groups.length, 'group')}`}</h2>
${all.length === 0 && html`<p>${clauses.waived.length > 0 ? 'Every breach is waived.' : 'No breach was found in what was checked.'}</p>`}${groups
  .slice(0, maxCards)
  .map((group, at) => groupOf(group, at, report, contract))}</section>
`
}

function groupOf(group: Group, at: number, report: Report, contract: Contract): Markup {
  const [, ...more] = group.clauses
  const first = readFirst(group, report)
  return html`<article class="cause ${group.verdict}" id="part=breach.${at + 1}" data-ids="${group.clauses.join(' ')}">
<h3>${badge(group.verdict)} ${counted(group.clauses.length, 'clause')}: ${cut(group.title, 400)}</h3>
<p>${linkTo(first.id)} <i>${first.level}</i> ${cut(first.statement, 1000)}</p>
${cardOf(first, report, contract)}<details class="repeat"><summary>As an issue’s text</summary><pre class="curl">${`# ${group.title}\n${issueOf(first, report, quotesOf(first, contract)[0])}`}</pre></details>
${
  more.length > 0 &&
  html`<p>Same cause:</p>
${linksTo(more)}`
}</article>
`
}

function cardOf(clause: ClauseReport, report: Report, contract: Contract): Markup {
  const [breach] = clause.breaches ?? []
  const repeating = repeatingOf(clause, report)
  const quotes = quotesOf(clause, contract).slice(0, 2)
  return html`${quotes.map(({ says, section }) => html`<blockquote>${says} <cite>${section}</cite></blockquote>`)}<p class="said">${cut(clause.reason ?? '', 1200)}</p>
${breach && differenceTold(breach)}${breach && raceOf(exchangesBy([...breach.judged, ...breach.control], report))}${breach && exchangesTold(breach, report)}<details class="repeat"><summary>Repeat it</summary><pre class="curl">${commandsOf(repeating)}</pre>
${repeating.why !== undefined && html`<p class="why">There is no script: ${cut(repeating.why, 300)}.</p>`}${report.target.embedded && html`<p class="why">The embedded service is gone by now; for curl and the script, start it with ${commandLine('serve')}.</p>`}</details>
`
}

const most = 600
const mostLinks = 10

const linksOf = (role: string, numbers: readonly number[]) =>
  numbers.length > 0 &&
  html`<p class="why">${role}: ${numbers.slice(0, mostLinks).map((each) => html`<a href="${fragment({ exchange: String(each) })}">#${each}</a> `)}${numbers.length > mostLinks && `and ${number(numbers.length - mostLinks)} more`}</p>`

function differenceTold({ expected, got, decides = {} }: Breach): Markup {
  const [wanted, came] = differenceOf(cut(expected, most), cut(got, most))
  const marked = (pieces: readonly Piece[]) =>
    pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))
  const bytes = bytesApart({ expected, got })
  const pair = (name: string, value: ReturnType<typeof marked> | string) =>
    html`<div><dt>${name}</dt><dd class="said shown">${value}</dd></div>
`
  return html`<dl class="beside">${pair('Expected', marked(wanted))}${pair('Actual', marked(came))}${bytes && pair('First in another encoding', bytes)}${Object.entries(decides).map(([name, value]) => pair(cut(name, 100), cut(value, most)))}</dl>
`
}

function exchangesTold(breach: Breach, report: Report): Markup {
  const { judged, control, before = [], differs } = breach
  const shown = ([first = 0, ...more]: readonly number[], role: string) => {
    const exchange = exchangeBy(first, report)
    return (
      exchange &&
      html`<div>${exchangeOf(exchange.number, role, tellExchange(exchange, 1200), curlOf(exchange, report))}${linksOf(`also ${role}`, more)}</div>`
    )
  }
  const places = control.length > 0 && differs && differs.length > 0 && differs.join(', ')
  return html`${places && html`<p class="why">The mistake is in: ${cut(places, 300)}. The control has no mistake.</p>`}
<div class="beside">${shown(judged, 'judged')}${shown(control, places ? 'control' : 'compared with')}</div>
${linksOf('after', before)}${linksOf('the same bytes', equalAnswersIn({ breaches: [breach] }))}`
}
