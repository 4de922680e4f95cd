import { stated } from '../../../reference/rules/stated.ts'
import { autumn, smallLimit } from '../bent/export-window.ts'
import { keptUnder, without } from '../bent/kept-files.ts'
import { type Variant, variantsNamed } from '../fault.ts'

const all: Variant[] = variantsNamed({
  'a file is kept for seconds under its whole query': { ...keptUnder(without(), 5_000) },
  'a file is kept for 20 seconds under its whole query, while others use the service': {
    env: { ...autumn, AUDIT_WAIT_S: '5' },
    ...keptUnder(without(), 20_000),
    trafficInterval: () => 40,
  },
  'a file is kept for a tenth of a second under its whole query': { ...keptUnder(without(), 100) },
  'a file is made slowly': { delay: ({ op }) => (op === 'export' ? 20 : 0) },
  'a language is refused beside a time zone, and filters beside either': {
    rangeRefusal: (asked) => {
      const given = ['locale', 'timezone'].filter((name) => asked.query.has(name)).length
      const isTooMuch = given > 1 || (given > 0 && asked.filters.length > 0)
      return isTooMuch ? 400 : stated.rangeRefusal(asked)
    },
  },
})

/** Services that keep files, that take their time, and that refuse what need not go together. */
export const variants = all.map(smallLimit)
