import type { RunVerdict } from '../helpers/verdict.ts'

/** How a run ended, as far as its exit code goes. */
export type Ending = {
  verdict: RunVerdict
  signal?: 'SIGINT' | 'SIGTERM'
}

/** The exit code of a run that was made; one that could not be made ends with 2. */
export function exitCodeOf({ verdict, signal }: Ending): number {
  if (signal) return signal === 'SIGINT' ? 130 : 143
  return { conformant: 0, nonconformant: 1, inconclusive: 3 }[verdict]
}
