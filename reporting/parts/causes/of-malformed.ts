import type { Flaw, MalformedFinding } from '../../../engine/findings/malformed.ts'
import type { Scene, Symptom } from './cause.ts'

/** One cause for each flaw, wherever in a file it is. */
export function causesOfMalformed({ flaw }: MalformedFinding, { route }: Scene): Symptom[] {
  const title = titleOf(flaw)
  return [{ key: `${route} ${flaw.is}`, ...(title ? { title } : {}) }]
}

function titleOf(flaw: Flaw): string | undefined {
  switch (flaw.is) {
    case 'empty':
      return 'Returns a file of 0 bytes'
    case 'not delimited text':
      return `Returns ${flaw.got === 'PDF' ? 'a PDF' : flaw.got} in place of a CSV`
    case 'two encodings':
      return 'Mixes two encodings in one CSV'
    case 'two header rows':
      return 'Repeats the header row in a CSV'
    case 'another width':
      return 'Writes CSV rows with different numbers of cells'
    default:
      return undefined
  }
}
