import type { Kind, Message } from './messages.ts'

/** What a message says of its run, and what to do where it does not say so itself. */
const kinds: Record<Kind, { exit: string; said: string; todo: string }> = {
  notice: {
    exit: '0',
    said: 'notice',
    todo: 'Nothing has to be done. Read it before you trust the verdict.',
  },
  setting: {
    exit: '0',
    said: 'skipped: setting',
    todo: 'Set what is named to have the clause checked.',
  },
  data: {
    exit: '0',
    said: 'skipped: data',
    todo: 'Give the service data that shows it, or leave it unchecked.',
  },
  freedom: { exit: '0', said: 'skipped: freedom', todo: 'Nothing: the contract leaves this open.' },
  clause: {
    exit: '0',
    said: 'skipped: clause',
    todo: 'See the clause that is named with it: that one judges the fact.',
  },
  breach: {
    exit: '1',
    said: 'breach',
    todo: 'Run `repeat/ID.sh` of the report and give it to whoever owns the service, or waive the clause until a day.',
  },
  unmet: {
    exit: '1',
    said: 'verdict',
    todo: 'Correct the flag or the file of waivers that is named.',
  },
  'cannot run': {
    exit: '2',
    said: 'no run',
    todo: 'Correct what is named and run again: nothing was judged.',
  },
  'key in a file': {
    exit: '2',
    said: 'report',
    todo: 'Make the folder writable. A key in a report is a bug of the suite: report it.',
  },
  trouble: {
    exit: '3',
    said: 'inconclusive',
    todo: 'Look at the exchange in the report, then `npm run contract -- --rerun REPORT`.',
  },
  refused: {
    exit: '3',
    said: 'skipped: refused',
    todo: 'Correct the setting that is named, or declare it with NOT_PERMITTED.',
  },
  'not settled': {
    exit: '3',
    said: 'verdict',
    todo: 'Run again with `--rerun REPORT`; what is named has to be decided.',
  },
  restore: {
    exit: '0 or 3',
    said: 'npm run restore',
    todo: 'Nothing more where it says that nothing is left, or nothing to put back.',
  },
  stopped: {
    exit: '130 or 143',
    said: 'stopped',
    todo: 'Run `npm run restore` if tasks were left changed.',
  },
}

const exits: Record<string, string> = {
  '0': 'The service conforms as far as it was checked. What was skipped says why; what is only noticed says so.',
  '1': 'A must is broken, or something that you asked for was not met. A broken should warns and ends with 0, unless `--strict` is given.',
  '2': 'The run could not be made, or its report could not be kept.',
  '3': 'Nothing is broken, and not enough was decided.',
  '0 or 3':
    'What `npm run restore` says: 0 where nothing is left to put back, 3 where something is.',
  '130 or 143': 'Somebody stopped the run: by Ctrl-C (130), or with SIGTERM (143).',
}

/** The page of all messages: a table for each exit code, sorted as a reader looks them up. */
export function pageOf(messages: readonly Message[]): string {
  const tables = Object.entries(exits).flatMap(([exit, about]) => {
    const own = messages.filter(({ kind }) => kinds[kind].exit === exit)
    return [
      `## Exit code ${exit}`,
      about,
      ['| message | it is a | what to do |', '|---|---|---|', ...rowsOf(own)].join('\n'),
    ]
  })
  return `${[
    '# Messages',
    'Every sentence that a command may print, by the exit code of a run in which nothing graver is found. `npm run messages` makes this page from the code; do not edit it.',
    '`…` and `<name>` stand for a value. To look something up, search for the words between values. A reason of a clause may hold several sentences, one a line.',
    ...tables,
  ].join('\n\n')}\n`
}

function rowsOf(messages: readonly Message[]): string[] {
  const rows = messages.map(({ text, kind }) => {
    const { said, todo } = kinds[kind]
    return {
      key: wordsOf(text),
      row: `| ${code(text)} | ${said} | ${cell(adviceIn(text) ?? todo)} |`,
    }
  })
  const sorted = rows.toSorted((a, b) => compared(a.key, b.key) || compared(a.row, b.row))
  return [...new Set(sorted.map(({ row }) => row))]
}

/** By its own words, whatever the values are. */
const wordsOf = (text: string) =>
  text
    .replace(/<[^>]*>|…/g, '')
    .replace(/^[^\p{L}\d]+/u, '')
    .toLowerCase()
/** Not by the language of the machine. */
const compared = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const verbs =
  'set|unset|give|write|check|correct|make|remove|delete|declare|merge|keep|leave|save|read|run|try|use|say|add|press|report|look|did you mean|npm run'

/** What a message itself says is to be done. */
function adviceIn(text: string): string | undefined {
  const [, first] = new RegExp(`^((?:${verbs})\\b[^:;]*)`, 'i').exec(text) ?? []
  const [, last] = new RegExp(`(?:[;:,] (?:or )?)((?:${verbs})\\b.*)$`, 'i').exec(text) ?? []
  const advice = last ?? first
  const [, command] = /^(npm run \w+(?: -- --\w+(?: [A-Z]+)?)?)/.exec(advice ?? '') ?? []
  if (command) return `Run \`${command}\`.`
  return advice?.replace(/^(?!npm)./, (first) => first.toUpperCase()).replace(/[^.?]$/, '$&.')
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '\\<')
const code = (text: string) => {
  const mark = text.includes('`') ? '``' : '`'
  return `${mark}${text.replaceAll('|', '\\|')}${mark}`
}
