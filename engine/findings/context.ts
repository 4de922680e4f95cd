import type { Context } from './kind.ts'

/** A fact between the texts that are for people alone. */
export function inContext(fact: string, { what, to, although, more = '' }: Context): string {
  const begin = what ? `${what}: ` : ''
  const request = to ? `, ${to}` : ''
  const end = although ? `, although ${although}` : ''
  return `${begin}${fact}${request}${end}${more}`
}
