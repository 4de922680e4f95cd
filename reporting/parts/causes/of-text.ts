import type { FindingKinds } from '../../../engine/findings/finding.ts'
import { isMisread } from '../../../engine/misread.ts'
import type { Scene, Symptom } from './cause.ts'

type TextFinding = FindingKinds['text']

export const causesOfText = ({ place, text, got }: TextFinding, { route }: Scene): Symptom[] =>
  causesOfComment(text, got, place.in === 'email' ? 'email' : route)

/** A text is lost or changed in responses, files and emails by one cause; or all texts are in one of these. */
export function causesOfComment(sent: string, got: unknown, where: string): Symptom[] {
  const key = `text ${JSON.stringify(sent).split('"')[1] ?? ''}`
  if (typeof got === 'string' && isMisread(sent, got))
    return [{ key: 'misread', title: 'Returns text in a wrong encoding' }, { key }]
  const title = got ? 'Returns a text changed' : 'Loses a text that was sent'
  return [{ key }, { key: `${where}: ${title}`, title }]
}
