/** One attempt at one request, as reports show it: the key is already replaced. */
export type Exchange = {
  /** counted from 1 in each run; reports refer to it */
  number: number
  /** ISO 8601 */
  start: string
  method: string
  /** with the query */
  path: string
  /** only if it is not the service's own base */
  base?: string
  requestHeaders: Record<string, string>
  requestBody?: string
  status?: number
  headers?: Record<string, string>
  /** the answer's body up to 4 kB; a longer one is shown by size and hash */
  body?: string
  bodyBytes?: number
  bodySha256?: string
  milliseconds: number
  /** how long the pace and the limits held it back before */
  heldMs?: number
  attempt: number
  trouble?: string
  putBack?: true
}

/** The trace id of a request in the service's log; undefined: none was sent. */
export const traceIdOf = ({ requestHeaders }: Pick<Exchange, 'requestHeaders'>) =>
  /^00-([\da-f]{32})-/.exec(requestHeaders.traceparent ?? '')?.[1]
