import type { Again, Context, FileSign, Kind, Words } from '../../engine/findings/kind.ts'
import { type Root, symptomsOfText } from '../../engine/findings/symptom.ts'
import { isMisread } from '../../engine/misread.ts'
import { shown } from '../../engine/shown.ts'
import { inMailbox, lateEvents } from './not-scripted.ts'

/** The comment of an update is lost or changed where it has to show. */
export type TextFinding = Context & {
  kind: 'text'
  place: TextPlace
  text: string
  /** what shows in its place, or its beginning; left out: nothing like it */
  got?: string
  /** the length of the whole, if `got` is its beginning */
  length?: number
  change?: TextChange
  /** another comment of the run, which the file shows */
  neighbour?: string
}

type TextPlace =
  /** events that were looked for until they showed it, or for so many seconds */
  | { in: 'trail'; of: 'entity' | 'task or entity'; task: string; waitS?: number }
  | { in: 'csv'; language?: string }
  /** `isInCsv`: the CSV of the same events shows it; `isLatin`: no letter of another script shows */
  | { in: 'pdf'; isInCsv?: true; isLatin?: true }
  | { in: 'email'; to: string; update?: string }

type TextChange = 'cut' | 'misread' | 'recomposed' | 'other'

declare module '../../engine/findings/finding.ts' {
  interface FindingKinds {
    text: TextFinding
  }
}

type More = Context & Pick<TextFinding, 'got' | 'length' | 'change' | 'neighbour'>

export const textFinding = (place: TextPlace, comment: string, more: More = {}): TextFinding => ({
  kind: 'text',
  place,
  text: comment,
  ...more,
})

/** How a text was changed into what shows in its place. */
export function changeOf(sent: string, got: string): TextChange {
  if (sent.startsWith(got.trim())) return 'cut'
  if (sent.normalize() === got.normalize()) return 'recomposed'
  return isMisread(sent, got) ? 'misread' : 'other'
}

export const text: Kind<TextFinding> = {
  wordsOf: (finding) => {
    const { although } = finding
    const { sentence, got } = wordsAt(finding)
    return {
      sentence: although ? `${sentence}, although ${although}` : sentence,
      expected: finding.text,
      got,
    }
  },
  symptomsOf: ({ place, text, got }) =>
    symptomsOfText(text, got, place.in === 'email' ? 'email' : 'events').map((symptom) => ({
      ...symptom,
      explainedBy: [rootOf(place)],
    })),
  againOf,
}

/** What is missing where no text is shown. */
const rootOf = (place: TextPlace): Root =>
  place.in === 'email' ? 'missing email' : `missing rows in ${place.in}`

type Fact = Omit<Words, 'expected'>

function wordsAt(finding: TextFinding): Fact {
  const { place } = finding
  switch (place.in) {
    case 'trail':
      return wordsInTrail(finding, place)
    case 'csv':
      return wordsInCsv(finding, place)
    case 'pdf':
      return wordsInPdf(finding, place)
    case 'email':
      return wordsInEmail(finding, place)
  }
}

type In<Name> = Extract<TextPlace, { in: Name }>

function wordsInTrail({ text }: TextFinding, { of, task, waitS }: In<'trail'>): Fact {
  const owner = of === 'entity' ? `the entity of task ${task}` : `task ${task} or of its entity`
  const time = waitS === undefined ? '' : ` within ${waitS} s`
  return {
    sentence: `no event of ${owner} shows the comment ${shown(text)} whole${time}`,
    got: 'no event that shows it',
  }
}

function wordsInCsv({ text, got = '', length }: TextFinding, { language }: In<'csv'>): Fact {
  const where = language ? ` in ${language}` : ''
  return {
    sentence: `${describeText(text)} was sent, but ${describeText(got, length)} is shown${where}`,
    got,
  }
}

function wordsInPdf({ text, got }: TextFinding, { isInCsv, isLatin }: In<'pdf'>): Fact {
  const comment = shown(text)
  const rest = isInCsv ? `not ${comment}, which the CSV shows` : `not ${comment}`
  return {
    sentence: isLatin
      ? `the PDF shows no word beyond Latin letters: core fonts have only Latin letters, so embed another font; ${comment} was sent`
      : `the PDF shows other comments of this task, but ${rest}`,
    got: got ?? 'a PDF without this text',
  }
}

function wordsInEmail({ text, got }: TextFinding, { to, update }: In<'email'>): Fact {
  if (got === undefined)
    return {
      sentence: `no email to ${to} shows the comment of the update ${update}`,
      got: 'no email that shows it',
    }
  return {
    sentence: `emails to ${to} show ${shown(got)} of the comment, but none shows ${shown(text)}`,
    got: 'an email with other texts',
  }
}

/** Longer texts are shown by their beginning. */
const longest = 200

const describeText = (text: string, length = text.length): string =>
  length > longest ? `${shown(text)} (${length} characters)` : shown(text)

function againOf({ place, text, got = '', neighbour = '' }: TextFinding): Again | undefined {
  if (place.in === 'trail') return lateEvents
  if (place.in === 'email') return inMailbox
  // A reader of both files compares them.
  if (place.in === 'pdf' && place.isInCsv) return undefined
  const lost = wordsLost(text, got).filter((word) => place.in === 'csv' || !isReordered(word))
  const kept =
    longestOf(wordsOf(text).filter((word) => got.includes(word))) ??
    longestOf(wordsOf(neighbour).filter((word) => place.in === 'csv' || !isReordered(word)))
  if (lost.length === 0 || kept === undefined) return { why: ofLetters }
  const words = lost.slice(0, maxWords).map((word): FileSign => ({ kind: 'has', text: word }))
  return { file: [{ kind: 'needs', text: kept }, ...words] }
}

const maxWords = 5

const ofLetters =
  'the words are all there: only their line breaks or the letters between them are others'

/** A CSV may double quotes. */
const wordsOf = (text: string): string[] => text.split(/[\s"]+/).filter((word) => word !== '')

/** The words of a text that are not in what shows in its place. */
const wordsLost = (text: string, got: string): string[] =>
  wordsOf(text).filter((word) => !got.includes(word))

const longestOf = ([first, ...others]: readonly string[]): string | undefined =>
  others.reduce((longest, word) => (word.length > (longest?.length ?? 0) ? word : longest), first)

/** Tools read such letters in another order, or not at all. */
const isReordered = (word: string): boolean =>
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Han}\p{Script=Katakana}\p{Extended_Pictographic}]/u.test(
    word,
  )
