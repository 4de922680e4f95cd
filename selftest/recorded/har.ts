import { writeFileSync } from 'node:fs'
import type { Recorded } from '../../helpers/service/seen.ts'

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
  writeFileSync(
    file,
    JSON.stringify({
      log: {
        version: '1.2',
        creator: { name: 'test', version: '1' },
        pages: [{ id: 'entries' }],
        entries,
      },
    }),
  )
  return file
}
