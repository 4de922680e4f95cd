import type { RunVerdict } from '../verdict.ts'

type Ending = {
  verdict: RunVerdict
  signal?: 'SIGINT' | 'SIGTERM'
  leaked?: boolean
  unwritten?: boolean
}

/** A run that could not be made ends with 2. */
export function exitCodeOf({ verdict, signal, leaked, unwritten }: Ending): number {
  if (leaked) return 2
  if (signal) return signal === 'SIGINT' ? 130 : 143
  if (verdict === 'nonconformant' || verdict === 'incomplete') return 1
  if (unwritten) return 2
  return verdict === 'inconclusive' ? 3 : 0
}
