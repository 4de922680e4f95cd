import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Content, html, Markup } from './markup.ts'

// As a browser reads it: with carriage returns, as git may write them, the hash would be another.
const file = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('\r\n', '\n')
const style = ['base', 'overview', 'breaches', 'clauses', 'narrow-and-print']
  .map((name) => file(`assets/${name}.css`))
  .join('')
const script = file('assets/page.js')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded, nothing sent, and of all that could be code this style and script alone run. */
const policyOf = (scripted: boolean) =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${scripted ? hashOf(script) : "'none'"}`,
    // the empty icon below, for which a browser would ask the server otherwise
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The page around its content: one file that asks for no other. */
export function pageOf(title: string, content: Content, { scripted = true } = {}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policyOf(scripted))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${content}${scripted && html`<script>${new Markup(script)}</script>`}
</body>
</html>
`.text
}
