import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as redaction from '../../../engine/http/redaction.ts'
import { cases } from '../../long.ts'

const { isVariation, redactor, secretFinder, shownKey } = redaction
const hex = (n: number) => n.toString(16).padStart(2, '0')
const percent = (key: string) => [...Buffer.from(key)].map((byte) => `%${hex(byte)}`).join('')
const byNumber = (key: string, written: (code: number) => string) =>
  [...key].map((letter) => written(letter.charCodeAt(0))).join('')

/** Keys as HTTP can carry them: with signs of regular expressions, addresses and markup, or words of reports. */
const keys = fc.oneof(
  fc
    .string({ unit: fc.constantFrom(...'aB3/x+"<&\\zQ=9%($[^.*?{|'), minLength: 8, maxLength: 24 })
    .map((key) => `${key}k`),
  fc.constantFrom('conformant', 'update-assignment'),
)

// biome-ignore format: one form a line
/** How an answer or a file may write a key. */
const forms: [string, (key: string) => string][] = [
  ['as it is', (key) => key],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded to the last letter', percent],
  ['percent-encoded in capitals', (key) => percent(key).toUpperCase()],
  ['percent-encoded in part', (key) => `${percent(key.slice(0, 1))}${key.slice(1)}`],
  ['percent-encoded twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['in a form', (key) => new URLSearchParams({ key }).toString().slice(4)],
  ['in JSON', (key) => JSON.stringify(key).slice(1, -1)],
  ['in JSON in JSON', (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3)],
  ['in JSON by numbers', (key) => byNumber(key, (code) => `\\u00${hex(code)}`)],
  ['in JSON with an escaped slash', (key) => JSON.stringify(key).slice(1, -1).replace('/', '\\/')],
  ['in HTML', (key) => key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')],
  ['in HTML by numbers', (key) => byNumber(key, (code) => `&#${code};`)],
  ['in HTML by hex numbers', (key) => byNumber(key, (code) => `&#X${hex(code)};`)],
]

test.each(forms)('a key is found and replaced %s', (_, written) => {
  fc.assert(
    fc.property(keys, (key) => {
      const text = `before ${written(key)} after`
      expect(redactor(key)(text)).toBe('before (configured) after')
      expect(secretFinder(key)(Buffer.from(text))).toBe(true)
      expect(secretFinder(key)(Buffer.from('before and after'))).toBe(false)
    }),
    { numRuns: cases(50) },
  )
})

test('a key is replaced inside base64, wherever it starts there', () => {
  const [before, after] = [fc.nat({ max: 4 }), fc.constantFrom('', '}', '"}', ', more')]
  const key = 'aB3/x+"<&\\ü zQ=9'
  fc.assert(
    fc.property(before, after, fc.constantFrom('base64', 'base64url'), (bytes, end, encoding) => {
      const text = Buffer.from('-'.repeat(bytes) + key + end).toString(encoding)
      expect(redactor(key)(text)).toContain('(configured)')
      const left = redactor(key)(text).replace('(configured)', '')
      expect(Buffer.from(left, 'base64').toString('latin1')).not.toMatch(/aB|Q=|=9/)
    }),
  )
})

test('what is long, written several times, in an address, a header or another encoding, is replaced', () => {
  const long = Array.from({ length: 600 }, (_, n) => 1000 + n).join('')
  expect(redactor(long)(`before ${long} after`)).toBe('before (configured) after')
  expect(secretFinder(long)(Buffer.from(`before ${long} after`))).toBe(true)
  const latin1 = Buffer.from('schlüssel').toString('latin1')
  expect(redactor('schlüssel')(latin1)).toBe('(configured)')
  const redact = redactor('ABCDE')
  expect(redact('ABCDEABCDE ABCDE')).toBe('(configured)(configured) (configured)')
  expect(redact('via http://user:pass@h:1/ now')).toBe('via http://(configured)@h:1/ now')
  expect(redact('https:\\/\\/token@host')).toBe('https:\\/\\/(configured)@host')
  const headers = { abcde: 'x ABCDE', 'x-back': 'ABCDE' }
  expect(redaction.redactHeaders(headers, redact, redactor('abcde'))).toEqual({
    ...{ '(configured)': 'x (configured)', 'x-back': '(configured)' },
  })
})

test('what is not the key stays: another case, a part of a word, an address, a text of letters alone', () => {
  for (const text of ['abcde', 'https://host/a@b', 'a'.repeat(200_000)])
    expect(redactor('ABCDE')(text)).toBe(text)
  expect(redactor('')('a text')).toBe('a text')
  expect(redactor('abc')('abc')).toBe('(configured)')
  expect(redactor('abc')('an abcess of abc')).toBe('an abcess of abc')
})

const real = 'Secret-4711-abcdef'
test.each([
  ['Secret-4711-abcde', '(configured, without its last character)'],
  ['Secret-4711-abcdex', '(configured, without its last character)x'],
  ['xSecret-4711-abcdef', 'x(configured)'],
  [' Secret-4711-abcdef', ' (configured)'],
  ['Secret-4711-abcdefx', '(configured)x'],
  ['Secret-4711-abcdef,!', '(configured),!'],
  ['sECRET-4711-ABCDEF', '(configured, in the other letter case)'],
  ...['Secr-other', 'Secr', 'S', 'xx-4711-abcxx', 'ecret-4711-abcdef', 'secret-4711-abcdef'].map(
    (other) => [other, '(a variation of the configured key)'],
  ),
])('a wrong key "%s" is a variation of the right one, and shown as "%s"', (other, shown) => {
  expect(isVariation(real, other)).toBe(true)
  expect(shownKey(real, other, redactor(real))).toBe(shown)
})

test('another wrong key is shown', () => {
  expect(shownKey(real, 'wrong', redactor(real))).toBe('wrong')
  expect(shownKey(real, '', redactor(real))).toBe('')
  expect(shownKey(real, real, redactor(real))).toBe('(configured)')
})

test('the key is found amid binary data and across windows, unless it is so short that it occurs by chance', () => {
  const holds = secretFinder('Secret-4711')
  const around = Buffer.alloc((1 << 20) - 5, 0xff)
  for (const written of ['Secret-4711', 'Secret%2D4711'])
    expect(holds(Buffer.concat([around, Buffer.from(written), around]))).toBe(true)
  expect(holds(around)).toBe(false)
  expect(secretFinder('abc')(Buffer.from('xabcx'))).toBe(false)
  expect(secretFinder('')(Buffer.alloc(0))).toBe(false)
})
