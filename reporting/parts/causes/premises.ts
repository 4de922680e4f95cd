import type { RowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Finding } from '../../../engine/findings/finding.ts'
import { isRejectionDue } from '../../../engine/findings/status.ts'
import type { Breach } from '../../../engine/run/report.ts'
import { isAccepted, type Scene } from './cause.ts'
import { filtersOf, hasSeveralValues, isUnsteady, placesOf, wayOf } from './of-rows.ts'

// Which breach explains which. One that explains others, and is not explained, is the root: it gives the heading.

type Statuses = Scene['statuses']

type Premise = {
  because: string
  isRoot: (finding: Finding, statuses: Statuses) => boolean
  isExplained: (finding: Finding, root: Finding, statuses: Statuses) => boolean
  /** both show in one response */
  isOfOneResponse?: true
}

const isOldVersion = (finding: Finding): boolean =>
  finding.kind === 'member' && finding.wanted.kind === 'new value'

const isStaleAccepted = (finding: Finding, { staleVersion }: Statuses): boolean =>
  finding.kind === 'status' && finding.wanted === staleVersion && isAccepted(finding.of)

const isKeylessAccepted = (finding: Finding, { badKey }: Statuses): boolean =>
  finding.kind === 'status' && finding.wanted === badKey && isAccepted(finding.of)

const hasSeveralWinners = (finding: Finding): boolean =>
  finding.kind === 'winners' && finding.accepted > 1

const hasOneVersion = (finding: Finding): boolean =>
  finding.kind === 'twins' && finding.things === 'versions'

const isUpdateAccepted = (finding: Finding): boolean =>
  finding.kind === 'status' &&
  isRejectionDue(finding.wanted) &&
  finding.of.method === 'PUT' &&
  isAccepted(finding.of)

/** By one value of one filter, with the events themselves. */
const isOfOneFilter = (finding: Finding): boolean =>
  finding.kind === 'rows' &&
  filtersOf(finding).length === 1 &&
  !hasSeveralValues(finding) &&
  !isCount(finding)

/** Of the same filter beside others, with other values, or by numbers alone. */
function isOfFilterOf(finding: Finding, root: Finding): boolean {
  if (finding.kind !== 'rows' || root.kind !== 'rows') return false
  const [name = ''] = filtersOf(root)
  return filtersOf(finding).includes(name) && !isOfOneFilter(finding)
}

const isCount = ({ wrong }: RowsFinding): boolean => wrong === 'number' || wrong === 'sum'

const isOfUnsteadyRows = (finding: Finding): boolean =>
  finding.kind === 'rows' && isUnsteady(finding)

const isOfFiles = ({ kind }: Finding): boolean => ['rows', 'cell', 'twins'].includes(kind)

const isInFileOf = (place: string, root: Finding): boolean =>
  root.kind === 'rows' && placesOf(root).some((file) => file.in === place)

const isPdfTooLarge = (finding: Finding): boolean =>
  finding.kind === 'status' && finding.of.status === 400 && isOfPdf.test(finding.of.path)

const isOfPdf = /[?&]file_type=pdf\b/

export const premises: readonly Premise[] = [
  {
    because: 'a version that does not change is still the current one after an update',
    isRoot: isOldVersion,
    isExplained: (finding, _, statuses) =>
      isStaleAccepted(finding, statuses) || hasSeveralWinners(finding) || hasOneVersion(finding),
  },
  {
    because: 'a stale version that is accepted lets several simultaneous updates through',
    isRoot: isStaleAccepted,
    isExplained: hasSeveralWinners,
  },
  {
    because: 'a request that is accepted without a valid key gets its resource',
    isRoot: isKeylessAccepted,
    isExplained: ({ kind }) => kind === 'reveals',
  },
  {
    because: 'an update that has to be rejected, and is accepted, takes effect',
    isRoot: isUpdateAccepted,
    isExplained: (finding) => finding.kind === 'effect' && isAccepted(finding.of),
    isOfOneResponse: true,
  },
  {
    because: 'a file that is not the same each time may be that of another request',
    isRoot: isOfUnsteadyRows,
    isExplained: (finding) => isOfFiles(finding) && !isOfUnsteadyRows(finding),
  },
  {
    because: 'a file without an event has none of its texts',
    isRoot: (finding) => finding.kind === 'rows' && finding.wrong === 'missing',
    isExplained: (finding, root) => finding.kind === 'text' && isInFileOf(finding.place.in, root),
  },
  {
    because: 'an email that is not sent shows no comment',
    isRoot: ({ kind }) => kind === 'email',
    isExplained: (finding) => finding.kind === 'text' && finding.place.in === 'email',
  },
  {
    because: 'a range that lets more events in may let more in than a PDF may hold',
    isRoot: (finding) => finding.kind === 'rows' && wayOf(finding) === 'more',
    isExplained: isPdfTooLarge,
  },
  {
    because: 'events that a file without a filter lacks are strange in one with a filter',
    isRoot: (finding) => finding.kind === 'rows' && filtersOf(finding).length === 0,
    isExplained: (finding) => finding.kind === 'rows' && finding.wrong === 'unfiltered',
  },
  {
    because: 'where a gateway responds with a server error, the service does not respond',
    isRoot: (finding) => finding.kind === 'status' && finding.of.status >= 500,
    isExplained: (finding) => finding.kind === 'unserved' && finding.lacks === 'response',
  },
  {
    because: 'what one filter does to the events, it does beside other filters and in sums',
    isRoot: isOfOneFilter,
    isExplained: isOfFilterOf,
  },
]

/** Whether the first explains the other. */
export const explains = (root: Breach, breach: Breach, statuses: Statuses): boolean =>
  root.finding !== undefined &&
  breach.finding !== undefined &&
  premisesFor(root.finding, breach.finding, statuses).some(
    ({ isOfOneResponse }) => !isOfOneResponse || haveOneResponse(root, breach),
  )

const premisesFor = (root: Finding, finding: Finding, statuses: Statuses): Premise[] =>
  premises.filter(
    ({ isRoot, isExplained }) => isRoot(root, statuses) && isExplained(finding, root, statuses),
  )

const haveOneResponse = ({ judged }: Breach, other: Breach): boolean =>
  judged.some((number) => other.judged.includes(number))
