import type { Aspect } from './aspect.ts'
import { aspectsOfAnswers } from './aspects/answers.ts'
import { dates } from './aspects/dates.ts'
import { aspectsOfQueries } from './aspects/export-asked.ts'
import { columns } from './aspects/export-columns.ts'
import { aspectsOfFiles } from './aspects/export-file.ts'
import { order } from './aspects/order.ts'
import { refusalBodies } from './aspects/refusal-bodies.ts'
import { queryRefusals, refusalStatuses } from './aspects/refusals.ts'
import { aspectsOfResources } from './aspects/resources.ts'
import { aspectsOfTrail } from './aspects/trail.ts'
import { aspectsOfUpdates } from './aspects/updates.ts'

/** What can be learned of a service. */
export const aspects: Aspect[] = [
  ...aspectsOfAnswers,
  ...aspectsOfResources,
  refusalBodies,
  refusalStatuses,
  queryRefusals,
  order,
  ...aspectsOfUpdates,
  ...aspectsOfQueries,
  ...aspectsOfFiles,
  columns,
  dates,
  ...aspectsOfTrail,
]

const wordsOfEvents = 'the words of events are data of the account'

/** Observing clauses that drive no rule, each with the reason. */
export const notImitated: Record<string, string> = {
  'export.event-types': wordsOfEvents,
  'export.sub-types': wordsOfEvents,
  'export.system-sources': wordsOfEvents,
}
