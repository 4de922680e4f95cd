import type { Variant } from './bend.ts'

const most = 8

/**
 * Variants that bend different rules, several at a time: what is legal is legal together. A run for
 * each alone takes four times as long; `npm run prove` makes it.
 */
export function mixtures(variants: readonly Variant[]): Variant[][] {
  const all: Variant[][] = []
  for (const variant of variants) {
    const open = all.find(
      (parts) => parts.length < most && parts.every((other) => canMeet(other, variant)),
    )
    if (open) open.push(variant)
    else all.push([variant])
  }
  return all
}

const canMeet = (a: Variant, b: Variant): boolean =>
  !isParticular(a) &&
  !isParticular(b) &&
  a.surroundings === b.surroundings &&
  a.events === b.events &&
  a.pdfLimit === b.pdfLimit &&
  rulesOf(a).every((rule) => !rulesOf(b).includes(rule))

/** What bends a stated rule goes by how the others are. */
const isParticular = ({ warns, stated }: Variant) => warns !== undefined || stated !== undefined

const rulesOf = ({ open = {} }: Variant) => Object.keys(open)

export const nameOf = (parts: readonly Variant[]): string =>
  parts.map(({ name }) => name).join(' + ')

export const mixtureOf = (parts: readonly Variant[]): Variant => ({
  ...parts[0],
  name: nameOf(parts),
  open: Object.assign({}, ...parts.map(({ open }) => open)),
})
