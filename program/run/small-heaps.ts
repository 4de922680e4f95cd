import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 collect once a heap has grown by half, in place of four times: a run has four heaps (its own, the
 * clauses', that of PDFs and the loader's), and most of what each would hold is waste. To be called before
 * the threads begin, whose young objects get less room.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
  setFlagsFromString('--max-semi-space-size=4')
}
