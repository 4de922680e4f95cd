import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import {
  type Breach,
  type ClauseReport,
  type Report,
  toldVerdict,
  toldWaiver,
} from '../../engine/run/report.ts'
import { type Cause, causesOf } from '../parts/causes.ts'
import { differenceOf, type Piece } from '../parts/difference.ts'
import { exchangeBy } from '../parts/evidence.ts'
import { repeatingOf } from '../parts/repeating.ts'
import { contentsOf, lineOf } from './exchanges.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { badge } from './verdicts.ts'

/** So many causes have a card of their own: of more the first explain the rest. */
const maxCards = 25
const maxListed = 12

/** What breaks the contract, by cause: failed musts first, then warnings. */
export function breachesOf(report: Report, contract: Contract): Markup {
  const causes = causesOf(report)
  const waived = report.clauses.filter((clause) => toldVerdict(clause) === 'waived')
  const count = causes.reduce((sum, { clauses }) => sum + clauses.length, 0)
  return html`<section id="part=breaches" aria-labelledby="breaches-title">
<h2 id="breaches-title">Breaches${count > 0 && html`: ${numbered(count, 'clause')}, ${numbered(causes.length, 'cause')}`}</h2>
${causes.length === 0 && html`<p>None was found among what was checked.</p>`}${causes
  .slice(0, maxCards)
  .map((cause) => causeOf(cause, report, contract))}${
  causes.length > maxCards &&
  html`<details><summary>${number(causes.length - maxCards)} more causes</summary><ul class="breaches">${causes
    .slice(maxCards)
    .map(
      ({
        heading,
        clauses,
      }) => html`<li>${badge(toldVerdict(clauses[0]))} ${cut(heading, 400)} ${linksTo(clauses)}</li>
`,
    )}</ul></details>`
}${waived.map(
  (clause) =>
    html`<p class="waived">${badge('waived')} ${linkTo(clause)} <span class="said">${clause.waiver && cut(toldWaiver(clause.waiver), 500)}</span></p>
`,
)}</section>
`
}

const numbered = (count: number, what: string) =>
  html`${number(count)} ${count === 1 ? what : `${what}s`}`

const linkTo = ({ id }: ClauseReport) =>
  html`<a href="${fragment({ clause: id })}"><code>${cut(id, 200)}</code></a>`

const linksTo = (clauses: readonly ClauseReport[]) =>
  html`<ul class="ids">${clauses.map(
    (clause) => html`<li>${linkTo(clause)}</li>
`,
  )}</ul>`

function causeOf({ heading, clauses }: Cause, report: Report, contract: Contract): Markup {
  const [first, ...more] = clauses
  return html`<article class="cause ${toldVerdict(first)}">
<h3>${badge(toldVerdict(first))} ${cut(heading, 400)}</h3>
${cardOf(first, report, contract)}${
  more.length > 0 &&
  html`<p>Also broken by it:</p>
${linksTo(more.slice(0, maxListed))}${more.length > maxListed && html`<details><summary>${number(more.length - maxListed)} more</summary>${linksTo(more.slice(maxListed))}</details>`}`
}</article>
`
}

/** The contract's sentence, what was expected and what came, the exchanges, and how to repeat it. */
function cardOf(clause: ClauseReport, report: Report, contract: Contract): Markup {
  const [breach] = clause.breaches ?? []
  const { run, script, why } = repeatingOf(clause, report)
  return html`<p>${linkTo(clause)} <span class="level">${clause.level}</span> ${cut(clause.statement, 1000)}</p>
${sentencesOf(clause, contract)}<p class="said">${cut(firstLines(clause.reason ?? ''), 600)}</p>
${breach && differenceTold(breach)}${breach && exchangesTold(breach, report)}<p class="part">Repeat it</p><pre class="curl">${script === undefined ? run : `${script}\n# or all of the clause\n${run}`}</pre>
${
  why !== undefined &&
  html`<p class="why">There is no script for it: ${cut(why, 300)}.</p>
`
}`
}

const sentencesOf = ({ id, section }: ClauseReport, { sentences }: Contract): Markup => {
  const within = sentences[section] ?? []
  const own = within.filter((each) => 'clauses' in each && matchesAny(id, each.clauses))
  return html`${own.slice(0, 2).map(
    ({ says }) => html`<blockquote>${says} <cite>${section}</cite></blockquote>
`,
  )}`
}

const firstLines = (text: string) => text.split('\n').slice(0, 2).join('\n')

const most = 600

function differenceTold({ expected, got }: Breach): Markup {
  const [wanted, came] = differenceOf(cut(expected, most), cut(got, most))
  const marked = (pieces: readonly Piece[]) =>
    pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))
  return html`<dl class="beside"><div><dt>Expected</dt><dd class="said">${marked(wanted)}</dd></div>
<div><dt>Came</dt><dd class="said">${marked(came)}</dd></div></dl>
`
}

/** The first that was judged and the first control, side by side; the others are links. */
function exchangesTold({ judged, control }: Breach, report: Report): Markup {
  const shown = (numbers: readonly number[], role: string, open: boolean) => {
    const [first, ...more] = numbers
    const exchange = first === undefined ? undefined : exchangeBy(first, report)
    return (
      exchange &&
      html`<details class="exchange told"${open && html` open`}><summary><span class="role">${role}</span> <span class="of">#${exchange.number}</span> ${lineOf(exchange)}</summary><div class="inside">${contentsOf(exchange, 1200)}${
        more.length > 0 &&
        html`<p>and ${more.slice(0, 10).map((each) => html`<a href="${fragment({ exchange: String(each) })}">#${each}</a> `)}</p>`
      }</div></details>
`
    )
  }
  return html`<div class="beside">${shown(judged, 'judged', true)}${shown(control, 'control', true)}</div>
`
}
