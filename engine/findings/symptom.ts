import { isMisread } from '../misread.ts'

/** What a breach shows. Broken clauses that have a symptom in common have one cause. */
export type Symptom = {
  key: string
  /** what several clauses have in common; default: what the first does not find */
  title?: string
  /** the service lets a caller read or change what the caller may not */
  isGrave?: boolean
  /** what explains it, if the run found that too */
  explainedBy?: readonly Root[]
}

/** What may explain the finding of another clause. */
export type Root =
  | 'unchanged version'
  | 'accepted stale version'
  | 'accepted update'
  | 'update that is not stored'
  | 'missing email'
  | `missing rows in ${'csv' | 'pdf' | 'trail'}`

/** A text is lost or changed in responses, files and emails by one cause; or all texts are in one of these. */
export function symptomsOfText(sent: string, got: unknown, where: string): Symptom[] {
  const key = `text ${JSON.stringify(sent).split('"')[1] ?? ''}`
  if (typeof got === 'string' && isMisread(sent, got))
    return [{ key: 'misread', title: 'Returns text in a wrong encoding' }, { key }]
  const title = got ? 'Returns a text changed' : 'Loses a text that was sent'
  return [{ key }, { key: `${where}: ${title}`, title }]
}

/** Of an update that is rejected and takes effect. */
export const symptomOfRejected = (status: number): Symptom => ({
  key: `${status}, done`,
  title: `Responds ${status} to an update that takes effect`,
})
