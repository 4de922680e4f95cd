import type { Flaw, MalformedFinding } from '../../../engine/findings/malformed.ts'
import type { Symptom } from '../../../engine/findings/symptom.ts'
import type { Scene } from './cause.ts'

/** One cause for each flaw, wherever in a file it is. */
export const causesOfMalformed = ({ flaw }: MalformedFinding, { route }: Scene): Symptom[] => [
  { key: `${route} ${flaw.is}`, title: titleOf(flaw) },
]

const titles: Readonly<Record<Exclude<Flaw['is'], 'not delimited text'>, string>> = {
  empty: 'Returns a file of 0 bytes',
  'not JSON': 'Returns a body that is not JSON',
  'two encodings': 'Mixes two encodings in one CSV',
  'two header rows': 'Repeats the header row in a CSV',
  'another width': 'Writes CSV rows with different numbers of cells',
  NUL: 'Writes NUL bytes in a CSV',
  'line feed': 'Writes other line feeds in a CSV than at its beginning',
  'invalid CSV': 'Returns a CSV that cannot be read',
  'no beginning of a PDF': 'Returns a file that does not begin as a PDF',
  'text before the PDF': 'Writes text before a PDF',
  'no end of a PDF': 'Returns a PDF without its end',
  'no page': 'Returns a PDF without a page',
  'invalid PDF': 'Returns a PDF that cannot be read',
  'no text': 'Returns a PDF without text',
}

function titleOf(flaw: Flaw): string {
  if (flaw.is !== 'not delimited text') return titles[flaw.is]
  return `Returns ${flaw.got === 'PDF' ? 'a PDF' : flaw.got} in place of a CSV`
}
