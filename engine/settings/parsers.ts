import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export type Reading = {
  cwd: string
  now: number
  key: string
  mistake: (rest: string) => undefined
}

export type Parser<Value> = (text: string, reading: Reading) => Value | undefined

export const exampleId = '123e4567-e89b-12d3-a456-426614174000'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const isUuid = (text: string) => uuid.test(text)

/** Removes duplicates, ignoring case; the first spelling stays. */
export const distinct = (items: string[]) =>
  items.filter((item, at) => items.findIndex((other) => same(other, item)) === at)

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Quotes a text for a sentence: short, on one line, and never a part of the key. */
export function shown(text: string, { key }: Pick<Reading, 'key'>) {
  if (standsInKey(text, key)) return '(a value that is also in API_KEY)'
  const line = text.replace(/[\p{Cc}\p{Cf}]/gu, '?')
  return `'${line.length > 60 ? `${line.slice(0, 60)}…` : line}'`
}

/** Whether showing a text would show the key: people swap secrets. */
const standsInKey = (text: string, key: string) =>
  key !== '' && (text.includes(key) || (text.length > 3 && key.includes(text)))

export const either = (words: readonly string[], joint = 'or') =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`

const longestKey = 8192

/** A key that can travel in a header. A mistake is described only by kind and place. */
export const key: Parser<string> = (text, { mistake }) => {
  const at = text.search(/[^\x21-\x7e]/)
  if (text.length > longestKey)
    return mistake(
      `has ${text.length} characters, and servers reject headers of more than 8 kB; give the key alone.`,
    )
  if (at < 0) return text
  return mistake(
    `contains ${kindOf(text.charAt(at))} at position ${at + 1}; ` +
      'give the key as one run of visible ASCII characters.',
  )
}

const kindOf = (character: string) => {
  if (character === ' ') return 'a space'
  if (character === '\t') return 'a tab'
  if (/[\r\n]/.test(character)) return 'a line break'
  return /\p{Cc}/u.test(character) ? 'a control character' : 'a character outside ASCII'
}

export const id: Parser<string> = (text, reading) =>
  isUuid(text)
    ? text
    : reading.mistake(
        `is ${shown(text, reading)}, which is not a UUID; give one id of the form ${exampleId}.`,
      )

export const ids: Parser<string[]> = (text, reading) => {
  const items = distinct(text.split(/[\s,;]+/).filter(Boolean))
  const [first, ...more] = items.filter((item) => !isUuid(item))
  if (first === undefined) return items
  const wrong = more.length
    ? `${shown(first, reading)} and ${more.length} more that are not UUIDs`
    : `${shown(first, reading)}, which is not a UUID`
  return reading.mistake(
    `contains ${wrong}; give ids of the form ${exampleId}, separated by commas.`,
  )
}

/** A whole number in decimal digits: 1e3 and 0x10 are more likely typos. */
export const wholeNumber =
  (from: number, to: number): Parser<number> =>
  (text, reading) =>
    /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to
      ? Number(text)
      : reading.mistake(`is ${shown(text, reading)}; give a whole number from ${from} to ${to}.`)

export const rate =
  (to: number): Parser<number> =>
  (text, reading) =>
    /^\d+(\.\d+)?$/.test(text) && Number(text) > 0 && Number(text) <= to
      ? Number(text)
      : reading.mistake(
          `is ${shown(text, reading)}; give a number above 0 and up to ${to}, for example 5 or 0.5.`,
        )

export const oneOf =
  <Word extends string>(...words: Word[]): Parser<Word> =>
  (text, reading) =>
    words.find((word) => same(word, text)) ??
    reading.mistake(`is ${shown(text, reading)}; give ${either(words)}.`)

const on = ['1', 'true', 'yes', 'on']
const off = ['0', 'false', 'no', 'off']

export const toggle: Parser<boolean> = (text, reading) => {
  const word = text.toLowerCase()
  if (on.includes(word)) return true
  if (off.includes(word)) return false
  return reading.mistake(`is ${shown(text, reading)}; give ${either(on)}, or ${either(off)}.`)
}

export const folder: Parser<string> = (text, { cwd }) => resolve(cwd, text)

export const pem =
  (kind: 'CERTIFICATE' | 'PRIVATE KEY'): Parser<string> =>
  (text, reading) => {
    // The text may be a private key: describe it, do not show it.
    if (text.includes('-----BEGIN'))
      return reading.mistake('contains PEM text; give the path of a file that contains it.')
    const name = shown(text, reading)
    const path = resolve(reading.cwd, text)
    let content: string
    try {
      content = readFileSync(path, 'utf8')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return reading.mistake(
        `names ${name}, which cannot be read (${code}); give the path of a readable PEM file.`,
      )
    }
    if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(content))
      return reading.mistake(`names ${name}, which is encrypted; give a key without a passphrase.`)
    if (new RegExp(`-----BEGIN [A-Z\\d ]*${kind}-----`).test(content)) return path
    return reading.mistake(
      `names ${name}, which contains no PEM block; give a file with -----BEGIN ${kind}-----.`,
    )
  }

export const pastInstant: Parser<string> = (text, reading) => {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  // Date reads February 30th as March 2nd.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.slice(0, 16)))
    return reading.mistake(
      `is ${shown(text, reading)}, which is not a time that ends in Z; give one like 2025-01-31T00:00:00Z.`,
    )
  if (time <= reading.now) return text
  return reading.mistake(
    `is ${shown(text, reading)}, which lies in the future; give an instant that has passed.`,
  )
}

export const address =
  (example: string, { userinfo = false } = {}): Parser<string> =>
  (text, reading) => {
    const { key, mistake } = reading
    const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0]
    if (scheme === undefined) {
      const meant = repaired(text, key) ?? `an address such as ${example}`
      return mistake(`has no https:// in front; write ${meant}.`)
    }
    if (!/^https?:/i.test(scheme))
      return mistake(
        `starts with ${shown(scheme, reading)}; give an address that starts with https:// or ` +
          `http://, for example ${example}.`,
      )
    // URL silently drops tabs and line breaks: two pasted lines would become one address.
    if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text))
      return mistake(`is not a valid address; give one like ${example}.`)
    const url = new URL(text)
    if (!userinfo && (url.username || url.password))
      return mistake(`contains a user name or password; give the address alone, like ${example}.`)
    if (/[?#]/.test(text))
      return mistake(`contains a query or a fragment; give the address alone, like ${example}.`)
    return url.href.replace(/\/+$/, '')
  }

const host = /^(localhost|[a-z\d-]+(\.[a-z\d-]+)+|[a-z\d-]+(?=:))(:\d+)?(\/[\w./-]*)?$/

/** Adds a scheme to what looks like a host. Anything else may be a secret in the wrong place. */
function repaired(text: string, key: string) {
  const bare = text
    .replace(/^(https?:)?[\\/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^.*@/s, '')
  if (!host.test(bare) || standsInKey(bare, key)) return undefined
  return `${/^(localhost|127\.)/.test(bare) ? 'http' : 'https'}://${bare}`
}
