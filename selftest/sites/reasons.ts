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
  'engine/http/circuits/silence.ts watchSilences/fallSilent Trouble':
    'Without it a run ends as it does with it, after a timeout for each request: selftest/engine/http/silence.test.ts.',
  'engine/files/*':
    'A file that is cut, endless or too large is shown by the tests of engine/files and of selftest/hostile.',
  'suites/assessment.ts assessment.read.*': whereItCameIn,
  'suites/task.ts task.read.*': whereItCameIn,
  'suites/assignment.ts assign.fields-as-given expect': whereItCameIn,
  'suites/assignment-bystanders.ts assign.only-the-assignment expect': whereItCameIn,
  'suites/comments.ts *': whereItCameIn,
  'suites/export-file.ts export.csv.*': whereItCameIn,
  'suites/export-pdf.ts export.pdf.*': whereItCameIn,
  'suites/export-pdf.ts export.pdf-matches-csv expect': clearer,
  'suites/assignment-bystanders.ts assign.only-*premise*': clearer,
  'suites/audit-trail.ts *premise': clearer,
  'helpers/watch/recording.ts needComplete premise': clearer,
  'suites/export-pdf-limit.ts export.pdf-limit.over Trouble': clearer,
  'helpers/export/judge/zones-and-locales.ts problemsOfZones NotDecidable': clearer,
  'helpers/export/judge/empty-pdf.ts problemsOfEmptyRangePdfs NotDecidable': clearer,
  'helpers/export/judge/pdf-entries.ts problemsOfLocalizedPdf/judge NotDecidable': clearer,
  'helpers/export/ask/file-place.ts fetchDelivered Trouble':
    'It needs a store that breaks down while the service stands: selftest/helpers/export/trouble.test.ts.',
  'helpers/export/ask/pdf-export.ts readBody Trouble':
    'It needs a PDF of more than 64 MB: selftest/helpers/export/trouble.test.ts.',
  'helpers/export/judge/invalid-queries.ts fetchFailuresOfBounds Trouble':
    'It needs a network that lets no malformed bound through: selftest/helpers/export/trouble.test.ts.',
  'helpers/export/learn/confirmed.ts confirmed/recordsOf NotDecidable':
    'It needs a file of more than 20,000 records: selftest/helpers/export/confirmed.test.ts.',
  'helpers/aftermath/carried-out.ts carriedOutMeanwhile Trouble':
    'It needs three loans in a row that each meet the refused update of another clause: selftest/helpers/loans/lending-anew.test.ts.',
  'helpers/export/judge/same-count.ts needSameCount *':
    'It needs events that come while a PDF is fetched: not in every run of the variant where they come late.',
  'suites/concurrency.ts version.one-winner/judge expectThat 2':
    'What is stored is looked at again at the end of the run; this line says it at once, beside the winner.',
  '* ForeignChange*':
    'It needs another writer at one moment of the run: selftest/helpers/updates/another-writer.test.ts.',
  'helpers/loans/need-lendable.ts needLendable NotDecidable': forNothing,
  'helpers/loans/need-lendable.ts needLendable NotDecidable 5': forNothing,
  'helpers/loans/*':
    'It needs two runs at once, or a task that is lost midway: the tests of helpers/loans.',
  'helpers/watch/mailbox.ts *':
    'It needs a mailbox that fails: selftest/helpers/watch/mailbox-down.test.ts.',
  'helpers/service/answers.ts taskIn NotDecidable': clearer,
  'helpers/reads/unknown-ids.ts expectAlike Trouble':
    'It needs a key whose rights change between two requests: selftest/helpers/reads/unknown-ids.test.ts.',
  'helpers/service/write-budget.ts createWriteBudget/enter BoundReached':
    'Without it an update waits for ever, and the run has no end: selftest/helpers/updates/max-writes.test.ts.',
  'helpers/updates/unanswered.ts insisted Trouble':
    'It names the condition; without it updates are sent until the service counts as silent: selftest/helpers/updates/unanswered.test.ts.',
  'helpers/export/judge/together/edges.ts needFewEvents NotDecidable': clearer,
  'helpers/updates/history.ts whyTooFew Trouble':
    'It needs a service that answers none of many updates: selftest/helpers/updates/history.test.ts.',
  'suites/limits.ts limits.rate premise':
    'It needs a run that asks for nothing else: selftest/helpers/service/rate.test.ts.',
  'helpers/updates/controls.ts needAnybody *':
    'The controls come before it and end the clause where nobody is accepted; the type checker asks for it.',
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
