import { type Parser, shown, standsInKey } from './parsers.ts'

/** An http(s) address without query, fragment and trailing slash. */
export const address =
  (example: string, { userinfo = false } = {}): Parser<string> =>
  (text, reading) => {
    const { key, mistake } = reading
    const scheme = /^[a-z][a-z\d+.-]*:\/\//i.exec(text)?.[0]
    if (scheme === undefined) {
      const meant = repaired(text, key) ?? `an address such as ${example}`
      return mistake(`has no https:// in front; write ${meant}.`)
    }
    if (!/^https?:/i.test(scheme))
      return mistake(
        `starts with ${shown(scheme, reading)}; give an address that starts with https:// or ` +
          `http://, for example ${example}.`,
      )
    // URL silently drops tabs and line breaks: two pasted lines would become one address.
    if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text))
      return mistake(`is not a valid address; give one like ${example}.`)
    const url = new URL(text)
    if (!userinfo && (url.username || url.password))
      return mistake(`contains a user name or password; give the address alone, like ${example}.`)
    if (/[?#]/.test(text))
      return mistake(`contains a query or a fragment; give the address alone, like ${example}.`)
    return url.href.replace(/\/+$/, '')
  }

const host = /^(localhost|[a-z\d-]+(\.[a-z\d-]+)+|[a-z\d-]+(?=:))(:\d+)?(\/[\w./-]*)?$/

/** Adds a scheme to what looks like a host. Anything else may be a secret in the wrong place. */
function repaired(text: string, key: string) {
  const bare = text
    .replace(/^(https?:)?[\\/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^.*@/s, '')
  if (!host.test(bare) || standsInKey(bare, key)) return undefined
  return `${/^(localhost|127\.)/.test(bare) ? 'http' : 'https'}://${bare}`
}
