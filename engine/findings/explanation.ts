import { counted } from '../counted.ts'
import { describePlace, type Place } from './file-rows.ts'

// Why something is wrong, where the evidence shows it: data beside a finding, and its words. Who finds one holds that
// it is true of all that is wrong and does not explain what is right as well.

export type Explanation = RowsExplanation | GivenBefore | TextsExplanation

export type Explained = {
  why?: Explanation
}

/** Of the rows that are too many or missing, in each of these ways. */
export type RowsExplanation = { rows: 'extra' | 'missing'; count: number } & Reason

export type Reason =
  /** the file has the rows that it has without the filter */
  | { is: 'as without the filter' }
  | { is: 'dated'; beyond: 'before' | 'after'; bound: string; at: string }
  /** all are in one thousand of the rows of the whole file; the first is 1 */
  | { is: 'in one thousand'; thousand: number; all: number }
  | ({ is: 'with a text' } & TextClass)
  /** all have one value, which no other row has; left out where it may be personal */
  | { is: 'of one value'; of: string; value?: string }

/** The file has the bytes of an earlier answer to another query. */
type GivenBefore = { is: 'given before'; exchange: number; place: Place }

/** All texts of this class are lost or changed, and no other text is. */
type TextsExplanation = { is: 'texts'; count: number } & TextClass

export type TextClass =
  | { class: 'emoji' | 'beyond Latin-1' | 'line break' | 'quote' | 'markup' }
  /** in characters: no other text is longer */
  | { class: 'long'; longerThan: number }

export function describeExplanation(why: Explanation): string {
  if (why.is === 'given before')
    return `its bytes are those of an earlier response to another query, the ${describePlace(why.place)}`
  if (why.is === 'texts')
    return `every text with ${describeClass(why)} is lost or changed, ${why.count} in all, and no other`
  return describeReason(why, why)
}

type Rows = Pick<RowsExplanation, 'rows' | 'count'>

function describeReason(reason: Reason, rows: Rows): string {
  switch (reason.is) {
    case 'as without the filter':
      return 'the file has the same rows as without the filter'
    case 'dated':
      return `${describeAll(rows)} ${rows.count === 1 ? 'is' : 'are'} dated ${reason.beyond} ${reason.bound} ${reason.at}`
    case 'in one thousand':
      return `${describeAll(rows)} are in the ${ordinal(reason.thousand)} thousand of ${counted(reason.all, 'row')}`
    case 'with a text':
      return `${describeAll(rows)} have a cell with ${describeClass(reason)}, and no other has`
    case 'of one value': {
      const value = reason.value === undefined ? `one ${reason.of}` : `${reason.of} ${reason.value}`
      return `${describeAll(rows)} have ${value}, and no other has`
    }
  }
}

const describeAll = ({ rows, count }: Rows): string =>
  count === 1 ? `the ${rows} event` : `all ${count} ${rows} events`

const classes: Record<Exclude<TextClass['class'], 'long'>, string> = {
  emoji: 'an emoji',
  'beyond Latin-1': 'a letter beyond Latin-1',
  'line break': 'a line break',
  quote: 'a quotation mark',
  markup: 'a tag in < and >',
}

const describeClass = (text: TextClass): string =>
  text.class === 'long' ? `more than ${text.longerThan} characters` : classes[text.class]

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
]

const ordinal = (place: number): string => ordinals[place - 1] ?? `${place}th`
