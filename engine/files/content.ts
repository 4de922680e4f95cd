// The kind of a body, from its bytes: the contract does not specify the content type.

import type { Downloaded } from '../http/client.ts'
import { parsed } from '../parsed.ts'

type Content = 'nothing' | 'JSON' | 'HTML' | 'PDF' | 'an archive' | 'text'

// Requires a member or a first item: a title line of a CSV may begin with a bracket.
const json = /^\s*(\{\s*("(?:[^"\\]|\\.)*"\s*:|\})|\[\s*[[{\]])/
const html = /^\s*(<!--.*?-->\s*)*<(!doctype html|html|head|body)\b/is

// Signatures of zip and gzip. The second byte of gzip is invalid UTF-8 and reads as U+FFFD.
const archives = ['PK\u0003\u0004', '\u001f\ufffd\u0008', '\u001f\u008b\u0008']

export function contentOf(beginning: string): Content {
  const text = beginning.replace(/^\ufeff/, '')
  if (text === '') return 'nothing'
  if (text.startsWith('%PDF-')) return 'PDF'
  if (archives.some((magic) => text.startsWith(magic))) return 'an archive'
  if (json.test(text)) return 'JSON'
  return html.test(text) ? 'HTML' : 'text'
}

/** A CSV without events may be empty. */
export const mayBeCsv = (beginning: string): boolean =>
  ['text', 'nothing'].includes(contentOf(beginning))

const linkNames = /(url|uri|link|href|location|file|download)/i
const members = /"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g

/** Where the answer names the address of its file; the address may be relative. */
type Place = { told: string; address: string }

/**
 * The address of the file, if the answer has an address instead of the content: in a header of an
 * empty answer, or in JSON. A file name is not an address.
 */
export function placeOfFile({ headers }: Pick<Downloaded, 'headers'>, beginning: string) {
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
  // An error may link to its documentation.
  if (found.some(({ name }) => /^errors?$/i.test(name))) return undefined
  const link = found.find(
    ({ name, value }) => linkNames.test(name) && /^(https?:)?\\?\//i.test(value),
  )
  return (
    link && { told: 'a link in JSON', address: String(parsed(`"${link.value}"`) ?? link.value) }
  )
}
