import { shown } from '../shown.ts'
import { inContext } from './context.ts'
import type { Again, Context, FileSign, Kind, Words } from './kind.ts'

/** Two files or answers that have to be alike differ, or the other way round. */
export type TwinsFinding = Context & {
  kind: 'twins'
  /** what is compared */
  things: 'header rows' | 'column headers' | 'words' | 'dates' | 'versions' | 'types'
  wanted: 'alike' | 'unlike'
  /** the judged one */
  one: Twin
  /** what it is compared with */
  other: Twin
  /** a column header that the judged PDF has to have */
  lookedFor?: string
}

type Twin = {
  /** its name, for people: "the CSV with locale=de" */
  name: string
  /** what it has; left out of `other` if both are alike */
  has?: readonly string[]
  /** how many it has, if `has` holds only the first of them */
  count?: number
}

export const twinsFinding = (facts: Omit<TwinsFinding, 'kind'>): TwinsFinding => ({
  kind: 'twins',
  ...facts,
})

export const twins: Kind<TwinsFinding> = {
  wordsOf(finding) {
    const { sentence, expected, got } =
      finding.wanted === 'alike' ? wordsOfDifferent(finding) : wordsOfSame(finding)
    return { sentence: inContext(sentence, finding), expected, got }
  },
  againOf,
}

function againOf({ things, one, other, lookedFor }: TwinsFinding): Again | undefined {
  // A script reads the text of a PDF as one word.
  if (lookedFor !== undefined)
    return { file: [{ kind: 'has', text: lookedFor.replaceAll(/\s/g, '') }] }
  const titles = one.has ?? []
  const lost = other.has?.find((title) => !titles.includes(title))
  // Another file of the same request may have its header row right.
  if (things === 'header rows' && titles.length > 0 && lost !== undefined)
    return { file: [{ kind: 'title', text: lost }], isOfMoment: true }
  const sign = signByThings[things]
  return sign ? { file: [sign] } : undefined
}

const signByThings: Partial<Record<TwinsFinding['things'], FileSign>> = {
  // Every row shows a date.
  dates: 'other lines',
  'header rows': { kind: 'records', least: 0, most: 0 },
  'column headers': 'same first line',
}

function wordsOfDifferent({ things, one, other }: TwinsFinding): Words {
  const got = describeList(one)
  const expected = describeList(other)
  return {
    sentence: `the ${things} differ: ${got} in ${one.name}, but ${expected} in ${other.name}`,
    expected,
    got,
  }
}

function wordsOfSame({ things, one, other }: TwinsFinding): Words {
  const same = one.has ? `: ${describeList(one)}` : ''
  return {
    sentence: `the ${things} of ${one.name} and of ${other.name} are the same${same}`,
    expected: `different ${things}`,
    got: `the same ${things}${same}`,
  }
}

function describeList({ has = [], count = has.length }: Twin): string {
  if (has.length === 0) return 'none'
  const names = has.map((each) => shown(each)).join(', ')
  return count > has.length ? `${names} and ${count - has.length} more` : names
}
