import type { Checked } from '../../program/report/finish.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { Watch } from './watch.ts'

export type Watched = {
  checked: Checked & { output: string }
  watch: Watch
  seconds: number
}

/** Runs clauses against a bent reference service, watches their sites, and has one of them off. */
export async function runWatched(
  bent: Bent,
  clauses: readonly string[],
  off?: string,
): Promise<Watched> {
  const watch = new Watch(off)
  const start = performance.now()
  const argv = clauses.flatMap((each) => ['--clauses', each])
  // Nobody reads its reports, and making them takes a tenth of its time.
  const more = { makers: {}, runner: warm({ watch }) }
  const checked = await runAgainst(bent, argv, more)
  return { checked, watch, seconds: (performance.now() - start) / 1000 }
}
