// What the body of an answer is, whatever its content type says.

import { describeAnswer } from '../http/answers.ts'
import type { Downloaded } from '../http/client.ts'
import { NotDecidable, Trouble } from '../outcome.ts'

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
const errorNames = /^(errors?|message|status|status_?code|code|title|detail|type)$/i

/** Where an answer says that the file is, if it is not in its content. */
export function whereabouts(
  { headers }: Pick<Downloaded, 'headers'>,
  beginning: string,
): string | undefined {
  const content = contentOf(beginning)
  if (content === 'nothing') {
    if (headers.location) return 'a Location header'
    if (headers['content-disposition']) return 'a Content-Disposition header'
  }
  return content === 'JSON' && linksIn(beginning) ? 'a link in JSON' : undefined
}

function linksIn(text: string): boolean {
  const members = [...text.matchAll(/"([^"\\]*)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
  if (members.some(([, name = '']) => errorNames.test(name))) return false
  return members.some(
    ([, name = '', value = '']) => linkNames.test(name) && /^(https?:)?\\?\//.test(value),
  )
}

/** What was asked and what came, as the beginning of a sentence. */

/** Ends the clause at what is nobody's breach: a key that may not export, and trouble. */
export function needDecidable(answer: Pick<Downloaded, 'method' | 'path' | 'status'>): void {
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer)}: the key may not export`)
  if (answer.status === 429 || answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}, and what it says of the service cannot be told`)
}
