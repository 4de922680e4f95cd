import { wholeNumber } from '../../engine/settings/parsers.ts'
import { UsageError } from './mistakes.ts'
import { type Call, parseWith, readFlags } from './read-flags.ts'

const groupings = ['address', 'folder'] as const

/** What makes two reports those of one target. */
export type Grouping = (typeof groupings)[number]

/** How a board is called. */
const boardCommand = {
  name: 'board',
  about: `  Writes a static site of all reports in these folders: what each target does, side by side and over
  time. Open index.html; no server is needed.
`,
  words: { form: ['DIR'], called: 'a folder of reports', more: true },
  flags: {
    out: { argument: 'DIR', meaning: 'where the site goes, default board' },
    by: {
      argument: groupings.join('|'),
      meaning: 'what a target is: a base address (default), or a folder below DIR',
    },
    reference: {
      argument: 'NAME',
      meaning: 'the target that others are measured by; default: that of the first report found',
    },
    'stale-days': {
      argument: 'N',
      meaning: 'after how many days the report of the reference is stale, default 30',
    },
  },
}

/** Reads what a board is to be made of, or throws the first mistake; undefined: as readFlags. */
export function readBoardFlags(call: Call) {
  const given = readFlags(boardCommand, call)
  if (!given) return undefined
  const by = given.value('by') ?? 'address'
  const grouping = groupings.find((each) => each === by)
  if (!grouping) throw new UsageError(`--by holds '${by}'; write ${groupings.join(', ')}.`)
  const days = given.value('stale-days')
  return {
    dirs: given.words,
    out: given.value('out') ?? 'board',
    by: grouping,
    reference: given.value('reference'),
    staleAfterDays:
      days === undefined ? 30 : (parseWith(wholeNumber(1, 3650), days, '--stale-days') ?? 30),
  }
}
