// What the body of an answer is, whatever its content type says.

import type { Downloaded } from '../http/client.ts'

/** What the content of an answer is, told from how it begins. */
export type Content = 'nothing' | 'JSON' | 'HTML' | 'PDF' | 'an archive' | 'text'

// A member or a first item has to follow: a title line of a CSV may begin with any bracket.
const json = /^\s*(\{\s*("(?:[^"\\]|\\.)*"\s*:|\})|\[\s*[[{\]])/
const html = /^\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)\b/is

// How zip and gzip begin; the second byte of gzip is no UTF-8 and reads as a replacement sign.
const archives = ['PK\u0003\u0004', '\u001f\ufffd\u0008', '\u001f\u008b\u0008']

/** Tells content that is no delimited text from what may be one. */
export function contentOf(beginning: string): Content {
  const text = beginning.replace(/^\ufeff/, '')
  if (text === '') return 'nothing'
  if (text.startsWith('%PDF-')) return 'PDF'
  if (archives.some((magic) => text.startsWith(magic))) return 'an archive'
  if (json.test(text)) return 'JSON'
  return html.test(text) ? 'HTML' : 'text'
}

/** That nothing speaks against a CSV, which a file without events may be without a letter. */
export const mayBeCsv = (beginning: string): boolean =>
  ['text', 'nothing'].includes(contentOf(beginning))

const linkNames = /(url|uri|link|href|location|file|download)/i
const members = /"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

/** Where an answer says that its file is, and the address it gives, which may be relative. */
export type Place = { told: string; address: string }

/**
 * The address of the file, where the answer gives one in place of its content: in a header of an
 * answer without a byte, or in JSON. The name of a file is not an address.
 */
export function placeOfFile(
  { headers }: Pick<Downloaded, 'headers'>,
  beginning: string,
): Place | undefined {
  const content = contentOf(beginning)
  if (content === 'JSON') return placeInJson(beginning)
  if (content !== 'nothing') return undefined
  const { location, 'content-location': own, link } = headers
  if (location) return { told: 'a Location header', address: location }
  if (own) return { told: 'a Content-Location header', address: own }
  const [, target] = /<([^>]*)>/.exec(link ?? '') ?? []
  return target ? { told: 'a Link header', address: target } : undefined
}

function placeInJson(text: string): Place | undefined {
  const found = [...text.matchAll(members)].map(([, name = '', value = '']) => ({ name, value }))
  // What is told of an error may link to its documentation.
  if (found.some(({ name }) => /^errors?$/i.test(name))) return undefined
  const link = found.find(
    ({ name, value }) => linkNames.test(name) && /^(https?:)?\\?\//i.test(value),
  )
  return link && { told: 'a link in JSON', address: unescaped(link.value) }
}

const unescaped = (text: string): string =>
  text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, '$1')

/** Where an answer says that the file is, if it is not in its content. */
export const whereabouts = (
  answer: Pick<Downloaded, 'headers'>,
  beginning: string,
): string | undefined => placeOfFile(answer, beginning)?.told
