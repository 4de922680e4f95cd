// Cells that are not quoted but written with backslashes, or as a formula for their text.

/** How cells are escaped other than by quotes: with backslashes, or each as ="…". */
export type Escapes = 'backslash' | 'formula'

/** Escaped signs become private-use letters until cells are split: no text contains those. */
const signs = '\\"\n\r\t'
const first = 0xe000
const delimiterStandIn = '\uE00F'
const anyStandIn = /[\uE000-\uE004\uE00F]/g
const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** Decodes backslashes in a text that comes in chunks. An escape may span two of them. */
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

export function unescapedCell(cell: string, delimiter: string, escapes: Escapes): string {
  if (escapes === 'formula') return cell.replace(/^="([\s\S]*)"$/, '$1').replaceAll('""', '"')
  return cell.replaceAll(anyStandIn, (sign) => signs[sign.charCodeAt(0) - first] ?? delimiter)
}
