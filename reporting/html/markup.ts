import { printable } from '../parts/printable.ts'

/** HTML that is safe to write down: only `html` makes it. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[]

/**
 * A template of HTML. Whatever is put into it is text, in an element or a quoted attribute alike;
 * only what another template made stays markup. So nothing has to be remembered to be escaped.
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

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Control characters and those that turn the direction of writing are shown, not obeyed. Quotes are
 * left as they are outside tags: bodies in JSON are full of them.
 */
const escaped = (text: string, marks: RegExp) =>
  printable(wellFormed(text)).replace(marks, (char) => entities[char] as string)

/** Half a character cannot be written in UTF-8, and stops encodeURIComponent. */
const wellFormed = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd')

/** Text that may be as long as its sender likes, and says so where it was cut. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const whole = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${whole}… (the first ${number(most)} of ${number(text.length)} characters)`
}

export const { format: number } = new Intl.NumberFormat('en')

/** The fragment that shows a clause, or the clauses that a filter lets through. */
export const fragment = (state: Record<string, string>) =>
  `#${Object.entries(state)
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`)
    .join('&')}`

/** A part of the page that is folded until somebody asks for it. */
export const fold = (id: string, title: string, content: Markup): Markup =>
  html`<details class="fold" id="part=${id}"><summary><h2>${title}</h2></summary>
${content}
</details>
`
