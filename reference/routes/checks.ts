import {
  type Call,
  type CheckName,
  type FoundRecord,
  isUuid,
  type Refusal,
  reasonsOfChecks,
  refusal,
} from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'

/** Each check returns the status to refuse with, if any, and what is wrong if that is known. */
export type Checks = Partial<
  Record<CheckName, () => number | undefined | { status: number | undefined; wrong?: string }>
>

/** The checks of the caller, for every operation. */
export const callerChecks = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  key: () => (isKnownCaller(setup, call) ? undefined : setup.stated.unauthorizedStatus(call)),
  permission: () =>
    setup.open.permits({ ...call, record }) ? undefined : setup.open.forbiddenStatus(call),
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
export const checksOf = (setup: Setup, call: Call, record: FoundRecord): Checks => ({
  ...callerChecks(setup, call, record),
  path: () => (record || isUuid(call.id) ? undefined : setup.open.malformedIdStatus(call)),
  found: () => (record ? undefined : setup.stated.notFoundStatus(call)),
})

/** The first reason to refuse, in the service's order. */
export function firstRefusal({ open }: Setup, call: Call, checks: Checks): Refusal | undefined {
  const names = new Set([...open.order(call), ...(Object.keys(checks) as CheckName[])])
  for (const check of names) {
    const found = checks[check]?.()
    const { status, wrong } = typeof found === 'object' ? found : { status: found }
    if (status === undefined) continue
    const refused = refusal(reasonsOfChecks[check], status, wrong)
    const isTask = call.op !== 'assessment.read' && (check === 'path' || check === 'found')
    return isTask ? { ...refused, name: 'Task not found' } : refused
  }
  return undefined
}
