import type { Exchange } from '../../engine/http/exchange.ts'
import { configured, keyForms } from '../../engine/http/redaction.ts'
import type { Report } from '../../engine/run/report.ts'
import { present } from './texts.ts'

/** Whether curl sends a header itself, or it belongs to one connection or request. */
export const isCurlsOwn = (name: string): boolean =>
  /^(accept-encoding|user-agent|content-length|connection|host|traceparent)$/i.test(name)

/** Replaces a body that the report lacks; curl then fails and names it. */
const notKept = '@the-body-that-this-report-does-not-hold'

/**
 * One exchange as a shell command (bash, zsh) that reads the key from `$API_KEY`. Everything is quoted: the
 * shell never interprets a value from the service.
 */
export function curlOf(exchange: Exchange, { target }: Pick<Report, 'target'>): string {
  const { method, path, requestHeaders } = exchange
  const url = (exchange.base ?? target.baseUrl) + path
  const has = (name: string) =>
    Object.keys(requestHeaders).some((each) => each.toLowerCase() === name)
  const headers = Object.entries(requestHeaders).filter((each) => !isImplied(each))
  const data = dataOf(exchange)
  const verb =
    method === 'HEAD' ? '--head' : `-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`
  const options = present([
    'curl -sS -i',
    method !== 'GET' && verb,
    // curl would expand brackets, and resolve dots that are meant
    /[[\]{}]/.test(url) && '--globoff',
    /\/\.{1,2}(?:[/?]|$)/.test(url) && '--path-as-is',
    has('accept-encoding') && '--compressed',
  ])
  return present([
    options.join(' '),
    quoted(url),
    headers.map((each) => headerOf(each)),
    // curl adds a form's content type and an Accept header by itself
    data !== undefined && !has('content-type') && "-H 'content-type:'",
    !has('accept') && "-H 'accept:'",
    data,
  ]).join(' \\\n  ')
}

const isImplied = ([name, value]: [string, string]) =>
  isCurlsOwn(name) || (/^accept$/i.test(name) && value === '*/*')

/** curl drops an empty header written with a colon; use a semicolon. */
export const headerOf = ([name, value]: [string, string], quote = (text: string) => quoted(text)) =>
  `-H ${quote(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`

function dataOf({ method, requestBody }: Exchange): string | undefined {
  if (requestBody === undefined) return method === 'PUT' ? `--data-binary ${notKept}` : undefined
  // A long body is known by size alone. An argument cannot hold NUL.
  if (
    /^\([\d,]+ bytes, (SHA-256 [\da-f]{64}|left out)\)$/.test(requestBody) ||
    requestBody.includes('\0')
  )
    return `--data-binary ${notKept}`
  return `--data-raw ${quoted(requestBody)}`
}

/** The key in a shell, in each of the forms in which reports name it. */
const keysInShell: Record<string, string> = {
  [configured]: '$API_KEY',
  [keyForms.shorter]: `\${API_KEY%?}`,
  [keyForms.otherCase]: "$(printf %s \"$API_KEY\" | tr 'A-Za-z' 'a-zA-Z')",
}

const forms = Object.keys(keysInShell).map((form) => form.replace(/[()]/g, '\\$&'))

// Not in the user info of an address: no key stood there.
const key = new RegExp(`(?<!://)(${forms.join('|')})`)

/** One shell word, with `$API_KEY` wherever the key stood. */
export function quoted(text: string, literalOf = literal): string {
  // Odd positions hold the separators.
  const parts = text.split(key).map((part, at) => (at % 2 === 1 ? keysInShell[part] : part) ?? '')
  const texts = parts.filter((_, at) => at % 2 === 0)
  if (texts.length > 1 && texts.every((part) => /^[\w :.,!/?&=-]*$/.test(part)))
    return `"${parts.join('')}"`
  const words = parts.map((part, at) => (at % 2 === 1 ? `"${part}"` : part && literalOf(part)))
  return words.join('') || "''"
}

// Line breaks and tabs too: a terminal without bracketed paste reads them as keys.
export const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function literal(text: string): string {
  if (!unprintable.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const inside = [...text].map((char) =>
    unprintable.test(char) || /['\\!]/.test(char) ? octal(char) : char,
  )
  return `$'${inside.join('')}'`
}

/** Byte by byte with three digits, so that a following digit is not included. */
export const octal = (char: string) =>
  [...Buffer.from(char, 'utf8')].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
