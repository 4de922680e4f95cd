import { describe } from 'vitest'
import { isAccepted } from '../engine/http/answers.ts'
import { notKnown } from '../engine/observation.ts'
import { NotDecidable } from '../engine/outcome.ts'
import type { KeyProbes } from '../helpers/access/key-probes.ts'
import { clause } from '../helpers/clause.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'

describe('Permissions', () => {
  clause(
    'auth.key-permissions',
    {
      observe: 'which operations the key may use',
      section: 'Authentication',
      operation: 'task.read',
    },
    async ({ keyProbes }) => {
      const may: Record<string, string> = {}
      // One after another: with a single task, two probes of updates would wait for each other.
      for (const operation of Object.keys(operations) as Operation[])
        may[operation] = await permission(keyProbes, operation)
      return may
    },
  )
})

/** What the control of an operation tells: 404 is past the key as well. */
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
