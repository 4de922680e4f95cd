/** As many as the files of a run have in common; beyond, what is held is of the latest files. */
const most = 100_000
/** V8 cuts none so short out of another: it is a copy already. */
const shortest = 13

let pool = new Map<string, string>()

/**
 * The same text, held once however many files it stands in: exports of one service hold the same events
 * again and again.
 */
export function pooled(text: string): string {
  const known = pool.get(text)
  if (known !== undefined) return known
  if (pool.size >= most) pool = new Map()
  const own = text.length < shortest ? text : detached(text)
  pool.set(own, own)
  return own
}

/** The same text as a copy: one that was cut out of another keeps the whole of it in memory. */
export const detached = (text: string): string => JSON.parse(JSON.stringify(text))
