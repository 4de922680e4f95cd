import { bytesOf, type Operator, onSuccess, operator } from './operator.ts'
import { kidsOf, withChangedText, withDrawing, withKids } from './pdf-file.ts'

const pdf = (
  part: string,
  what: string,
  by: (file: Uint8Array) => Uint8Array | undefined,
): Operator =>
  operator(
    'export.pdf',
    'page',
    part,
    what,
    onSuccess((answer) => {
      const body = by(answer.body)
      return body && { ...answer, body }
    }),
  )

/** Changes which pages there are; nothing to do when there are fewer than `least`. */
const pages = (
  part: string,
  what: string,
  least: number,
  by: (kids: readonly string[]) => readonly string[],
): Operator =>
  pdf(part, what, (file) => {
    const kids = kidsOf(file)
    return kids.length < least ? undefined : withKids(file, by(kids))
  })

const limit = (part: string, what: string, by: (limit: number) => number): Operator =>
  operator('export.pdf', 'limit', part, what, { to: 'limit', by })

export const pdfOperators: readonly Operator[] = [
  pages('drop-first', 'leaves out the first page', 2, (kids) => kids.slice(1)),
  pages('drop-last', 'leaves out the last page', 2, (kids) => kids.slice(0, -1)),
  pages('drop-middle', 'leaves out a page in the middle', 3, (kids) => kids.toSpliced(1, 1)),
  pages('first-only', 'gives the first page only', 2, (kids) => kids.slice(0, 1)),
  pages('repeat', 'gives the first page twice', 1, (kids) => [...kids.slice(0, 1), ...kids]),
  pages('swap', 'swaps the last two pages', 2, (kids) => [
    ...kids.slice(0, -2),
    ...kids.slice(-2).reverse(),
  ]),
  pages('one-for-other', 'gives the first page in place of the last', 2, (kids) => [
    ...kids.slice(0, -1),
    ...kids.slice(0, 1),
  ]),
  pdf('blank', 'leaves the first page empty', (file) => withDrawing(file, () => '')),
  pdf('line', 'leaves out one text of the first page', (file) =>
    withDrawing(file, (text) => text.replace(/\[[^\]]*\] TJ(?![\s\S]*TJ)/, '[] TJ')),
  ),
  pdf('character', 'changes one character of the first page', withChangedText),
  pdf('no-head', 'leaves out the first eight bytes', (file) => file.slice(8)),
  pdf('no-tail', 'leaves out the last kilobyte', (file) => file.slice(0, -1024)),
  pdf('text', 'gives a text in place of a PDF', () => bytesOf('events\r\n')),
  pdf('utf8', 'writes the bytes as if they were text', (file) =>
    bytesOf(new TextDecoder().decode(file)),
  ),
  limit('one-more', 'lets one event too many into a PDF', (n) => n + 1),
  limit('one-less', 'refuses a PDF that is just full', (n) => n - 1),
  limit('none', 'has no limit for a PDF', () => Number.MAX_SAFE_INTEGER),
  limit('tenth', 'has a tenth of the limit for a PDF', (n) => Math.floor(n / 10)),
]
