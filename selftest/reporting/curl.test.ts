import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import { curlOf } from '../../reporting/parts/curl.ts'

const target = { baseUrl: 'https://eu.example.com/v5', embedded: false }

const put: Exchange = {
  number: 1,
  start: '2026-01-01T00:00:00.000Z',
  method: 'PUT',
  path: '/tasks/1/update-assignment',
  requestHeaders: {
    accept: '*/*',
    'accept-encoding': 'gzip',
    'user-agent': 'us',
    'content-type': 'application/json',
    apikey: '(configured)',
  },
  requestBody: '{"a":1}',
  milliseconds: 1,
  attempt: 1,
}

/** The arguments that a real shell makes of the command, and any side effect. */
function argumentsOf(exchange: Partial<Exchange>, shell = 'bash'): string[] {
  const command = curlOf({ ...put, ...exchange }, { target })
  const script = `curl() { printf '%s\\0' "$@"; }\nAPI_KEY='k e"y'\n${command}\n`
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
  // bash reads its rc file if its input is a socket
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync(shell, ['-c', script], { env, stdio: [...stdio] })
    .toString()
    .split('\0')
    .slice(0, -1)
}

const headersIn = (args: string[]) => args.filter((_, at) => args[at - 1] === '-H')

test('a command is read in full, with the key of the shell', () => {
  expect(curlOf(put, { target })).toBe(`curl -sS -i -X PUT --compressed \\
  'https://eu.example.com/v5/tasks/1/update-assignment' \\
  -H 'content-type: application/json' \\
  -H "apikey: $API_KEY" \\
  --data-raw '{"a":1}'`)
  for (const shell of ['bash', 'sh']) expect(argumentsOf({}, shell)).toContain('apikey: k e"y')
})

// biome-ignore format: several on a line
test.each([
  "it's", '$(touch /tmp/x) `id` $HOME $API_KEY "x" \\', "'; rm -rf / #", "'\\''", '',
  'line\nbreak\ttab\r\n!! \u001b[31m', 'right \u202e left \u2066 \u200b \ufeff é 漢 👩‍🚀7',
  '@/etc/passwd', '-o /etc/passwd',
])('%j arrives as one argument, byte for byte', (text) => {
  expect(argumentsOf({ requestBody: text }).slice(-2)).toEqual(['--data-raw', text])
  const version = `v${text.replace(/[\r\n]/g, '')}`
  const requestHeaders = { 'if-match': version }
  expect(headersIn(argumentsOf({ requestHeaders }))).toContain(`if-match: ${version}`)
  expect(argumentsOf({ path: `/tasks/${text}` })).toContain(`${target.baseUrl}/tasks/${text}`)
})

test('no command contains terminal control characters', () => {
  const command = curlOf({ ...put, requestBody: 'a\u001b[201~\n\u202eb\u2028' }, { target })
  expect(command.replaceAll(' \\\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
})

test('the command reads the key from the shell wherever it stood, and hides the user of an address', () => {
  expect(argumentsOf({ path: '/x?apikey=(configured)&a=1' })).toContain(
    `${target.baseUrl}/x?apikey=k e"y&a=1`,
  )
  expect(argumentsOf({ requestBody: `{"k":"(configured)'"}` }).at(-1)).toBe(`{"k":"k e"y'"}`)
  expect(argumentsOf({ base: 'http://(configured)@h:1/v5' })).toContain(
    `http://(configured)@h:1/v5${put.path}`,
  )
})

test('curl sends empty headers empty, and leaves out those that were not sent', () => {
  const bare = headersIn(argumentsOf({ requestHeaders: { apikey: '', accept: '*/*' } }))
  expect(bare).toEqual(['apikey;', 'content-type:'])
  expect(
    headersIn(argumentsOf({ requestHeaders: {}, method: 'GET', requestBody: undefined })),
  ).toEqual(['accept:'])
})

test('addresses are sent as they were', () => {
  const get = { method: 'GET', requestBody: undefined }
  expect(argumentsOf({ ...get, path: '/x?id[]=1' })).toContain('--globoff')
  expect(argumentsOf({ ...get, path: '/tasks/../x' })).toContain('--path-as-is')
  expect(argumentsOf({ ...get, path: '/x', base: 'https://us.example.com/v5' })).toContain(
    'https://us.example.com/v5/x',
  )
  expect(argumentsOf(get)).not.toContain('-X')
})

test('a body that the report does not hold is not made up', () => {
  const long = `(5000 bytes, SHA-256 ${'a'.repeat(64)})`
  for (const requestBody of [undefined, long, 'a\0b'])
    expect(argumentsOf({ requestBody }).slice(-2)).toEqual([
      '--data-binary',
      '@the-body-that-this-report-does-not-hold',
    ])
})
