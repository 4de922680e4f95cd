import { matchesAny } from '../../engine/glob.ts'

const whereItCameIn =
  'Its answer is judged where it came in as well (rule R9); the clause says it beside its own control.'
const clearer =
  'The next line would end the clause too: this one says earlier, and more clearly, why.'
const forNothing =
  'No update is sent without it either: it ends the clause before a task is held from other runs for nothing.'

/** Why sites are kept that no proof needs: names or globs of sites, each with a sentence. */
export const reasons: Readonly<Record<string, string>> = {
  'engine/http/*':
    'The reference service answers in this process: what a network does to a request is shown by the tests of engine/http.',
  'suites/assessment.ts assessment.read.*': whereItCameIn,
  'suites/task.ts task.read.*': whereItCameIn,
  'suites/assignment.ts assign.fields-as-given expect': whereItCameIn,
  'suites/assignment-bystanders.ts assign.only-the-assignment expect': whereItCameIn,
  'suites/further-updates.ts assign.new-version.same-assignee expectThat 2': whereItCameIn,
  'suites/comments.ts *': whereItCameIn,
  'suites/export-file.ts export.csv.*': whereItCameIn,
  'suites/export-pdf.ts export.pdf.*': whereItCameIn,
  'suites/export-pdf.ts export.pdf-matches-csv expect': clearer,
  'suites/assignment-bystanders.ts assign.only-*premise*': clearer,
  'suites/audit-trail.ts *premise': clearer,
  'helpers/watch/recording.ts needComplete premise': clearer,
  'suites/export-pdf-limit.ts export.pdf-limit.over Trouble': clearer,
  'helpers/export/judge/zones-and-locales.ts problemsOfZones NotDecidable': clearer,
  'helpers/export/judge/pdf-entries.ts problemsOfLocalizedPdf/judge NotDecidable': clearer,
  'suites/concurrency.ts version.one-winner/judge expectThat 2':
    'What is stored is looked at again at the end of the run; this line says it at once, beside the winner.',
  'helpers/access/bad-keys.ts tryBadKeys ForeignChange':
    'It says that nothing can be said: what comes thrice is judged, and another time may be somebody else.',
  'helpers/aftermath/left-tasks.ts settleLeftTasks Trouble':
    'Without it an owner is named that has passed: “from the middle on every answer is 401 to the valid key” in selftest/proofs/hidden.test.ts.',
  'helpers/loans/need-lendable.ts needLendable NotDecidable': forNothing,
  'helpers/loans/need-lendable.ts needLendable NotDecidable 5': forNothing,
  'helpers/service/answers.ts taskIn NotDecidable': clearer,
  'helpers/updates/unanswered.ts insisted Trouble':
    'It names the condition; without it updates are sent until the service counts as silent: selftest/helpers/updates/unanswered.test.ts.',
  'helpers/export/judge/together/edges.ts needFewEvents NotDecidable': clearer,
}

/** The sentence for a site; a name says more than a glob. */
export const reasonFor = (site: string): string | undefined =>
  reasons[site] ?? Object.entries(reasons).find(([glob]) => matchesAny(site, [glob]))?.[1]

/** Nothing more has to be said of them. */
export const isSettled = (state: string | undefined): boolean =>
  ['necessary', 'hollow', 'mislabelled', 'tested'].includes(state ?? '')

/** The sites that nothing is known to need, and no sentence keeps; those that were not tried with them. */
export const openAmong = (
  sites: readonly { name: string }[],
  stateOf: (name: string) => string | undefined,
): string[] =>
  sites
    .map(({ name }) => name)
    .filter((name) => !isSettled(stateOf(name)) && reasonFor(name) === undefined)

/** Why no client could decide what a variant leaves open: by the cause of most of it. */
const whyByCause: Readonly<Record<string, string>> = {
  refused:
    'The service lets this key, or these people, do nothing of the kind: what it would do for others is not seen.',
  setting: 'What the clauses need was not handed over, and a guest takes nothing by itself.',
  freedom:
    'What these clauses have to see is left open: columns, dates, where a file stands, and fields that may be null.',
  data: 'There are too few events to tell a right file from a wrong one.',
}

/** The sentence for the cause that stands most often among those of a variant. */
export function whyLost(causes: readonly string[]): string {
  const count = (cause: string) => causes.filter((each) => each === cause).length
  const [most = ''] = [...new Set(causes)].toSorted((one, two) => count(two) - count(one))
  return whyByCause[most] ?? '**nothing is said yet**'
}
