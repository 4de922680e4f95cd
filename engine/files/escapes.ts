// Cells that are written otherwise than with quotes: with backslashes, or as a formula for their text.

/** How cells are written that quotes alone do not part: with backslashes, or each as ="…". */
export type Escapes = 'backslash' | 'formula'

/** Signs that letters of the private area stand for until the cells are parted: none is in a text by chance. */
const signs = '\\"\n\r\t'
const first = 0xe000
const delimiterStandIn = '\uE00F'
const anyStandIn = /[\uE000-\uE004\uE00F]/g
const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Takes backslashes out of a text that comes in pieces; an escape may be divided between two of them. */
export function createUnescaping(delimiter: string): (piece: string) => string {
  let held = ''
  const standInFor = (sign: string): string => {
    if (sign === delimiter) return delimiterStandIn
    const at = signs.indexOf(letters[sign] ?? sign)
    return at === -1 || sign === '' ? `\\${sign}` : String.fromCharCode(first + at)
  }
  return (piece) => {
    const text = held + piece
    held = ''
    return text.replaceAll(/\\([\s\S]?)/g, (pair, sign: string) => {
      if (sign !== '' || piece === '') return standInFor(sign)
      held = pair
      return ''
    })
  }
}

/** A cell as it was meant. */
export function unescapedCell(cell: string, delimiter: string, escapes: Escapes): string {
  if (escapes === 'formula') return cell.replace(/^="([\s\S]*)"$/, '$1').replaceAll('""', '"')
  return cell.replaceAll(anyStandIn, (sign) => signs[sign.charCodeAt(0) - first] ?? delimiter)
}
