import { describe, expect, test } from 'vitest'
import {
  isVariation,
  redactHeaders,
  redactor,
  secretFinder,
  shownKey,
} from '../../../engine/http/redaction.ts'

const key = 'aB3/x+"<&\\ü zQ=9'
const redact = redactor(key)
const hex = (n: number) => n.toString(16).padStart(2, '0')
const percent = [...Buffer.from(key)].map((byte) => `%${hex(byte)}`).join('')

describe('the key is replaced', () => {
  test.each([
    ['as it is', key],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded to the last letter', percent],
    ['percent-encoded in capitals', percent.toUpperCase()],
    ['percent-encoded in part', `%61${key.slice(1)}`],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
    ['in a form', new URLSearchParams({ key }).toString().slice(4)],
    ['in JSON', JSON.stringify(key).slice(1, -1)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    ['in JSON by numbers', [...key].map((c) => `\\u00${hex(c.charCodeAt(0))}`).join('')],
    ['in JSON with an escaped slash', JSON.stringify(key).slice(1, -1).replace('/', '\\/')],
    [
      'in HTML',
      key.replace(/[&<"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;' })[c] as string),
    ],
    ['in HTML by numbers', [...key].map((c) => `&#${c.charCodeAt(0)};`).join('')],
    ['in HTML by hex numbers', [...key].map((c) => `&#X${hex(c.charCodeAt(0))};`).join('')],
    ['as UTF-8 read as latin1', Buffer.from(key).toString('latin1')],
  ])('%s', (_, written) => {
    expect(redact(`before ${written} after`)).toBe('before (configured) after')
  })

  test.each([0, 1, 2, 3, 4])('inside base64 that starts %i bytes before it', (before) => {
    for (const encoding of ['base64', 'base64url'] as const)
      for (const after of ['', '}', '"}', ', more']) {
        const text = Buffer.from('-'.repeat(before) + key + after).toString(encoding)
        expect(redact(text)).toContain('(configured)')
        const left = redact(text).replace('(configured)', '')
        expect(Buffer.from(left, 'base64').toString('latin1')).not.toMatch(/aB|Q=|=9/)
      }
  })

  test('every time', () => {
    expect(redact(`${key}${key} ${key}`)).toBe('(configured)(configured) (configured)')
  })

  test('in the userinfo of an address', () => {
    expect(redact('via http://user:pass@proxy:8080/ now')).toBe(
      'via http://(configured)@proxy:8080/ now',
    )
    expect(redact('https:\\/\\/token@host')).toBe('https:\\/\\/(configured)@host')
    expect(redact('https://host/a@b')).toBe('https://host/a@b')
  })

  test('in names and values of headers', () => {
    const redacted = redactHeaders(
      { abcde: 'x ABCDE', 'x-back': 'ABCDE' },
      redactor('ABCDE'),
      redactor('abcde'),
    )
    expect(redacted).toEqual({ '(configured)': 'x (configured)', 'x-back': '(configured)' })
  })
})

test.each([
  ['that repeats itself', 'secret-key'.repeat(300)],
  [
    'that does not repeat itself',
    Array.from({ length: 4096 }, (_, n) => 'aB3%+'.charAt((n * n) % 5)).join(''),
  ],
])('a key of thousands of characters is taken out, %s', (_, long) => {
  const text = `before ${long} between ${Buffer.from(long).toString('base64')} after`
  expect(redactor(long)(text)).toMatch(
    /^before \(configured\) between .{0,2}\(configured\).{0,4} after$/,
  )
  expect(secretFinder(long)(Buffer.from(text))).toBe(true)
  expect(secretFinder(long)(Buffer.from('before and after'))).toBe(false)
})

test('the parts of a long key are replaced as one', () => {
  const long = Array.from({ length: 600 }, (_, n) => 1000 + n).join('')
  expect(redactor(long)(`before ${long} after`)).toBe('before (configured) after')
})

describe('what is not the key stays', () => {
  test('the key in another case, other words, and an empty key', () => {
    expect(redact(key.toLowerCase())).toBe(key.toLowerCase())
    expect(redactor('')('a text')).toBe('a text')
  })

  test('a short key is replaced only where it is the whole text', () => {
    expect(redactor('abc')('abc')).toBe('(configured)')
    expect(redactor('abc')('an abcess of abc')).toBe('an abcess of abc')
  })

  test('a hostile text of letters alone', () => {
    const text = 'a'.repeat(200_000)
    expect(redact(text)).toBe(text)
  })
})

describe('a wrong key similar to the right one', () => {
  const real = 'Secret-4711-abcdef'
  // biome-ignore format: several on a line
  test.each([
    'secret-4711-abcdef', 'Secret-4711-abcde', 'Secret-4711-abcdefx', ' Secret-4711-abcdef',
    'ecret-4711-abcdef', 'Secr', 'Secr-other', 'S', 'xx-4711-abcxx',
  ])('"%s" is a variation', (other) => {
    expect(isVariation(real, other)).toBe(true)
    expect(shownKey(real, other, redactor(real))).not.toMatch(/ecret|4711|abc/i)
  })

  test.each([
    ['Secret-4711-abcde', '(configured, without its last character)'],
    ['Secret-4711-abcdex', '(configured, without its last character)x'],
    ['xSecret-4711-abcdef', 'x(configured)'],
    ['Secret-4711-abcdef,!', '(configured),!'],
    ['sECRET-4711-ABCDEF', '(configured, in the other letter case)'],
    ['Secr-other', '(a variation of the configured key)'],
  ])('"%s" is shown as "%s"', (other, shown) => {
    expect(shownKey(real, other, redactor(real))).toBe(shown)
  })

  test('another wrong key is shown', () => {
    expect(shownKey(real, 'wrong', redactor(real))).toBe('wrong')
    expect(shownKey(real, '', redactor(real))).toBe('')
    expect(shownKey(real, real, redactor(real))).toBe('(configured)')
  })
})

describe('bytes that hold the key', () => {
  const holds = secretFinder('Secret-4711')

  test('are found amid binary data and across windows', () => {
    const around = Buffer.alloc((1 << 20) - 5, 0xff)
    expect(holds(Buffer.concat([around, Buffer.from('Secret-4711'), around]))).toBe(true)
    expect(holds(Buffer.concat([around, Buffer.from('Secret%2D4711'), around]))).toBe(true)
    expect(holds(around)).toBe(false)
  })

  test('are not reported for a key so short that it occurs by chance', () => {
    expect(secretFinder('abc')(Buffer.from('xabcx'))).toBe(false)
    expect(secretFinder('')(Buffer.alloc(0))).toBe(false)
  })
})
