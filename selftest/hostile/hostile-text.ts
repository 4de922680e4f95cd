/** Text that an attacker stores, hoping that some program obeys it. */
const hostileTexts = (key: string) => [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u001b[2J\u001b[31mowned\u001b]0;owned\u0007',
  '\u009b31m\u0000\u0008\u007f\r\nowned',
  '\u202egpj.exe\u2066',
  '::error::owned\n::set-output name=x::y',
  '##vso[task.complete result=Succeeded]',
  "=cmd|' /C calc'!A0",
  '@SUM(1+1)*cmd',
  "'; DROP TABLE tasks; --",
  `$${'{jndi:ldap://127.0.0.1:9/x}'}`,
  ']]>&lol;<!-- --><![CDATA[',
  '%s%n%x {{7*7}} $(reboot) `reboot`',
  '\ud800 lone',
  `the key is ${key}`,
  Buffer.from(`apikey:${key}`).toString('base64'),
  encodeURIComponent(key),
  [...key].map((char) => `&#${char.charCodeAt(0)};`).join(''),
]

export function hostileSource(key: string): () => string {
  const texts = hostileTexts(key)
  let turn = 0
  return () => texts[turn++ % texts.length] as string
}

/** Replaces every string of a JSON value, except under the kept names. */
export function defaced(value: unknown, next: () => string, keep: readonly string[] = []): unknown {
  if (typeof value === 'string') return next()
  if (Array.isArray(value)) return value.map((item) => defaced(item, next, keep))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    keep.includes(name) ? member : defaced(member, next, keep),
  ])
  return { ...Object.fromEntries(members), [next()]: next() }
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`

export function hostileCsv(rows: number, next: () => string): string {
  const line = () => Array.from({ length: 5 }, () => cell(next())).join(',')
  return Array.from({ length: rows + 1 }, line).join('\r\n')
}

/** Heads of refusals that Node would not write: one that HTTP forbids, and one that it allows. */
export const hostileHeads = (key: string) =>
  ['\u001b[2J\u001b[31m', '\u009b2J\u202e<script>alert(1)</script>'].map((order) =>
    [
      `HTTP/1.1 404 ${order} ${key}`,
      'Content-Length: 0',
      `X-Order: ${order}`,
      `X-Echo: ${key}`,
      `Set-Cookie: session=${key}; Path=/`,
      `${key.replaceAll(/[^a-z0-9-]/gi, '')}: ${encodeURIComponent(key)}`,
      `Location: javascript:alert(1)//${order}`,
      '',
      '',
    ].join('\r\n'),
  )
