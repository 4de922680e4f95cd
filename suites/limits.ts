import { caseOf } from '../engine/clause/case.ts'
import type { Some } from '../engine/clause/law.ts'
import { isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import type { RateWatch } from '../engine/http/rate.ts'
import { notKnown } from '../engine/observation.ts'
import { clausesOf } from '../helpers/clause.ts'
import { type Operation, operations } from '../helpers/contract/operations.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { unlessUndecided } from '../helpers/export/learn/ranges.ts'
import { premise } from '../helpers/service/answers.ts'

const clause = clausesOf({
  title: 'Limits and versioning',
  section: 'Limits',
})

type Permission = { operation: Operation; answer?: Answer }

clause('auth.key-permissions', {
  observe: 'which operations the key is allowed to use',
  section: 'Authentication',
  operation: 'task.read',
  look: (all: Some<Permission>) =>
    Object.fromEntries(all.map(({ operation, answer }) => [operation, permissionIn(answer)])),
})(['keyProbes'], async function* ({ keyProbes }) {
  // In turn: with a single task, two probes of updates would wait for each other.
  for (const operation of Object.keys(operations) as Operation[]) {
    const probe = await keyProbes.of(operation).catch(unlessUndecided)
    await probe?.giveBack()
    yield caseOf({ operation, answer: probe?.control }, { judged: probe?.control })
  }
})

function permissionIn(answer: Answer | undefined): string {
  if (answer?.status === 403) return 'may not'
  return answer && (isAccepted(answer) || answer.status === statuses.unknownId) ? 'may' : notKnown
}

clause('versioning.path', {
  observe: 'whether the base address ends in /v5, and how the service responds without /v5',
  section: 'Versioning',
  operation: 'task.read',
  look: ([{ isVersioned, answer }]: Some<{ isVersioned: boolean; answer: Answer }>) =>
    isVersioned
      ? { base: 'ends in /v5', without: answer.status }
      : { base: 'does not end in /v5', without: notKnown },
})(['session', 'service', 'unknownId'], async ({ session, service, unknownId }) => {
  const [base, ...version] = session.settings.baseUrl.split(/(?=\/v5$)/)
  const answer = await service.readTask(session.known.ids.task.readable ?? unknownId, { base })
  return [caseOf({ isVersioned: version.length > 0, answer }, { judged: answer })]
})

clause('limits.rate', {
  observe: 'whether the run was rate limited, and how the service signals it',
  varies: 'how much was asked before',
  look: ([{ seen }]: Some<{ seen: ReturnType<RateWatch['seen']> }>) => seen,
})(['rate'], async ({ rate }) => {
  premise(!rate.isIdle, 'data', 'no other clause sent a request')
  return [caseOf({ seen: rate.seen() }, { judged: rate.evidence.map(({ number }) => number) })]
})
