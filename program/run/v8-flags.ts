import { setFlagsFromString } from 'node:v8'

/**
 * Suits V8 to a run of seconds. It collects once a heap has grown by half, in place of four times: a run has
 * four heaps (its own, the clauses', that of PDFs and the loader's), and most of what each would hold is
 * waste. To be called before the threads begin, whose young objects get less room.
 */
export function suitV8(): void {
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--max-semi-space-size=8')
  // Optimizing took a sixth of the CPU: only what runs six times as much is worth it. Later ones than that of
  // Node 20 have a cheaper compiler for the rest, and complain of the flag.
  if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=400000')
}
