/** What became of one change of files, or of the files as they are. */
export type FileOutcome = {
  name: string
  target: string
  files: string[]
  /** the clauses that notice it */
  broken: string[]
  /** it changes which events are in an answer */
  ofEvents: boolean
  /** all answers of a kind are changed alike */
  apart: boolean
}

/** reports/file-mutants.md: how many changes are noticed, and by which clauses. */
export function pageOfFiles(
  originals: readonly FileOutcome[],
  found: readonly FileOutcome[],
): string {
  const one = found.filter(({ apart }) => !apart)
  const apart = found.filter((outcome) => outcome.apart)
  const alarms = originals.filter(({ broken }) => broken.length > 0)
  return [
    '# Mutants of files',
    '',
    'Written by `npm run mutants -- --files`. A service serves the files of the corpus, cut to what is asked',
    'for, and one change is made to some of them. It is noticed where a clause fails or warns that does',
    'not for the files as they are.',
    '',
    `Files as they are: ${originals.length} pairs of a CSV and a PDF, ${alarms.length} with a clause that fails or warns.`,
    ...alarms.map(({ files, broken }) => `- ${files.join(' and ')}: ${broken.join(', ')}`),
    '',
    `Changes of which events are in an answer: ${share(one.filter(({ ofEvents }) => ofEvents))} noticed.`,
    `Changes of what an answer shows of them: ${share(one.filter(({ ofEvents }) => !ofEvents))} noticed.`,
    `Changes alike in all answers of a kind: ${share(apart)} noticed.`,
    '',
    '## One answer of several',
    '',
    ...tableOf(one),
    '',
    '## All answers alike',
    '',
    ...tableOf(apart),
    '',
  ].join('\n')
}

const isNoticed = ({ broken }: FileOutcome) => broken.length > 0

const share = (outcomes: readonly FileOutcome[]): string =>
  `${outcomes.filter(isNoticed).length} of ${outcomes.length}`

function tableOf(outcomes: readonly FileOutcome[]): string[] {
  const keys = [...new Set(outcomes.map(({ name, target }) => `${name} | ${target}`))]
  return [
    '| change | in | noticed | by |',
    '| --- | --- | --- | --- |',
    ...keys.map((key) => {
      const same = outcomes.filter(({ name, target }) => `${name} | ${target}` === key)
      const by = [...new Set(same.flatMap(({ broken }) => broken))].sort()
      return `| ${key} | ${share(same)} | ${by.map((id) => `\`${id}\``).join(', ')} |`
    }),
  ]
}
