import {
  type Call,
  type CheckName,
  type FoundRecord,
  isUuid,
  type Refusal,
  refusal,
} from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'

export type Checks = Partial<Record<CheckName, () => Refusal | undefined>>

/** The checks of the caller, for every operation. */
export const callerChecks = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  key: () =>
    isKnownCaller(setup, call)
      ? undefined
      : refusal('unauthorized', setup.stated.unauthorizedStatus(call)),
  permission: () =>
    setup.open.permits({ ...call, record })
      ? undefined
      : refusal('forbidden', setup.open.forbiddenStatus(call)),
})

/** Whether the key is valid and, with allow listing, the address of the caller. */
function isKnownCaller({ stated, open, world }: Setup, call: Call): boolean {
  const allowed = open.allowedAddresses(call)
  const given = stated.givenKey(call)
  const keyed =
    given === null
      ? !stated.keyIsRequired(call)
      : stated.keyIsValid({ ...call, given, key: world.apiKey })
  return keyed && stated.addressIsAllowed({ ...call, allowed })
}

/** The checks of every operation on one resource. */
export function checksOf(setup: Setup, call: Call, record: FoundRecord): Checks {
  const { stated, open } = setup
  const missing = (reason: 'malformed id' | 'not found', status: number): Refusal => ({
    ...refusal(reason, status),
    ...(call.op !== 'assessment.read' && { name: 'Task not found' }),
  })
  return {
    ...callerChecks(setup, call, record),
    path: () =>
      record || isUuid(call.id) ? undefined : missing('malformed id', open.malformedIdStatus(call)),
    found: () => (record ? undefined : missing('not found', stated.notFoundStatus(call))),
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
