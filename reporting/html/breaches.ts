import type { Contract } from '../../engine/run/contract.ts'
import {
  type Breach,
  type ClauseReport,
  type Report,
  type Role,
  toldVerdict,
  toldWaiver,
} from '../../engine/run/report.ts'
import { type Cause, causesOf } from '../parts/causes.ts'
import { curlOf } from '../parts/curl.ts'
import { differenceOf, type Piece } from '../parts/difference.ts'
import { exchangeBy } from '../parts/evidence.ts'
import { quotesOf } from '../parts/quotes.ts'
import { raceOf } from '../parts/race.ts'
import { repeatingOf } from '../parts/repeating.ts'
import { exchangeOf, tellExchange } from './exchange.ts'
import { cut, fragment, html, type Markup, number } from './markup.ts'
import { pictureOf } from './race.ts'
import { linksTo } from './unchecked.ts'
import { badge } from './verdicts.ts'

/** So many causes have a card of their own: of more the first explain the rest. */
const maxCards = 25

/** What breaks the contract, by cause: failed musts first, then warnings, then what is waived. */
export function breachesOf(report: Report, contract: Contract): Markup {
  const causes = causesOf(report)
  const waived = report.clauses.filter((clause) => toldVerdict(clause) === 'waived')
  const count = causes.reduce((sum, { clauses }) => sum + clauses.length, 0)
  const heading =
    count > 0
      ? `Broken: ${numbered(count, 'clause')}, by ${numbered(causes.length, 'cause')}`
      : 'Broken'
  return html`<section id="part=breaches" aria-labelledby="breaches-title">
<h2 id="breaches-title">${heading}</h2>
${count === 0 && html`<p>${waived.length > 0 ? 'Nothing but what is waived.' : 'Nothing was found among what was checked.'}</p>`}${causes
  .slice(0, maxCards)
  .map((cause) => causeOf(cause, report, contract))}${
  causes.length > maxCards &&
  html`<details><summary>${number(causes.length - maxCards)} more causes</summary><ul class="breaches">${causes
    .slice(maxCards)
    .map(
      ({
        heading,
        clauses,
      }) => html`<li>${badge(toldVerdict(clauses[0]))} ${cut(heading, 400)} ${linksTo(clauses.map(({ id }) => id))}</li>
`,
    )}</ul></details>`
}${waived.map(
  (clause) =>
    html`<article class="cause waived"><h3>${badge('waived')} ${clause.waiver && cut(toldWaiver(clause.waiver), 500).replace(/^waived /, '')}</h3>
<p>${linkTo(clause)} <i>${clause.level}</i> ${cut(clause.statement, 1000)}</p>
<details><summary>What is broken</summary>
${cardOf(clause, report, contract)}</details></article>
`,
)}</section>
`
}

const numbered = (count: number, what: string) =>
  `${number(count)} ${count === 1 ? what : `${what}s`}`

const linkTo = ({ id }: ClauseReport) =>
  html`<a href="${fragment({ clause: id })}"><code>${cut(id, 200)}</code></a>`

function causeOf({ heading, clauses }: Cause, report: Report, contract: Contract): Markup {
  const [first, ...more] = clauses
  return html`<article class="cause ${toldVerdict(first)}">
<h3>${badge(toldVerdict(first))} ${cut(heading, 400)}</h3>
<p>${linkTo(first)} <i>${first.level}</i> ${cut(first.statement, 1000)}</p>
${cardOf(first, report, contract)}${
  more.length > 0 &&
  html`<p>Also broken by it:</p>
${linksTo(more.map(({ id }) => id))}`
}</article>
`
}

/** What was expected and what came, what decides, the exchanges, and how to repeat it. */
function cardOf(clause: ClauseReport, report: Report, contract: Contract): Markup {
  const [breach] = clause.breaches ?? []
  const race = breach && raceOf(breach, report)
  const { run, script, why } = repeatingOf(clause, report)
  return html`${sentencesOf(clause, contract)}<p class="said">${cut(firstLines(clause.reason ?? ''), 600)}</p>
${breach && differenceTold(breach)}${race && pictureOf(race)}${breach && exchangesTold(breach, report)}<details class="repeat"><summary>Repeat it</summary><pre class="curl">${script === undefined ? run : `${script}\n# or all of the clause\n${run}`}</pre>
${why !== undefined && html`<p class="why">There is no script: ${cut(why, 300)}.</p>`}</details>
`
}

const sentencesOf = (clause: ClauseReport, contract: Contract): Markup =>
  html`${quotesOf(clause, contract)
    .slice(0, 2)
    .map(
      ({ says, section }) => html`<blockquote>${says} <cite>${section}</cite></blockquote>
`,
    )}`

const firstLines = (text: string) => text.split('\n').slice(0, 2).join('\n')

const most = 600

/** Expected and actual, with what differs marked, and the values that decide. */
function differenceTold({ expected, got, decides = {} }: Breach): Markup {
  const [wanted, came] = differenceOf(cut(expected, most), cut(got, most))
  const marked = (pieces: readonly Piece[]) =>
    pieces.map(({ text, differs }) => (differs ? html`<mark>${text}</mark>` : text))
  const pair = (name: string, value: ReturnType<typeof marked> | string) =>
    html`<div><dt>${name}</dt><dd class="said shown">${value}</dd></div>
`
  return html`<dl class="beside">${pair('Expected', marked(wanted))}${pair('Actual', marked(came))}${Object.entries(decides).map(([name, value]) => pair(cut(name, 100), cut(value, most)))}</dl>
`
}

/** The first that was judged and the first control, side by side; the others are links. */
function exchangesTold({ judged, control, differs }: Breach, report: Report): Markup {
  const shown = (numbers: readonly number[], role: Role) => {
    const [first, ...more] = numbers
    const exchange = first === undefined ? undefined : exchangeBy(first, report)
    return (
      exchange &&
      html`<div>${exchangeOf(exchange.number, role, tellExchange(exchange, 1200), { curl: curlOf(exchange, report), differs })}${
        more.length > 0 &&
        html`<p class="why">also ${role}: ${more.slice(0, 10).map((each) => html`<a href="${fragment({ exchange: String(each) })}">#${each}</a> `)}</p>`
      }</div>`
    )
  }
  const places = control.length > 0 && differs && differs.length > 0 && differs.join(', ')
  const [one, other] = [judged, control].map(
    ([at = 0]) => exchangeBy(at, report)?.path.split('?')[0],
  )
  const elsewhere = one === other || differs?.includes('path') ? '' : ', on another resource'
  return html`${places && html`<p class="why">The mistake is in: ${cut(places, 300)}. The control is the same request with the mistake repaired${elsewhere}.</p>`}
<div class="beside">${shown(judged, 'judged')}${shown(control, 'control')}</div>
`
}
