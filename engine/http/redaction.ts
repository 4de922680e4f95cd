import type { ClientSettings } from './client-settings.ts'

export type Redactor = (text: string) => string

/**
 * Below this length a key is only replaced where it is all there is. A key of three letters stands
 * in every other word: replacing it would shred the evidence and even tell where the key is.
 */
const shortest = 4

/** What stands in reports in place of the key. */
export const configured = '(configured)'

/** What stands in place of a wrong key from which the right one could be guessed, by how it was made. */
export const keyForms = {
  shorter: '(configured, without its last character)',
  otherCase: '(configured, in the other letter case)',
  unknown: '(a variation of the configured key)',
}

/** Replaces a secret however it is written; the userinfo of an address is replaced as well. */
export function redactor(secret: string, instead = configured): Redactor {
  if (secret === '') return withoutUserinfo
  if (secret.length < shortest) return (text) => (text === secret ? instead : withoutUserinfo(text))
  const pieces = piecesOf(secret)
  const secrets = pieces.map((piece) => new RegExp(patternOf(piece), 'g'))
  const shortestPiece = Math.min(...pieces.map(({ length }) => length))
  return (text) => {
    // Nothing that is shorter holds it, however it is written: most headers are done at once.
    if (text.length < shortestPiece) return withoutUserinfo(text)
    const [only, ...others] = secrets
    if (only && others.length === 0) return withoutUserinfo(text.replace(only, instead))
    return withoutUserinfo(withoutSpans(text, spansOf(secrets, text), instead))
  }
}

type Span = { from: number; to: number }

/** Where any of these matches, also where matches overlap, in the order of the text. */
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
    // What touches the one before is one with it.
    if (from > at || at === 0) clean += text.slice(at, from) + instead
    at = Math.max(at, to)
  }
  return clean + text.slice(at)
}

/** An expression for a longer text is more than the engine takes. */
const longest = 1000

/** A long secret in parts, none of them short: each is taken out by itself. */
function piecesOf(secret: string): string[] {
  const characters = [...secret]
  const count = Math.ceil(characters.length / longest)
  const size = Math.ceil(characters.length / count)
  return Array.from({ length: count }, (_, n) =>
    characters.slice(n * size, (n + 1) * size).join(''),
  )
}

/** Redacts names too: a service may give back the key as the name of a header, in lower case. */
export function redactHeaders(
  headers: Record<string, string>,
  redact: Redactor,
  redactNames: Redactor,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [redactNames(redact(name)), redact(value)]),
  )
}

/** Tells whether bytes hold the secret, as text or inside something binary. */
export function secretFinder(secret: string): (bytes: Buffer) => boolean {
  if (secret.length < shortest)
    return (bytes) => bytes.toString('latin1') === secret && secret !== ''
  const patterns = piecesOf(secret).map((piece) => new RegExp(patternOf(piece)))
  const step = 1 << 20
  // windows, for one string of a whole export would be too long for the engine; they overlap
  const overlap = secret.length * 16
  return (bytes) => {
    for (let at = 0; at < bytes.length; at += step)
      if (patterns.some((each) => each.test(bytes.toString('latin1', at, at + step + overlap))))
        return true
    return false
  }
}

/** Tells whether a key gives away the secret: the same in other case, a part of it, or with more. */
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

/** A key as reports may show it. */
export function shownKey(secret: string, key: string, redact: Redactor): string {
  if (key === secret && secret !== '') return configured
  return isVariation(secret, key) ? formOf(secret, key) : redact(key)
}

/** How a key was made of the secret, in words that do not give it away. */
export function formOf(secret: string, key: string): string {
  const parts = key.split(secret)
  if (parts.length === 2) return parts.join(configured)
  const [most, last] = [secret.slice(0, -1), key.slice(-1)]
  if (key === most) return keyForms.shorter
  if (key === most + last) return keyForms.shorter + last
  const isOtherCase = key === otherCase(secret)
  return isOtherCase ? keyForms.otherCase : keyForms.unknown
}

/** A text with the case of every letter changed. */
export const otherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )

function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text
  // bounded, so that a hostile body of letters alone cannot make this quadratic
  return text.replace(
    /([a-z][a-z\d+.-]{0,15}:(?:\\*\/){2})[^\s/?#"'<>\\@]{1,400}@/gi,
    `$1${configured}@`,
  )
}

function patternOf(secret: string): string {
  // the second view is how UTF-8 looks in a header or in bytes read as latin1
  const utf8 = Buffer.from(secret, 'utf8')
  const views = new Set([secret, utf8.toString('latin1')])
  const written = [...views].map((view) => [...view].map(anyEscape).join(''))
  return [...written, ...base64Patterns(utf8)].join('|')
}

const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }
const jsonLetters: Record<string, string> = {
  '\n': 'n',
  '\t': 't',
  '\r': 'r',
  '\b': 'b',
  '\f': 'f',
}

/** Any character may be escaped or not, one by one, and what is escaped may be escaped again. */
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
  if (jsonLetters[character]) ways.push(`\\\\+${jsonLetters[character]}`)
  if ('"/\\'.includes(character)) ways.push(`\\\\+${literal(character)}`)
  if (character === ' ') ways.push('\\+')
  return `(?:${ways.join('|')})`
}

/**
 * Inside a longer base64 text the secret starts at one of three bit offsets. The characters at its
 * ends hold bits of its neighbours as well: they are unknown, but go with it.
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

/** A shorter one is a word that stands in other texts as well: it is kept out of its header alone. */
const shortestExtra = 8

/** What a run sends and no report may show: the key first, then headers for a gateway. */
export const secretsOf = ({
  apiKey,
  extraHeaders = {},
}: Pick<ClientSettings, 'apiKey' | 'extraHeaders'>): string[] => [
  apiKey,
  ...Object.values(extraHeaders).filter((value) => value.length >= shortestExtra),
]

/** Takes several secrets out of a text, the longest first: a part taken out would leave the rest. */
export function redactorOfAll(secrets: readonly string[]): Redactor {
  const redactors = [...secrets]
    .sort((one, other) => other.length - one.length)
    .map((secret) => redactor(secret))
  return (text) => redactors.reduce((clean, redact) => redact(clean), text)
}
