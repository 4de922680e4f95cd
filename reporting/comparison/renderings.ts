// A comparison for the terminal, as a page and for programs.

import { counted } from '../../engine/counted.ts'
import { targetOf } from '../../engine/run/report.ts'
import { blockOf, cut, html, type Markup } from '../html/markup.ts'
import { pageOf } from '../html/page.ts'
import { type Block, itemLines } from '../parts/blocks.ts'
import { groupedBy, inOneLine, present, printable, cut as shortened } from '../parts/texts.ts'
import { type Compared, figuresOf, fiveLines, type Names } from './compare.ts'
import {
  type Comparison,
  changeBlocks,
  differenceBlocks,
  namesOf,
  remarkBlocks,
  remarksIn,
  type Side,
  uncomparedBlocks,
} from './comparison.ts'
import { rowsBeside } from './side-by-side.ts'

/** One comparison for each report behind the first. */
export type Comparisons = readonly [Comparison, ...Comparison[]]

/** `diverging` lists the letters of those that differ from the first. */
type Judgement = { diverging: readonly string[]; word: string }

const sidesOf = ([first, ...others]: Comparisons): Side[] => [
  ...first.sides,
  ...others.map(({ sides }) => sides[1]),
]

/** Lines with columns of equal width. */
function alignedLines(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => String(row[at]).length)),
  )
  const cell = (text: string, at: number) =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)
  return rows.map((row) => row.map((text, at) => cell(String(text), at)).join('  '))
}

/** The figures of each group of clauses, below their names. */
function figureLines(groups: ReadonlyMap<string, Compared[]>, [one, other]: Names): string[] {
  const heading = ['', 'on both', 'agree', `${other} breaks`, `${one} breaks`, 'another cause']
  const rows = [...groups].map(([group, own]) => {
    const { all, compared: both, agree, breaks, oneOnly, otherwise, free } = figuresOf(own)
    return [group, both, agree, breaks, oneOnly, otherwise, free, all - both]
  })
  return alignedLines([[...heading, 'differ', 'not compared'], ...rows])
}

/** The figures: of two reports for each operation, of more for each report. */
function figuresIn([first, ...others]: Comparisons): string[] {
  if (others.length === 0)
    return figureLines(
      groupedBy(first.compared, ({ facts }) => facts.operation),
      namesOf(first.sides),
    )
  const all = [first, ...others].map(({ sides, compared }) => [sides[1].name, compared] as const)
  return figureLines(new Map(all), [first.sides[0].name, 'it'])
}

const sideLine = ({ name, file, report }: Side) =>
  `${name}  ${targetOf(report)}, ${report.verdict}, ${report.startedAt}, suite ${cut(report.suiteVersion, 50)} (${file})`

const verdictLine = (comparisons: Comparisons, { diverging, word }: Judgement) =>
  comparisons.length > 1 && diverging.length > 0 ? `${word}: ${diverging.join(', ')}` : word

const headings = {
  'other only': 'The first keeps it, others break it',
  'another cause': 'The first breaks it, others by another cause',
  'one only': 'The first breaks it, others keep it',
  observed: 'Differ where the contract leaves a choice',
}

/** Tables of more than two reports, by who breaks what. */
const tablesOf = (comparisons: Comparisons) =>
  [...groupedBy(rowsBeside(comparisons), ({ grade }) => grade)].map(([grade, rows]) => ({
    heading: `${headings[grade]}: ${rows.length}`,
    names: sidesOf(comparisons).map(({ name }) => name),
    rows,
  }))

type Table = ReturnType<typeof tablesOf>[number]

const mark = (differs: boolean) => (differs ? '≠ ' : '')
const cellWidth = 30

function tableLines({ heading, names, rows }: Table): string[] {
  const lines = rows.map(({ facts: { id, level }, path, cells }) => [
    [`${id} (${level})`, path].filter(Boolean).join(' › '),
    ...cells.map(({ text, differs }) => mark(differs) + shortened(text, cellWidth)),
  ])
  return [
    '',
    `  ${heading}`,
    ...alignedLines([['', ...names], ...lines]).map((line) => `    ${line}`),
  ]
}

/** Differences first, figures last; of a long reason the page and the reports have all. */
export function textOf(comparisons: Comparisons, judgement: Judgement): string {
  const [first, ...others] = comparisons
  const isOfTwo = others.length === 0
  const lines = present([
    '',
    verdictLine(comparisons, judgement),
    sidesOf(comparisons).map((side) => `  ${sideLine(side)}`),
    blockText(remarkBlocks(comparisons)),
    blockText(changeBlocks(comparisons)),
    isOfTwo ? blockText(differenceBlocks(first)) : tablesOf(comparisons).flatMap(tableLines),
    blockText(uncomparedBlocks(comparisons, 6)),
    '',
    figuresIn(comparisons).map((line) => `  ${line}`),
    isOfTwo && ['', ...fiveLines(first.compared, namesOf(first.sides)).map((line) => `  ${line}`)],
  ])
  return `${lines.map((line) => printable(inOneLine(line))).join('\n')}\n`
}

const blockText = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(({ heading, items }) => ['', `  ${heading}`, ...itemLines(items)])

export function htmlOf(comparisons: Comparisons, judgement: Judgement): string {
  const { diverging, word } = judgement
  const isGreen = diverging.length === 0
  const title = `${counted(comparisons.length + 1, 'report')} compared`
  return pageOf(
    `${word.toLowerCase()}: ${title} (contract)`,
    html`<header>
<p class="what">Contract: ${title}</p>
<h1 class="${isGreen ? 'pass' : 'fail'}"><span aria-hidden="true">${isGreen ? '✓' : '✗'}</span> ${verdictLine(comparisons, judgement)}</h1>
${sidesOf(comparisons).map((side) => html`<p class="target">${cut(sideLine(side), 800)}</p>`)}</header>
<main id="main">
${bodyOf(comparisons)}</main>
`,
    { scripted: false },
  )
}

function bodyOf(comparisons: Comparisons): Markup {
  const [first, ...others] = comparisons
  const figures = html`<div class="wide" role="region" aria-label="Figures (scrolls)" tabindex="0"><pre>${figuresIn(comparisons).map((line) => `${cut(line, 300)}\n`)}</pre></div>
`
  const before = [...remarkBlocks(comparisons), ...changeBlocks(comparisons)]
  const blocks = [before, uncomparedBlocks(comparisons, Infinity)].map((each) =>
    each.map((block) => blockOf(block)),
  )
  const [remarks, open] = blocks
  if (others.length > 0)
    return html`<h2>Each beside ${first.sides[0].name}</h2>
${figures}${remarks}${tablesOf(comparisons).map(tableOf)}${open}`
  const names = namesOf(first.sides)
  const lines = fiveLines(first.compared, names).map((line) => [line])
  return html`${blockOf({ heading: `${names[1]} beside ${names[0]}`, items: lines })}${figures}${remarks}${differenceBlocks(first).map((block) => blockOf(block))}${open}`
}

const tableOf = ({ heading, names, rows }: Table): Markup => html`<h2>${heading}</h2>
<div class="wide" role="region" aria-label="${heading} (scrolls)" tabindex="0"><table class="beside">
<thead><tr><th scope="col">Clause</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
  ({
    facts,
    path,
    cells,
  }) => html`<tr><th scope="row"><code>${cut(facts.id, 120)}</code> (${facts.level})${path && ` › ${cut(path, 300)}`}<div class="said">${cut(facts.statement, 300)}</div></th>${cells.map(
    ({ text, differs }) => html`<td>${mark(differs)}${cut(text, 1000)}</td>`,
  )}</tr>
`,
)}</tbody></table></div>
`

export function jsonOf(comparisons: Comparisons, { diverging, word }: Judgement): string {
  const [first] = comparisons
  const value = {
    comparisonVersion: 4,
    verdict: word,
    diverging: diverging.length > 0,
    sides: [
      sideJson(first.sides[0]),
      ...comparisons.map(({ sides, compared, changes }) => ({
        ...sideJson(sides[1]),
        diverging: diverging.includes(sides[1].name),
        figures: figuresOf(compared),
        summary: fiveLines(compared, namesOf(sides)),
        ...(changes ? { causes: changes } : {}),
        clauses: compared.map(({ facts: { id }, sides: _, ...outcome }) => ({ id, ...outcome })),
      })),
    ],
    notices: remarksIn(comparisons),
    differences: comparisons.flatMap(({ sides, rows }) =>
      rows.map(({ facts, ...row }) => ({ ...facts, side: sides[1].name, ...row })),
    ),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}

const sideJson = ({ name, file, report }: Side) => {
  const { startedAt, suiteVersion, verdict } = report
  return { name, file, target: targetOf(report), startedAt, suiteVersion, verdict }
}
