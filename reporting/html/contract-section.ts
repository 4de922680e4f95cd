import { matchesAny } from '../../engine/glob.ts'
import type { Contract, Sentence } from '../../engine/run/contract.ts'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import {
  blocksIn,
  type ContractBlock,
  cellsIn,
  type Unit,
  unitsIn,
} from '../parts/contract-text.ts'
import { isOpen } from '../parts/count.ts'
import { badge, fold, fragment, html, type Markup, tally } from './markup.ts'

type Context = { contract: Contract; clauses: readonly ClauseReport[] }

/** The contract as it is read, each sentence with the gravest verdict of its clauses. */
export function contractOf({ clauses }: Report, contract: Contract): Markup {
  const context = { contract, clauses }
  return fold(
    'contract',
    'The contract, sentence by sentence',
    html`<p>The whole contract. After a sentence or a row stands the most serious verdict of the clauses that check it. Lines that begin with <b>Not in the contract</b> name what it leaves open.</p>
<div class="contract">
${blocksIn(contract.text).map((block) => blockOf(block, context))}</div>`,
  )
}

function blockOf(block: ContractBlock, context: Context): Markup {
  if (block.kind === 'heading') {
    const level = block.level > 2 ? 'h4' : 'h3'
    return html`<${level}>${block.title}</${level}>
`
  }
  return html`${textOf(block, context)}
${unsaidAfter(block, context)}`
}

function textOf(block: Exclude<ContractBlock, { kind: 'heading' }>, context: Context): Markup {
  if (block.kind === 'text') return html`<p>${sentencesOf(block.units, context)}</p>`
  if (block.kind === 'list') {
    const list = block.isNumbered ? 'ol' : 'ul'
    return html`<${list}>${block.items.map(
      (units) => html`<li>${sentencesOf(units, context)}</li>
`,
    )}</${list}>`
  }
  return html`<table><thead><tr>${block.head.map((cell) => html`<th scope="col">${cell}</th>`)}<th scope="col">Verdict</th></tr></thead>
<tbody>${block.rows.map((row) => rowOf(row, block.head, context))}</tbody></table>`
}

/** What two adjoining sentences have in common stands after the second. */
const sentencesOf = (units: readonly Unit[], context: Context): Markup[] =>
  units.map((unit, at) => {
    const next = units[at + 1]
    const later = next ? quotingSentences(next, context) : []
    const ending = quotingSentences(unit, context).filter((sentence) => !later.includes(sentence))
    return html`${writtenOf(unit.written)} ${marksOf(ending, context)}`
  })

function rowOf(row: Unit, head: readonly string[], context: Context): Markup {
  const cells = cellsIn(row.written).map(
    (cell, at) => html`<td data-head="${head[at]}">${writtenOf(cell)}</td>`,
  )
  return html`<tr>${cells}<td>${marksOf(quotingSentences(row, context), context)}</td></tr>
`
}

/** Backticks enclose code. */
const writtenOf = (text: string): Markup =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Sentences before the first heading stand under the first one that has quotes. */
function sentencesUnder(heading: string, { sentences }: Contract): Sentence[] {
  const [first = ''] = Object.keys(sentences)
  return sentences[heading] ?? sentences[first] ?? []
}

function isQuotedBy(unit: Unit, sentence: Sentence): boolean {
  if (!('says' in sentence)) return false
  const quotes = sentence.says.split(' … ')
  return quotes.some((quote) => quote.includes(unit.text) || unit.text.includes(quote))
}

const quotingSentences = (unit: Unit, { contract }: Context): Sentence[] =>
  sentencesUnder(unit.heading, contract).filter((sentence) => isQuotedBy(unit, sentence))

const marksOf = (sentences: readonly Sentence[], { clauses }: Context): Markup[] =>
  sentences.map((sentence) => markOf(sentence, clauses))

/** What the contract leaves out, after the sentence that it follows in the table. */
function unsaidAfter(block: ContractBlock, { contract, clauses }: Context): Markup | false {
  const units = unitsIn(block)
  const [{ heading } = { heading: '' }] = units
  const sentences = sentencesUnder(heading, contract)
  const follows = (at: number) => {
    const before = sentences.slice(0, at).findLast((sentence) => 'says' in sentence)
    return before !== undefined && units.some((unit) => isQuotedBy(unit, before))
  }
  const unsaid = sentences.flatMap((sentence, at) =>
    'unsaid' in sentence && follows(at)
      ? html`<li><b>Not in the contract:</b> ${sentence.unsaid} ${markOf(sentence, clauses)}</li>
`
      : [],
  )
  return (
    unsaid.length > 0 &&
    html`<ul class="unsaid">${unsaid}</ul>
`
  )
}

function markOf(sentence: Sentence, clauses: readonly ClauseReport[]): Markup {
  if ('unchecked' in sentence) return whyUnchecked(sentence)
  const ids = sentence.clauses
  const checking = clauses.filter(({ id }) => matchesAny(id, ids))
  const done = checking.filter((each) => !isOpen(each))
  const isPart = done.length > 0 && done.length < checking.length
  // What was not checked comes last.
  const [found] = [...tally(done), ...tally(checking)].map(([verdict]) => verdict)
  const count = isPart ? `${done.length} of ${checking.length}` : `${checking.length}`
  const verdict = found ? badge(found) : html`<span class="verdict none">not in this run</span>`
  const [only] = checking
  const words = checking.length === 1 ? only?.id : `${count} clauses`
  return html`<a class="mark" href="${fragment({ ids: ids.join(',') })}">${verdict} ${found && words}</a> `
}

/** A label, such as "Headers:", needs no reason. */
function whyUnchecked(sentence: Sentence & { unchecked: string }): Markup {
  const isLabel = 'says' in sentence && sentence.says.endsWith(':')
  return isLabel ? html`` : html`<span class="why">(${sentence.unchecked})</span> `
}
