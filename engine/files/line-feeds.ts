const backslash = 92

/**
 * Watches a text whose records end with CR LF for a line feed alone that stands in no quotes: most
 * readers end a record there. Only what is sure is told: a line with it has an even number of quotes
 * before it and as a whole. A file that is cut may show too little of what its writer puts before a
 * line feed: a backslash, or a single quote that begins a cell.
 */
export function createLineFeedWatch(
  delimiter: string,
  flaw: (sentence: string) => void,
): (chunk: Buffer) => void {
  let before = 0
  const singleQuoted = [`${delimiter}'`, "\n'"]
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      if (at === 0 || chunk[at - 1] === 13 || chunk[at - 1] === backslash) continue
      const begin = chunk.lastIndexOf('\r\n', at)
      const end = chunk.indexOf('\r\n', at)
      if (begin === -1 || end === -1) continue
      if (singleQuoted.some((sign) => chunk.subarray(begin, at).includes(sign))) continue
      if (quotesIn(chunk, begin, at) % 2 === 0 && quotesIn(chunk, begin, end) % 2 === 0)
        flaw(`byte ${before + at} is a line feed outside of quotes, where records end with CR LF`)
    }
    before += chunk.length
  }
}

function quotesIn(chunk: Buffer, begin: number, end: number): number {
  let count = 0
  for (let at = chunk.indexOf(34, begin); at >= 0 && at < end; at = chunk.indexOf(34, at + 1))
    count += 1
  return count
}
