import { commandLine } from '../../engine/called.ts'
import { Impossible } from '../../engine/impossible.ts'
import { nearest } from '../../engine/nearest.ts'
import { either, type Parser, wholeNumber } from '../../engine/settings/parsers.ts'
import { sentences } from '../../helpers/contract/sentences.ts'
import { profileNames } from '../../helpers/settings/profiles.ts'
import { table as settings } from '../../helpers/settings/table.ts'
import { versions } from '../../helpers/settings/versions.ts'
import { levels } from '../../reporting/parts/count.ts'
import { mistakeIn } from './read-json.ts'

export type Flag<Value = unknown> = {
  /** the form of its value; default: none. A value in brackets is optional and then empty */
  argument?: string
  meaning: string
  /** default: two different values are a mistake */
  repeats?: boolean
  /** the environment variable that replaces an absent flag */
  variable?: string
  excludes?: { flags: readonly string[]; because: string }
  /** parses the texts; undefined: the flag is absent. `where` is the flag or its variable */
  parse(texts: string[] | undefined, where: string): Value
}

export type Command = {
  meaning: string
  about?: string
  /** the least number of words besides the flags; default: no words */
  words?: { form: string[]; called: string }
  flags: Record<string, Flag>
  /** flags of other tools or earlier versions, each with what to do instead */
  instead?: Record<string, string>
}

const flag = <Value>(
  argument: string | undefined,
  meaning: string,
  parse: Flag<Value>['parse'],
  rest: Pick<Flag, 'repeats' | 'variable'> = {},
): Flag<Value> => ({ argument, meaning, parse, ...rest })

const toggle = (meaning: string) => flag(undefined, meaning, (texts) => texts !== undefined)

const text = (argument: string, meaning: string, variable?: string) =>
  flag(argument, meaning, (texts) => texts?.[0], { variable })

const many = (argument: string, meaning: string) =>
  flag(argument, meaning, (texts = []) => texts, { repeats: true })

const globs = (meaning: string) => ({
  ...many('GLOB', meaning),
  parse: (texts: string[] = []) =>
    texts
      .join()
      .split(',')
      .map((glob) => glob.trim())
      .filter(Boolean),
})

const one = <const Word extends string>(words: readonly Word[], name: string, meaning: string) =>
  flag(name, meaning, (texts, where) => texts && wordIn(words, texts[0] ?? '', where))

const several = <const Word extends string>(
  words: readonly Word[],
  name: string,
  meaning: string,
) => ({
  ...many(name, meaning),
  parse: (texts: string[] | undefined, where: string) =>
    texts?.map((each) => wordIn(words, each, where)),
})

const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]], meaning: string) =>
  flag(words.join('|'), meaning, (texts, where) => wordIn(words, texts?.[0] ?? words[0], where))

const number = <Otherwise>(
  kind: Parser<number>,
  otherwise: Otherwise,
  meaning: string,
  variable?: string,
) => ({
  ...text('N', meaning, variable),
  parse: ([given]: string[] = [], where: string) =>
    given === undefined ? otherwise : (parseWith(kind, given.trim(), where) ?? otherwise),
})

function wordIn<Word extends string>(words: readonly Word[], given: string, where: string): Word {
  const word = words.find((each) => each.toLowerCase() === given.trim().toLowerCase())
  if (word !== undefined) return word
  const meant = nearest(given, words, Math.ceil(given.length / 3))
  throw new Impossible(
    `${where} is '${given}'; ${meant ? `did you mean '${meant}'?` : `write ${either(words)}.`}`,
  )
}

/** `where` names the flag or setting */
export function parseWith<Value>(parse: Parser<Value>, given: string, where: string) {
  return parse(given, { cwd: '', now: 0, key: '', mistake: mistakeIn(`${where} `) })
}

const parts = {
  profile: one(profileNames, 'NAME', `only a named set of clauses: ${either(profileNames)}`),
  level: several(levels, 'LEVEL', 'only clauses of this level; may repeat'),
  section: several(
    Object.keys(sentences),
    'HEADING',
    "only clauses under this heading of the contract, such as 'Errors'; may repeat",
  ),
}

const envFile = many(
  'FILE',
  'read settings from this file in place of .env; may repeat, the later one wins',
)

const check = {
  meaning: 'checks the service and writes the reports; this is the default',
  flags: {
    strict: toggle('a broken should fails the run'),
    clauses: globs('check only the clauses with these ids; may repeat, a comma separates several'),
    ...parts,
    require: globs(
      'fail the run if a clause with one of these ids is skipped; GLOB as for --clauses',
    ),
    'read-only': toggle('send no assignment update'),
    plan: toggle('show what would run and what it would cost; send nothing'),
    failed: text(
      '[REPORT]',
      'check again what neither passed nor was observed in that report, and carry the rest over; default: the report in REPORTS_DIR',
    ),
    'as-of': one(versions, 'VERSION', 'do not count clauses that are newer than this version'),
    baseline: text(
      'REPORT',
      'show what differs from this earlier run, and with --strict fail if something does; default: the report in REPORTS_DIR, which fails nothing',
    ),
    waivers: text('FILE', 'failures listed in this file do not fail the run until their end date'),
    record: text('DIR', 'keep the run in this folder, to repeat it; it contains personal data'),
    replay: {
      ...text('DIR', 'repeat the run whose record is in this folder; send nothing'),
      excludes: {
        flags: [
          ...['clauses', 'profile', 'level', 'section', 'read-only', 'plan', 'failed'],
          ...['seed', 'env-file', 'record'],
        ],
        because: 'a replay repeats a run unchanged',
      },
    },
    seed: number(
      settings.SEED.kind,
      undefined,
      'seed of everything random, as printed in a report',
    ),
    'env-file': envFile,
    verbose: {
      ...toggle('list every clause, and what was observed'),
      // npm turns --verbose into a log level, which may also come from .npmrc.
      variable: 'npm_config_loglevel',
      parse: (texts?: string[]) => texts?.every((each) => /^(verbose|silly)$/.test(each)) ?? false,
    },
  },
  instead: {
    list: `${commandLine('clauses')} lists the clauses`,
    rerun: 'write --failed REPORT',
    'accept-rerun': 'write --failed REPORT; a clause that passes now counts as passed',
    'baseline-days': 'keep the report of a newer run as the baseline',
    shard: 'leave it out; a run against an ordinary service takes under a minute',
    merge: 'make one run; against an ordinary service it takes under a minute',
    times: `write a loop in the shell, and compare the reports with ${commandLine('compare')}`,
    watch: 'write a loop in the shell; --failed checks again what did not pass',
    format: 'read report.json in REPORTS_DIR',
    'on-breach':
      'look up the traceparent of the requests that report.json names in the log of the service',
    notes: 'keep notes beside the report',
    'keep-files': 'set BODIES=all, which keeps downloaded files beside the report',
    slim: 'set BODIES=none for a smaller report',
  },
}

/** Every command with its flags: reading, npm's swallowed flags and every help use this table. */
export const commands = {
  check,
  setup: {
    meaning: 'asks for settings, tries them, and writes .env',
    about: `  Asks for what a run needs, checks each answer at once, and writes .env. It only reads. A flag answers
  its question; with --yes what no flag answers is left out.
`,
    flags: {
      'base-url': text('URL', 'base of the service, normally ending in /v5'),
      'api-key': text('KEY', 'the key; default: API_KEY of the environment', 'API_KEY'),
      'task-ids': text('IDS', 'tasks that runs may change and put back'),
      'read-task-ids': text('IDS', 'further tasks, only read'),
      'assessment-ids': text('IDS', 'assessments to read'),
      'actor-id': text('ID', 'the user in whose name tasks are assigned'),
      'user-ids': text('IDS', 'users to assign to'),
      'team-ids': text('IDS', 'teams to assign to'),
      overwrite: toggle('change an existing .env without asking'),
      yes: toggle('ask no question that a flag could answer'),
    },
    instead: { plan: `${commandLine('check', '--plan')} shows what a run costs` },
  },
  restore: {
    meaning: 'puts back what a killed run left changed',
    about: `  Puts back what a run that was killed, or that lost the service, left changed. It needs
  BASE_URL, API_KEY, ACTOR_ID and the journal (JOURNAL_DIR) of that run.

  exit code 0: nothing is left to put back; 3: something is; 2: it could not be tried
`,
    flags: { 'env-file': envFile },
  },
  compare: {
    meaning: 'compares reports with the first of them',
    about: `  The report of the real service goes first, those of mocks or of other regions behind it. Of more than
  two reports the output has a column for each, and a row for each difference.
`,
    words: { form: ['real/report.json', 'mock/report.json'], called: 'two or more reports' },
    flags: {
      html: text('FILE', 'write the comparison as a page'),
      json: text('FILE', 'write the comparison as JSON'),
      'fail-on': oneOf(
        ['contract', 'any', 'none'],
        'what makes compare exit with 1: contract (default; a breach that the first report does not have), any (any difference) or none',
      ),
    },
    instead: { by: 'write --html FILE: the page groups what differs' },
  },
  serve: {
    meaning: 'runs the reference service on a port',
    about: `  Runs the reference service on a port, and a mailbox on the next, until Ctrl-C. Prints the lines of .env
  that a run against it needs.
`,
    flags: {
      port: number(
        wholeNumber(0, 65_534),
        4010,
        'port of the service; default: PORT or 4010; 0: any two free ports',
        'PORT',
      ),
      seed: number(
        settings.SEED.kind,
        1,
        'seed of its tasks, people and events; default: SEED or 1',
        'SEED',
      ),
      world: {
        ...text(
          'FILE',
          'use the tasks, people and events of this file; curl http://127.0.0.1:4010/__world writes a first one',
        ),
        excludes: { flags: ['seed'], because: 'both define the world' },
      },
    },
    instead: {
      save: 'write the world with curl http://127.0.0.1:4010/__world > world.json',
      'with-breaches': 'leave it out: this service follows the contract',
      like: `compare the reports of both services with ${commandLine('compare')}`,
    },
  },
  verify: {
    meaning: 'reaches the verdicts of a report again, out of the record of its run',
    about: `  Compares the seal, counts and references of a report. With the record of its run (the folder record beside
  it, or --record DIR) it replays the run and says of each verdict: confirmed, contradicted, or not in the record.

  exit code 0: no verdict is contradicted; 1: one is, or the report was changed; 2: it could not be read
`,
    words: { form: ['REPORT'], called: 'a report' },
    flags: {
      record: text('DIR', 'the record of its run; default: the folder record beside the report'),
      verbose: toggle('list every clause'),
    },
  },
  clauses: {
    meaning: 'lists the clauses',
    about: '  Lists level, id and statement of each clause.\n',
    flags: {
      clauses: globs('list only the clauses with these ids; may repeat, a comma separates several'),
      ...parts,
    },
    instead: {
      forms: 'read the suites: the body of a clause shows its requests',
      format: 'read the list as it is; report.json has level, statement and section of each clause',
    },
  },
} satisfies Record<string, Command>

export type CommandName = keyof typeof commands

/** Commands of earlier versions, each with what to do instead. */
export const removedCommands: Readonly<Record<string, string>> = {
  board: `compare the reports with ${commandLine('compare')}; it accepts two or more`,
  plan: 'write --plan',
  judge: `check the service with ${commandLine('check')}, and keep the run with --record DIR`,
}

type FlagsOf<Name extends CommandName> = (typeof commands)[Name]['flags']

type CamelCase<Name extends string> = Name extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The input of a command: its words, and each flag by its name in code. */
export type Given<Name extends CommandName> = { words: string[] } & {
  [Each in keyof FlagsOf<Name> & string as CamelCase<Each>]: FlagsOf<Name>[Each] extends Flag<
    infer Value
  >
    ? Value
    : never
}
