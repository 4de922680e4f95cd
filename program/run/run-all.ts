import type { Selection } from '../../engine/clause/selection.ts'
import { runWithOwners, type WithOwners } from '../../engine/run/graph.ts'
import { type Clauses, runClauses, type Watcher } from '../../engine/run/run-clauses.ts'
import type { Runner } from '../../engine/run/runner.ts'
import type { Noted, Run } from '../../helpers/run.ts'
import type { Settings } from '../../helpers/settings/table.ts'
import { running } from './contract.ts'

type Given = Omit<Run, 'id' | 'last'> & { selection: Selection; runner?: Runner }

/** Runs the clauses that are selected, and the owners that these refer to, within one MAX_WRITES. */
export const runAll = (
  { selection, runner, settings, ...given }: Given,
  watcher: Watcher<Noted>,
  stop: AbortSignal,
): Promise<WithOwners> =>
  runWithOwners(
    (chosen, before) =>
      runClauses(
        running(
          { ...given, settings: withRoomLeft(settings, before), last: lastIn(before) },
          chosen,
          runner,
        ),
        watcher,
        stop,
      ),
    selection,
    stop,
  )

/** Says which clauses ran because others refer to them. */
export const describeOwners = (owners: readonly string[]): string[] =>
  owners.length > 0
    ? [`not selected, but checked too, because other clauses refer to them: ${owners.join(', ')}`]
    : []

/** Each time clauses are run, updates are counted anew. */
function withRoomLeft(settings: Settings, before: Clauses | undefined): Settings {
  const { maxWrites } = settings
  if (maxWrites === undefined || !before) return settings
  return { ...settings, maxWrites: Math.max(0, maxWrites - updatesIn(before)) }
}

/** Updates that were accepted, and those that may have been: each once, for clauses share them. */
function updatesIn({ judged }: Clauses): number {
  const made = judged
    .flatMap(({ evidence }) => evidence)
    .filter(({ method, status = 500 }) => method === 'PUT' && (status < 300 || status >= 500))
  return new Set(made.map(({ number }) => number)).size
}

/** The number of the last exchange of clauses that ran before. */
const lastIn = (before: Clauses | undefined): number =>
  [before?.judged.map(({ evidence }) => evidence), before?.met.map(({ exchanges }) => exchanges)]
    .flat(2)
    .reduce((last, each) => Math.max(last, each?.number ?? 0), 0)
