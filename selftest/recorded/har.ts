import { writeFileSync } from 'node:fs'
import type { Recorded } from '../../helpers/service/seen.ts'

export const keyed = { host: 'api.example.com', apikey: 'a-key-of-a-client' }

/** What a test says of an exchange; a body is JSON unless it is a text. */
type Sent = Partial<Omit<Recorded, 'body'>> & { path: string; body?: unknown }

/** What a recorder writes of a request, by default of a read that takes 20 ms. */
export function recordOf({ start = 0, body = {}, ...sent }: Sent): Recorded {
  const given = { number: 1, recorder: 0, start, end: start + 20 }
  const answered = { method: 'GET', requestHeaders: keyed, status: 200, headers: {} }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { ...given, ...answered, ...sent, body: Buffer.from(text) }
}

/** An update of a task, of this version of it. */
export const updateOf = (task: string, version: string, body: object) => ({
  method: 'PUT',
  path: `/tasks/${task}/update-assignment`,
  requestHeaders: { ...keyed, 'if-match': version },
  requestBody: JSON.stringify(body),
})

const listOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** One entry of a HAR, as a browser writes it. */
export const entryOf = (
  { start, end, method, path, requestHeaders, requestBody, status, headers, body }: Recorded,
  base = 'https://api.example.com/v5',
) => ({
  startedDateTime: new Date(start).toISOString(),
  time: end - start,
  request: {
    method,
    url: `${base}${path}`,
    headers: listOf(requestHeaders),
    ...(requestBody === undefined
      ? {}
      : { postData: { mimeType: 'application/json', text: requestBody } }),
  },
  response: {
    status,
    headers: listOf(headers),
    content: {
      size: body?.length ?? 0,
      ...(body ? { text: body.toString('base64'), encoding: 'base64' } : {}),
    },
  },
})

/** Writes a HAR of these exchanges, or entries. */
export function writeHar(file: string, all: readonly (Recorded | object)[]): string {
  const entries = all.map((each) => ('requestHeaders' in each ? entryOf(each as Recorded) : each))
  const creator = { name: 'test', version: '1' }
  const log = { version: '1.2', creator, pages: [{ id: 'entries' }], entries }
  writeFileSync(file, JSON.stringify({ log }))
  return file
}
