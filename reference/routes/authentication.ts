import type { Call, Refusal } from '../calls/call.ts'
import type { Setup } from '../state/setup.ts'

/** Checks the key and, with allow listing, the address of the caller. */
export function keyCheck({ stated, open, world }: Setup, call: Call): Refusal | undefined {
  const allowed = open.allowedAddresses(call)
  const given = stated.givenKey(call)
  const keyed =
    given === null
      ? !stated.keyIsRequired(call)
      : stated.keyIsValid({ ...call, given, key: world.apiKey })
  if (keyed && stated.addressIsAllowed({ ...call, allowed })) return undefined
  return { reason: 'unauthorized', status: stated.unauthorizedStatus(call), name: 'Unauthorized' }
}
