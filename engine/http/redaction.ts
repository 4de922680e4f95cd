import type { ClientSettings } from './client-settings.ts'

export type Redactor = (text: string) => string

/** A shorter key is replaced only as a whole text: elsewhere it would shred the evidence and reveal itself. */
const shortest = 4

export const configured = '(configured)'

/** for invalid keys from which the valid one could be guessed */
export const keyForms = {
  shorter: '(configured, without its last character)',
  otherCase: '(configured, in the other letter case)',
  unknown: '(a variation of the configured key)',
}

export function redactor(secret: string, instead = configured): Redactor {
  if (secret === '') return withoutUserinfo
  if (secret.length < shortest) return (text) => (text === secret ? instead : withoutUserinfo(text))
  const pieces = piecesOf(secret)
  const secrets = pieces.map((piece) => new RegExp(patternOf(piece), 'g'))
  const shortestPiece = Math.min(...pieces.map(({ length }) => length))
  return (text) => {
    if (text.length < shortestPiece) return withoutUserinfo(text)
    const [only, ...others] = secrets
    if (only && others.length === 0) return withoutUserinfo(text.replace(only, instead))
    return withoutUserinfo(withoutSpans(text, spansOf(secrets, text), instead))
  }
}

type Span = { from: number; to: number }

function spansOf(patterns: readonly RegExp[], text: string): Span[] {
  const spans: Span[] = []
  for (const pattern of patterns) {
    const from = new RegExp(pattern)
    for (let found = from.exec(text); found; found = from.exec(text)) {
      spans.push({ from: found.index, to: found.index + found[0].length })
      from.lastIndex = found.index + 1
    }
  }
  return spans.sort((one, other) => one.from - other.from)
}

function withoutSpans(text: string, spans: readonly Span[], instead: string): string {
  let clean = ''
  let at = 0
  for (const { from, to } of spans) {
    if (from > at || at === 0) clean += text.slice(at, from) + instead
    at = Math.max(at, to)
  }
  return clean + text.slice(at)
}

/** The regexp engine does not accept a longer text as a pattern. */
const longest = 1000

function piecesOf(secret: string): string[] {
  const characters = [...secret]
  const count = Math.ceil(characters.length / longest)
  const size = Math.ceil(characters.length / count)
  return Array.from({ length: count }, (_, n) =>
    characters.slice(n * size, (n + 1) * size).join(''),
  )
}

/** Redacts names too: a service may return the key as a header name, in lower case. */
export function redactHeaders(
  headers: Record<string, string>,
  redact: Redactor,
  redactNames: Redactor,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redactNames(redact(name)), redact(value)]),
  )
}

export function secretFinder(secret: string): (bytes: Buffer) => boolean {
  if (secret.length < shortest)
    return (bytes) => bytes.toString('latin1') === secret && secret !== ''
  const patterns = piecesOf(secret).map((piece) => new RegExp(patternOf(piece)))
  // Overlapping windows: a longer string would be a page of its own for the heap, new for each.
  const step = 1 << 16
  const overlap = secret.length * 16
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += step)
      if (patterns.some((each) => each.test(bytes.toString('latin1', at, at + step + overlap))))
        return true
    return false
  }
}

export function isVariation(secret: string, key: string): boolean {
  const [real, other] = [secret.toLowerCase(), key.toLowerCase()]
  if (key === secret || real === '' || other === '') return false
  if (real.includes(other) || other.includes(real)) return true
  if (real.length >= 4 && other.startsWith(real.slice(0, 4))) return true
  const run = 6
  for (let at = 0; at + run <= real.length; at++)
    if (other.includes(real.slice(at, at + run))) return true
  return false
}

export function shownKey(secret: string, key: string, redact: Redactor): string {
  if (key === secret && secret !== '') return configured
  return isVariation(secret, key) ? formOf(secret, key) : redact(key)
}

export function formOf(secret: string, key: string): string {
  const parts = key.split(secret)
  if (parts.length === 2) return parts.join(configured)
  const [most, last] = [secret.slice(0, -1), key.slice(-1)]
  if (key === most) return keyForms.shorter
  if (key === most + last) return keyForms.shorter + last
  const isOtherCase = key === otherCase(secret)
  return isOtherCase ? keyForms.otherCase : keyForms.unknown
}

export const otherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text
  // Bounded, so that a hostile body of letters only does not make this quadratic.
  return text.replace(
    /([a-z][a-z\d+.-]{0,15}:(?:\\*\/){2})[^\s/?#"'<>\\@]{1,400}@/gi,
    `$1${configured}@`,
  )
}

function patternOf(secret: string): string {
  // The second view is UTF-8 read as latin1, as in headers and bytes.
  const utf8 = Buffer.from(secret, 'utf8')
  const views = new Set([secret, utf8.toString('latin1')])
  const written = [...views].map((view) => [...view].map(anyEscape).join(''))
  return [...written, ...base64Patterns(utf8)].join('|')
}

const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

function anyEscape(character: string): string {
  const code = character.codePointAt(0) as number
  const hex = anyCase(code.toString(16))
  const ways = [
    literal(character),
    `\\\\+u${anyCase(code.toString(16).padStart(4, '0'))}`,
    `&(?:amp;)*#0*${code};?`,
    `&(?:amp;)*#[xX]0*${hex};?`,
  ]
  if (code < 256) ways.push(`%(?:25)*${anyCase(code.toString(16).padStart(2, '0'))}`)
  if (names[character]) ways.push(`&(?:amp;)*${names[character]};?`)
  const [, jsonLetter] = /^"\\([bfnrt])"$/.exec(JSON.stringify(character)) ?? []
  if (jsonLetter) ways.push(`\\\\+${jsonLetter}`)
  if ('"/\\'.includes(character)) ways.push(`\\\\+${literal(character)}`)
  if (character === ' ') ways.push('\\+')
  return `(?:${ways.join('|')})`
}

/**
 * A secret starts at one of three bit offsets, and its first and last characters hold bits of the neighbours.
 */
function base64Patterns(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const bits = (offset + bytes.length) * 8
    const sure = text.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6))
    const shared = '[A-Za-z0-9+/_-]?'
    const before = offset === 0 ? '' : shared
    const after = bits % 6 === 0 ? '' : shared
    return before + [...sure].map(base64Letter).join('') + after
  })
}

function base64Letter(letter: string): string {
  if (letter === '+') return '(?:[+-]|%(?:25)*2[bB])'
  if (letter === '/') return '(?:\\\\*/|_|%(?:25)*2[fF])'
  return letter
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** A shorter secret is a common word: replace it only in its own header. */
const shortestExtra = 8

export const secretsOf = ({
  apiKey,
  extraHeaders = {},
}: Pick<ClientSettings, 'apiKey' | 'extraHeaders'>): string[] => [
  apiKey,
  ...Object.values(extraHeaders).filter((value) => value.length >= shortestExtra),
]

/** The longest first: removing a part would leave the rest. */
export function redactorOfAll(secrets: readonly string[]): Redactor {
  const redactors = [...secrets]
    .sort((one, other) => other.length - one.length)
    .map((secret) => redactor(secret))
  return (text) => redactors.reduce((clean, redact) => redact(clean), text)
}
