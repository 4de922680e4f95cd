import type { Values } from './figures.ts'
import type { Sample } from './processes.ts'

/** What was measured of several ways, each round one after another. */
export type Rounds<Name extends string> = {
  /** values of each round from the seconds of these ways; none where one of them failed */
  seconds(names: Name[], of?: (...seconds: number[]) => number): Values
  /** the same for the other values of the processes */
  told(name: Name, of: (told: Record<string, number>) => number): Values
}

/**
 * Measures ways in turn, round by round, so that what else the machine does falls on all of them.
 * The first round warms files and is left out. A way that fails is not tried again.
 */
export async function interleaved<Name extends string>(
  ways: Record<Name, () => Promise<Sample>>,
  rounds: number,
): Promise<Rounds<Name>> {
  const samples = new Map<string, Sample[]>()
  const failed = new Map<string, string>()
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round += 1)
    for (const [name, way] of Object.entries<() => Promise<Sample>>(ways)) {
      if (failed.has(name)) continue
      process.stderr.write(`round ${round + 1} of ${rounds}: ${name}\n`)
      const sample = await way().catch((error: Error) => void failed.set(name, error.message))
      if (sample && round >= 0) samples.set(name, [...(samples.get(name) ?? []), sample])
    }

  const missing = (names: string[]) => {
    const name = names.find((one) => failed.has(one))
    return name === undefined ? undefined : { missing: `${name} ${failed.get(name)}` }
  }
  return {
    seconds: (names, of = (only) => only as number) =>
      missing(names) ??
      Array.from({ length: rounds }, (_, round) =>
        of(...names.map((name) => samples.get(name)?.[round]?.seconds ?? Number.NaN)),
      ),
    told: (name, of) =>
      missing([name]) ?? (samples.get(name) ?? []).map((sample) => of(sample.told)),
  }
}
