import type { ClauseReport } from '../../engine/run/report.ts'
import type { Block } from '../parts/blocks.ts'
import { tally as count, type ShownVerdict, told } from '../parts/count.ts'
import { printable } from '../parts/texts.ts'

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[]

/**
 * A template of HTML. Every value is escaped, in elements and quoted attributes alike, except the result of
 * another template. Nothing has to be escaped by hand.
 */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  let text = ''
  let inTag = false
  parts.forEach((part, at) => {
    text += part
    const [opens, closes] = [part.lastIndexOf('<'), part.lastIndexOf('>')]
    if (opens !== closes) inTag = opens > closes
    text += written(contents[at], inTag)
  })
  return new Markup(text)
}

function written(content: Content, inTag: boolean): string {
  if (content === undefined || content === false) return ''
  if (content instanceof Markup) return content.text
  if (typeof content === 'object') return content.map((one) => written(one, inTag)).join('')
  return escaped(String(content), inTag ? /[&<>"']/g : /[&<>]/g)
}

/**
 * Shows control characters and direction marks instead of obeying them. Quotes outside tags stay: JSON
 * bodies are full of them.
 */
const escaped = (text: string, marks: RegExp) =>
  printable(wellFormed(text)).replace(marks, (char) => `&#${char.charCodeAt(0)};`)

/** Half a surrogate pair is not valid UTF-8 and breaks encodeURIComponent. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd')

export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const whole = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${whole}… (the first ${number(most)} of ${number(text.length)} characters)`
}

export const { format: number } = new Intl.NumberFormat('en')

export const fragment = (state: Record<string, string>) =>
  `#${Object.entries(state)
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`)
    .join('&')}`

export const blockOf = ({ heading, items }: Block, level: 'h2' | 'h3' = 'h2'): Markup =>
  html`<${level}>${heading}</${level}>
<ul class="remarks">${items.map(
    ([title = '', ...lines]) =>
      html`<li>${cut(title, 2000)}${lines.map((line) => html`<div class="said">${cut(line, 4000)}</div>`)}</li>
`,
  )}</ul>
`

export const fold = (id: string, title: string, content: Markup): Markup =>
  html`<details class="fold" id="part=${id}"><summary><h2>${title}</h2></summary>
${content}
</details>
`

export const signs: Record<ShownVerdict, string> = {
  fail: '✗',
  warn: '▲',
  waived: '⚑',
  inconclusive: '?',
  skip: '○',
  pass: '✓',
  observed: '◆',
  'not counted': '∅',
}

/** A verdict as sign and word, because not everybody sees colours. */
export const badge = (verdict: ShownVerdict): Markup =>
  html`<span class="verdict ${classOf(verdict)}">${signs[verdict] ?? '·'} ${verdict}</span>`

/** Class names come from known words alone, even if the report file is manipulated. */
export const classOf = (verdict: ShownVerdict): string => (verdict in signs ? verdict : 'unknown')

export function tally(clauses: readonly ClauseReport[]): [ShownVerdict, number][] {
  const counts = count(clauses)
  return told.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : []))
}
