import { isAccepted } from '../engine/http/answers.ts'
import { notKnown } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import type { KeyProbes } from '../helpers/access/key-probes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { premise } from '../helpers/service/answers.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'

const clause = clausesOf({ title: 'Limits and versioning', section: 'Limits' })

clause('auth.key-permissions', {
  observe: 'which operations the key may use',
  section: 'Authentication',
  operation: 'task.read',
})(async ({ keyProbes }) => {
  const may: Record<string, string> = {}
  // One after another: with a single task, two probes of updates would wait for each other.
  for (const operation of Object.keys(operations) as Operation[])
    may[operation] = await permission(keyProbes, operation)
  return may
})

clause('versioning.path', {
  observe: 'whether the base ends in /v5, and what the service answers without that',
  section: 'Versioning',
  operation: 'task.read',
})(async ({ service, session, unknownId }) => {
  const { baseUrl } = session.settings
  if (!baseUrl.endsWith('/v5')) return { base: 'does not end in /v5', without: notKnown }
  const base = baseUrl.slice(0, -'/v5'.length)
  const id = session.known.readable.task ?? unknownId
  const { status } = await service.readTask(id, { base })
  return { base: 'ends in /v5', without: status }
})

clause('limits.rate', {
  observe: 'whether the run met rate limiting, and how it is told',
  varies: 'how much was asked before',
})(async ({ rate }) => {
  premise(!rate.isIdle, 'data', 'no other clause sent a request')
  return rate.seen()
})

async function permission(keyProbes: KeyProbes, operation: Operation): Promise<string> {
  try {
    const probe = await keyProbes.of(operation)
    await probe.giveBack()
    const { control } = probe
    if (control.status === 403) return 'may not'
    return isAccepted(control) || control.status === 404 ? 'may' : notKnown
  } catch (error) {
    if (error instanceof NotDecidable) return notKnown
    throw error
  }
}
