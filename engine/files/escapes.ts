// Cells that are written otherwise than with quotes: with backslashes, or as a formula for their text.

/** How cells are written that quotes alone do not part: with backslashes, or each as ="…". */
export type Escapes = 'backslash' | 'formula'

/** What stands for a sign until the cells are parted: none of them is in a text by chance. */
const standIns: Record<string, string> = {
  '\uE000': '\\',
  '\uE001': '"',
  '\uE002': '\n',
  '\uE003': '\r',
  '\uE004': '\t',
}
const first = 0xe000
const delimiterStandIn = '\uE00F'
const anyStandIn = /[\uE000-\uE004\uE00F]/
const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Takes escapes out of a text that comes in pieces; an escape may be divided between two of them. */
export function createUnescaping({
  delimiter,
  escapes,
}: {
  delimiter: string
  escapes?: Escapes | undefined
}): (piece: string) => string {
  let held = ''
  let before = '\n'
  let cell: 'plain' | 'quoted' | 'closed' = 'plain'
  const beginsFormula = (sign: string) =>
    escapes === 'formula' && sign === '=' && cell !== 'quoted' && isBorder(before, delimiter)
  /** Follows the quotes: a line within them may begin with the same signs as a cell. */
  const pass = (sign: string) => {
    const opens = cell === 'closed' || isBorder(before, delimiter)
    if (cell === 'quoted') cell = sign === '"' ? 'closed' : 'quoted'
    else cell = sign === '"' && opens ? 'quoted' : 'plain'
    before = sign
  }
  const standInFor = (sign: string): string => {
    if (sign === delimiter) return delimiterStandIn
    const meant = letters[sign] ?? sign
    const at = Object.values(standIns).indexOf(meant)
    return at === -1 ? `\\${sign}` : String.fromCharCode(first + at)
  }
  return (piece) => {
    const text = held + piece
    held = ''
    let made = ''
    let at = 0
    while (at < text.length) {
      const sign = text[at] as string
      const isCut = at === text.length - 1 && piece !== ''
      at += 1
      if (escapes === 'backslash' && sign === '\\') {
        if (isCut) held = sign
        else made += standInFor(text[at] ?? '')
        at += 1
      } else if (beginsFormula(sign)) {
        if (isCut) held = sign
        if (isCut || text[at] === '"') continue
        made += sign
      } else made += sign
      pass(sign)
    }
    return made
  }
}

const isBorder = (sign: string, delimiter: string) =>
  sign === delimiter || sign === '\n' || sign === '\r'

/** Up to where a file was read without escapes, in the midst of a word: it parts no cell. */
export const lateMark = '\uE00E'

/** A text with the mark in its first word. */
export const marked = (text: string): string => text.replace(/(?<=[a-z0-9])(?=[a-z0-9])/i, lateMark)

/** A record with the mark in it, as it was meant: what stands before the mark is as it was written. */
export function unmarked(record: string[]): string[] {
  const at = record.findIndex((cell) => cell.includes(lateMark))
  return record.map((cell, column) => {
    if (column > at) return cell
    const [before = '', ...behind] = cell.split(lateMark)
    return [...(withoutEscapes([[before]])[0] ?? []), ...behind].join('')
  })
}

/** A cell as it was meant. */
export function unescapedCell(
  cell: string,
  { delimiter, escapes }: { delimiter: string; escapes?: Escapes | undefined },
): string {
  // What is quoted as a whole has its formula inside.
  if (escapes === 'formula') return cell.replace(/^="([\s\S]*)"$/, '$1').replaceAll('""', '"')
  if (!anyStandIn.test(cell)) return cell
  const signs = cell.replaceAll(/[\uE000-\uE004]/g, (sign) => standIns[sign] ?? sign)
  return signs.replaceAll(delimiterStandIn, delimiter)
}

const backslash = { delimiter: '\0', escapes: 'backslash' } as const

/** Records as they are written where the rest of the export has escapes: a part may show none of them. */
export function withoutEscapes(records: string[][]): string[][] {
  const plain = (cell: string) => {
    const unescaped = createUnescaping(backslash)
    return unescapedCell(unescaped(cell) + unescaped(''), backslash)
  }
  return records.map((record) =>
    record.some((cell) => cell.includes('\\'))
      ? record.map((cell) => (cell.includes('\\') ? plain(cell) : cell))
      : record,
  )
}
