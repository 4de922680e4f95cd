/** A row of a table, or a sentence: the smallest part of the contract that a clause can check. */
export type Unit = {
  heading: string
  /** without marks of Markdown, as quotes are written; bars separate the cells of a row */
  text: string
  /** with the marks of code */
  written: string
  line: number
}

/** What follows in the contract: a row of a table is a unit, and the others hold their sentences. */
export type ContractBlock =
  | { kind: 'heading'; level: number; title: string }
  | { kind: 'table'; head: string[]; rows: Unit[] }
  | { kind: 'list'; isNumbered: boolean; items: Unit[][] }
  | { kind: 'text'; units: Unit[] }

export const cellsIn = (row: string): string[] => row.split(' | ')

type Line = { text: string; number: number }

/** The contract as it is read, without what Markdown adds. */
export function blocksIn(contract: string): ContractBlock[] {
  const lines = contract.split('\n').map((text, at): Line => ({ text, number: at + 1 }))
  const blocks: ContractBlock[] = []
  let heading = ''
  for (const group of groupsOf(lines)) {
    const block = blockFrom(group, heading)
    if (block.kind === 'heading') heading = block.title.replace(/ \(.*/, '')
    blocks.push(block)
  }
  return blocks
}

/** The units in their order: no headings, and no first row of a table. */
export function unitsIn(block: ContractBlock): Unit[] {
  if (block.kind === 'heading') return []
  if (block.kind === 'table') return block.rows
  return block.kind === 'list' ? block.items.flat() : block.units
}

const forms = { heading: /^#/, table: /^\|/, list: /^- /, numbered: /^\d+\. / }

const formOf = ({ text }: Line): string =>
  Object.entries(forms).find(([, form]) => form.test(text))?.[0] ?? 'text'

/** Lines that belong together: those of a table or of a list. */
function groupsOf(lines: readonly Line[]): Line[][] {
  const groups: Line[][] = []
  for (const [at, line] of lines.entries()) {
    if (line.text.trim() === '') continue
    const before = lines[at - 1]
    const form = formOf(line)
    const isNext = before && formOf(before) === form && form !== 'heading' && form !== 'text'
    if (isNext) groups.at(-1)?.push(line)
    else groups.push([line])
  }
  return groups
}

function blockFrom(lines: readonly Line[], heading: string): ContractBlock {
  const [first] = lines as [Line, ...Line[]]
  const form = formOf(first)
  if (form === 'heading') {
    const [, marks = '', title = ''] = /^(#+) (?:\d+\. )?(.*)$/.exec(first.text) ?? []
    return { kind: 'heading', level: marks.length, title }
  }
  const unit = (written: string, { number }: Line): Unit => ({
    heading,
    text: written.replaceAll('`', ''),
    written,
    line: number,
  })
  if (form === 'table') {
    const rows = lines.slice(2).map((line) => unit(cellsOf(line), line))
    return { kind: 'table', head: cellsIn(cellsOf(first)), rows }
  }
  const sentences = (line: Line) => sentencesIn(line.text).map((text) => unit(text, line))
  if (form === 'text') return { kind: 'text', units: sentences(first) }
  return { kind: 'list', isNumbered: form === 'numbered', items: lines.map(sentences) }
}

const cellsOf = ({ text }: Line): string => text.replace(/^\| (.*) \|$/, '$1')

const sentencesIn = (line: string): string[] =>
  line.replace(/^(?:- |\d+\. )/, '').split(/(?<=\.)\s+(?=[A-Z])/)
