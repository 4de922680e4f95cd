/** A row of a table, or a sentence: the smallest part of the contract that a clause can check. */
export type Unit = { heading: string; text: string; line: number }

/** Without what Markdown adds, as quotes are written. */
export const plain = (line: string): string =>
  line
    .replaceAll('`', '')
    .replace(/^\s*(?:[-*] |\d+\. )/, '')
    .replace(/^\| (.*) \|$/, '$1')
    .trim()

const headingIn = (line: string): string | undefined =>
  /^#+ (?:\d+\. )?([^(]+)/.exec(line)?.[1]?.trim()

const isRuler = (line: string) => /^\|[-|]+\|$/.test(line)

/** The units of the contract in their order, without headings, and without the first row of a table. */
export function unitsOf(contract: string): Unit[] {
  const units: Unit[] = []
  const lines = contract.split('\n')
  let heading = ''
  for (const [at, line] of lines.entries()) {
    const title = headingIn(line)
    if (title !== undefined) heading = title
    const isHead = isRuler(line) || isRuler(lines[at + 1] ?? '')
    if (title !== undefined || isHead || line.trim() === '') continue
    const texts = line.startsWith('|') ? [plain(line)] : sentencesIn(plain(line))
    units.push(...texts.map((text) => ({ heading, text, line: at + 1 })))
  }
  return units
}

const sentencesIn = (text: string): string[] => text.split(/(?<=\.)\s+(?=[A-Z])/)
