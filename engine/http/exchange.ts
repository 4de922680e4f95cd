/** One attempt at one request, as reports show it: the key is already replaced. */
export type Exchange = {
  number: number
  start: string
  method: string
  path: string
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
  /** how long the pace and the limits held it back before it was sent */
  heldMs?: number
  attempt: number
  trouble?: string
  putBack?: true
}

export const traceIdOf = ({ requestHeaders }: Pick<Exchange, 'requestHeaders'>) =>
  /^00-([\da-f]{32})-/.exec(requestHeaders.traceparent ?? '')?.[1]
