import type { RowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Finding } from '../../../engine/findings/finding.ts'
import { isRejectionDue } from '../../../engine/findings/status.ts'
import type { Root } from '../../../engine/findings/symptom.ts'
import { type Fact, isAccepted } from './cause.ts'
import {
  filtersOf,
  hasSeveralValues,
  isUnsteady,
  parametersOf,
  placesOf,
  wayOf,
} from './of-rows.ts'

// Which breach explains which. One that explains others, and is not explained, is the root: it gives the heading.

type Premise = {
  because: string
  isRoot: (root: Judgement) => boolean
  isExplained: (judgement: Judgement, root: Judgement) => boolean
  /** both show in one response */
  isOfOneResponse?: true
}

type Judgement = Pick<Fact, 'symptoms' | 'statuses'> & {
  finding: Finding
  judged: readonly number[]
}

export const premises: readonly Premise[] = [
  {
    because: 'a version that does not change is still the current one after an update',
    isRoot: isOldVersion,
    isExplained: (judgement) =>
      isStaleAccepted(judgement) ||
      hasOneVersion(judgement) ||
      isExplainedBy(judgement, 'unchanged version'),
  },
  {
    because: 'a stale version that is accepted lets several simultaneous updates through',
    isRoot: isStaleAccepted,
    isExplained: (judgement) => isExplainedBy(judgement, 'accepted stale version'),
  },
  {
    because: 'a request that is accepted without a valid key gets its resource',
    isRoot: isKeylessAccepted,
    isExplained: ({ finding }) => finding.kind === 'reveals',
  },
  {
    because: 'where a key is not checked, the next mistake of a request decides its rejection',
    isRoot: isKeylessAccepted,
    isExplained: isRejectedOtherwise,
  },
  {
    because: 'an update that has to be rejected, and is accepted, takes effect',
    isRoot: isUpdateAccepted,
    isExplained: (judgement) => isExplainedBy(judgement, 'accepted update'),
    isOfOneResponse: true,
  },
  {
    because: 'where an update is not stored, reads still show the one before it at the end',
    isRoot: ({ finding }) => finding.kind === 'member' && finding.isAsBefore === true,
    isExplained: (judgement) => isExplainedBy(judgement, 'update that is not stored'),
  },
  {
    because: 'a file that is not the same each time may be that of another request',
    isRoot: isOfUnsteadyRows,
    isExplained: (judgement) => isOfFiles(judgement) && !isOfUnsteadyRows(judgement),
  },
  {
    because: 'an event in the place of another one has its values',
    isRoot: isOfOtherRows,
    isExplained: isCellOfOtherRows,
  },
  {
    because: 'a file without an event has none of its texts',
    isRoot: ({ finding }) => finding.kind === 'rows' && finding.wrong === 'missing',
    isExplained: isOfMissingRows,
  },
  {
    because: 'an email that is not sent shows no comment',
    isRoot: ({ symptoms }) => symptoms.some(({ key }) => key === 'missing email'),
    isExplained: (judgement) => isExplainedBy(judgement, 'missing email'),
  },
  {
    because: 'a range that lets more events in may let more in than a PDF may hold',
    isRoot: ({ finding }) => finding.kind === 'rows' && wayOf(finding) === 'more',
    isExplained: isPdfTooLarge,
  },
  {
    because: 'events that a file without a filter lacks are strange in one with a filter',
    isRoot: ({ finding }) => finding.kind === 'rows' && filtersOf(finding).length === 0,
    isExplained: ({ finding }) => finding.kind === 'rows' && finding.wrong === 'unfiltered',
  },
  {
    because: 'where a gateway responds with a server error, the service does not respond',
    isRoot: ({ finding }) => finding.kind === 'status' && finding.of.status >= 500,
    isExplained: ({ finding }) => finding.kind === 'unserved' && finding.lacks === 'response',
  },
  {
    because: 'what one filter does to the events, it does beside other filters and in sums',
    isRoot: isOfOneFilter,
    isExplained: isOfFilterOf,
  },
]

/** Whether the first explains the other. */
export function explains(fact: Fact, other: Fact): boolean {
  const root = judgementIn(fact)
  const judgement = judgementIn(other)
  if (root === undefined || judgement === undefined) return false
  return premises.some(
    ({ isRoot, isExplained, isOfOneResponse }) =>
      isRoot(root) &&
      isExplained(judgement, root) &&
      (!isOfOneResponse || haveOneResponse(root, judgement)),
  )
}

const judgementIn = ({ breach, symptoms, statuses }: Fact): Judgement | undefined =>
  breach?.finding && { finding: breach.finding, judged: breach.judged, symptoms, statuses }

const haveOneResponse = ({ judged }: Judgement, other: Judgement): boolean =>
  judged.some((number) => other.judged.includes(number))

/** As a kind of this service says of its own findings. */
const isExplainedBy = ({ symptoms }: Judgement, root: Root): boolean =>
  symptoms.some(({ explainedBy = [] }) => explainedBy.includes(root))

function isOldVersion({ finding }: Judgement): boolean {
  return finding.kind === 'member' && finding.wanted.kind === 'new value'
}

function hasOneVersion({ finding }: Judgement): boolean {
  return finding.kind === 'twins' && finding.things === 'versions'
}

function isStaleAccepted({ finding, statuses }: Judgement): boolean {
  return (
    finding.kind === 'status' && finding.wanted === statuses.staleVersion && isAccepted(finding.of)
  )
}

function isKeylessAccepted({ finding, statuses }: Judgement): boolean {
  return finding.kind === 'status' && finding.wanted === statuses.badKey && isAccepted(finding.of)
}

/** With another status than is due to its key. */
function isRejectedOtherwise({ finding, statuses }: Judgement): boolean {
  return finding.kind === 'status' && finding.wanted === statuses.badKey && !isAccepted(finding.of)
}

function isUpdateAccepted({ finding }: Judgement): boolean {
  return (
    finding.kind === 'status' &&
    isRejectionDue(finding.wanted) &&
    finding.of.method === 'PUT' &&
    isAccepted(finding.of)
  )
}

function isOfFiles({ finding }: Judgement): boolean {
  return ['rows', 'cell', 'twins'].includes(finding.kind)
}

function isOfUnsteadyRows({ finding }: Judgement): boolean {
  return finding.kind === 'rows' && isUnsteady(finding)
}

function isOfOtherRows({ finding }: Judgement): boolean {
  return finding.kind === 'rows' && finding.wrong === 'others'
}

/** Files with the same parameters. */
function isCellOfOtherRows({ finding }: Judgement, { finding: root }: Judgement): boolean {
  if (finding.kind !== 'cell' || finding.wrong !== 'value' || root.kind !== 'rows') return false
  const parameters = Object.keys(finding.place.others ?? {})
  return parameters.length > 0 && parameters.join() === parametersOf(root).join()
}

function isOfMissingRows(judgement: Judgement, { finding: root }: Judgement): boolean {
  return (
    root.kind === 'rows' &&
    placesOf(root).some((place) => isExplainedBy(judgement, `missing rows in ${place.in}`))
  )
}

function isPdfTooLarge({ finding }: Judgement): boolean {
  return finding.kind === 'status' && finding.of.status === 400 && isOfPdf.test(finding.of.path)
}

const isOfPdf = /[?&]file_type=pdf\b/

/** By one value of one filter, with the events themselves. */
function isOfOneFilter({ finding }: Judgement): boolean {
  return (
    finding.kind === 'rows' &&
    filtersOf(finding).length === 1 &&
    !hasSeveralValues(finding) &&
    !isCount(finding)
  )
}

/** Of the same filter beside others, with other values, or by numbers alone. */
function isOfFilterOf(judgement: Judgement, { finding: root }: Judgement): boolean {
  const { finding } = judgement
  if (finding.kind !== 'rows' || root.kind !== 'rows') return false
  const [name = ''] = filtersOf(root)
  return filtersOf(finding).includes(name) && !isOfOneFilter(judgement)
}

const isCount = ({ wrong }: RowsFinding): boolean => wrong === 'number' || wrong === 'sum'
