import { type Call, type CheckName, type FoundRecord, isUuid, type Refusal } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'
import { keyCheck } from './authentication.ts'

export type Checks = Partial<Record<CheckName, () => Refusal | undefined>>

/** The checks of the caller, for every operation. */
export const callerChecks = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  key: () => keyCheck(setup, call),
  permission: () =>
    setup.open.permits({ ...call, record })
      ? undefined
      : { reason: 'forbidden', status: setup.open.forbiddenStatus(call), name: 'Forbidden' },
})

/** The checks of every operation on one resource. */
export function checksOf(setup: Setup, call: Call, record: FoundRecord, missing: string): Checks {
  const { stated, open } = setup
  return {
    ...callerChecks(setup, call, record),
    path: () =>
      record || isUuid(call.id)
        ? undefined
        : { reason: 'malformed id', status: open.malformedIdStatus(call), name: missing },
    found: () =>
      record
        ? undefined
        : { reason: 'not found', status: stated.notFoundStatus(call), name: missing },
  }
}

/** The first reason to refuse, in the service's order. */
export function firstRefusal({ open }: Setup, call: Call, checks: Checks): Refusal | undefined {
  const names = new Set([...open.order(call), ...(Object.keys(checks) as CheckName[])])
  for (const name of names) {
    const refusal = checks[name]?.()
    if (refusal) return refusal
  }
  return undefined
}
