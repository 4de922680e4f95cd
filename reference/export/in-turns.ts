import { setImmediate } from 'node:timers/promises'

const atOnce = 200

/** Maps many items in batches and serves other requests in between. */
export async function inTurns<Given, Made>(
  list: readonly Given[],
  make: (one: Given) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  for (let n = 0; n < list.length; n += atOnce) {
    if (n > 0) await setImmediate()
    for (const one of list.slice(n, n + atOnce)) made.push(make(one))
  }
  return made
}
