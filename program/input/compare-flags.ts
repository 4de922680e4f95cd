import { UsageError } from './mistakes.ts'
import { type Call, readFlags } from './read-flags.ts'

const limits = ['contract', 'any', 'none'] as const

/** What a comparison fails on. */
export type FailOn = (typeof limits)[number]

export type CompareFlags = NonNullable<ReturnType<typeof readCompareFlags>>

/** How a comparison is called. */
const compareCommand = {
  name: 'compare',
  about:
    '  The report of the real service goes first, that of the mock second. Of more than two reports\n  the first is the reference that all others are measured by.\n',
  words: {
    form: ['real/report.json', 'mock/report.json'],
    called: 'two reports or more',
    more: true,
  },
  flags: {
    html: { argument: 'FILE', meaning: 'write the comparison as a page' },
    json: { argument: 'FILE', meaning: 'write it for programs' },
    'fail-on': {
      argument: limits.join('|'),
      meaning: 'contract (default): what the mock alone breaks fails; any: whatever diverges; none',
    },
  },
  removed: { by: 'write --html FILE: the page groups what differs' },
}

/** Reads what a comparison is to be made of, or throws the first mistake; undefined: as readFlags. */
export function readCompareFlags(call: Call) {
  const given = readFlags(compareCommand, call)
  if (!given) return undefined
  const { words, value } = given
  const [real = '', mock = '', ...more] = words
  const twice = words.find((word, at) => words.indexOf(word) < at)
  if (more.length > 0 && twice !== undefined)
    throw new UsageError(`${twice} is given twice; give each report once.`)
  const failOn = parseLimit(value('fail-on') ?? 'contract')
  return { real, mock, more, html: value('html'), json: value('json'), failOn }
}

function parseLimit(text: string): FailOn {
  const limit = limits.find((each) => each === text)
  if (limit) return limit
  throw new UsageError(`--fail-on holds '${text}'; write ${limits.join(', ')}.`)
}
