import { isMisread } from '../../engine/misread.ts'

export type Piece = { text: string; differs: boolean }

/** Two texts with their differing middle marked, between a common prefix and suffix. */
export function differenceOf(one: string, other: string): [Piece[], Piece[]] {
  // A word or a number differs as a whole.
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]/gu) ?? []
  const [a, b] = [words(one), words(other)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  // Texts with little in common differ as wholes.
  if ((start + end) * 3 < Math.max(a.length, b.length)) [start, end] = [0, 0]
  const pieces = (text: string[]): Piece[] =>
    [
      { text: text.slice(0, start).join(''), differs: false },
      { text: text.slice(start, text.length - end).join(''), differs: true },
      { text: text.slice(text.length - end).join(''), differs: false },
    ].filter(({ text: piece }) => piece !== '')
  return [pieces(a), pieces(b)]
}

type Texts = { expected: string; got: string }

/** Where an encoding went wrong, in a few characters and their bytes. */
export function bytesApart({ expected, got }: Texts): string | undefined {
  if (!isMisread(expected, got)) return undefined
  const at = [...expected].findIndex((char, place) => char !== [...got][place])
  const told = (text: string) => {
    const shown = [...text].slice(at, at + 3).join('')
    return `${shown} (${Buffer.from(shown)
      .toString('hex')
      .replace(/..(?=.)/g, '$& ')})`
  }
  return `${told(got)}, not ${told(expected)}`
}
