/** A timestamp in canonical form: nine fraction digits and a Z, so that text order is time order. */
export const canonical = (iso: string): string => {
  const [, seconds, fraction = ''] = /^(.{19})(?:\.(\d+))?/.exec(iso) ?? []
  return `${seconds}.${fraction.padEnd(9, '0').slice(0, 9)}Z`
}

export const timestampAt = (milliseconds: number): string =>
  fromNanoseconds(BigInt(Math.round(milliseconds * 1e6)))

/** The canonical timestamp of an ISO 8601 datetime with its zone; undefined for any other text. */
export function instantOf(text: string): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  const [, local = '', fraction = '', zone = ''] = parts ?? []
  const seconds = Date.parse(`${local}Z`)
  // Date.parse reads 30 February as 2 March.
  if (Number.isNaN(seconds) || new Date(seconds).toISOString().slice(0, 19) !== local) {
    return undefined
  }
  const instant = Date.parse(`${local}${zone}`)
  if (Number.isNaN(instant)) return undefined
  return `${new Date(instant).toISOString().slice(0, 20)}${fraction.padEnd(9, '0')}Z`
}

/**
 * The next version of a task: now, or the least later time that differs from the version before in its
 * shown form. So versions never repeat, however coarse the form.
 */
export function freshVersion(before: string, now: string, form: (iso: string) => string): string {
  const earliest = toNanoseconds(now > before ? now : before)
  const steps = [0n, 1n, 1_000n, 1_000_000n, 1_000_000_000n]
  const candidates = steps.map((step) => fromNanoseconds(earliest + step))
  const fresh = candidates.find((candidate) => form(candidate) !== form(before))
  return fresh ?? (candidates.at(-1) as string)
}

const toNanoseconds = (iso: string): bigint =>
  BigInt(Date.parse(`${iso.slice(0, 19)}Z`)) * 1_000_000n + BigInt(iso.slice(20, 29))

const fromNanoseconds = (nanoseconds: bigint): string => {
  const iso = new Date(Number(nanoseconds / 1_000_000n)).toISOString()
  return `${iso.slice(0, 19)}.${String(nanoseconds % 1_000_000_000n).padStart(9, '0')}Z`
}
