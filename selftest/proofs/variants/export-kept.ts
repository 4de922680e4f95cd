import type { Call } from '../../../reference/calls/call.ts'
import type { Open } from '../../../reference/rules/open.ts'
import { stated } from '../../../reference/rules/stated.ts'
import { autumn, keptUnder, smallLimit, without } from '../bent/exports.ts'
import { type Variant, variant, variantsNamed } from '../fault.ts'

let made = 0

const all = variantsNamed({
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

/** Works on one request of these after another. */
const oneByOne = (msOf: (call: Call) => number): Partial<Open> => {
  let freeAt = 0
  return {
    delay: (call) => {
      const ms = call.at === 'start' ? msOf(call) : 0
      if (ms === 0) return 0
      freeAt = Math.max(freeAt, Date.now()) + ms
      return freeAt - Date.now()
    },
  }
}

const isPdf = ({ op, query }: Call) => op === 'export' && query.get('file_type') === 'pdf'

/** Services that work on one request at a time. */
export const serial: Variant[] = [
  ...[4, 12].map((seconds) =>
    variant(`PDFs are made one after another, each in ${seconds} seconds`, {
      ...oneByOne((call) => (isPdf(call) ? seconds * 1000 : 0)),
    }),
  ),
  variant('requests are answered one after another', { ...oneByOne(() => 150) }),
  variant('PDFs are made one after another, and those after the tenth in eight seconds', {
    ...oneByOne((call) => (isPdf(call) ? (++made > 10 ? 8_000 : 10) : 0)),
  }),
].map(smallLimit)

/** Services that keep files, that take their time, and that refuse what need not go together. */
export const variants = all.map(smallLimit)
