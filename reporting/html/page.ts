import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Content, html, Markup } from './markup.ts'

// Normalise line ends, which git may change: the hash covers what the browser reads.
export const assetAt = (url: URL): string => readFileSync(url, 'utf8').replaceAll('\r\n', '\n')
const file = (name: string) => assetAt(new URL(name, import.meta.url))
const style = ['base', 'overview', 'page', 'glance']
  .map((name) => file(`assets/${name}.css`))
  .join('')
const script = file('assets/page.js')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Loads and sends nothing. Only this style and this script may run. */
const policyOf = (script: string | undefined) =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    // for the empty icon below, which prevents a request for one
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

export function pageOf(title: string, content: Content, { scripted = true } = {}): string {
  const code = scripted ? script : undefined
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policyOf(code))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${content}${code !== undefined && html`<script>${new Markup(code)}</script>`}
</body>
</html>
`.text
}
